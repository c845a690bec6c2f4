"""split(): partitioned data into parts, in memory, in sequence or on a cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any, Literal

from .._checks.numbers import check_whole
from .._checks.values import show_value
from ..exceptions import InputError
from ..problem.cover import Cover, check_cover
from ..problem.parts import Parts, check_parts
from .engine import open_engine
from .job import Job
from .limits import check_budget, check_memory
from .partitions import count_rows
from .passes import Progress
from .run import Run
from .sources import find_source


def split(
    data: Any,
    parts: int | Sequence[float] | Mapping[str, float],
    *,
    labels: str | Sequence[str] | None = None,
    separator: str | None = None,
    names: Sequence[str] | None = None,
    key: str | None = None,
    groups: str | None = None,
    balance: str | Sequence[str] | None = None,
    fixed: str | None = None,
    order: Literal[1, "auto"] | None = None,
    cover: Cover = None,
    random_state: int = 0,
    engine: Any = None,
    workers: int | None = None,
    memory: int | str = "4GB",
    budget: float | int | str | None = None,
    output: str | PathLike[str] | None = None,
    column: str = "part",
    work: str | PathLike[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Any:
    """Split data that is partitioned, and may be larger than memory or on a cluster.

    Parameters
    ----------
    data : path, sequence of paths, Dask DataFrame or Spark DataFrame
        Parquet files: a file, a folder, a pattern such as ``"data/*.parquet"``, or a list of those,
        on any file system that fsspec knows.
    parts : int, sequence or mapping
        The sizes of the parts, as for `evenfold.split`.
    labels : str or sequence of str, default=None
        The columns of the labels, or patterns of their names. None guesses where that is safe.
    separator : str, default=None
        What separates the labels of a cell; "" if each cell is one label.
    names : sequence of str, default=None
        The names of the parts.
    key : str, default=None
        A column that is different in every row. A Spark DataFrame needs one.
    groups : str, default=None
        A column whose values keep rows together.
    balance : str or sequence of str, default=None
        Columns to keep even besides labels.
    fixed : str, default=None
        A column with the parts of rows that may not move, empty for free rows.
    order : {1, "auto"}, default=None
        What is kept even: 1 labels, "auto" also labelsets and the number of labels of a row. None:
        what `evenfold.split` keeps even, if the data fits into memory, else labels.
    cover : int or bool, default=None
        How many rows of each label every part should hold, as for `evenfold.split`.
    random_state : int, default=0
        The same number gives the same split, whatever the engine and the number of workers.
    engine : {"sync", "dask", "spark"}, Client or SparkSession, default=None
        What runs the passes. None: this process, one partition after the other; for a DataFrame,
        its own engine.
    workers : int, default=None
        The number of processes that "dask" or "spark" starts; by default one for each core.
    memory : int or str, default="4GB"
        Bytes that a split in memory may take. Data that fits gets the split of `evenfold.split`.
    budget : int, float or str, default=None
        Label entries that an engine gathers in one place: a number, or a share such as 0.05 or
        "5%". By default 5 %, or 10 rows of each label if that is more. Without an engine, nothing
        is gathered.
    output : str or path, default=None
        The folder to write, with a _manifest.json. Only the files that it lists are of the split.
        A split of files needs it: each input file is written with the column of parts. Of a Dask
        DataFrame, each partition is written so; of a Spark DataFrame, the keys and their parts.
    column : str, default="part"
        The name of the new column.
    work : str or path, default=None
        A folder for intermediate results that all workers can reach; by default in `output`, or a
        temporary folder. Without `output`, the column of a DataFrame stays in a new folder there.
    force : bool, default=False
        Whether to replace an earlier split in `output`.
    progress : callable, default=None
        Called as `progress(pass, n_done, n_all)`.

    Returns
    -------
    ScaledSplit or DataFrame
        The split, known by its counts. Its `frame` is the Dask DataFrame with the column of parts,
        if one was given. For a Spark DataFrame, the result is a Spark DataFrame with that column;
        its attribute `evenfold_split` is the ScaledSplit.

    Raises
    ------
    InputError
        If the data, a column, the engine or the output is not as it must be. Nothing is written.
    EngineError
        If the engine lost its workers or its scheduler. What is done of a split of files is kept.

    Notes
    -----
    Data that fits into `memory` gets the same split as from `evenfold.split`, to the row.
    The split depends on the data, its partitions, the settings and the seed, not on the engine,
    the number of workers, or a worker that died; but without an engine data past memory is placed
    in sequence, which is another scheme with another split.
    Without groups, every part is within one row of its share.
    The input is not changed.
    A second run with the same files and arguments goes on where the first stopped. The split of a
    DataFrame begins again, because its rows may be others.

    Examples
    --------
    >>> import pyarrow as pa, pyarrow.parquet as pq
    >>> for number in range(4):
    ...     rows = pa.table({"id": range(4), "labels": [["a"], ["a", "b"], ["b"], []]})
    ...     pq.write_table(rows, tmp_path / f"{number}.parquet")
    >>> s = evenfold.scale.split(tmp_path / "*.parquet", 2, labels="labels",
    ...                          output=tmp_path / "out")
    >>> s.sizes.tolist(), s.excess, s.scheme
    ([8, 8], 0.0, 'memory')
    """
    source, engine = find_source(data, engine, key)
    if order not in (None, 1, "auto"):
        raise InputError(
            f"must be 1 or 'auto', got {show_value(order)}. Label pairs are not counted here.",
            parameter="order",
        )
    seed = check_whole(random_state, "random_state", "Try random_state=0.", least=0)
    arguments = {
        "parts": dict(parts) if isinstance(parts, Mapping) else parts,
        "labels": labels,
        "separator": separator,
        "names": names,
        "key": key,
        "groups": groups,
        "balance": balance,
        "fixed": fixed,
        "order": order,
        "cover": check_cover(cover),
        "random_state": seed,
        "memory": check_memory(memory),
        "budget": check_budget(budget),
        "column": column,
        "in_sequence": engine is None,
    }

    def make_parts(n_rows: int) -> Parts:
        return check_parts(parts, n_rows, names)

    job = Job(source, _to_text(output), _to_text(work), column, arguments)
    finished = job.find_finished(force)
    if finished is not None:
        return finished
    if not source.frame:
        make_parts(count_rows(source.paths))
    with open_engine(engine, workers) as runner, job.prepare(runner, force) as folder:
        job.find_partitions(runner, folder)
        columns, assumed = job.choose_columns()
        wanted = job.make_wanted(columns)
        run = Run(runner, folder, job.partitions, wanted, make_parts, None, progress)
        outcome = run.split()
        manifest = job.make_manifest(outcome, run.parts, columns, assumed)
        return job.write(runner, folder, manifest, progress)


def _to_text(path: str | PathLike[str] | None) -> str | None:
    return None if path is None else fspath(path)
