"""`evenfold compare`: several methods on the same data."""

from __future__ import annotations

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
from .link_options import groups_option
from .number_types import WholeNumber
from .options import (
    METHODS_LIST,
    Cut,
    Reading,
    balance_option,
    cut_options,
    data_argument,
    example,
    json_option,
    quiet_option,
    reading_options,
    seed_option,
)
from .result_writer import ResultTarget, ResultWriter, result_options
from .sizes import settle_sizes


@click.command(
    cls=Command,
    epilog=example(
        "evenfold compare movies.csv --labels genres --folds 5 \\",
        "    --method even,random -o table.tex",
    ),
)
@data_argument
@reading_options
@cut_options
@click.option(
    "--method",
    "--methods",
    "methods",
    type=METHODS_LIST,
    multiple=True,
    help="The methods to compare, with commas between them. Repeatable. Default: all; one that "
    "would take more than a minute is skipped.",
)
@click.option(
    "--repeats",
    type=WholeNumber(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Splits of each method, with different seeds.",
)
@groups_option
@balance_option
@difficulty_options
@features_option
@seed_option
@result_options
@quiet_option
@json_option
def compare(
    data: tuple[str, ...],
    reading: Reading,
    cut: Cut,
    methods: tuple[list[str], ...],
    repeats: int,
    groups: tuple[str, ...],
    balance: tuple[str, ...],
    difficulty: Difficulty,
    features: tuple[str, ...],
    seed: int,
    target: ResultTarget,
    quiet: bool,
    as_json: bool,
) -> None:
    """Split DATA by several methods and compare the results.

    Shows measures, bounds and times. -o and --report write them, as tables for a paper too. Without
    --parts and --folds, DATA is cut into 5 folds.
    """
    sizes = cut.sizes(default=5)
    writer = ResultWriter(target, [*data, *map(str, reading.paths)])

    from ..splits import compare as compare_methods
    from .messages import print_json, say_groups, say_written
    from .reading import read_balance, read_groups, read_rows

    rows = read_rows(data, reading, quiet)
    file = rows.file
    sizes = settle_sizes(sizes, rows.labels.n_rows, quiet)
    grouped = read_groups(file, groups)
    say_groups(grouped, quiet)
    group_of_row = None if grouped is None else grouped.group_of_row
    group_columns = [] if grouped is None else [column.name for column in grouped.columns]
    columns = read_balance(file, balance)
    others = [*group_columns, *balance]
    hard = find_hard_rows(difficulty, rows, features, others, group_of_row, seed, quiet)
    comparison = compare_methods(
        rows.labels,
        sizes,
        methods=[name for names in methods for name in names] or None,
        repeats=repeats,
        random_state=seed,
        groups=group_of_row,
        balance=add_hard_rows(columns, hard),
    )
    record = {**comparison.to_dict(), **make_record(hard)}
    written = writer.write(comparison, record)
    if as_json:
        print_json(record)
    else:
        click.echo(str(comparison))
    say_written(written, quiet)
