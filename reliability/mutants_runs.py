"""Measures the tests once, then runs those that meet a mutant: killed or survived."""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .mutants_children import FAILED_ITSELF, PRELOADED, preload, run_child, turn_compiler_off
from .mutants_code import replace_code
from .mutants_known import KnownMutation
from .mutants_plugin import InsteadOfTests, QuickFailures, TimedTests, Work, run_items
from .mutants_sites import Mutation
from .mutants_tests import (
    TestFile,
    TestMap,
    find_lines,
    hash_files,
    is_plain,
    is_plain_kernel,
    order_tests,
)

PACKAGES = ("_kernels", "problem", "quality", "_atomic")

# Seconds of processor time. A test that takes longer, uncompiled and measured, is not used.
MOST_FOR_A_TEST = 4.0
# The tests of the same package that a mutant meets, and those of other packages.
MOST_FOR_TESTS = 10.0
# A mutant may use this time, and three times that of its tests.
LEAST_SECONDS = 10.0

AnyMutation = Mutation | KnownMutation

PASSED, FAILED, AT_IMPORT = 0, 1, 3


@dataclass(frozen=True)
class Outcome:
    """What came of a mutant, and how many tests it was to meet."""

    result: str
    n_tests: int


class Runs:
    """A copy of the tree in which mutants are tried, and what its tests do without them."""

    def __init__(
        self,
        tree: Path,
        folder: Path,
        preloaded: Sequence[str] = PRELOADED,
        least_seconds: float = LEAST_SECONDS,
    ) -> None:
        self.tree = tree.resolve()
        self.folder = folder.resolve()
        self.tests = TestMap(self.folder)
        source = self.tree / "src" / "evenfold"
        self.tests.start(
            hash_files(file for package in PACKAGES for file in (source / package).glob("*.py"))
        )
        self.least_seconds = least_seconds
        preload(self.tree, preloaded)
        os.chdir(self.tree)

    def measure(self, paths: Sequence[str]) -> None:
        """Find out which lines the tests of some files run, unless that is known.

        The kernels run as plain Python in all of these files, or in none.
        """
        content = {path: hash_files([self.tree / path]) for path in paths}
        left = [path for path in paths if not self.tests.read(path, content[path])]
        if not left:
            return
        found = self.folder / "measured.json"
        found.unlink(missing_ok=True)
        log = self.folder / "measured.log"
        run_child(lambda: measure_tests(self.tree, left, found), log=log)
        if not found.is_file():
            raise RuntimeError(f"{left} cannot be measured:\n{log.read_text(encoding='utf-8')}")
        values = json.loads(found.read_text(encoding="utf-8"))
        for path in left:
            self.tests.add(path, select_file(path, content[path], values))
        print(f"{left}: {len(values['seconds'])} tests; not used: {values['failed']}", flush=True)

    def try_mutations(self, path: str, mutations: Sequence[AnyMutation]) -> Iterator[Outcome]:
        """Try changes of one file, one after the other."""
        source = (self.tree / path).read_text(encoding="utf-8")
        everything = range(1, source.count("\n") + 2)
        tests = [
            self.tests.find_tests(path, find_lines(source, mutation.start[0]) or everything)
            for mutation in mutations
        ]
        chosen = [order_tests(own, path, MOST_FOR_TESTS) for own in tests]
        limits = [
            self.least_seconds + 3 * sum(own[name] for name in names)
            for own, names in zip(tests, chosen, strict=True)
        ]
        codes = self.folder / "codes.txt"
        codes.write_text("", encoding="utf-8")
        names = list_files(name for own in chosen for name in own)
        log = self.folder / "mutants.log"

        def try_each(session: Any, items: dict[str, list[Any]]) -> None:
            for mutation, own, limit in zip(mutations, chosen, limits, strict=True):
                code = self.try_loaded(session, [items[name] for name in own], mutation, limit)
                with codes.open("a", encoding="utf-8") as file:
                    file.write(f"{code}\n")

        if names:
            run_child(lambda: run_collected(path, names, try_each), log=log)
        lines = codes.read_text(encoding="utf-8").splitlines() if names else ["0"] * len(mutations)
        if len(lines) != len(mutations):
            raise RuntimeError(f"{path} cannot be tried:\n{log.read_text(encoding='utf-8')}")
        for line, mutation, own, limit in zip(lines, mutations, chosen, limits, strict=True):
            code = None if line == "None" else int(line)
            if code == AT_IMPORT:
                code = self.try_new(mutation, own, limit)
            yield Outcome(name_result(code, log), len(own))

    def try_loaded(
        self, session: Any, items: Sequence[Sequence[Any]], mutation: AnyMutation, limit: float
    ) -> int | None:
        """Try a change in a child that has imported evenfold and the tests."""
        with changed_file(self.tree / mutation.path, mutation) as (source, changed):

            def work() -> int:
                if not replace_code(self.tree / mutation.path, source, changed):
                    return AT_IMPORT
                passed = run_items(session, [item for group in items for item in group])
                return PASSED if passed else FAILED

            return run_child(work, limit)

    def try_new(self, mutation: AnyMutation, names: Sequence[str], limit: float) -> int | None:
        """Try a change in a child that imports evenfold with it."""
        log = self.folder / "mutant.log"
        with changed_file(self.tree / mutation.path, mutation):

            def try_all(session: Any, items: dict[str, list[Any]]) -> None:
                ordered = [item for name in names for item in items[name]]
                os._exit(PASSED if run_items(session, ordered) else FAILED)

            def work() -> int:
                run_collected(mutation.path, list_files(names), try_all)
                return FAILED  # the tests could not be imported

            code = run_child(work, limit, log)
        return FAILED if code == FAILED_ITSELF else code


