"""What runs the tasks of a pass: the contract, and the engine of one process."""

from __future__ import annotations

import importlib.util
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from .._checks.choices import check_choice, suggest
from .._checks.numbers import check_whole
from .._checks.values import show_some, show_value
from ..exceptions import EngineError, EvenfoldError, InputError, InputTypeError
from .buckets import cut_into_buckets, write_bucket
from .locations import join_path
from .work_folder import WorkFolder

if TYPE_CHECKING:
    import pyarrow as pa

    from .partitions import Partition

_PACKAGES = {"dask": "distributed", "spark": "pyspark"}


class Engine(ABC):
    """Runs functions of tasks on workers.

    Functions and tasks can be pickled. A function may be run more than once for a task, also at the
    same time, because workers die: it must write the same files each time, and write them whole.

    Attributes
    ----------
    name : str
        The name that `find_engine` knows the engine by.
    """

    name: str

    @abstractmethod
    def run(
        self,
        function: Callable[[Any], object],
        tasks: Sequence[Any],
        on_done: Callable[[], object],
    ) -> None:
        """Call a function with every task, and wait until all are done.

        An error that the function raises is raised here.

        Parameters
        ----------
        function : callable
            What it returns is ignored.
        tasks : sequence
            The tasks.
        on_done : callable
            Called when tasks have ended, or may have ended.
        """

    @abstractmethod
    def shuffle(
        self, function: Callable[[Any], pa.Table], tasks: Sequence[Any], n_buckets: int, folder: str
    ) -> None:
        """Bring together the rows of each bucket.

        Afterwards the rows of bucket b are in Parquet files in the folder `{folder}/bucket={b}`, in
        any order. A bucket without rows has no folder.

        Parameters
        ----------
        function : callable
            Returns the rows of a task: a table with the column `bucket` of int32, which is not
            written. The tables of all tasks have the same columns.
        tasks : sequence
            Tasks with a field `number`.
        n_buckets : int
            Buckets are numbered from 0 to `n_buckets` - 1.
        folder : str
            The folder to write.
        """

    def take_frame(
        self, frame: Any, columns: Sequence[str], key: str | None, work: WorkFolder
    ) -> list[Partition]:
        """Write columns of a DataFrame of this engine into the work folder.

        Parameters
        ----------
        frame : DataFrame
            The DataFrame.
        columns : sequence of str
            The columns to write.
        key : str or None
            The column that names each row.
        work : WorkFolder
            The folder.

        Returns
        -------
        list of Partition
            The files that were written.

        Raises
        ------
        InputError
            If the engine has no DataFrames, if a column is absent, or if the key is no key.
        """
        raise self._make_no_frames()

    def give_frame(
        self, frame: Any, folder: str, names: Sequence[str], key: str | None, column: str
    ) -> Any:
        """Return a DataFrame of this engine with one more column, which files have.

        Parameters
        ----------
        frame : DataFrame
            The DataFrame, of which `take_frame` made partitions.
        folder : str
            The folder of the files.
        names : sequence of str
            The file of each partition.
        key : str or None
            The column that names each row, if the files have it too.
        column : str
            The new column.

        Returns
        -------
        DataFrame
            The DataFrame with the column.

        Raises
        ------
        InputError
            If the engine has no DataFrames, or if the DataFrame has such a column.
        """
        raise self._make_no_frames()

    def _make_no_frames(self) -> InputError:
        return InputError(
            f"must be that of the DataFrame, got {self.name!r}, which has none. Leave it out.",
            parameter="engine",
        )

    def check(self, work: WorkFolder) -> None:
        """Check that every worker can read and write the work folder.

        Parameters
        ----------
        work : WorkFolder
            The folder.

        Raises
        ------
        InputError
            If a worker cannot.
        """
        token = uuid4().hex
        probe = WorkFolder(join_path(work.path, f"check-{token}"))
        try:
            probe.save("driver", {"token": token})
            self._run_on_workers(partial(_try_folder, probe, work.path))
            if not probe.list_done("worker"):
                raise _make_unreachable(work.path, "what it writes does not arrive")
        except OSError as error:
            raise _make_unreachable(work.path, str(error)) from error
        finally:
            probe.remove()

    def _run_on_workers(self, function: Callable[[int], object]) -> None:
        """Call a function on every worker, as far as the engine can, with any number."""
        self.run(function, [0], lambda: None)

    def close(self) -> None:  # noqa: B027 - an engine that started nothing has nothing to end
        """End what the engine has started."""


