"""extend(): new partitions join a split, which is known by its counts; old data is not read."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath
from typing import Any

from .._checks.numbers import check_whole
from ..exceptions import InputError
from ..problem.parts import Parts
from .columns import Columns
from .engine import open_engine
from .job import Job
from .limits import check_budget, check_memory
from .locations import list_files
from .manifest import Manifest, read_manifest
from .outcome import Earlier
from .run import Run
from .scaled_split import ScaledSplit
from .sources import Source

Progress = Callable[[str, int, int], object]


def extend(
    folder: str | PathLike[str],
    new: Any,
    *,
    random_state: int | None = None,
    engine: Any = None,
    workers: int | None = None,
    memory: int | str = "4GB",
    budget: float | int | str | None = None,
    work: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> ScaledSplit:
    """Add new files to a split, such as those of a day; the old files are not read.

    Parameters
    ----------
    folder : str or path
        The output folder of `evenfold.scale.split`, with its _manifest.json.
    new : path or sequence of paths
        The new Parquet files, as for `split`. They have the columns of the old ones.
    random_state : int, default=None
        The seed; by default that of the split.
    engine : {"sync", "dask", "spark"}, Client or SparkSession, default=None
        What runs the passes, as for `split`.
    workers : int, default=None
        The number of processes that "dask" or "spark" starts.
    memory : int or str, default="4GB"
        Bytes that new rows may take in memory.
    budget : int, float or str, default=None
        Label entries of the new rows that are gathered in one place, as for `split`.
    work : str or path, default=None
        A folder for intermediate results that all workers can reach.
    progress : callable, default=None
        Called as `progress(pass, n_done, n_all)`.

    Returns
    -------
    ScaledSplit
        All rows in their parts. The new files are in the folder, and the manifest is replaced.

    Raises
    ------
    InputError
        If the folder has no manifest, if the new files lack a column, or if the split has groups.

    Notes
    -----
    No old row moves, and no old file is read or written.
    The parts of all rows together are within one row of their shares, if the new rows suffice.

    Examples
    --------
    >>> import pyarrow as pa, pyarrow.parquet as pq
    >>> rows = pa.table({"labels": [["a"], ["a", "b"], ["b"], []]})
    >>> for day in ("1", "2"):
    ...     (tmp_path / day).mkdir()
    ...     pq.write_table(rows, tmp_path / day / "rows.parquet")
    >>> out = tmp_path / "out"
    >>> s = evenfold.scale.split(tmp_path / "1", 2, labels="labels", output=out)
    >>> evenfold.scale.extend(out, tmp_path / "2").sizes.tolist()
    [4, 4]
    """
    out = fspath(folder)
    old = read_manifest(out)
    if old.groups is not None:
        raise InputError(
            f"must be a split without groups, got {out}. Its manifest does not say in which part "
            "each group is. Split all data again, with a column of the old parts as fixed.",
            parameter="folder",
        )
    seed = old.seed if random_state is None else random_state
    arguments = dict(old.parameters) | {
        "random_state": check_whole(seed, "random_state", "Try random_state=0.", least=0),
        "memory": check_memory(memory),
        "budget": check_budget(budget),
        "in_sequence": engine is None,
        "fixed": None,
        "labels": list(old.columns["labels"]),
        "separator": old.columns["separator"],
    }
    source = Source(new, "", list_files(new))
    column = str(old.parameters["column"])
    # With the digest of the old split, the same files can be added twice.
    arguments["extended"] = old.digest
    job = Job(source, out, None if work is None else fspath(work), column, arguments, old)
    earlier = Earlier(list(old.labels), old.counts, old.sizes)

    def keep_parts(n_rows: int) -> Parts:
        return old.parts

    with open_engine(engine, workers) as runner, job.prepare(runner) as work_folder:
        wanted, assumed = job.make_wanted(runner, work_folder)
        _check_form(wanted.columns, old)
        run = Run(runner, work_folder, job.partitions, wanted, keep_parts, earlier, progress)
        outcome = run.split()
        manifest = job.make_manifest(outcome, old.parts, wanted.columns, assumed)
        s: ScaledSplit = job.write(runner, work_folder, manifest, progress)
        return s


def _check_form(columns: Columns, old: Manifest) -> None:
    """Refuse labels that are read in another way than those of the split."""
    for name in ("kind", "width"):
        found, expected = getattr(columns, name), old.columns.get(name)
        if found != expected:
            raise InputError(
                f"must have labels in the form of the split, whose {name} is {expected!r}, got "
                f"{found!r}. Write the column as in the old files.",
                parameter="new",
            )
