"""`evenfold split`: cut a file into parts."""

from __future__ import annotations

from typing import Any

import click

from .errors import Command
from .options import (
    Cut,
    NamesList,
    Number,
    Placing,
    Reading,
    balance_option,
    cut_options,
    data_argument,
    example,
    groups_option,
    json_option,
    placing_options,
    quiet_option,
    reading_options,
    seed_option,
)
from .outputs import Target, check_stdout, target_options
from .progress import show_progress


@click.command(
    cls=Command,
    epilog=example(
        "evenfold split movies.csv --labels genres --separator '|' --parts 0.8,0.1,0.1 \\",
        "    --groups director -o parts/",
    ),
)
@data_argument
@reading_options
@cut_options
@click.option(
    "--holdout",
    type=Number(),
    metavar="SIZE",
    help="A fraction or number of rows for a part 'test', beside which the rest makes the parts.",
)
@click.option("--names", type=NamesList(), help="What the parts are called.")
@groups_option
@balance_option
@click.option(
    "--amounts",
    is_flag=True,
    help="COCO: keep the number of annotations of each category even too.",
)
@click.option(
    "--id",
    "id_column",
    metavar="COL",
    help="Names of rows: --indices lists them instead of row numbers.",
)
@placing_options
@seed_option
@target_options
@click.option(
    "--compare",
    is_flag=True,
    help="Have the report show what every other method makes of DATA too. Takes longer.",
)
@quiet_option
@json_option
def split(
    data: str,
    reading: Reading,
    cut: Cut,
    holdout: float | None,
    names: list[str] | None,
    groups: str | None,
    balance: tuple[str, ...],
    amounts: bool,
    id_column: str | None,
    placing: Placing,
    seed: int,
    target: Target,
    compare: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Cut DATA into parts or folds in which every label has its fair share.

    DATA is a csv, tsv, parquet, feather, jsonl, arff, svmlight, npz or COCO file, a folder of parquet files or of a Hugging Face dataset, or - for
    stdin. How even the split is, beside how even it could be, goes to stderr; without -o, --indices, --manifest and --report that is all.
    """
    sizes = cut.sizes()
    check_stdout(target.output, as_json)
    if amounts and balance:
        raise click.UsageError("--amounts and --balance do not go together. Leave out one of them.")
    if compare and target.report is None:
        raise click.UsageError(
            "--compare is for the report. Name one with --report FILE, or take the command evenfold compare."
        )

    from ..problem.parts import check_parts, check_parts_and_holdout
    from ..splits import compare as compare_methods
    from ..splits import split as make_split
    from .reading import read_amounts, read_balance, read_groups, read_ids, read_rows
    from .texts import report_split, say_repeated, warn_of_groups, warn_of_others
    from .writing import SplitWriter

    file, labels, _ = read_rows(data, reading, quiet)
    parts = (
        check_parts(sizes, labels.n_rows, names)
        if holdout is None
        else check_parts_and_holdout(sizes, holdout, labels.n_rows, names)
    )
    writer = SplitWriter(target, file, reading, parts.names)
    grouped = read_groups(file, groups)
    ids = read_ids(file, id_column)
    asked: dict[str, Any] = {
        "names": names,
        "groups": None if grouped is None else grouped.code_of_row,
        "balance": read_amounts(file) if amounts else read_balance(file, balance),
        "holdout": holdout,
        "random_state": seed,
    }
    with show_progress("splitting", quiet) as tell:
        s = make_split(labels, sizes, **asked, **placing.keywords(tell))
    warnings = [*warn_of_groups(grouped, parts), *say_repeated("id", ids, s.part_of_row, s.names)]
    writer.write(
        s, ids, warnings, compare_methods(labels, sizes, repeats=1, **asked) if compare else None
    )
    report_split(
        s,
        [*warnings, *warn_of_others(writer.find_others(), target.output)],
        writer.written,
        quiet,
        as_json,
    )
