"""`evenfold link`: which rows belong together, as a column of group numbers."""

from __future__ import annotations

from pathlib import Path

import click

from .errors import Command
from .link_options import Linking, linking_options, max_group_option
from .memory_limit import max_memory_option
from .new_names import NewName
from .options import (
    COLUMNS,
    FILE_OUT,
    PATH_OUT,
    Reading,
    data_argument,
    example,
    force_option,
    format_option,
    json_option,
    quiet_option,
)
from .output_checks import check_stdout


@click.command(
    cls=Command,
    epilog=example(
        "evenfold link movies.csv --groups director --text title --at 0.7 \\",
        "    -o linked.csv",
    ),
)
@data_argument
@format_option
@max_memory_option
@linking_options
@max_group_option
@click.option(
    "--id",
    "id_column",
    type=COLUMNS,
    metavar="COL",
    help="A column that identifies rows, for --pairs.",
)
@click.option(
    "-o",
    "--output",
    type=PATH_OUT,
    metavar="FILE",
    help="DATA with one more column: the number of each row's group. -: stdout.",
)
@click.option(
    "--column",
    type=NewName(),
    metavar="NAME",
    default="group",
    show_default=True,
    help="The name of the new column.",
)
@click.option(
    "--indices",
    type=FILE_OUT,
    metavar="FILE",
    help="The group number of each row (.npy or .json).",
)
@force_option
@quiet_option
@json_option
def link(
    data: tuple[str, ...],
    format: str | None,  # noqa: A002 - as --format
    linking: Linking,
    max_group: int | None,
    id_column: str | None,
    output: str | None,
    column: str,
    indices: Path | None,
    force: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Find rows of DATA that belong together.

    They are of one patient, copies or near-duplicates. Rows are one group if a chain of links leads
    from one to the other. Split the output with --groups group: then no group is in two parts. What
    links rows, and what holds the largest group together, is printed on stderr.
    """
    check_stdout(output, as_json)
    linking.check()
    if not linking.sources:
        raise click.UsageError(
            "Say what links rows: --groups, --copies, --files, --text, --images, --similar or "
            "--pairs."
        )

    from .link_writer import LinkWriter
    from .linking import link_rows
    from .messages import print_links, say_all
    from .reading import open_file, read_ids

    file = open_file(data, Reading(format, (), None, None, None), quiet)
    writer = LinkWriter(output, column, indices, force, file, linking)
    say_all(writer.remarks, quiet)
    ids = read_ids(file, id_column)
    links = link_rows(file, data, linking, max_group, ids=ids, apart=[id_column or ""])
    assert links is not None
    writer.write(links.group_of_row)
    print_links(links, writer.written, quiet, as_json)
