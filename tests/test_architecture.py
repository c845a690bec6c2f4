"""The table of packages in CONTRIBUTING.md is an order: each imports only from those above it."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "evenfold"
# A result writes and shows its own report: these methods import the package, no other code does.
LAZY_REPORTS = {
    ("quality", "report", "report"),
    *(("splits", "report", method) for method in ("report", "card", "_html")),
}
LIBRARIES_OF_KERNELS = {
    "__future__",
    "collections",
    "contextlib",
    "functools",
    "numba",
    "numpy",
    "typing",
    "warnings",
}


def read_order():
    """Return the packages in the order of CONTRIBUTING.md's table."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("## Packages")[2].partition("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def list_packages():
    """Return the top-level packages and modules of evenfold."""
    found = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py"}
    found |= {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    return found - {"__init__", "__main__"}


def read_imports(code, module):
    """Yield the full name of each import, and the function it is in (None: in no function)."""

    def visit(node, function):
        if isinstance(node, ast.Import):
            yield from ((alias.name, function) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module[: len(module) - node.level] if node.level else []
            stem = [*base, *([node.module] if node.module else [])]
            yield from ((".".join([*stem, alias.name]), function) for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node.name
        for child in ast.iter_child_nodes(node):
            yield from visit(child, function)

    yield from visit(ast.parse(code), None)


def list_wrong_imports(code, path):
    """Return the packages that a file at a path below `SOURCE` imports but may not import."""
    rank = {package: at for at, package in enumerate(read_order())}
    package = path.parts[0].removesuffix(".py")
    wrong = []
    for name, function in read_imports(code, ["evenfold", *path.with_suffix("").parts]):
        top, imported, *_ = [*name.split("."), ""]
        if (
            top == "evenfold"
            and rank.get(imported, -1) > rank[package]
            and (package, imported, function) not in LAZY_REPORTS
        ):
            wrong.append(imported)
    return wrong


def list_wrong_imports_of_kernel(code, path):
    """Return the imports of a kernel that are of neither a plain library nor another kernel."""
    names = [name for name, _ in read_imports(code, ["evenfold", *path.with_suffix("").parts])]
    return [
        name
        for name in names
        if not name.startswith("evenfold._kernels.")
        and name.split(".")[0] not in LIBRARIES_OF_KERNELS
    ]


def test_every_package_is_in_the_table():
    """A new package comes with its line, once."""
    assert sorted(read_order()) == sorted(list_packages())


def test_packages_import_only_from_those_above_them():
    """Inside functions and for type checkers too, but for the methods that write reports."""
    wrong = {}
    for path in sorted(SOURCE.rglob("*.py")):
        own = path.relative_to(SOURCE)
        if own.parts[0].removesuffix(".py") in list_packages():
            wrong[str(own)] = list_wrong_imports(path.read_text(encoding="utf-8"), own)
    assert wrong
    assert not {path: imported for path, imported in wrong.items() if imported}


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("def report():\n    from ..report import write_report", []),
        ("class Quality:\n    def report(self):\n        from ..report import write", []),
        ("def other():\n    from ..report import write_report", ["report"]),
        ("def report():\n    def inner():\n        from .. import report", ["report"]),
        ("from ..report import write_report", ["report"]),
        ("if TYPE_CHECKING:\n    from ..report.writing import write_report", ["report"]),
        ("def report():\n    import evenfold.splits.comparison", ["splits"]),
        ("import evenfold.cli", ["cli"]),
        ("from ..problem.parts import Parts\nimport numpy.typing", []),
    ],
)
def test_imports_from_below_are_found(code, wrong):
    """Only the functions that show reports may import them; every form of import is read."""
    assert list_wrong_imports(code, Path("quality", "quality.py")) == wrong


def test_kernels_import_only_numpy_and_numba():
    """Compiled loops know plain arrays and nothing else of evenfold."""
    paths = list((SOURCE / "_kernels").rglob("*.py"))
    assert paths
    for path in paths:
        code = path.read_text(encoding="utf-8")
        assert not list_wrong_imports_of_kernel(code, path.relative_to(SOURCE)), path.name


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("import numpy as np\nfrom .compiler import kernel\nfrom . import compiler", []),
        ("import scipy.sparse", ["scipy.sparse"]),
        ("from ..problem import parts", ["evenfold.problem.parts"]),
        ("from .. import labels", ["evenfold.labels"]),
        ("def f():\n    import evenfold", ["evenfold"]),
    ],
)
def test_wrong_imports_of_kernels_are_found(code, wrong):
    """Other libraries and other packages are refused, in every form of import."""
    assert list_wrong_imports_of_kernel(code, Path("_kernels", "swaps.py")) == wrong