def run_collected(path: str, names: Sequence[str], work: Work) -> int:
    """Do some work with collected tests, for changes of a file."""
    plain = is_plain_kernel(path)
    if plain:
        turn_compiler_off()
    return run_pytest(plain, names, [InsteadOfTests(work)])


def list_files(names: Iterable[str]) -> list[str]:
    """Return the files of tests, each once."""
    return sorted({name.split("::")[0] for name in names})


def name_result(code: int | None, log: Path) -> str:
    """Return what an exit code means; a child that crashed is killed."""
    if code is None:
        return "timeout"
    if code == FAILED_ITSELF:
        raise RuntimeError(f"a mutant cannot be tried:\n{log.read_text(encoding='utf-8')}")
    return "survived" if code == PASSED else "killed"


@contextmanager
def changed_file(file: Path, mutation: AnyMutation) -> Iterator[tuple[str, str]]:
    """Change a file, for processes that tests start, and change it back."""
    source = file.read_text(encoding="utf-8")
    changed = mutation.apply(source)
    before = file.stat()
    file.write_text(changed, encoding="utf-8")
    try:
        yield source, changed
    finally:
        file.write_text(source, encoding="utf-8")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def run_pytest(plain: bool, names: Sequence[str], plugins: Sequence[object]) -> int:
    """Run pytest with some tests; where the kernels are plain, tests of both forms run once."""
    import pytest

    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--tb=line"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of plugins loaded before
    if plain:
        options += ["-k", "not compiled"]
    return int(pytest.main([*options, *names], plugins=[QuickFailures(), *plugins]))


def measure_tests(tree: Path, paths: Sequence[str], found: Path) -> int:
    """Write how long each test of some files takes, and which lines it runs.

    Of plain kernels, only the file is noted: measuring lines would take longer than the tests.
    """
    if is_plain(paths[0]):
        running = [""]
        used: dict[str, set[str]] = defaultdict(set)
        turn_compiler_off(lambda file: used[file].add(running[0]))
        timed = TimedTests(MOST_FOR_A_TEST, lambda name: running.__setitem__(0, name))
        code = run_pytest(True, paths, [timed])
        by_line = {file: {0: list(names)} for file, names in used.items()}
    else:
        measured = start_coverage(tree)
        timed = TimedTests(MOST_FOR_A_TEST, measured.switch_context)
        code = run_pytest(False, paths, [timed])
        measured.stop()
        data = measured.get_data()
        by_line = {file: data.contexts_by_lineno(file) for file in data.measured_files()}
    lines = {
        Path(file).relative_to(tree).as_posix(): {
            line: [name for name in names if name and name not in timed.failed]
            for line, names in tests.items()
        }
        for file, tests in by_line.items()
    }
    seconds = {name: round(took, 3) for name, took in timed.seconds.items()}
    values = {"seconds": seconds, "lines": lines, "failed": sorted(timed.failed)}
    found.write_text(json.dumps(values), encoding="utf-8")
    return code


def start_coverage(tree: Path) -> Any:
    """Start to note which lines of the packages are run."""
    import coverage

    folders = [str(tree / "src" / "evenfold" / package) for package in PACKAGES]
    measured = coverage.Coverage(data_file=None, source=folders, config_file=False)
    measured.start()
    return measured


def select_file(path: str, content: str, values: Any) -> TestFile:
    """Return what was measured of the tests of one file."""
    own = f"{path}::"
    seconds = {
        name: took
        for name, took in values["seconds"].items()
        if name.startswith(own) and name not in values["failed"]
    }
    lines: dict[str, dict[int, list[str]]] = {}
    for source, by_line in values["lines"].items():
        for line, names in by_line.items():
            if ours := [name for name in names if name.startswith(own)]:
                lines.setdefault(source, {})[int(line)] = ours
    return TestFile(content, seconds, lines)
