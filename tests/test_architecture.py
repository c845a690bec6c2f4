"""The table of packages in CONTRIBUTING.md is an order: each imports only from those above it."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "evenfold"
# A result offers its own report; the import is inside the method and nowhere else.
LAZY_REPORTS = {("quality", "report"), ("splits", "report")}


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


def read_imports(path):
    """Yield each package of evenfold that a file imports, and whether a function does it."""
    module = ["evenfold", *path.relative_to(SOURCE).with_suffix("").parts]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    at_top = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        else:
            base = module[: len(module) - node.level] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{stem}.{alias.name}" for alias in node.names]
        for name in names:
            top, *rest = name.split(".")
            if top == "evenfold" and rest and rest[0] in list_packages():
                yield rest[0], id(node) not in at_top


def test_every_package_is_in_the_table():
    """A new package comes with its line, once."""
    assert sorted(read_order()) == sorted(list_packages())


def test_packages_import_only_from_those_above_them():
    """Inside functions and for type checkers too, but for the two methods that write reports."""
    rank = {package: at for at, package in enumerate(read_order())}
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        package = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        for imported, inside in read_imports(path) if package in rank else ():
            if rank[imported] > rank[package] and not (
                inside and (package, imported) in LAZY_REPORTS
            ):
                wrong.append(f"{path.relative_to(SOURCE)} imports {imported}")
    assert not wrong


def test_kernels_import_only_numpy_and_numba():
    """Compiled loops know plain arrays and nothing else."""
    allowed = {"numpy", "numba", "compiler", "__future__", "functools", "warnings", "typing"}
    for path in (SOURCE / "_kernels").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert node.module.split(".")[0] in allowed | {"collections"}, path.name
