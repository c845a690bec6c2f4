"""`evenfold extend`: new rows join the parts of a split."""

from __future__ import annotations

import click

from .errors import Command
from .options import (
    Placing,
    Reading,
    Sizes,
    SizesList,
    balance_option,
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
    epilog=example("evenfold extend movies.csv --labels genres --part-column part -o more.csv"),
)
@data_argument
@reading_options
@click.option(
    "--part-column",
    metavar="COL",
    required=True,
    help="The column that names the part of each row; where it is empty the row is new.",
)
@click.option(
    "--parts",
    type=SizesList(),
    help="The sizes wanted of all rows, such as train=0.8,test=0.2. Default: in proportion to the old rows.",
)
@groups_option
@balance_option
@placing_options
@seed_option
@target_options
@quiet_option
@json_option
def extend(
    data: str,
    reading: Reading,
    part_column: str,
    parts: Sizes | None,
    groups: str | None,
    balance: tuple[str, ...],
    placing: Placing,
    seed: int,
    target: Target,
    quiet: bool,
    as_json: bool,
) -> None:
    """Place the rows of DATA that are in no part yet; the others stay where they are.

    New rows of an old group join it. Old rows need not come first. A file as output has the column filled, or with --column a new one beside it.
    """
    check_stdout(target.output, as_json)

    import numpy as np

    from ..exceptions import InputError
    from ..labels.balances import check_balance
    from ..problem.parts import Parts
    from ..quality.measuring import match_parts
    from ..splits.make_split import make_split
    from .reading import order_parts, read_balance, read_codes, read_groups, read_rows
    from .texts import report_split, warn_of_others
    from .writing import Fill, SplitWriter

    file, labels, _ = read_rows(data, reading, quiet)
    coded = order_parts(read_codes(file, part_column, "--part-column"))
    fixed = coded.code_of_row.astype(np.int32)
    old = fixed >= 0
    if parts is not None:
        wanted, number_of = match_parts(
            parts, np.arange(len(coded.values), dtype=np.int32), coded.values, labels.n_rows
        )
        fixed[old] = number_of[fixed[old]]
    elif len(coded.values) < 2:
        raise InputError(
            f"{data}: --part-column {part_column!r} names {len(coded.values)} parts, not two or more. Name them with --parts, or split it."
        )
    else:
        wanted = Parts(np.bincount(fixed[old]), tuple(coded.values))
    writer = SplitWriter(target, file, reading, wanted.names, Fill(part_column, ~old))
    grouped = read_groups(file, groups)
    with show_progress("placing", quiet) as tell:
        s = make_split(
            labels,
            wanted,
            groups=None if grouped is None else grouped.code_of_row,
            balance=check_balance(read_balance(file, balance), labels.n_rows),
            fixed=fixed,
            random_state=seed,
            parameters={"extended": int(old.sum())},
            may_outgrow=True,
            **placing.keywords(tell),
        )
    writer.write(s)
    others = warn_of_others(writer.find_others(), target.output)
    report_split(
        s,
        [f"{(~old).sum():,} new rows placed, {old.sum():,} left where they were.", *others],
        writer.written,
        quiet,
        as_json,
    )
