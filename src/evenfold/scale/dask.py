"""The engine of Dask: any client, or processes on this machine; Dask DataFrames."""

from __future__ import annotations

import logging
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from ..exceptions import EvenfoldError, InputError
from .dask_frames import (
    TEXT,
    add_parts,
    list_running,
    make_packed,
    read_parts,
    return_error,
    to_packed_frame,
    write_all_packed,
    write_frame,
)
from .engine import Engine, check_columns, make_engine_error
from .locations import join_path
from .partitions import FRAME_FOLDER, Partition
from .work_folder import WorkFolder

if TYPE_CHECKING:
    import pyarrow as pa

# How often a task is run again that the scheduler gave up because its workers died.
_MAX_RETRIES = 3
_SECONDS_BETWEEN_LOOKS = 0.05
_N_QUIET_LOOKS = 2
_RESTART_TIMEOUT = "10 minutes"


class DaskEngine(Engine):
    """Runs tasks on the workers of a Dask cluster.

    Parameters
    ----------
    client : distributed.Client, default=None
        The cluster. None: processes on this machine, which `close` ends.
    workers : int, default=None
        The number of these processes. None: one for each core.
    """

    name = "dask"

    def __init__(self, client: Any = None, workers: int | None = None) -> None:
        self._started = ExitStack()
        self._client = client or self._start(workers)
        _check_client(self._client)

    def _start(self, workers: int | None) -> Any:
        import dask
        import dask.distributed as distributed
        from dask.system import CPU_COUNT

        # A script without the guard is run again by each worker that it starts. Such a worker ends
        # here, so that only the first process tells of it.
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            sys.exit(1)
        # Dask would give up a killed worker that takes longer to start again, as on a busy machine.
        lasting = {"distributed.deploy.lost-worker-timeout": _RESTART_TIMEOUT}
        self._started.enter_context(dask.config.set(lasting))
        try:
            cluster = distributed.LocalCluster(
                n_workers=workers or CPU_COUNT,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",
                # What a user must know is raised as an error.
                silence_logs=logging.CRITICAL,
            )
        except RuntimeError as error:
            self.close()
            raise InputError(
                f"must be able to start processes, got 'dask': {str(error).rstrip('.')}. In a "
                "script, call evenfold.scale under: if __name__ == '__main__':",
                parameter="engine",
            ) from None
        self._started.enter_context(cluster)
        return self._started.enter_context(distributed.Client(cluster, set_as_default=False))

    def run(
        self,
        function: Callable[[Any], object],
        tasks: Sequence[Any],
        on_done: Callable[[], object],
    ) -> None:
        """Run each task on a worker, again where the worker died; see `Engine.run`."""
        import dask

        # A partial function hides the task from Dask, which looks for other tasks in tuples.
        jobs = [dask.delayed(partial(return_error, function, task), pure=False)() for task in tasks]
        self._run_all(jobs, on_done, return_errors=True)

    def shuffle(
        self, function: Callable[[Any], pa.Table], tasks: Sequence[Any], n_buckets: int, folder: str
    ) -> None:
        """Shuffle with `DataFrame.shuffle`; see `Engine.shuffle`."""
        import dask.dataframe as dd

        packed = dd.from_map(partial(make_packed, function), tasks, meta=to_packed_frame(None))
        moved = packed.shuffle("bucket", npartitions=n_buckets, shuffle_method="p2p")
        written = moved.map_partitions(write_all_packed, folder, meta=packed._meta)
        self._run_all(written.to_delayed(), lambda: None)

    def take_frame(
        self, frame: Any, columns: Sequence[str], key: str | None, work: WorkFolder
    ) -> list[Partition]:
        """Write a file for each partition of a Dask DataFrame; see `Engine.take_frame`.

        With all columns the index is written too, unless it only numbers the rows.
        """
        import dask

        check_columns(frame, columns)
        index = frame._meta.index
        is_numbering = index.name is None and index.dtype.kind in "iu"
        keep_index = len(columns) == len(frame.columns) and not is_numbering
        parts = frame[list(columns)].to_delayed()
        paths = [
            join_path(work.find(FRAME_FOLDER), f"partition-{number:05d}.parquet")
            for number in range(len(parts))
        ]
        write = dask.delayed(partial(return_error, write_frame), pure=False)
        jobs = [write(path, part, keep_index) for path, part in zip(paths, parts, strict=True)]
        self._run_all(jobs, lambda: None, return_errors=True)
        work.forget_listings()
        return [Partition(number, (path,)) for number, path in enumerate(paths)]

    def give_frame(
        self, frame: Any, folder: str, names: Sequence[str], key: str | None, column: str
    ) -> Any:
        """Return a Dask DataFrame with the column, by position; see `Engine.give_frame`."""
        import dask.dataframe as dd

        check_columns(frame, [], added=column)
        empty = frame._meta.assign(**{column: frame._meta.index.to_series().astype(TEXT)})
        paths = [join_path(folder, name) for name in names]
        parts = dd.from_map(partial(read_parts, column), paths, meta=empty[[column]])
        return dd.map_partitions(add_parts, frame, parts, meta=empty, align_dataframes=False)

    def close(self) -> None:
        """End the processes that the engine has started."""
        self._started.close()

    def _run_on_workers(self, function: Callable[[int], object]) -> None:
        with self._explain_loss():
            errors = self._client.run(return_error, function, 0)
        for error in errors.values():
            if error is not None:
                raise error

    def _run_all(
        self, jobs: Sequence[Any], on_done: Callable[[], object], return_errors: bool = False
    ) -> None:
        """Run delayed jobs; raise the first error, which jobs may also return."""
        from dask.distributed import KilledWorker, as_completed

        n_retries: Counter[str] = Counter()
        with self._explain_loss(), ExitStack() as at_end:
            futures = self._client.compute(list(jobs))
            at_end.callback(self._client.cancel, futures)
            completed = as_completed(futures, loop=self._client.loop)
            for future in completed:
                error = _find_error(future, return_errors)
                if isinstance(error, KilledWorker) and n_retries[future.key] < _MAX_RETRIES:
                    n_retries[future.key] += 1
                    future.retry()
                    completed.add(future)
                elif isinstance(error, KilledWorker):
                    raise make_engine_error(error) from error
                elif error is not None:
                    self._end(futures)
                    raise error.with_traceback(None) from None
                else:
                    on_done()

    @contextmanager
    def _explain_loss(self) -> Iterator[None]:
        """Raise what follows from the loss of the scheduler as one error."""
        from dask.distributed import CancelledError

        try:
            yield
        except EvenfoldError:
            raise
        except (Exception, CancelledError) as error:
            if isinstance(error, CancelledError) or self._client.status != "running":
                raise make_engine_error("the scheduler was lost") from error
            raise

    def _end(self, futures: Sequence[Any]) -> None:
        """Cancel jobs, and wait for those that run, because whoever gets the error cleans up."""
        self._client.cancel(futures)
        keys = {future.key for future in futures}
        n_quiet = 0
        with suppress(OSError):
            # A job may begin before its worker hears that it was cancelled.
            while n_quiet < _N_QUIET_LOOKS:
                running = self._client.run(list_running, keys, on_error="ignore")
                n_quiet = 0 if any(running.values()) else n_quiet + 1
                time.sleep(_SECONDS_BETWEEN_LOOKS)


def _find_error(future: Any, is_returned: bool) -> BaseException | None:
    """Return the error that a job raised or returned."""
    error: BaseException | None = future.exception()
    if error is None and is_returned:
        try:
            error = future.result()
        # The worker that has the result may die, and with it those that make it again.
        except Exception as raised:
            error = raised
    return error


def _check_client(client: Any) -> None:
    try:
        reached = client.status == "running" and client.scheduler_info()["workers"]
    except OSError:
        reached = False
    if not reached:
        raise InputError(
            f"must be a client that is connected to workers, got {client!r}. "
            "Start a scheduler and workers, and make a new Client.",
            parameter="engine",
        )
