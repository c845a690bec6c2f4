"""`evenfold extend`: new rows join the parts of a split."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .errors import Command
from .link_options import Linking, id_option, linking_options, max_group_option
from .old_split import is_at_scale
from .options import (
    COLUMNS,
    FILE_IN,
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

if TYPE_CHECKING:
    from ..splits import Split
    from .manifest import Recorded
    from .old_split import OldSplit


@click.command(
    cls=Command,
    epilog=example(
        "evenfold extend movies.csv --labels genres --new movies_later.csv \\",
        "    -o more.csv",
    ),
)
@data_argument
@reading_options
@click.option(
    "--new",
    metavar="PATH",
    multiple=True,
    help="A file of new rows, with the columns of the old ones; the column of the parts may be "
    "missing. Of a split past memory, new parquet files: a file, a folder, a pattern or a URL. "
    "Repeatable.",
)
@click.option(
    "--part-column",
    type=COLUMNS,
    metavar="COL",
    help="The column that names the part of each row. Rows in which it is empty are new. Default "
    "with --new: part.",
)
@click.option(
    "--from-manifest",
    type=FILE_IN,
    metavar="FILE",
    help="Is read: the record of the old split (.json), which has the part of each row and the "
    "options of its command. DATA is then the data of that split; rows after them are new.",
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
    new: tuple[str, ...],
    part_column: str | None,
    from_manifest: Path | None,
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
    """Place new rows in the parts of an old split.

    The old rows stay where they are. DATA is the old split: a file with a column of parts; one file
    for each part, or their folder; or the data of a manifest (--from-manifest). --new names files
    of new rows, which come after the old ones. Without --new, rows of DATA in no part are new. New
    rows of an old group join it.

    In an output file, the column of parts is filled; with --column, a new column is added instead.
    A folder as -o gets one file for each part, with old and new rows. DATA may also be the folder
    of a split past memory: new files are then written in it, and the old ones are not read.
    """
    check_stdout(target.output, as_json)
    is_told = part_column is not None or from_manifest is not None
    if new and (scaling.given or is_at_scale(data, is_told)):
        _extend_at_scale(data, new, seed, scaling, target, quiet, as_json)
        return
    _check_usage(new, part_column, from_manifest, scaling)

    from ..files.named_columns import has_column
    from ..splits import extend as extend_split
    from ..splits.extend_split import find_old_parts
    from .linking import link_rows, name_columns
    from .manifest import Recorded, record_columns
    from .messages import print_split, say_all, warn_of_others, warn_of_single_groups
    from .old_split import open_old_split
    from .reading import read_balance, read_ids, read_open_rows
    from .remarks import remark_order
    from .split_writer import Fill, SplitWriter

    told = Recorded(reading, linking, part_column, id_column, balance, max_group)
    saved, told = (None, told) if from_manifest is None else _recall(from_manifest, told)
    old = open_old_split(data, new, told.reading, told.part, saved, quiet)
    rows = read_open_rows(old.file, told.reading, quiet)
    file, labels, label_columns, _ = rows
    parts = settle_sizes(parts, labels.n_rows, quiet)
    before, names = old.read_parts()
    if names is not None and parts is None:
        _check_parts(old, names)
    wanted, part_of_row = find_old_parts(before, labels, parts, names)
    is_new = part_of_row < 0
    fill = None
    if old.part_column is not None and has_column(file, old.part_column):
        fill = Fill(old.part_column, is_new)
    elif target.column is None:
        target = target._replace(column=old.part_column)
    beside = [*told.linking.paths, *map(Path, new), *([from_manifest] if from_manifest else [])]
    writer = SplitWriter(target, file, told.reading, wanted.names, fill, beside)
    say_all(writer.remarks, quiet)
    ids = read_ids(file, told.id_column)
    apart = [*label_columns, old.part_column or "", told.id_column or ""]
    linking = name_columns(file, told.linking, apart)
    paths = (*data, *new)
    links = link_rows(file, paths, linking, told.max_group, ids=ids, n_rows=labels.n_rows)
    with show_progress("placing", quiet) as progress:
        s = extend_split(
            before,
            labels,
            parts=parts,
            names=names,
            groups=links,
            balance=read_balance(file, told.balance),
            random_state=seed,
            **placing.keywords(progress),
        )
    told = told._replace(linking=linking, part=writer.part_column)
    writer.write(s, ids, about=record_columns(told, rows, links, target.manifest))
    n_new = int(is_new.sum())
    print_split(
        s,
        [
            *remark_order(placing.order, [placing.method]),
            *warn_of_single_groups(links),
            f"{n_new:,} new rows placed, {len(is_new) - n_new:,} left where they were.",
            *warn_of_others(writer.find_others(), target.output),
        ],
        writer.written,
        quiet,
        as_json,
    )


def _extend_at_scale(
    data: tuple[str, ...],
    new: tuple[str, ...],
    seed: int,
    scaling: Scaling,
    target: Target,
    quiet: bool,
    as_json: bool,
) -> None:
    from .scaled import extend_at_scale

    scaling.check()
    refuse_others(FOR_EXTEND, "--new of a split past memory")
    if len(data) > 1:
        raise click.UsageError(
            f"DATA must be the folder of one split past memory, got {len(data)} paths. Name the "
            "folder, and put a pattern of new files in quotes: 'new/*.parquet'."
        )
    own_seed = seed if is_given("seed") else None
    extend_at_scale(data[0], new, own_seed, scaling, target, quiet, as_json)


def _check_usage(
    new: tuple[str, ...], part_column: str | None, from_manifest: Path | None, scaling: Scaling
) -> None:
    """Refuse options that do not say what the parts are, or say it twice."""
    if scaling.given:
        raise click.UsageError(
            f"{scaling.given[0]} is for --new. Leave it out, or name new parquet files with --new."
        )
    if part_column is not None and from_manifest is not None:
        raise click.UsageError(
            "--part-column and --from-manifest both say what the parts are. Give one of them."
        )
    if not (new or part_column or from_manifest):
        raise click.UsageError(
            "Missing option '--part-column'. Or are the new rows in another file? Then name it "
            "with --new."
        )


def _recall(manifest: Path, told: Recorded) -> tuple[Split, Recorded]:
    """Return the record of a split, and the options with those of its command."""
    from ..splits import load_split
    from .manifest import override, read_recorded

    saved = load_split(manifest)
    recorded = read_recorded(saved, manifest)
    if recorded is None:
        return saved, told
    reading, linking = override(recorded, told.reading, told.linking)
    return saved, told._replace(
        reading=reading,
        linking=linking,
        part=recorded.part,
        id_column=told.id_column or recorded.id_column,
        balance=told.balance or recorded.balance,
        max_group=told.max_group or recorded.max_group,
    )


def _check_parts(old: OldSplit, names: list[str]) -> None:
    """Refuse a column that names fewer than two parts."""
    from ..exceptions import InputError

    if len(names) < 2:
        raise InputError(
            f"{old.file.name}: --part-column {old.part_column!r} names {len(names)} parts, not two "
            "or more. Name them with --parts, or split it."
        )
