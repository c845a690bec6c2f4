"""extend(): new partitions join a split, which is known by its counts; old data is not read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

import pyarrow as pa

from .._checks.numbers import check_whole
from ..exceptions import InputError
from ..files.label_columns.forms import CUT_TEXT, LISTS, TEXT_LISTS
from ..labels.arrow_cells import is_bytes, is_list, is_text
from ..problem.parts import Parts
from .columns import Columns
from .engine import open_engine
from .job import Job
from .limits import check_budget, check_memory
from .manifest import Manifest, read_manifest
from .outcome import Earlier
from .output_folder import digest_files, remove_left_over
from .partition_file import FirstRows, read_known_labels
from .partitions import Partition, check_schemas
from .passes import Progress
from .run import Run
from .scaled_split import ScaledSplit
from .sources import find_file_source

_NOTHING_NEW = "All of the new files were in the split already, so nothing was added."


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
        The new Parquet files, as for `split`. They have the columns of the old ones, which are
        read as the old ones were. Files that are in the split already are not added again.
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
        If the folder has no manifest, if the new files lack a column or have another type for it,
        if some of them are in the split already, or if the split has groups.
    EngineError
        If the engine lost its workers or its scheduler. The same call goes on where it stopped.

    Notes
    -----
    No old row moves, and no old file is read or written.
    Files that are all in the split already (path, size and time of change) change nothing, so the
    call can be repeated.
    Keys of new rows are not compared with those of old rows.
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
    source = find_file_source(new)
    if _has_all(old, out, source.paths):
        # A run that was killed after it had written the manifest may have left something.
        remove_left_over(out)
        return ScaledSplit(replace(old, notes=[*old.notes, _NOTHING_NEW]), out)
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
    column = str(old.parameters.get("column", "part"))
    # Results for another state of the split are not used.
    arguments["extended"] = old.digest
    job = Job(source, out, None if work is None else fspath(work), column, arguments, old)
    earlier = Earlier(list(old.labels), old.counts, old.sizes)

    def keep_parts(n_rows: int) -> Parts:
        return old.parts

    with open_engine(engine, workers) as runner, job.prepare(runner) as work_folder:
        job.find_partitions(runner, work_folder)
        columns = _keep_columns(old, job.partitions)
        run = Run(
            runner,
            work_folder,
            job.partitions,
            job.make_wanted(columns),
            keep_parts,
            earlier,
            progress,
        )
        outcome = run.split()
        _check_names(outcome.names)
        manifest = job.make_manifest(outcome, old.parts, columns)
        s: ScaledSplit = job.write(runner, work_folder, manifest, progress)
        return s


def _has_all(old: Manifest, folder: str, paths: list[str]) -> bool:
    """Tell whether all files are in the split already; refuse some that are and some that are not.

    A file that was written anew is another one.
    """
    known = set(old.kept.get("inputs", ()))
    found = [path for path, own in zip(paths, digest_files(paths), strict=True) if own in known]
    if found and len(found) < len(paths):
        raise InputError(
            f"must name files that are not in the split yet, got {found[0]}"
            f"{f' and {len(found) - 1:,} more' if len(found) > 1 else ''} of {len(paths):,} files, "
            f"which {folder} has. Leave out what was added before.",
            parameter="new",
        )
    return bool(found)


def _keep_columns(old: Manifest, partitions: Sequence[Partition]) -> Columns:
    """Return how the split reads columns, which is how new files are read; check their types."""
    own: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in old.columns.items()
    }
    columns = Columns(**own)._replace(fixed=None)
    schema = check_schemas(partitions, columns.needed)
    for name, is_number in zip(columns.balance, columns.balance_is_number, strict=True):
        kind = schema.field(name).type
        if is_number != (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            raise _make_refusal(name, "numbers" if is_number else "no numbers", kind)
    for name in columns.labels:
        _check_cells(name, schema.field(name).type, columns.kind)
    found = read_known_labels(FirstRows(partitions, columns.needed, schema), columns.form).names
    _check_names([*old.labels, *found])
    return columns


def _check_cells(name: str, kind: pa.DataType, form: str) -> None:
    """Refuse lists in place of single labels, and the reverse."""
    if form == LISTS and not is_list(kind):
        raise _make_refusal(name, "lists", kind)
    if form in (CUT_TEXT, TEXT_LISTS) and not (is_text(kind) or is_bytes(kind)):
        raise _make_refusal(name, "text", kind)
    if form != LISTS and is_list(kind):
        raise _make_refusal(name, "no lists", kind)


def _make_refusal(name: str, expected: str, kind: pa.DataType) -> InputError:
    return InputError(
        f"must have columns in the form of the split, in which '{name}' holds {expected}, got "
        f"{kind}. Write the column as in the old files.",
        parameter="new",
    )


def _check_names(names: Sequence[Any]) -> None:
    """Refuse labels of which some are text and some are numbers: 1 and "1" would be two labels."""
    texts = [name for name in names if isinstance(name, str)]
    numbers = [name for name in names if not isinstance(name, str)]
    if texts and numbers:
        raise InputError(
            "must have labels in the form of the split, and some of the labels of both are text "
            f"({texts[0]!r}), some are numbers ({numbers[0]!r}). Write the column as in the old "
            "files.",
            parameter="new",
        )
