"""`evenfold check`: measure a split that exists, and say whether it is sound."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from .._tables.numbers import show_count, show_rows
from .._tables.table import shorten
from .errors import Command
from .existing_split import check_parts_usage, expand_patterns
from .folder_record import compare_sizes, find_shares, read_folder_record
from .limits import Limits, compare_with_limits, limit_options
from .link_options import Linking, linking_options
from .messages import print_json, say_all
from .options import (
    COLUMNS,
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
from .terminal import fit

if TYPE_CHECKING:
    from ..quality import Quality
    from ..splits import Split
    from ..splits.certificate import Certificate
    from .existing_split import Found
    from .manifest import Recorded
    from .recorded_checks import Line

# More leaking pairs are counted, not shown.
_MAX_PAIRS_SHOWN = 10
# Lines go on below their text, which follows "FAILED ".
_INDENT = 7


@click.command(
    cls=Command,
    epilog=example(
        "evenfold check movies.csv --labels genres --part-column part \\",
        "    --max-off-percent 10 --max-empty 0",
    ),
)
@click.argument("data", metavar="DATA...", type=PATH_IN, nargs=-1, required=True)
@reading_options
@click.option(
    "--part-column", type=COLUMNS, metavar="COL", help="The column that names the part of each row."
)
@click.option(
    "--parts",
    type=SIZES,
    help="The sizes wanted. Without --groups, a part that is a row or more off fails.",
)
@linking_options
@click.option(
    "--id",
    "id_column",
    type=COLUMNS,
    metavar="COL",
    help="A column that identifies rows. An id in two parts fails.",
)
@limit_options
@bound_option
@click.option(
    "--from-manifest",
    "--manifest",
    "manifest",
    type=FILE_IN,
    metavar="FILE",
    help="Is read: the record of a split. Fail if labels, parts or sizes differ from it, if labels "
    "are less even than it says, or if its groups, ids or similar rows are in two parts. "
    "(--manifest is the older name; elsewhere, it is a file that is written.)",
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
    limits: Limits,
    bound: Literal["cheap", "tight"],
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
    does not count this. The share of a label in a part is the label's rows, divided in proportion
    to the rows of the parts.

    The last line begins with OK or FAILED. With --json, it is on stderr.

    A manifest remembers the options of the command that wrote it, so --from-manifest alone checks
    the split by all of them again. It measures neither columns of --balance nor --difficulty.
    """
    data = tuple(expand_patterns(data, reading.format))
    in_folder = read_folder_record(data, part_column, manifest)
    named = part_column if in_folder is None else in_folder.columns.part
    check_parts_usage(data, reading, named, manifest, ", or --from-manifest FILE")

    from .existing_split import certify_found, measure_found, read_split
    from .manifest import override
    from .recorded_checks import Line, list_leaks, record_found
    from .remarks import remark_groups
    from .report_writer import ReportWriter

    record = SplitRecord() if manifest is None else _read_record(manifest)
    recorded = record.columns
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
    found = read_split(data, reading, part_column, linking, id_column, record.saved, part, quiet)
    parts = settle_sizes(parts, len(found.parts.code_of_row), quiet)
    wanted = parts or find_shares(in_folder, found.parts.values)
    if found.sources is not None:
        columns = [column for column in found.sources.columns if len(column.values)]
        say_all(remark_groups(columns, len(found.parts.code_of_row)), quiet)
    quality = measure_found(found, wanted, record.saved, bound)
    certificate = certify_found(found, quality)
    now = record_found(certificate, record.then, None if recorded is None else recorded.max_group)
    leaks = list_leaks(certificate, now, record.then)
    lines = _compare_with_record(record, found, certificate, now, leaks, replaced)
    lines += [Line(failure, failure) for failure in compare_sizes(in_folder, quality)]
    if parts is not None and not linking.sources:
        lines.append(_compare_sizes(quality))
    lines += compare_with_limits(quality, limits)
    failures = [own for line in lines for own in line.failures]
    name = Path(data[0]).name if len(data) == 1 else f"{len(data)} files"
    if writer is not None:
        writer.write(quality, name, failures, certificate)
    has_certificate = recorded is not None or bool(linking.sources)
    if as_json:
        result: dict[str, Any] = {
            "passed": not failures,
            "failures": failures,
            "quality": quality.to_dict(),
        }
        if has_certificate:
            pairs = [pair._asdict() for pair in certificate.leaking_pairs]
            result |= {"certificate": now, "leaking_pairs": pairs}
        print_json(result)
    elif not quiet:
        # The numbers of a recorded split are among the lines.
        shown = [str(quality)] if recorded is None else []
        checks = fit("\n".join(map(str, lines)), is_data=True, indent=_INDENT)
        click.echo("\n\n".join([*shown, *([checks] if lines else [])]))
    for failure in failures:
        click.echo(fit(f"evenfold: {failure}"), err=True)
    if failures and not (quiet or as_json):
        _print_pairs(certificate)
    if not quiet:
        gap = "" if lines or as_json else "\n"
        click.echo(gap + _make_verdict(lines, name, manifest), err=as_json)
    if failures:
        click.get_current_context().exit(1)


class SplitRecord(NamedTuple):
    """What a manifest says: the split, the options of its command, and its certificate."""

    saved: Split | None = None
    columns: Recorded | None = None
    then: dict[str, Any] = {}  # noqa: RUF012 - is not changed
    path: str = ""


def _read_record(manifest: Path) -> SplitRecord:
    from ..splits import load_split
    from .manifest import read_certificate, read_recorded

    saved = load_split(manifest)
    columns = read_recorded(saved, manifest)
    return SplitRecord(saved, columns, read_certificate(manifest), str(manifest))


def _compare_with_record(
    record: SplitRecord,
    found: Found,
    certificate: Certificate,
    now: dict[str, Any],
    leaks: list[Line],
    replaced: list[str],
) -> list[Line]:
    """Return what is as recorded and what is not, with what leaks among it."""
    from .recorded_checks import (
        compare_measures,
        compare_parts,
        compare_with_saved,
        list_not_checked,
    )

    if record.saved is None:
        return leaks
    lines = [*compare_with_saved(record.saved, found, record.path), *leaks]
    if record.then:
        lines += list_not_checked(now, record.then, replaced)
    if record.columns is not None:
        lines += compare_parts(record.saved, record.then, record.path)
        lines += compare_measures(certificate, now, record.then, record.path)
    return lines


def _make_verdict(lines: list[Line], name: str, manifest: Path | None) -> str:
    """Return the last line: whether all checks passed, and how many there were."""
    if not lines:
        return f"OK: {name} is measured. No limits were given."
    against = "" if manifest is None else f" against {manifest}"
    n_failed = sum(bool(line.failure) for line in lines)
    n_checks = show_count(len(lines), "check")
    state = f"FAILED: {n_failed:,} of {n_checks}" if n_failed else f"OK: {n_checks}"
    return f"{state} of {name}{against}."


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


def _compare_sizes(quality: Quality) -> Line:
    """Return which parts have sizes that are a row or more off."""
    from .recorded_checks import Line

    off = [
        f"{part.part} has {part.rows:,} rows, {show_rows(part.wanted)} are wanted."
        for part in quality.per_part
        if abs(part.rows - part.wanted) >= 1
    ]
    if not off:
        return Line("sizes: every part is within a row of what is wanted")
    n_parts = show_count(len(quality.per_part), "part")
    return Line(f"sizes: {len(off):,} of {n_parts} are a row or more off", "\n".join(off))
