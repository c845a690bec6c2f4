"""Sources: files, or a DataFrame of Dask or Spark that is written as files first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from ..files.hive_folders import FolderKey, find_folder_keys
from .engine import Engine, name_engine
from .locations import find_files
from .partitions import Partition, read_schemas
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
    folder_keys : list of tuple of FolderKey
        The columns of each file that are in the names of its folders.
    """

    data: Any
    frame: str
    paths: list[str]
    folder_keys: list[tuple[FolderKey, ...]]

    def make_partitions(
        self, engine: Engine, columns: Sequence[str], key: str | None, work: WorkFolder
    ) -> list[Partition]:
        """Return the partitions; those of a DataFrame are written into the work folder first."""
        if not self.frame:
            return [
                Partition(number, (path,), folder_keys=keys)
                for number, (path, keys) in enumerate(
                    zip(self.paths, self.folder_keys, strict=True)
                )
            ]
        return engine.take_frame(self.data, columns, key, work)


def find_file_source(data: Any) -> Source:
    """Return the source of files.

    Parameters
    ----------
    data : path or sequence of paths
        The files, as for `locations.list_files`.

    Returns
    -------
    Source
        The source. A column of the files comes before one in the names of their folders.

    Raises
    ------
    InputError, InputTypeError
        If files are missing, or if their folders have different keys.
    """
    files = find_files(data)
    paths = [file.path for file in files]
    keys = find_folder_keys(paths, [file.folder for file in files])
    if keys[0]:
        names = read_schemas(paths[:1])[0].names
        keys = [tuple(key for key in own if key.name not in names) for own in keys]
    return Source(data, "", paths, keys)


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
        return find_file_source(data), engine
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
    return Source(data, frame, [], []), engine


def _find_client() -> Any:
    """Return the client of Dask that is active, or the name of the engine that starts one."""
    try:
        import dask.distributed

        return dask.distributed.default_client()
    except (ImportError, ValueError):
        return "dask"
