"""`evenfold check`: measure a split that exists, and say whether it is sound."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from .errors import Command, DataError
from .link_options import groups_option
from .option_types import Limit
from .options import (
    FILE_IN,
    PATH_IN,
    SIZES,
    Reading,
    Sizes,
    bound_option,
    example,
    force_option,
    json_option,
    quiet_option,
    reading_options,
    report_option,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..labels.labels import Labels
    from ..links.group_columns import Groups
    from ..quality import Quality
    from ..splits import Split
    from .reading import Coded


class Found(NamedTuple):
    """A split that exists: labels and, for each row, its part, group and id."""

    labels: Labels
    parts: Coded
    groups: Groups | None
    ids: Coded | None


@click.command(
    cls=Command,
    epilog=example(
        "evenfold check movies.csv --labels genres --part-column part \\",
        "    --max-excess 0.05",
    ),
)
@click.argument("data", metavar="DATA...", type=PATH_IN, nargs=-1, required=True)
@reading_options
@click.option("--part-column", metavar="COL", help="The column that names the part of each row.")
@click.option(
    "--parts",
    type=SIZES,
    help="The sizes wanted. Without --groups, a part that is a row or more off fails.",
)
@groups_option
@click.option(
    "--id",
    "id_column",
    metavar="COL",
    help="A column that identifies rows. An id in two parts fails.",
)
@click.option(
    "--max-excess",
    type=Limit(min=0),
    metavar="X",
    help="Fail if rLD is more than this share above the best possible: 0.05 for 5 %.",
)
@bound_option
@click.option(
    "--max-empty",
    type=click.IntRange(min=0),
    metavar="N",
    help="Fail if more than N times a part lacks a label that it could have: FLZ minus its bound.",
)
@click.option(
    "--manifest",
    type=FILE_IN,
    metavar="FILE",
    help="Fail if labels or parts differ from this record of a split.",
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
    groups: tuple[str, ...],
    id_column: str | None,
    max_excess: float | None,
    bound: Literal["cheap", "tight"],
    max_empty: int | None,
    manifest: Path | None,
    report: Path | None,
    force: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Measure a split that exists, and exit 1 if it is not sound.

    The parts are named in a column, or each file is one part (check train.csv test.csv), or they
    are those of a manifest. Groups must be whole, and no id may be in two parts. A label with fewer
    rows, or groups, than there are parts is necessarily missing in some part; --max-empty does not
    count this.
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
            "Say what the parts are: --part-column COL, or one file for each part, "
            "or --manifest FILE."
        )

    from ..splits import load_split
    from .messages import describe_repeated, print_json
    from .report_writer import ReportWriter

    writer = None
    if report is not None:
        inputs = [*data, *map(str, reading.paths), *([] if manifest is None else [str(manifest)])]
        writer = ReportWriter(report, force, inputs)
    saved = None if manifest is None else load_split(manifest)
    if several:
        found = _read_each(data, reading, groups, id_column)
    else:
        found = _read_one(data[0], reading, part_column, groups, id_column, saved)
    quality = _measure(found, parts, saved, bound)
    part_of_row, names = quality.placement.part_of_row, quality.per_part.part.tolist()
    failures = [
        *([] if saved is None else _compare_with_saved(saved, found, str(manifest))),
        *_find_cut_groups(found.groups, part_of_row, names),
        *describe_repeated("id", found.ids, part_of_row, names),
        *(_compare_sizes(quality) if parts is not None and not groups else []),
        *_compare_with_limits(quality, max_excess, max_empty),
    ]
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
    groups: tuple[str, ...],
    id_column: str | None,
    saved: Split | None,
) -> Found:
    """Read a file whose parts are in a column, or in the record of a split."""
    from .reading import Coded, order_parts, read_groups, read_ids, read_rows, read_whole_codes

    file, labels, _ = read_rows(path, reading)
    if part_column is not None:
        advice = "Leave out rows that are in no part, or place them with evenfold extend."
        parts = order_parts(read_whole_codes(file, part_column, "--part-column", advice))
    else:
        assert saved is not None
        if len(saved.part_of_row) != labels.n_rows:
            raise DataError(
                f"the record of the split is of {len(saved.part_of_row):,} rows, "
                f"{path} has {labels.n_rows:,}."
            )
        parts = Coded(saved.part_of_row.astype("int64"), list(saved.names))
    return Found(labels, parts, read_groups(file, groups), read_ids(file, id_column))


def _read_each(
    paths: Sequence[str], reading: Reading, groups: tuple[str, ...], id_column: str | None
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
    labels, _ = read_labels_of(chain, reading)
    part_of_row = np.repeat(np.arange(len(paths)), chain.rows_of_file)
    return Found(
        labels, Coded(part_of_row, names), read_groups(chain, groups), read_ids(chain, id_column)
    )


def _measure(
    found: Found, parts: Sizes | None, saved: Split | None, bound: Literal["cheap", "tight"]
) -> Quality:
    """Measure against the sizes given, else those of the record, else those that are there."""
    from ..quality import measure

    names = found.parts.values
    if parts is None and saved is not None and set(names) <= set(saved.names):
        parts = dict(zip(saved.names, saved.shares.tolist(), strict=True))
    return measure(
        found.labels,
        found.parts.code_of_row,
        parts,
        None if found.groups is None else found.groups.group_of_row,
        names=names,
        bound=bound,
    )


def _compare_with_saved(saved: Split, found: Found, manifest: str) -> list[str]:
    """Return how labels and parts differ from the record of a split."""
    import numpy as np

    from ..labels.fingerprints import make_fingerprint

    n_saved, n_found = len(saved.part_of_row), found.labels.n_rows
    if n_saved != n_found:
        return [f"{manifest} is of {n_saved:,} rows, the data has {n_found:,}."]
    failures = []
    if make_fingerprint(found.labels) != saved.fingerprint:
        failures.append(
            f"the labels are not those that {manifest} was made for: "
            "some were changed, or rows reordered."
        )
    now = np.array(found.parts.values)[found.parts.code_of_row]
    then = np.array(saved.names)[saved.part_of_row]
    moved = np.flatnonzero(now != then)
    if len(moved):
        row = int(moved[0])
        failures.append(
            f"{len(moved):,} of {n_found:,} rows are in another part than in {manifest}, "
            f"first row {row} (from 0): '{now[row]}', not '{then[row]}'."
        )
    return failures


def _find_cut_groups(
    groups: Groups | None, part_of_row: NDArray[np.int32], names: Sequence[str]
) -> list[str]:
    """Return the groups of each column that are in more than one part."""
    from .messages import describe_repeated

    columns = () if groups is None else groups.columns
    return [
        failure
        for column in columns
        for failure in describe_repeated(
            "group",
            column,
            part_of_row,
            names,
            f" ({column.name})" if len(columns) > 1 else "",
        )
    ]


def _compare_sizes(quality: Quality) -> list[str]:
    """Return the parts whose sizes are a row or more off."""
    return [
        f"{part.part} has {part.rows:,} rows, {part.wanted:,.1f} are wanted."
        for part in quality.per_part
        if abs(part.rows - part.wanted) >= 1
    ]


def _compare_with_limits(
    quality: Quality, max_excess: float | None, max_empty: int | None
) -> list[str]:
    """Return the limits that the quality exceeds."""
    failures = []
    if max_excess is not None and quality.excess > max_excess:
        over = f"{100 * quality.excess:.1f} % over" if quality.excess < float("inf") else "above"
        failures.append(
            f"rLD is {quality.rld:.5f}, {over} the best possible ({quality.bound.rld:.5f}); "
            f"the limit is {100 * max_excess:.1f} %."
        )
    n_empty = quality.flz - quality.bound.flz
    if max_empty is not None and n_empty > max_empty:
        failures.append(
            f"{n_empty:,} times a part lacks a label that it could have had; "
            f"the limit is {max_empty:,}."
        )
    return failures
