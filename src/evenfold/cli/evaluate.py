"""`evenfold evaluate`: what learners score on the folds of several methods."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from ..exceptions import InputError
from .difficulty import (
    Difficulty,
    add_hard_rows,
    difficulty_options,
    features_option,
    make_record,
    measure_hard_rows,
    read_feature_columns,
)
from .errors import Command
from .learner_warnings import gather_warnings
from .link_options import groups_option
from .number_types import Jobs, WholeNumber
from .option_types import OutputPath, Undefined
from .options import (
    LEARNERS_LIST,
    METHODS_LIST,
    METRICS_LIST,
    Cut,
    Reading,
    balance_option,
    cut_options,
    data_argument,
    example,
    holdout_option,
    json_option,
    order_option,
    quiet_option,
    read_order,
    reading_options,
    seed_option,
)
from .progress import show_progress
from .quick_start import show_pandas
from .result_writer import ResultTarget, ResultWriter, result_options
from .sizes import settle_sizes
from .stopping import can_go_on, stop_if_told


@click.command(
    cls=Command,
    epilog=example(
        "evenfold evaluate movies.csv --labels genres --learner br:tree \\",
        "    --folds 2 --repeats 2 --metrics hamming_loss,f1_micro",
    ),
)
@data_argument
@reading_options
@features_option
@click.option(
    "--learner",
    type=LEARNERS_LIST,
    metavar="NAMES",
    multiple=True,
    default=("br:random-forest",),
    show_default=True,
    help="Learners with commas between them, each with its base learner, such as "
    "br:random-forest, clr:knn, ecc:tree or mlknn; tuned:br:tree chooses thresholds by macro F1. "
    "Repeatable.",
)
@click.option(
    "--method",
    "--methods",
    "methods",
    type=METHODS_LIST,
    multiple=True,
    default=("random,labelset,iterative,even",),
    show_default=True,
    help="The methods that make the folds, with commas between them. Repeatable.",
)
@cut_options
@holdout_option
@click.option(
    "--repeats",
    type=WholeNumber(min=1),
    metavar="N",
    default=5,
    show_default=True,
    help="Splits of each method, with different seeds.",
)
@click.option(
    "--metrics",
    type=METRICS_LIST,
    help="The metrics to compute. Default: the six of Sechidis et al. (2011).",
)
@click.option(
    "--undefined",
    type=Undefined(),
    metavar="nan|skip|NUMBER",
    default="nan",
    show_default=True,
    help="The value that an undefined label has in a mean over labels; skip: none.",
)
@groups_option
@balance_option
@difficulty_options
@order_option
@click.option(
    "--samples",
    type=WholeNumber(min=0),
    metavar="N",
    default=200,
    show_default=True,
    help="Bootstrap samples for the intervals; 0: no intervals.",
)
@click.option(
    "--jobs",
    type=Jobs(),
    metavar="N",
    default=1,
    show_default=True,
    help="Number of folds fitted at once; -1: as many as processors.",
)
@click.option(
    "--cache",
    type=OutputPath(path_type=Path, file_okay=False),
    metavar="DIR",
    help="A folder for finished runs. Started again, the command computes only missing ones.",
)
@seed_option
@result_options
@quiet_option
@json_option
def evaluate(
    data: tuple[str, ...],
    reading: Reading,
    features: tuple[str, ...],
    learner: tuple[list[str], ...],
    methods: tuple[list[str], ...],
    cut: Cut,
    holdout: float | None,
    repeats: int,
    metrics: list[str] | None,
    undefined: Any,
    groups: tuple[str, ...],
    balance: tuple[str, ...],
    difficulty: Difficulty,
    order: str | None,
    samples: int,
    jobs: int,
    cache: Path | None,
    seed: int,
    target: ResultTarget,
    quiet: bool,
    as_json: bool,
) -> None:
    """Cross-validate learners on folds made by several methods.

    Shows the estimates with their intervals, and how much they vary from fold to fold. The
    estimates to report are pooled: the metric of the predictions for the test rows of all folds
    together. The default are 10 folds. With --parts 0.75,0.25 or --parts 0.7,0.1,0.2, learners are
    fitted on the first part and scored on the last; with --holdout, all parts are folds.
    """
    sizes = cut.sizes(default=10)
    writer = ResultWriter(target, [*data, *map(str, reading.paths)])
    chosen = [name for names in methods for name in names]
    # Learners may use pandas.
    show_pandas()
    from ..evaluation import evaluate as evaluate_learners
    from .messages import print_json, say_all, say_groups, say_written
    from .reading import read_balance, read_groups, read_rows
    from .remarks import remark_order

    rows = read_rows(data, reading, quiet)
    file = rows.file
    sizes = settle_sizes(sizes, rows.labels.n_rows, quiet)
    grouped = read_groups(file, groups)
    say_groups(grouped, quiet)
    say_all(remark_order(order, chosen), quiet)
    group_of_row = None if grouped is None else grouped.group_of_row
    group_columns = [] if grouped is None else [column.name for column in grouped.columns]
    columns = read_balance(file, balance)
    read = read_feature_columns(rows, features, [*group_columns, *balance], quiet)
    hard = measure_hard_rows(difficulty, rows, read, group_of_row, seed, quiet)
    columns = add_hard_rows(columns, hard)
    # What is in the cache is not fitted again.
    going_on = can_go_on() if cache is not None else nullcontext()
    with going_on, gather_warnings(quiet), show_progress("evaluating", quiet) as draw:

        def progress(share: float) -> None:
            stop_if_told()
            if draw is not None:
                draw(share)

        result = evaluate_learners(
            [name for names in learner for name in names],
            read.matrix,
            rows.labels,
            sizes,
            methods=chosen,
            repeats=repeats,
            metrics=metrics,
            undefined=undefined,
            groups=group_of_row,
            balance=columns,
            holdout=holdout,
            order=read_order(order),
            n_samples=samples,
            random_state=seed,
            n_jobs=jobs,
            cache=cache,
            progress=progress,
        )
    if not any(estimate.n_repeats for estimate in result):
        first = result.estimates[0]
        raise InputError(f"no learner could be fitted. {first.learner}: {first.errors[0]}")
    record = {**result.to_dict(), **make_record(hard)}
    written = writer.write(result, record)
    if as_json:
        print_json(record)
    else:
        click.echo(str(result))
    say_written(written, quiet)
