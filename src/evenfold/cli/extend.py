"""`evenfold extend`: new rows join the parts of a split."""

from __future__ import annotations

import click

from .errors import Command
from .link_options import Linking, id_option, linking_options, max_group_option
from .options import (
    SIZES,
    Placing,
    Reading,
    Sizes,
    Target,
    balance_option,
    data_argument,
    example,
    json_option,
    placing_options,
    quiet_option,
    reading_options,
    seed_option,
    target_options,
)
from .output_checks import check_stdout
from .progress import show_progress
from .scale_options import FOR_EXTEND, Scaling, is_given, refuse_others, scaling_options
from .sizes import settle_sizes


@click.command(
    cls=Command,
    epilog=example("evenfold extend movies.csv --labels genres --part-column part -o more.csv"),
)
@data_argument
@reading_options
@click.option(
    "--part-column",
    metavar="COL",
    help="The column that names the part of each row. Rows in which it is empty are new.",
)
@click.option(
    "--new",
    metavar="PATH",
    multiple=True,
    help="New parquet files for a split past memory: a file, a folder, a pattern or a URL. DATA is "
    "then the folder of the split, in which new files are written. The old files are not read. "
    "Repeatable.",
)
@click.option(
    "--parts",
    type=SIZES,
    help="The sizes wanted of all rows, such as train=0.8,test=0.2. Default: in proportion to the "
    "old rows.",
)
@linking_options
@max_group_option
@id_option
@balance_option
@placing_options
@seed_option
@scaling_options
@target_options
@quiet_option
@json_option
def extend(
    data: tuple[str, ...],
    reading: Reading,
    part_column: str | None,
    new: tuple[str, ...],
    parts: Sizes | None,
    linking: Linking,
    max_group: int | None,
    id_column: str | None,
    balance: tuple[str, ...],
    placing: Placing,
    seed: int,
    scaling: Scaling,
    target: Target,
    quiet: bool,
    as_json: bool,
) -> None:
    """Place the rows of DATA that are in no part yet.

    The other rows stay where they are. New rows of an old group join it. Old and new rows may be
    mixed. In an output file the column is filled; with --column, a new column is added instead.

    With --new, DATA is the folder of a split past memory, and the new rows are in other files.
    """
    check_stdout(target.output, as_json)
    if new:
        from .scaled import extend_at_scale

        scaling.check()
        refuse_others(FOR_EXTEND, "--new")
        own_seed = seed if is_given("seed") else None
        if len(data) > 1:
            raise click.UsageError(
                f"DATA must be the folder of one split with --new, got {len(data)} paths. "
                "Name the folder, and put a pattern of new files in quotes: 'new/*.parquet'."
            )
        extend_at_scale(data[0], new, own_seed, scaling, target, quiet, as_json)
        return
    if scaling.given:
        raise click.UsageError(
            f"{scaling.given[0]} is for --new. Leave it out, or name new parquet files with --new."
        )
    if part_column is None:
        raise click.UsageError(
            "Missing option '--part-column'. Or is DATA the folder of a split past memory? "
            "Then name new parquet files with --new."
        )

    from ..exceptions import InputError
    from ..splits import extend as extend_split
    from ..splits.extend_split import find_old_parts
    from .linking import link_rows, name_columns
    from .manifest import Recorded, record_columns
    from .messages import print_split, say_all, warn_of_others
    from .reading import order_parts, read_balance, read_codes, read_ids, read_rows
    from .split_writer import Fill, SplitWriter

    rows = read_rows(data, reading, quiet)
    file, labels, label_columns, _ = rows
    parts = settle_sizes(parts, labels.n_rows, quiet)
    old = order_parts(read_codes(file, part_column, "--part-column"))
    if parts is None and len(old.values) < 2:
        raise InputError(
            f"{file.name}: --part-column {part_column!r} names {len(old.values)} parts, not two or "
            "more. Name them with --parts, or split it."
        )
    wanted, _ = find_old_parts(old.code_of_row, labels, parts, old.values)
    is_new = old.code_of_row < 0
    fill = Fill(part_column, is_new)
    writer = SplitWriter(target, file, reading, wanted.names, fill, linking.paths)
    say_all(writer.remarks, quiet)
    ids = read_ids(file, id_column)
    linking = name_columns(file, linking, [*label_columns, part_column, id_column or ""])
    links = link_rows(file, data, linking, max_group, ids=ids, n_rows=labels.n_rows)
    with show_progress("placing", quiet) as progress:
        s = extend_split(
            old.code_of_row,
            labels,
            parts=parts,
            names=old.values,
            groups=links,
            balance=read_balance(file, balance),
            random_state=seed,
            **placing.keywords(progress),
        )
    told = Recorded(reading, linking, writer.part_column, id_column, balance, max_group)
    about = record_columns(told, rows, links, target.manifest)
    writer.write(s, ids, about=about)
    n_new = int(is_new.sum())
    print_split(
        s,
        [
            f"{n_new:,} new rows placed, {len(is_new) - n_new:,} left where they were.",
            *warn_of_others(writer.find_others(), target.output),
        ],
        writer.written,
        quiet,
        as_json,
    )
