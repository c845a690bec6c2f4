"""`evenfold sample`: an even subsample of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .errors import Command
from .link_options import groups_option
from .option_types import NumberOfRows
from .options import (
    FILE_OUT,
    PATH_OUT,
    Reading,
    balance_option,
    data_argument,
    effort_option,
    example,
    force_option,
    json_option,
    quiet_option,
    reading_options,
    seed_option,
)
from .output_checks import check_stdout


@click.command(
    cls=Command, epilog=example("evenfold sample movies.csv --labels genres -n 300 -o few.csv")
)
@data_argument
@reading_options
@click.option("-n", type=NumberOfRows(), required=True, help="Number of rows, or their fraction.")
@groups_option
@balance_option
@effort_option
@seed_option
@click.option(
    "-o",
    "--output",
    type=PATH_OUT,
    metavar="PATH",
    help="The sampled rows, in the format of DATA. -: stdout.",
)
@click.option(
    "--indices",
    type=FILE_OUT,
    metavar="FILE",
    help="The numbers of the sampled rows, from 0 (.json or .npy).",
)
@force_option
@quiet_option
@json_option
def sample(
    data: tuple[str, ...],
    reading: Reading,
    n: float,
    groups: tuple[str, ...],
    balance: tuple[str, ...],
    effort: Any,
    seed: int,
    output: str | None,
    indices: Path | None,
    force: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Draw rows of DATA in which every label has its fair share."""
    if output is None and indices is None and not as_json:
        raise click.UsageError("Say where the sample goes: -o FILE, --indices FILE or --json.")
    check_stdout(output, as_json)

    import numpy as np

    from ..quality import measure
    from ..splits import sample as draw_sample
    from .messages import print_sample, say_all, say_groups
    from .reading import read_balance, read_groups, read_rows
    from .sample_writer import SampleWriter

    file, labels, *_ = read_rows(data, reading, quiet)
    writer = SampleWriter(output, indices, force, file, reading)
    say_all(writer.remarks, quiet)
    grouped = read_groups(file, groups)
    say_groups(grouped, quiet)
    group_of_row = None if grouped is None else grouped.group_of_row
    rows = draw_sample(
        labels,
        n,
        groups=group_of_row,
        balance=read_balance(file, balance),
        effort=effort,
        random_state=seed,
    )
    part_of_row = np.full(labels.n_rows, -1, np.int32)
    part_of_row[rows] = 0
    writer.write(part_of_row)
    if as_json or not quiet:
        part_of_row[part_of_row < 0] = 1
        quality = measure(labels, part_of_row, groups=group_of_row, names=["sample", "rest"])
        print_sample(rows, seed, quality, writer.written, quiet, as_json)
