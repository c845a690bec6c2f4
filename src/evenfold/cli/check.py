"""`evenfold check`: measure a split that exists, and say whether it is sound."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .errors import Command, DataError
from .options import (
    FILE_IN,
    PATH_IN,
    Reading,
    Sizes,
    SizesList,
    example,
    force_option,
    groups_option,
    json_option,
    quiet_option,
    reading_options,
)
from .outputs import report_option

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..labels.labels import Labels
    from ..quality import Quality
    from ..splits import Split
    from .reading import Coded


class Limit(click.FloatRange):
    """A number from 0."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it; nothing is over NaN, so that would let everything pass."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number. Try 0.05.", param, ctx)
        return number


class Found(NamedTuple):
    """Rows as they are cut."""

    labels: Labels
    parts: Coded
    groups: Coded | None
    ids: Coded | None


@click.command(
    cls=Command,
    epilog=example(
        "evenfold check movies.csv --labels genres --part-column part --max-excess 0.05"
    ),
)
@click.argument("data", metavar="DATA...", type=PATH_IN, nargs=-1, required=True)
@reading_options
@click.option("--part-column", metavar="COL", help="The column that names the part of each row.")
@click.option(
    "--parts",
    type=SizesList(),
    help="The sizes wanted; without --groups, a part that is a row or more off fails.",
)
@groups_option
@click.option(
    "--id", "id_column", metavar="COL", help="Names of rows; one that is in two parts fails."
)
@click.option(
    "--max-excess",
    type=Limit(min=0),
    metavar="X",
    help="Fail if rLD is more than this share over the best possible: 0.05 for 5 %.",
)
@click.option(
    "--max-empty",
    type=click.IntRange(min=0),
    metavar="N",
    help="Fail if more often than this a part lacks a label that it could have: FLZ over its bound.",
)
@click.option(
    "--manifest",
    type=FILE_IN,
    metavar="FILE",
    help="Fail if labels or parts are not those of this record of a split.",
)
@report_option
@force_option
@quiet_option
@json_option
def check(
    data: tuple[str, ...],
    reading: Reading,
    part_column: str | None,
    parts: Sizes | None,
    groups: str | None,
    id_column: str | None,
    max_excess: float | None,
    max_empty: int | None,
    manifest: Path | None,
    report: Path | None,
    force: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Measure an existing split of DATA, and exit 1 if it is not sound.

    The parts are named in a column, or each file is one (check train.csv test.csv), or they are those of a manifest. Groups must be whole, and no id
    in two parts. A label that has fewer rows, or groups, than there are parts must be lacking somewhere; --max-empty does not count that.
    """
    several = len(data) > 1
    if several and part_column is not None:
        raise click.UsageError(
            "--part-column is for one file, got several. Name one file, or leave out --part-column."
        )
    if several and manifest is not None:
        raise click.UsageError(
            "--manifest is for one file, whose rows are in the order of the split. Name that file."
        )
    if not several and part_column is None and manifest is None:
        raise click.UsageError(
            "Say what the parts are: --part-column COL, or one file for each part, or --manifest FILE."
        )

    from ..splits import load_split
    from .texts import print_json, say_repeated
    from .writing import ReportWriter

    writer = (
        None
        if report is None
        else ReportWriter(
            report,
            force,
            [*data, *map(str, reading.paths), *([] if manifest is None else [str(manifest)])],
        )
    )
    kept = None if manifest is None else load_split(manifest)
    found = (
        _read_each(data, reading, groups, id_column)
        if several
        else _read_one(data[0], reading, part_column, groups, id_column, kept)
    )
    failures = [] if kept is None else _compare(kept, found, f"{manifest}")
    quality, part_of_row = _measure(found, parts, kept)
    names = quality.per_part.part.tolist()
    failures += say_repeated("group", found.groups, part_of_row, names) + say_repeated(
        "id", found.ids, part_of_row, names
    )
    if parts is not None and groups is None:
        failures += [
            f"{part.part} has {part.rows:,} rows, wanted were {part.wanted:,.1f}."
            for part in quality.per_part
            if abs(part.rows - part.wanted) >= 1
        ]
    failures += _compare_with_limits(quality, max_excess, max_empty)
    if writer is not None:
        writer.write(quality, Path(data[0]).name if not several else f"{len(data)} files", failures)
    if as_json:
        print_json({"passed": not failures, "failures": failures, "quality": quality.to_dict()})
    elif not quiet:
        click.echo(str(quality))
    for failure in failures:
        click.echo(f"evenfold: {failure}", err=True)
    if failures:
        click.get_current_context().exit(1)


def _read_one(
    path: str,
    reading: Reading,
    part_column: str | None,
    groups: str | None,
    id_column: str | None,
    kept: Split | None,
) -> Found:
    """Read a file whose parts are in a column, or else in the record of a split."""
    from .reading import Coded, order_parts, read_groups, read_ids, read_rows, read_whole_codes

    file, labels, _ = read_rows(path, reading)
    if part_column is not None:
        advice = "Leave out rows that are in no part, or place them with evenfold extend."
        parts = order_parts(read_whole_codes(file, part_column, "--part-column", advice))
    else:
        assert kept is not None
        if len(kept.part_of_row) != labels.n_rows:
            raise DataError(
                f"the record of the split is of {len(kept.part_of_row):,} rows, {path} has {labels.n_rows:,}."
            )
        parts = Coded(kept.part_of_row.astype("int64"), list(kept.names))
    return Found(labels, parts, read_groups(file, groups), read_ids(file, id_column))


def _read_each(
    paths: Sequence[str], reading: Reading, groups: str | None, id_column: str | None
) -> Found:
    """Read one file for each part, named after it."""
    import numpy as np

    from ..files.chain import Chain
    from ..files.registry import open_data
    from .reading import Coded, read_groups, read_ids, read_labels_of

    names = [Path(path).stem for path in paths]
    if len(set(names)) < len(names):
        names = list(paths)
    chain = Chain([open_data(path, reading.format, reading.xml) for path in paths])
    labels = read_labels_of(chain, reading)
    part_of_row = np.repeat(np.arange(len(paths)), chain.rows_of_file)
    return Found(
        labels, Coded(part_of_row, names), read_groups(chain, groups), read_ids(chain, id_column)
    )


def _compare(kept: Split, found: Found, manifest: str) -> list[str]:
    """Say how data and parts differ from the record of a split."""
    import numpy as np

    from ..labels.fingerprints import make_fingerprint

    if len(kept.part_of_row) != found.labels.n_rows:
        return [
            f"{manifest} is of {len(kept.part_of_row):,} rows, the data has {found.labels.n_rows:,}."
        ]
    failures = []
    if make_fingerprint(found.labels) != kept.fingerprint:
        failures.append(
            f"the labels are not those that {manifest} was made for: some were changed, or rows reordered."
        )
    now, then = (
        np.array(found.parts.values)[found.parts.code_of_row],
        np.array(kept.names)[kept.part_of_row],
    )
    moved = np.flatnonzero(now != then)
    if len(moved):
        row = int(moved[0])
        failures.append(
            f"{len(moved):,} of {len(now):,} rows are in another part than in {manifest}, first row {row} (from 0): '{now[row]}', not '{then[row]}'."
        )
    return failures


def _measure(
    found: Found, parts: Sizes | None, kept: Split | None
) -> tuple[Quality, NDArray[np.int32]]:
    """Measure against the sizes asked for, else those of the record, else those that are there."""
    import numpy as np

    from ..quality.measuring import match_parts, measure_labels

    if parts is None and kept is not None and set(found.parts.values) <= set(kept.names):
        parts = dict(zip(kept.names, kept._parts.shares.tolist(), strict=True))
    wanted, part_of_row = match_parts(
        parts, found.parts.code_of_row.astype(np.int32), found.parts.values, found.labels.n_rows
    )
    return measure_labels(
        found.labels,
        part_of_row,
        wanted,
        None if found.groups is None else found.groups.code_of_row,
    ), part_of_row


def _compare_with_limits(
    quality: Quality, max_excess: float | None, max_empty: int | None
) -> list[str]:
    failures = []
    if max_excess is not None and quality.excess > max_excess:
        over = f"{quality.excess:.1%} over" if quality.excess < float("inf") else "above"
        failures.append(
            f"rLD is {quality.rld:.5f}, {over} the best possible ({quality.bound.rld:.5f}); allowed is {max_excess:.1%}."
        )
    n_empty = quality.flz - quality.bound.flz
    if max_empty is not None and n_empty > max_empty:
        failures.append(
            f"{n_empty:,} times a part lacks a label that it could have had; allowed is {max_empty:,}."
        )
    return failures