class SyncEngine(Engine):
    """Runs the tasks one after another in this process."""

    name = "sync"

    def run(
        self,
        function: Callable[[Any], object],
        tasks: Sequence[Any],
        on_done: Callable[[], object],
    ) -> None:
        """Call a function with every task; see `Engine.run`."""
        for task in tasks:
            function(task)
            on_done()

    def shuffle(
        self, function: Callable[[Any], pa.Table], tasks: Sequence[Any], n_buckets: int, folder: str
    ) -> None:
        """Write the rows of each task to the files of their buckets; see `Engine.shuffle`."""
        for task in tasks:
            for bucket, rows in cut_into_buckets(function(task)):
                write_bucket(folder, bucket, rows, f"{task.number:05d}")


def find_engine(engine: Any, workers: int | None = None) -> Engine:
    """Return the engine that a user asks for.

    Parameters
    ----------
    engine : None, str, distributed.Client or SparkSession
        None and "sync" are this process. "dask" starts a cluster of processes on this machine,
        "spark" uses the active session or starts one.
    workers : int, default=None
        The number of processes to start. None: as many as there are cores.

    Returns
    -------
    Engine
        The engine. Whoever asks for it closes it.

    Raises
    ------
    InputError
        If there is no such engine, if its package is not installed, or if it cannot be reached.
    """
    name = name_engine(engine)
    if workers is not None:
        workers = check_whole(workers, "workers", "Try workers=2.")
        if name == "sync" and workers > 1:
            raise InputError(
                f"must be 1 where engine is 'sync', got {workers}. "
                "Name an engine with workers: engine='dask' or engine='spark'.",
                parameter="workers",
            )
        if not isinstance(engine, str) and name != "sync":
            raise InputError(
                f"must be None where engine is a {type(engine).__name__}, got {workers}. "
                "Its workers are those that it has.",
                parameter="workers",
            )
    if name == "sync":
        return SyncEngine()
    if importlib.util.find_spec(_PACKAGES[name]) is None:
        raise InputError(
            f"must be installed, got {name!r}, which is not. "
            f"Install it with: pip install 'evenfold[{name}]'",
            parameter="engine",
        )
    given = None if isinstance(engine, str) else engine
    if name == "dask":
        from .dask import DaskEngine

        return DaskEngine(given, workers)
    from .spark import SparkEngine

    return SparkEngine(given, workers)


@contextmanager
def open_engine(engine: Any, workers: int | None = None) -> Iterator[Engine]:
    """Give the engine that a user asks for, and end what it has started."""
    found = find_engine(engine, workers)
    try:
        yield found
    finally:
        found.close()


def name_engine(engine: Any) -> str:
    """Return the name of the engine that a user asks for."""
    if engine is None:
        return "sync"
    if isinstance(engine, str):
        return check_choice(engine, "engine", ("sync", "dask", "spark"))
    # By the names of their modules: neither package is imported to look at an object.
    package = type(engine).__module__.partition(".")[0]
    for name, its_package in _PACKAGES.items():
        if package == its_package:
            return name
    raise InputTypeError(
        "must be 'sync', 'dask', 'spark', a Client of Dask or a SparkSession, "
        f"got {show_value(engine)}, a {type(engine).__name__}. Leave it out for this process.",
        parameter="engine",
    )


def check_columns(frame: Any, columns: Sequence[str], added: str | None = None) -> None:
    """Check that a DataFrame has columns, and that it lacks the one that is to be added."""
    names = [str(name) for name in frame.columns]
    for column in columns:
        if column not in names:
            hint = suggest(column, names, f"Columns: {show_some(names, 10)}.")
            raise InputError(f"has no column {column!r}. {hint}", parameter="data")
    if added in names:
        raise InputError(
            f"must not have a column {added!r} yet, because the result gets it. "
            "Drop the column, or name another with column=.",
            parameter="data",
        )


def make_engine_error(reason: object) -> EngineError:
    """Return the error of an engine that gave up a task."""
    return EngineError(
        f"must run all tasks, got: {str(reason).rstrip('.')}. See its log. If workers ran out of "
        "memory, give them more, or cut the data into more files. Then run the same call again: "
        "a split of files goes on where it stopped.",
        parameter="engine",
    )


def _try_folder(probe: WorkFolder, path: str, number: int) -> None:
    """Read what the driver wrote into the folder, and write something."""
    try:
        probe.load("driver")
        probe.save(f"worker-{number:05d}", {})
    except (OSError, EvenfoldError) as error:
        raise _make_unreachable(path, str(error)) from None


def _make_unreachable(path: str, reason: str) -> InputError:
    return InputError(
        f"must be a folder that all workers can read and write, got {path}: {reason}. "
        "Name a folder that all workers can reach with work=.",
        parameter="work",
    )
