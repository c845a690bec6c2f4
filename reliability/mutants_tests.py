"""Which tests run which line, and how long they take: measured once with the code as it is."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

COMPILER = "src/evenfold/_kernels/compiler.py"
COMPILER_TESTS = "tests/kernels/test_compiler.py"

# The tests that a mutant of a kernel may meet: the kernels run as plain Python.
PLAIN_TESTS = (
    "tests/kernels",
    "tests/methods",
    "tests/links",
    "tests/metrics/test_resampling.py",
    "tests/quality/test_spreads.py",
)
# The tests that other mutants may meet.
TESTS = (
    "tests/_atomic",
    "tests/problem",
    "tests/quality",
    COMPILER_TESTS,
    "tests/splits",
    "tests/test_contract.py",
    "tests/test_golden_splits.py",
    "tests/test_recount.py",
)


@dataclass
class TestFile:
    """What the tests of one file did: their seconds, and who ran which lines of which file."""

    content: str
    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)


class TestMap:
    """The measured test files, kept in a folder: a file that has changed is measured again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, TestFile] = {}

    def start(self, sources: str) -> None:
        """Forget what was measured with other sources: their lines have moved."""
        kept = self.folder / "sources.txt"
        if not kept.is_file() or kept.read_text(encoding="utf-8") != sources:
            for file in self.folder.glob("tests__*.json"):
                file.unlink()
        kept.write_text(sources, encoding="utf-8")

    def add(self, path: str, measured: TestFile) -> None:
        """Keep what was measured of a file."""
        kept = self.folder / (path.replace("/", "__") + ".json")
        kept.write_text(json.dumps(asdict(measured)), encoding="utf-8")
        self.files[path] = measured

    def read(self, path: str, content: str) -> bool:
        """Whether a file with this content was measured before; its measurements are read."""
        kept = self.folder / (path.replace("/", "__") + ".json")
        if not kept.is_file():
            return False
        values = json.loads(kept.read_text(encoding="utf-8"))
        lines = {
            source: {int(line): tests for line, tests in by_line.items()}
            for source, by_line in values["lines"].items()
        }
        self.files[path] = TestFile(values["content"], values["seconds"], lines)
        return values["content"] == content

    def find_tests(self, path: str, lines: Iterable[int]) -> dict[str, float]:
        """Return the tests that run one of these lines of a file, with their seconds.

        Of plain kernels, all tests that use one of the file.
        """
        wanted = set(lines)
        plain = is_plain_kernel(path)
        return {
            test: file.seconds[test]
            for test_path, file in self.files.items()
            if is_plain(test_path) == plain
            for line, tests in file.lines.get(path, {}).items()
            if plain or line in wanted
            for test in tests
            if test in file.seconds
        }


def list_test_files(root: Path, paths: Sequence[str]) -> list[str]:
    """Return the files of tests below these paths."""
    files: list[Path] = []
    for path in paths:
        found = root / path
        files += sorted(found.glob("test_*.py")) if found.is_dir() else [found]
    found_paths = [file.relative_to(root).as_posix() for file in files]
    return [path for path in found_paths if is_plain(path) == (paths is PLAIN_TESTS)]


def is_plain(test_path: str) -> bool:
    """Whether the kernels run as plain Python in the tests of a file."""
    return test_path.startswith(PLAIN_TESTS) and test_path != COMPILER_TESTS


def is_plain_kernel(path: str) -> bool:
    """Whether a file has kernels that run as plain Python when one of them is changed."""
    return path.startswith("src/evenfold/_kernels/") and path != COMPILER


def hash_files(paths: Iterable[Path]) -> str:
    """Return what tells one content of some files from another."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()


def find_lines(source: str, line: int) -> range | None:
    """Return the lines of the statement that has this line, or None where no test is its own.

    The head of a function, with its default values, stands for the lines of its body. What runs at
    import, such as a constant, is run by no test in particular.
    """
    found: range | None = None
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            head = range(node.lineno, node.body[0].lineno)
            body = range(node.body[0].lineno, (node.end_lineno or 0) + 1)
            if line in head:
                return body
            for statement in (part for part in ast.walk(node) if isinstance(part, ast.stmt)):
                lines = list_own_lines(statement)
                if statement is not node and line in lines:
                    found = lines if found is None or len(lines) < len(found) else found
    return found


def list_own_lines(statement: ast.stmt) -> range:
    """Return the lines of a statement, without those of the statements in it."""
    inner = [part.lineno for part in ast.walk(statement) if isinstance(part, ast.stmt)][1:]
    last = min(inner) - 1 if inner else statement.end_lineno or statement.lineno
    return range(statement.lineno, max(last, statement.lineno) + 1)


def order_tests(tests: dict[str, float], path: str, most_seconds: float) -> list[str]:
    """Return the tests to run, quickest first, those of the package of the file before others.

    As many of each kind as fit into the time, and at least one.
    """
    own = "tests/" + path.split("/")[2].replace("_kernels", "kernels") + "/"
    ordered = []
    for is_own in (True, False):
        left = most_seconds
        for test in sorted(tests, key=lambda test: (tests[test], test)):
            if test.startswith(own) == is_own and (left > 0 or not ordered):
                ordered.append(test)
                left -= tests[test]
    return ordered
