"""A job: where the data comes from, where the result goes, and what happens if it fails."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ..exceptions import EvenfoldError, InputError
from ..problem.parts import Parts
from .columns import Columns, choose_columns
from .engine import Engine
from .locations import is_local, join_path, open_file_system
from .manifest import FileRecord, Manifest, has_manifest, read_manifest
from .outcome import Outcome, Wanted
from .output_folder import (
    check_output,
    clear_output,
    digest_run,
    name_outputs,
    name_work_folder,
    remove_left_over,
    remove_outputs,
)
from .partitions import Partition, read_schemas
from .passes import run_pass
from .scaled_split import ScaledSplit, load
from .sources import Source
from .work_folder import WorkFolder
from .writing import WriteTask, check_new_column, write_partition

Progress = Callable[[str, int, int], object]


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
        self.source, self.output, self.column = source, output, column
        self.arguments, self.earlier = arguments, earlier
        self.partitions: list[Partition] = []
        self._has_begun_writing = False
        self._run = digest_run(arguments, source.paths)
        self._taken = [] if earlier is None else [file.path for file in earlier.files]
        self._targets = name_outputs(source.paths, self._taken) if source.paths else []
        self._root = self._find_root(work)

    def _find_root(self, work: str | None) -> str:
        """Return the folder in which intermediate results are."""
        if work is not None:
            return name_work_folder(work, self._run)
        if self.output is not None:
            return name_work_folder(self.output, self._run)
        folder = tempfile.mkdtemp(prefix="evenfold-")
        # A DataFrame reads its column from this folder when it is computed.
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return folder

    def find_finished(self, force: bool) -> Any:
        """Return the split of an earlier run with the same arguments and data, if there is one."""
        if self.output is None or self.source.frame or force or not has_manifest(self.output):
            return None
        return load(self.output) if read_manifest(self.output).run == self._run else None

    @contextmanager
    def prepare(self, engine: Engine, force: bool = False) -> Iterator[WorkFolder]:
        """Check all that can be checked before the first pass, and give the work folder.

        After an error of evenfold, nothing is left behind. After any other end, such as Ctrl-C,
        results stay in the work folder, so that a second run goes on from there.
        """
        for path, schema in zip(self.source.paths, read_schemas(self.source.paths), strict=True):
            check_new_column(schema, self.column, path)
        is_new = self.output is not None and not _exists(self.output)
        if self.output is not None and self.earlier is None:
            check_output(
                self.output, self.source.data, self.source.paths, self._targets, self._root, force
            )
        work = WorkFolder(join_path(self._root, "passes"))
        try:
            engine.check(work)
            yield work
        except EvenfoldError:
            WorkFolder(self._root).remove()
            if self.output is not None and self._has_begun_writing:
                remove_outputs(self.output, self._targets)
            if is_new and self.output is not None and is_local(self.output):
                WorkFolder(self.output).remove()
            raise

    def make_wanted(self, engine: Engine, work: WorkFolder) -> tuple[Wanted, str]:
        """Return what the split is asked for, and what was assumed of the columns."""
        own = self.arguments
        roles = {name: own[name] for name in ("labels", "groups", "balance", "fixed", "key")}
        self.partitions = self.source.make_partitions(
            engine, self._choose_taken(roles), own["key"], work
        )
        columns, assumed = choose_columns(
            self.partitions,
            roles["labels"],
            own["separator"],
            roles["groups"],
            roles["balance"],
            roles["fixed"],
            roles["key"],
        )
        wanted = Wanted(
            columns,
            own["order"],
            own["cover"],
            own["random_state"],
            own["memory"],
            own["budget"],
            own["in_sequence"],
        )
        return wanted, assumed

    def _choose_taken(self, roles: Mapping[str, Any]) -> list[str]:
        """Return the columns of a DataFrame that are written into the work folder."""
        if not self.source.frame:
            return []
        every = [str(name) for name in self.source.data.columns]
        labels = [roles["labels"]] if isinstance(roles["labels"], str) else roles["labels"]
        whole = self.output is not None and self.source.frame == "dask"
        if whole or not labels or any(name not in every for name in labels):
            return every
        balance = [roles["balance"]] if isinstance(roles["balance"], str) else roles["balance"]
        single = [roles[name] for name in ("groups", "fixed", "key") if roles[name] is not None]
        return list(dict.fromkeys([*labels, *(balance or ()), *single]))

    def make_manifest(
        self, outcome: Outcome, parts: Parts, columns: Columns, assumed: str
    ) -> Manifest:
        """Return what is known of the split; its files are not written yet."""
        notes = [*([assumed] if assumed else []), *outcome.notes]
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
        )

    def write(
        self, engine: Engine, work: WorkFolder, manifest: Manifest, progress: Progress | None
    ) -> Any:
        """Write the files with their parts, then the manifest; return the split."""
        folder = self.output or join_path(self._root, "result")
        if self.output is not None:
            # An earlier split in the folder is kept until the new one is known.
            self._has_begun_writing = True
            if self.earlier is None:
                clear_output(self.output, self._targets, self._root)
        names = self._targets or [f"part-{own.number:05d}.parquet" for own in self.partitions]
        tasks = [
            WriteTask(own.number, own, join_path(folder, name))
            for own, name in zip(self.partitions, names, strict=True)
        ]
        alone = self.source.frame == "dask" and self.output is None
        shared = {
            "names": list(manifest.parts.names),
            "column": self.column,
            "columns": [] if alone else None,
        }
        records = [
            FileRecord(name, int(own["n_rows"]), own["digest"])
            for name, own in zip(
                names,
                run_pass(engine, work, "write", write_partition, tasks, shared, progress),
                strict=True,
            )
        ]
        earlier = [] if self.earlier is None else self.earlier.files
        manifest = replace(manifest, files=[*earlier, *records])
        s = ScaledSplit(manifest, None)
        if self.source.frame == "dask":
            paths = [task.target for task in tasks]
            s.frame = engine.give_frame(self.source.data, paths, self.column)  # type: ignore[attr-defined]
        if self.output is not None:
            remove_left_over(self.output, self._root)
            s = s.save(self.output)
        if self.source.frame == "spark":
            s.frame = engine.give_frame(  # type: ignore[attr-defined]
                self.source.data, folder, self.arguments["key"], self.column
            )
        work.remove()
        if self.output is not None:
            WorkFolder(self._root).remove()
        if self.source.frame == "spark":
            s.frame.evenfold_split = s
            return s.frame
        return s


def _exists(path: str) -> bool:
    file_system, inner = open_file_system(path)
    return bool(file_system.exists(inner))
