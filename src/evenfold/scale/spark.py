"""The engine of Spark: any session, classic or Connect; Spark DataFrames with a key."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import TYPE_CHECKING, Any

from ..exceptions import InputError
from .buckets import pack_rows, write_packed, write_table
from .engine import Engine, check_columns
from .locations import join_path
from .partitions import FRAME_FOLDER, Partition
from .spark_errors import explain_failure, find_reason
from .spark_keys import count_keys, quote
from .spark_rows import ERRORS, pack_error, raise_first, read_numbers
from .spark_sessions import start_session
from .work_folder import WorkFolder

if TYPE_CHECKING:
    import pyarrow as pa

# Rows of a DataFrame in one partition. The number of workers must not change the partitions.
ROWS_PER_PARTITION = 500_000
# In local mode Spark gives up a job when one worker dies.
_MAX_JOBS = 3
_SECONDS_BETWEEN_LOOKS = 0.5
_N_PROBES = 16


class SparkEngine(Engine):
    """Runs tasks on the Python workers of a Spark session.

    Parameters
    ----------
    session : SparkSession, default=None
        The session. None: the active one, or a local one, which `close` stops.
    workers : int, default=None
        The number of tasks that a new session runs at a time. None: one for each core.
    """

    name = "spark"

    def __init__(self, session: Any = None, workers: int | None = None) -> None:
        from pyspark.sql import SparkSession

        session = session or SparkSession.getActiveSession()
        if session is not None and workers is not None:
            raise InputError(
                f"must be None where a Spark session is active, got {workers}. "
                "Its workers are those that it has.",
                parameter="workers",
            )
        self._session, self._stop = session, None
        if session is None:
            self._session, self._stop = start_session(SparkSession.builder, workers)
        try:
            self._session.range(1).count()
        except Exception as error:
            self.close()
            raise InputError(
                f"must be a Spark session that can be reached, got {session!r}: "
                f"{find_reason(error)}. Make a new session.",
                parameter="engine",
            ) from error

    def run(
        self,
        function: Callable[[Any], object],
        tasks: Sequence[Any],
        on_done: Callable[[], object],
    ) -> None:
        """Run each task as one task of Spark; see `Engine.run`."""

        def run_tasks(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for number in read_numbers(batches):
                try:
                    function(tasks[number])
                except Exception as error:
                    yield pack_error(error)

        raise_first(self._collect(lambda: self._map(tasks, run_tasks), on_done))

    def shuffle(
        self, function: Callable[[Any], pa.Table], tasks: Sequence[Any], n_buckets: int, folder: str
    ) -> None:
        """Shuffle by `repartition`; see `Engine.shuffle`."""

        def make_packed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for number in read_numbers(batches):
                try:
                    yield from pack_rows(function(tasks[number])).to_batches(max_chunksize=1)
                except Exception as error:
                    yield pack_error(error)

        def write(key: tuple[pa.Scalar, ...], packed: pa.Table) -> pa.Table:
            if key[0].as_py() == ERRORS:
                return packed
            write_packed(folder, key[0].as_py(), packed["rows"].to_pylist())
            return packed.slice(0, 0)

        def make() -> Any:
            packed = self._map(tasks, make_packed).repartition(n_buckets, "bucket")
            return packed.groupBy("bucket").applyInArrow(write, packed.schema)

        raise_first(self._collect(make))

    def take_frame(
        self, frame: Any, columns: Sequence[str], key: str | None, work: WorkFolder
    ) -> list[Partition]:
        """Write a Spark DataFrame in partitions by its key; see `Engine.take_frame`.

        A DataFrame that is computed again may have its rows in another order, and in other
        partitions. The hash of the key gives each row its place.
        """
        from pyspark.sql import functions

        if key is None:
            raise InputError("must name a column that is different in every row.", parameter="key")
        check_columns(frame, [*columns, key])
        n_partitions = math.ceil(count_keys(frame, key) / ROWS_PER_PARTITION)
        find_path = partial(_find_path, work.find(FRAME_FOLDER))
        names = list(dict.fromkeys([*columns, key]))
        # Spark would read a dot in a name as the name of a field, so columns get other names.
        renamed = [functions.col(quote(name)).alias(f"c{at}") for at, name in enumerate(names)]
        bucket = functions.pmod(functions.xxhash64(quote(key)), functions.lit(n_partitions))

        def write(number: tuple[pa.Scalar, ...], rows: pa.Table) -> pa.Table:
            table = rows.drop_columns(["bucket"]).rename_columns(names)
            write_table(find_path(number[0].as_py()), table)
            return rows.select(["bucket"]).slice(0, 1)

        def make() -> Any:
            rows = frame.select(*renamed, bucket.cast("int").alias("bucket"))
            moved = rows.repartition(n_partitions, "bucket").groupBy("bucket")
            return moved.applyInArrow(write, "bucket int")

        buckets = sorted(row.bucket for row in self._collect(make))
        work.forget_listings()
        return [Partition(at, (find_path(bucket),), key) for at, bucket in enumerate(buckets)]

    def give_frame(
        self, frame: Any, folder: str, names: Sequence[str], key: str | None, column: str
    ) -> Any:
        """Return a Spark DataFrame with the column, by the key; see `Engine.give_frame`."""
        assert key is not None
        check_columns(frame, [key], added=column)
        # Without a scheme, Spark takes a path for one of its default file system.
        parts = self._session.read.parquet(folder if "://" in folder else f"file://{folder}")
        joined = frame.join(parts.select(quote(key), quote(column)), [key], "left")
        return joined.select(*map(quote, [*frame.columns, column]))

    def close(self) -> None:
        """Stop the session that the engine has started."""
        if self._stop is not None:
            self._stop()

    def _run_on_workers(self, function: Callable[[int], object]) -> None:
        self.run(function, range(_N_PROBES), lambda: None)

    def _map(self, tasks: Sequence[Any], function: Callable[..., Iterator[pa.RecordBatch]]) -> Any:
        """Return the DataFrame of what a function makes of the numbers of tasks, one at a time."""
        numbers = self._session.range(0, len(tasks), 1, len(tasks))
        return numbers.mapInArrow(function, "bucket int, rows binary")

    def _collect(
        self, make: Callable[[], Any], on_wait: Callable[[], object] = lambda: None
    ) -> list[Any]:
        """Return the rows of a small DataFrame, which is made again where Spark gave up."""
        for n_left in reversed(range(_MAX_JOBS)):
            try:
                return list(_wait_for(_make_quietly(make).collect, on_wait))
            # Errors of tasks are rows, so what is raised here is Spark's.
            except Exception as error:
                if not n_left:
                    raise explain_failure(error) from error
        return []


def _make_quietly(make: Callable[[], Any]) -> Any:
    """Return a DataFrame; Spark warns of the version of pandas, which is not used here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*pandas", FutureWarning)
        return make()


def _wait_for(function: Callable[[], Any], on_wait: Callable[[], object]) -> Any:
    """Return what a function returns; call another one now and then until it does."""
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(function)
        while not wait([result], _SECONDS_BETWEEN_LOOKS).done:
            on_wait()
        return result.result()


def _find_path(folder: str, bucket: int) -> str:
    return join_path(folder, f"bucket-{bucket:05d}.parquet")
