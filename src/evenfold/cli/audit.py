"""`evenfold audit`: what is wrong with a split that somebody else made."""

from __future__ import annotations

from pathlib import Path

import click

from .errors import Command
from .existing_split import check_parts_usage, expand_patterns
from .link_options import Linking, linking_options
from .options import (
    COLUMNS,
    PATH_IN,
    Reading,
    example,
    force_option,
    json_option,
    quiet_option,
    reading_options,
    report_option,
)


@click.command(
    cls=Command,
    epilog=example(
        "evenfold audit movies.csv --labels genres --part-column part \\",
        "    --groups director",
    ),
)
@click.argument("data", metavar="DATA...", type=PATH_IN, nargs=-1, required=True)
@reading_options
@click.option(
    "--part-column", type=COLUMNS, metavar="COL", help="The column that names the part of each row."
)
@linking_options
@click.option(
    "--id",
    "id_column",
    type=COLUMNS,
    metavar="COL",
    help="A column that identifies rows. No id should be in two parts.",
)
@click.option("--strict", is_flag=True, help="Exit 1 if a problem is found.")
@report_option
@force_option
@quiet_option
@json_option
def audit(
    data: tuple[str, ...],
    reading: Reading,
    part_column: str | None,
    linking: Linking,
    id_column: str | None,
    strict: bool,
    report: Path | None,
    force: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Say on one page what is wrong with a split, whoever made it.

    Each file is one part (audit train.csv test.csv), or each split of a Hugging Face DatasetDict, a
    YOLO dataset or folders of images, or a column names the parts. Looks for copies in two parts,
    and copies with different labels: rows that are equal in all columns other than those of labels,
    groups, ids and parts, or in those of --copies. Options say how to find other rows that belong
    together. Says which labels a part lacks, and which labels have another share in a part than
    chance explains. What was not checked is listed.

    Without labels, all the rest is checked. Exits 0 whatever is found, unless --strict is given.
    """
    data = tuple(expand_patterns(data, reading.format))
    check_parts_usage(data, reading, part_column)

    from .audited_rows import audit_found, read_audited
    from .messages import print_json, say
    from .report_writer import ReportWriter

    writer = None
    if report is not None:
        inputs = [*data, *map(str, [*reading.paths, *linking.paths])]
        writer = ReportWriter(report, force, inputs)
    found, note = read_audited(data, reading, part_column, linking, id_column, quiet)
    if note:
        say(note, quiet)
    made = audit_found(found)
    if writer is not None:
        writer.write_audit(made, Path(data[0]).name if len(data) == 1 else f"{len(data)} files")
    if as_json:
        print_json(made.to_dict())
    elif not quiet:
        click.echo(str(made))
    if strict and not made.passed:
        click.get_current_context().exit(1)
