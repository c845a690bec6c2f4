"""A job: where the data comes from, where the result goes, and what happens if it fails."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from uuid import uuid4

import numpy as np

from ..exceptions import EngineError, EvenfoldError, InputError
from ..files.hive_folders import append_fields
from ..problem.parts import Parts
from .columns import Columns, choose_columns
from .engine import Engine, check_columns
from .locations import exists, is_local, join_path, to_absolute
from .manifest import FileRecord, Manifest, find_missing_files, has_manifest, read_manifest
from .outcome import Outcome, Wanted
from .output_folder import (
    check_output,
    clear_output,
    digest_files,
    digest_run,
    move_files,
    name_outputs,
    name_stage,
    name_work_folder,
    note_targets,
    remove_left_over,
    remove_outputs,
    remove_work,
)
from .partitions import Partition, read_schemas
from .passes import Progress, run_pass
from .scaled_split import ScaledSplit, load
from .sources import Source
from .work_folder import WorkFolder
from .writing import WriteTask, check_new_column, forget_changed_files, write_partition

_UNUSED = {
    "memory": "all labels fit in memory.",
    "stream": "without an engine, partitions are placed in sequence, and nothing is gathered. "
    "An engine such as 'sync' gathers.",
}


class Job:
    """The source, the output folder and the work folder of one split.

    Parameters
    ----------
    source : Source
        The data.
    output : str or None
        The folder to write; None if a DataFrame gets a column instead.
    work : str or None
        The folder for intermediate results that the user named.
    column : str
        The name of the column of parts.
    arguments : mapping of str to Any
        The arguments that the split depends on.
    earlier : Manifest or None, default=None
        The split in the output folder that is extended.
    """

    def __init__(
        self,
        source: Source,
        output: str | None,
        work: str | None,
        column: str,
        arguments: Mapping[str, Any],
        earlier: Manifest | None = None,
    ) -> None:
        if output is None and not source.frame:
            raise InputError(
                "must name a folder to write the split of files to, got None. Try output='out'.",
                parameter="output",
            )
        if source.frame:
            check_columns(source.data, [], added=column)
        self.source, self.output, self.column = source, output, column
        self.arguments, self.earlier = arguments, earlier
        self.partitions: list[Partition] = []
        self._has_begun_writing = False
        self._inputs = digest_files(source.paths)
        self._run = digest_run(arguments, source.paths)
        taken = [] if earlier is None else [file.path for file in earlier.files]
        # Those of a DataFrame are known when its partitions are.
        self._targets = name_outputs(source.paths, taken) if source.paths else []
        self._root = self._find_root(work)

    def _find_root(self, work: str | None) -> str:
        """Return the folder in which intermediate results are."""
        if self.output is not None:
            if work is not None:
                return name_work_folder(to_absolute(work), self._run, self.output)
            return name_work_folder(to_absolute(self.output), self._run)
        # A DataFrame reads its column from this folder when it is computed, so no other split may
        # have the same one.
        if work is not None:
            return name_work_folder(to_absolute(work), uuid4().hex)
        folder = tempfile.mkdtemp(prefix="evenfold-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return folder

    def find_finished(self, force: bool) -> Any:
        """Return the split of an earlier run with the same arguments and data, if there is one."""
        if self.output is None or self.source.frame or force or not has_manifest(self.output):
            return None
        found = read_manifest(self.output)
        if found.run != self._run:
            return None
        missing = find_missing_files(self.output, found)
        if missing:
            raise InputError(
                f"must have all files of the split that is in it, got {self.output} without "
                f"{missing[0]}. Make the split again with force=True.",
                parameter="output",
            )
        # The run that has written it may have been killed before it removed these.
        self._remove_work()
        return load(self.output)

    @contextmanager
    def prepare(self, engine: Engine, force: bool = False) -> Iterator[WorkFolder]:
        """Check all that can be checked before the first pass, and give the work folder.

        After an error of evenfold, nothing is left behind. After any other end, such as Ctrl-C or
        the error of an engine that was lost, results of files stay in the work folder, so that a
        second run goes on from there. A DataFrame may have other rows by then, so its split begins
        again.
        """
        paths, keys = self.source.paths, self.source.folder_keys
        for path, schema, own in zip(paths, read_schemas(paths), keys, strict=True):
            check_new_column(append_fields(schema, own), self.column, path)
        is_new = self.output is not None and not exists(self.output)
        if self.output is not None and self.earlier is None:
            check_output(
                self.output, self.source.data, self.source.paths, self._targets, self._root, force
            )
        if self.source.frame:
            WorkFolder(self._root).remove()
        has_results, is_checked = exists(self._root), False
        work = WorkFolder(join_path(self._root, "passes"))
        try:
            engine.check(work)
            is_checked = True
            yield work
        except EvenfoldError as error:
            can_go_on = isinstance(error, EngineError) and not self.source.frame
            if not (can_go_on if is_checked else has_results):
                self._remove_all(is_new)
            raise

    def _remove_all(self, is_new: bool) -> None:
        """Remove all that this job has written."""
        self._remove_work()
        if self.output is None:
            return
        if self._has_begun_writing:
            remove_outputs(self.output, self._targets)
        if is_new and is_local(self.output):
            WorkFolder(self.output).remove()

    def _remove_work(self) -> None:
        """Remove the work folder, and what is kept beside it in the output folder."""
        WorkFolder(self._root).remove()
        if self.output is not None:
            remove_work(self.output, self._root)

    def find_partitions(self, engine: Engine, work: WorkFolder) -> None:
        """Set the partitions; those of a DataFrame are written into the work folder first."""
        self.partitions = self.source.make_partitions(
            engine, self._choose_taken(), self.arguments["key"], work
        )

    def choose_columns(self) -> tuple[Columns, str]:
        """Return which columns are read, and what was assumed of them."""
        roles = ("labels", "separator", "groups", "balance", "fixed", "key")
        return choose_columns(self.partitions, *(self.arguments[role] for role in roles))

    def make_wanted(self, columns: Columns) -> Wanted:
        """Return what the split is asked for."""
        own = self.arguments
        return Wanted(
            columns,
            own["order"],
            own["cover"],
            own["random_state"],
            own["memory"],
            own["budget"],
            own["in_sequence"],
        )

    def _choose_taken(self) -> list[str]:
        """Return the columns of a DataFrame that are written into the work folder."""
        if not self.source.frame:
            return []
        roles = self.arguments
        every = [str(name) for name in self.source.data.columns]
        labels = [roles["labels"]] if isinstance(roles["labels"], str) else roles["labels"]
        whole = self.output is not None and self.source.frame == "dask"
        if whole or not labels:
            return every
        balance = [roles["balance"]] if isinstance(roles["balance"], str) else roles["balance"]
        single = [roles[name] for name in ("groups", "fixed", "key") if roles[name] is not None]
        named = list(dict.fromkeys([*labels, *(balance or ()), *single]))
        # Patterns and fields of structs need more than the columns named.
        return named if set(named) <= set(every) else every

    def make_manifest(
        self, outcome: Outcome, parts: Parts, columns: Columns, assumed: str = ""
    ) -> Manifest:
        """Return what is known of the split; its files are not written yet."""
        notes = [*([assumed] if assumed else []), *outcome.notes]
        if self.arguments["budget"] is not None and outcome.budget is None:
            notes.append(f"The budget was not used: {_UNUSED[outcome.scheme]}")
        kept: dict[str, Any] = {"inputs": self._inputs}
        if self.earlier is not None:
            before = self.earlier.kept
            # Notes of the first split and of the last extension.
            first = before.get("notes", list(self.earlier.notes))
            notes = list(dict.fromkeys([*first, *notes]))
            kept = {
                "inputs": [*before.get("inputs", ()), *self._inputs],
                "n_extensions": before.get("n_extensions", 0) + 1,
                "notes": first,
            }
        return Manifest(
            scheme=outcome.scheme,
            parameters=dict(self.arguments),
            seed=self.arguments["random_state"],
            columns=columns._asdict(),
            parts=parts,
            sizes=outcome.sizes,
            labels=outcome.names,
            counts=outcome.counts,
            files=[],
            run=self._run,
            budget=outcome.budget,
            groups=outcome.groups,
            notes=notes,
            kept=kept,
        )

    def write(
        self, engine: Engine, work: WorkFolder, manifest: Manifest, progress: Progress | None
    ) -> Any:
        """Write the files with their parts, then the manifest; return the split."""
        if self.source.frame:
            self._targets = [f"part-{own.number:05d}.parquet" for own in self.partitions]
        folder = join_path(self._root, "result")
        stage = folder
        if self.output is not None:
            # An earlier split in the folder is kept until the new one is known.
            self._has_begun_writing = True
            kept = None if self.earlier is None else [file.path for file in self.earlier.files]
            clear_output(self.output, self._targets, self._root, kept)
            note_targets(self.output, self._targets, self._root)
            folder = stage = to_absolute(self.output)
            if self.earlier is not None and is_local(folder):
                # Readers of the folder see the new files when the manifest has them.
                stage = name_stage(folder, self._root)
        tasks = [
            WriteTask(own.number, own, join_path(stage, name))
            for own, name in zip(self.partitions, self._targets, strict=True)
        ]
        manifest = self._write_files(engine, work, tasks, manifest, progress)
        if stage != folder:
            move_files(stage, folder, self._targets)
        s = ScaledSplit(manifest, None, self._give_frame(engine, folder))
        if self.output is not None:
            self._check_unchanged(self.output)
            remove_left_over(self.output, self._root)
            s = s.save(self.output)
            self._remove_work()
        else:
            work.remove()
        if self.source.frame == "spark":
            s.frame.evenfold_split = s
            return s.frame
        return s

    def _write_files(
        self,
        engine: Engine,
        work: WorkFolder,
        tasks: list[WriteTask],
        manifest: Manifest,
        progress: Progress | None,
    ) -> Manifest:
        """Run the pass `write`; return the manifest with its files."""
        alone = self.source.frame == "dask" and self.output is None
        shared = {
            "names": list(manifest.parts.names),
            "column": self.column,
            "columns": [] if alone else None,
        }
        forget_changed_files(tasks, work)
        files: list[FileRecord] = []
        sizes = np.zeros(len(manifest.parts), np.int64)
        if self.earlier is not None:
            files, sizes = list(self.earlier.files), self.earlier.sizes.copy()
        done = run_pass(engine, work, "write", write_partition, tasks, shared, progress)
        for name, own in zip(self._targets, done, strict=True):
            files.append(FileRecord(name, int(own["n_rows"]), own["digest"]))
            sizes += own["rows_of_part"]
        if not np.array_equal(sizes, manifest.sizes):
            raise EvenfoldError(
                f"the files that were written have {sizes.tolist()} rows in the parts, but the "
                f"split has {manifest.sizes.tolist()}. Nothing is kept. This is an error of "
                "evenfold: please report it."
            )
        return replace(manifest, files=files)

    def _give_frame(self, engine: Engine, folder: str) -> Any:
        """Return the DataFrame with the column of the written files; None for files."""
        if not self.source.frame:
            return None
        key = self.arguments["key"]
        return engine.give_frame(self.source.data, folder, self._targets, key, self.column)

    def _check_unchanged(self, output: str) -> None:
        """Refuse to replace the manifest of a split that was extended meanwhile."""
        if self.earlier is not None and read_manifest(output).digest != self.earlier.digest:
            raise InputError(
                f"must not change while it is extended, got {output}, which has another split now. "
                "Add the files again.",
                parameter="folder",
            )
