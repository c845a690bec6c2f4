"""`evenfold split`: cut a file into parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from .difficulty import (
    Difficulty,
    add_hard_rows,
    difficulty_options,
    features_option,
    find_hard_rows,
    make_record,
)
from .errors import Command
from .link_options import Linking, id_option, linking_options, max_group_option
from .option_types import NamesList
from .options import (
    COLUMNS,
    Cut,
    Placing,
    Reading,
    Target,
    balance_option,
    bound_option,
    cut_options,
    data_argument,
    example,
    holdout_option,
    json_option,
    placing_options,
    quiet_option,
    read_order,
    reading_options,
    seed_option,
    target_options,
)
from .output_checks import check_stdout
from .progress import show_progress
from .scale_options import (
    FOR_SPLIT,
    Scaling,
    find_reason,
    list_others,
    refuse_others,
    scaling_options,
)
from .sizes import settle_sizes


@click.command(
    cls=Command,
    epilog=example(
        "evenfold split movies.csv --labels genres --parts 0.8,0.1,0.1 \\",
        "    --groups director -o parts/",
    ),
)
@data_argument
@reading_options
@cut_options
@holdout_option
@click.option("--names", type=NamesList(), help="The names of the parts.")
@linking_options
@max_group_option
@balance_option
@difficulty_options
@features_option
@click.option(
    "--amounts",
    is_flag=True,
    help="For images with boxes: keep the number of boxes of each category even too.",
)
@id_option
@click.option(
    "--fixed",
    type=COLUMNS,
    metavar="COL",
    help="For data past memory: a column that names the part of rows that are placed already. It "
    "is empty in the other rows.",
)
@placing_options
@seed_option
@bound_option
@scaling_options
@target_options
@click.option(
    "--compare",
    is_flag=True,
    help="Compare with all other methods in the report. Takes longer.",
)
@quiet_option
@json_option
def split(
    data: tuple[str, ...],
    reading: Reading,
    cut: Cut,
    holdout: float | None,
    names: list[str] | None,
    linking: Linking,
    max_group: int | None,
    balance: tuple[str, ...],
    difficulty: Difficulty,
    features: tuple[str, ...],
    amounts: bool,
    id_column: str | None,
    fixed: str | None,
    placing: Placing,
    seed: int,
    bound: str,
    scaling: Scaling,
    target: Target,
    compare: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Cut DATA into parts in which every label has its fair share.

    DATA is a file in one of the formats listed at --format (csv, tsv and jsonl may be compressed:
    .csv.gz, .csv.zst), a table of one (data.xlsx::Sheet2, data.db::table), a folder of images by
    class, a YOLO dataset, a Dataset or DatasetDict of Hugging Face saved to disk, or - for stdin.
    Several DATA of the same format and columns are one data set: split data/*.csv, or the folder
    that holds nothing else. Folders of parquet files may hold folders. How even the split is, and
    how even it could be, is printed on stderr. The split itself is written only with -o, --indices,
    --manifest or --report.

    With --engine, --memory, --budget or --work, DATA is parquet files whose labels need not fit in
    memory. -o is then a folder that gets each file with one more column, and _manifest.json. URLs,
    and folders of parquet files whose labels take more than 4 GB, are split in the same way.
    """
    sizes = cut.sizes()
    check_stdout(target.output, as_json)
    because = find_reason(data, scaling) or _find_size_reason(data, reading, target)
    if because:
        from .scaled import split_at_scale

        refuse_others(FOR_SPLIT, because)
        given: dict[str, Any] = {
            "parts": settle_sizes(sizes, None, quiet),
            "names": names,
            "groups": linking.groups,
            "balance": list(balance) or None,
            "key": id_column,
            "fixed": fixed,
            "cover": placing.cover,
            "random_state": seed,
        }
        if placing.order is not None:
            given["order"] = read_order(placing.order)
        split_at_scale(data, reading, given, scaling, target, because, quiet, as_json)
        return
    if fixed is not None:
        raise click.UsageError(
            "--fixed is for data past memory, with --engine, --memory, --budget or --work. "
            "Add one of them, or place the other rows with evenfold extend --part-column."
        )
    for option, is_given in (("balance", balance), ("difficulty", difficulty.is_wanted)):
        if amounts and is_given:
            raise click.UsageError(
                f"--amounts and --{option} do not go together. Leave out one of them."
            )
    if compare and target.report is None:
        raise click.UsageError(
            "--compare is for the report. "
            "Name one with --report FILE, or take the command evenfold compare."
        )

    from ..problem.parts import check_parts, check_parts_and_holdout
    from ..splits import compare as compare_methods
    from ..splits import split as split_rows
    from .linking import link_rows, name_columns
    from .manifest import Recorded, record_columns
    from .messages import (
        print_split,
        say_all,
        warn_of_groups,
        warn_of_ids,
        warn_of_others,
        warn_of_single_groups,
    )
    from .reading import read_amounts, read_balance, read_ids, read_rows
    from .remarks import remark_order
    from .split_writer import SplitWriter

    rows = read_rows(data, reading, quiet)
    file, labels, label_columns, _ = rows
    sizes = settle_sizes(sizes, labels.n_rows, quiet)
    parts = (
        check_parts(sizes, labels.n_rows, names)
        if holdout is None
        else check_parts_and_holdout(sizes, holdout, labels.n_rows, names)
    )
    writer = SplitWriter(target, file, reading, parts.names, beside=linking.paths)
    say_all(writer.remarks, quiet)
    ids = read_ids(file, id_column)
    linking = name_columns(file, linking, [*label_columns, id_column or ""])
    links = link_rows(file, data, linking, max_group, ids=ids, n_rows=labels.n_rows)
    columns = read_amounts(file) if amounts else read_balance(file, balance)
    others = [*linking.groups, *balance, id_column or ""]
    hard = find_hard_rows(difficulty, rows, features, others, links, seed, quiet)
    keywords: dict[str, Any] = {
        "names": names,
        "groups": links,
        "balance": add_hard_rows(columns, hard),
        "holdout": holdout,
        "random_state": seed,
    }
    with show_progress("splitting", quiet) as progress:
        s = split_rows(labels, sizes, **keywords, **placing.keywords(progress))
    if bound == "tight":
        s.quality = s.quality.with_tight_bound()
    warnings = [
        *remark_order(placing.order, [placing.method]),
        *warn_of_single_groups(links),
        *warn_of_groups(links, parts, s.sizes),
        *warn_of_ids(ids, s),
    ]
    comparison = compare_methods(labels, sizes, repeats=1, **keywords) if compare else None
    told = Recorded(
        reading,
        linking,
        writer.part_column,
        id_column,
        balance,
        max_group,
        None if hard is None else hard.record,
    )
    about = record_columns(told, rows, links, target.manifest)
    writer.write(s, ids, warnings, comparison, about)
    print_split(
        s,
        [*warnings, *warn_of_others(writer.find_others(), target.output)],
        writer.written,
        quiet,
        as_json,
        make_record(hard),
    )


def _find_size_reason(data: Sequence[str], reading: Reading, target: Target) -> str:
    """Return that the labels are too many for memory, unless an option or output needs them."""
    from .scaled import TOO_LARGE, is_data_file, is_too_large

    if list_others(FOR_SPLIT) or target.output is None or is_data_file(target.output):
        return ""
    return TOO_LARGE if is_too_large(data, reading) else ""
