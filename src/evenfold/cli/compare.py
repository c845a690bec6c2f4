"""`evenfold compare`: several methods on the same data."""

from __future__ import annotations

import click

from .errors import Command
from .link_options import groups_option
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


@click.command(
    cls=Command,
    epilog=example("evenfold compare movies.csv --labels genres --folds 5 --methods even,random"),
)
@data_argument
@reading_options
@cut_options
@click.option(
    "--methods",
    type=METHODS_LIST,
    help="The methods to compare. Default: all; one that would take more than a minute is skipped.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Splits of each method, with different seeds.",
)
@groups_option
@balance_option
@seed_option
@quiet_option
@json_option
def compare(
    data: str,
    reading: Reading,
    cut: Cut,
    methods: list[str] | None,
    repeats: int,
    groups: tuple[str, ...],
    balance: tuple[str, ...],
    seed: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Split DATA by several methods and compare the results.

    Shows measures, bounds and times. Nothing is written. Without --parts and --folds, DATA is cut
    into 5 folds.
    """
    sizes = cut.sizes(default=5)

    from ..splits import compare as compare_methods
    from .messages import print_json, say_missing
    from .reading import read_balance, read_groups, read_rows

    file, labels, *_ = read_rows(data, reading, quiet)
    grouped = read_groups(file, groups)
    say_missing(grouped, quiet)
    comparison = compare_methods(
        labels,
        sizes,
        methods=methods,
        repeats=repeats,
        random_state=seed,
        groups=None if grouped is None else grouped.group_of_row,
        balance=read_balance(file, balance),
    )
    if as_json:
        print_json(comparison.to_dict())
    else:
        click.echo(str(comparison))
