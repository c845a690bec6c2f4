"""Options for data past memory or past one machine, and the record in which commands get them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from .number_types import WholeNumber
from .option_types import Budget, MemorySize, OneOf
from .options import FOLDER_OUT, bundle

# Those that start processes or take those of a session.
_WITH_WORKERS = ("dask", "spark")
# The parameters of a command that have a meaning at scale.
_SHARED = {"data", "engine", "workers", "memory", "budget", "work", "seed", "report", "force"}
_SHARED |= {"quiet", "as_json"}
_READING = {"labels", "separator", "format", "groups", "balance", "id_column", "fixed"}
FOR_SPLIT = _SHARED | _READING | {"parts", "folds", "names", "order", "cover", "output", "column"}
FOR_EXTEND = _SHARED | {"new"}


class Scaling(NamedTuple):
    """How data past memory is split. The fields have the names of `evenfold.scale.split`."""

    engine: str | None
    workers: int | None
    memory: int | None
    budget: float | None
    work: str | None

    @property
    def given(self) -> list[str]:
        """The options that are given."""
        return [f"--{name}" for name, value in self._asdict().items() if value is not None]

    def check(self) -> None:
        """Refuse workers without an engine that has them."""
        if self.workers is not None and self.engine not in _WITH_WORKERS:
            raise click.UsageError(
                "--workers is for --engine dask or spark. Add one of them, or leave it out."
            )

    def keywords(self) -> dict[str, Any]:
        """Return the arguments that are given."""
        return {name: value for name, value in self._asdict().items() if value is not None}


scaling_options = bundle(
    Scaling,
    "scaling",
    click.option(
        "--engine",
        type=OneOf("ENGINE", lambda: ["sync", *_WITH_WORKERS]),
        help="For parquet files past memory: place partitions apart, and the rows with rare labels "
        "together. sync: in this process. dask, spark: in many. The result is the same. -o is then "
        "a folder, which gets each file with one more column. Labels that fit in --memory are "
        "split together, whatever the engine. Default: larger data one file after the other.",
    ),
    click.option(
        "--workers",
        type=WholeNumber(min=1),
        metavar="N",
        help="How many processes --engine starts.",
    ),
    click.option(
        "--memory",
        type=MemorySize(least=0),
        metavar="SIZE",
        help="Up to which size labels are held in memory, such as 4GB or 512MB. Default: 4GB.",
    ),
    click.option(
        "--budget",
        type=Budget(),
        help="How many label entries --engine gathers in one place: 1000000, 0.05 or 5% of all. "
        "More make the split more even.",
    ),
    click.option(
        "--work",
        type=FOLDER_OUT,
        metavar="FOLDER",
        help="A folder for intermediate results, which all workers can reach. Default: in -o.",
    ),
)


def find_reason(data: Sequence[str], scaling: Scaling) -> str:
    """Return the option or the kind of input by which data is split at scale; empty if none is."""
    scaling.check()
    if scaling.given:
        return scaling.given[0]
    return "a URL" if any("://" in path for path in data) else ""


def is_given(name: str) -> bool:
    """Tell whether an option is on the command line, whatever its default."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def list_others(allowed: Collection[str]) -> list[str]:
    """Return the options of the command line that are not among these parameters."""
    return [
        max(option.opts, key=len)
        for option in click.get_current_context().command.params
        if option.name not in allowed and is_given(str(option.name))
    ]


def refuse_others(allowed: Collection[str], because: str) -> None:
    """Refuse options that have no meaning at scale.

    Parameters
    ----------
    allowed : collection of str
        The names of the parameters that have one.
    because : str
        The option or the input by which data is split at scale.
    """
    others = list_others(allowed)
    if others:
        do, them = ("do", "them") if len(others) > 1 else ("does", "it")
        raise click.UsageError(
            f"{', '.join(others)} {do} not go with {because}. "
            f"Leave {them} out, or leave out {because} if the data fits in memory."
        )
