"""Sources: files, or a DataFrame of Dask or Spark that is written as files first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from .engine import Engine, name_engine
from .locations import list_files
from .partitions import Partition
from .work_folder import WorkFolder

_FRAMES = {"dask": "dask", "dask_expr": "dask", "pyspark": "spark"}


class Source(NamedTuple):
    """The rows to split.

    Attributes
    ----------
    data : Any
        What the user gave.
    frame : str
        "dask" or "spark" for a DataFrame of it, else empty.
    paths : list of str
        The files; none for a DataFrame.
    """

    data: Any
    frame: str
    paths: list[str]

    def make_partitions(
        self, engine: Engine, columns: Sequence[str], key: str | None, work: WorkFolder
    ) -> list[Partition]:
        """Return the partitions; those of a DataFrame are written into the work folder first."""
        if not self.frame:
            return [Partition(number, (path,)) for number, path in enumerate(self.paths)]
        return engine.take_frame(self.data, columns, key, work)


def find_source(data: Any, engine: Any, key: str | None) -> tuple[Source, Any]:
    """Return the source of the data, and the engine that it needs.

    Parameters
    ----------
    data : path, sequence of paths, or DataFrame of Dask or Spark
        The data.
    engine : Any
        The engine that the user asked for; None takes that of the DataFrame.
    key : str or None
        The column that names each row.

    Returns
    -------
    tuple of Source and Any
        The source, and what `find_engine` is to be called with.

    Raises
    ------
    InputError, InputTypeError
        If the data is of another kind, if files are missing, or if the engine does not fit.
    """
    package = type(data).__module__.partition(".")[0]
    frame = _FRAMES.get(package, "")
    if not frame:
        if package in ("pandas", "polars", "pyarrow", "numpy", "scipy"):
            raise InputTypeError(
                f"must be Parquet files or a DataFrame of Dask or Spark, got a "
                f"{type(data).__name__} of {package}. Use evenfold.split for data in memory.",
                parameter="data",
            )
        return Source(data, "", list_files(data)), engine
    if engine is not None and name_engine(engine) != frame:
        its = "Client" if frame == "dask" else "SparkSession"
        got = show_value(engine) if isinstance(engine, str) else f"a {type(engine).__name__}"
        raise InputError(
            f"must be None, {frame!r} or a {its} for a DataFrame of {frame.title()}, got {got}. "
            "Leave it out, or write the DataFrame to Parquet files and split these.",
            parameter="engine",
        )
    if frame == "spark":
        if key is None:
            raise InputError(
                "must name a column that is different in every row, got None. "
                "Spark may change the order of rows, so only a key can tell them apart.",
                parameter="key",
            )
        engine = data.sparkSession if engine is None or engine == "spark" else engine
    elif engine is None:
        engine = _find_client()
    return Source(data, frame, []), engine


def _find_client() -> Any:
    """Return the client of Dask that is active, or the name of the engine that starts one."""
    try:
        import dask.distributed

        return dask.distributed.default_client()
    except (ImportError, ValueError):
        return "dask"
