"""`evenfold check`: measure a split that exists, and say whether it is sound."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from .._tables.table import shorten
from .errors import Command
from .existing_split import check_parts_usage, expand_patterns
from .folder_record import compare_sizes, find_shares, read_folder_record
from .link_options import Linking, linking_options
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
from .sizes import settle_sizes

if TYPE_CHECKING:
    from ..quality import Quality
    from ..splits.certificate import Certificate

# More leaking pairs are counted, not shown.
_MAX_PAIRS_SHOWN = 10


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
@linking_options
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
    help="Fail if labels, parts or sizes differ from this record of a split, if labels are less "
    "even than it says, or if its groups, ids or similar rows are in two parts.",
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
    linking: Linking,
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

    The parts are named in a column, or they are those of a manifest, or else each file is one part
    (check train.csv test.csv). Of a Hugging Face DatasetDict, a YOLO dataset and folders of images,
    each split is a part. Of the output folder of a split past memory, its manifest names the
    columns, and each part must have the rows that it says. Groups must be whole, and no id may be
    in two parts; nor may copies and similar rows, if options say how to find them. A label with
    fewer rows, or groups, than there are parts is necessarily missing in some part; --max-empty
    does not count this.

    A manifest remembers the options of the command that wrote it, so --manifest alone checks the
    split by all of them again. It measures neither columns of --balance nor --difficulty.
    """
    data = tuple(expand_patterns(data, reading.format))
    in_folder = read_folder_record(data, part_column, manifest)
    named = part_column if in_folder is None else in_folder.columns.part
    check_parts_usage(data, reading, named, manifest, ", or --manifest FILE")

    from ..splits import load_split
    from .existing_split import certify_found, measure_found, read_split
    from .manifest import override, read_certificate, read_recorded
    from .messages import print_json
    from .recorded_checks import (
        Line,
        compare_measures,
        compare_parts,
        compare_with_saved,
        list_leaks,
        list_not_checked,
        record_found,
    )
    from .report_writer import ReportWriter

    saved = recorded = None
    then: dict[str, Any] = {}
    if manifest is not None:
        saved = load_split(manifest)
        recorded = read_recorded(saved, manifest)
        then = read_certificate(manifest)
    replaced: list[str] = []
    if recorded is not None:
        replaced = [*linking.sources, *linking.thresholds, *(["ids"] if id_column else [])]
        reading, linking = override(recorded, reading, linking)
        id_column = id_column or recorded.id_column
    if in_folder is not None:
        reading, linking = override(in_folder.columns, reading, linking)
        part_column = named
        id_column = id_column or in_folder.columns.id_column
    inputs = [*data, *map(str, [*reading.paths, *linking.paths, *([manifest] if manifest else [])])]
    writer = None if report is None else ReportWriter(report, force, inputs)
    part = None if recorded is None else recorded.part
    found = read_split(data, reading, part_column, linking, id_column, saved, part, quiet)
    parts = settle_sizes(parts, len(found.parts.code_of_row), quiet)
    wanted = parts or find_shares(in_folder, found.parts.values)
    quality = measure_found(found, wanted, saved, bound)
    certificate = certify_found(found, quality)
    now = record_found(certificate, then, None if recorded is None else recorded.max_group)
    lines = [] if saved is None else compare_with_saved(saved, found, str(manifest))
    lines += list_leaks(certificate, now, then)
    if saved is not None and then:
        lines += list_not_checked(now, then, replaced)
    if recorded is not None and saved is not None:
        lines += compare_parts(saved, then, str(manifest))
        lines += compare_measures(certificate, now, then, str(manifest))
    sizes = _compare_sizes(quality) if parts is not None and not linking.sources else []
    limits = _compare_with_limits(quality, max_excess, max_empty)
    changed = compare_sizes(in_folder, quality)
    lines += [Line(failure, failure) for failure in (*changed, *sizes, *limits)]
    failures = [line.failure for line in lines if line.failure]
    name = Path(data[0]).name if len(data) == 1 else f"{len(data)} files"
    if writer is not None:
        writer.write(quality, name, failures)
    if as_json:
        record: dict[str, Any] = {
            "passed": not failures,
            "failures": failures,
            "quality": quality.to_dict(),
        }
        if recorded is not None or linking.sources:
            pairs = [pair._asdict() for pair in certificate.leaking_pairs]
            record |= {"certificate": now, "leaking_pairs": pairs}
        print_json(record)
    elif not quiet:
        # The numbers of a recorded split are among the lines.
        shown = [] if recorded is not None else [str(quality)]
        if recorded is not None or linking.sources not in ([], ["groups"]):
            shown.append("\n".join(map(str, lines)))
        click.echo("\n\n".join(shown))
    for failure in failures:
        click.echo(f"evenfold: {failure}", err=True)
    if failures and not (quiet or as_json):
        _print_pairs(certificate)
    if recorded is not None and not (quiet or as_json):
        state = f"FAILED: {len(failures)} of" if failures else "OK:"
        click.echo(f"{state} {len(lines)} checks of {name} against {manifest}.")
    if failures:
        click.get_current_context().exit(1)


def _print_pairs(certificate: Certificate) -> None:
    """Print the first pairs that leak, one line each."""
    pairs = certificate.leaking_pairs[:_MAX_PAIRS_SHOWN]
    for pair in pairs:
        click.echo(
            f"  rows {pair.first:,} ({shorten(pair.first_part)}) and {pair.second:,} "
            f"({shorten(pair.second_part)}): {pair.kind} {pair.value:.6g}",
            err=True,
        )
    n_more = sum(check.n_leaking for check in certificate.pairs) - len(pairs)
    if n_more:
        click.echo(f"  and {n_more:,} more; --json lists them", err=True)


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
