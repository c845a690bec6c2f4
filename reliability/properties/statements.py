"""The sentences in the Notes of all public docstrings."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import evenfold

SOURCE = Path(evenfold.__file__).parent
# Modules whose public names are documented; the package itself comes first.
MODULES = (
    "evenfold",
    "evenfold.datasets",
    "evenfold.exceptions",
    "evenfold.labels",
    "evenfold.learn",
    "evenfold.methods",
    "evenfold.metrics",
    "evenfold.model_selection",
    "evenfold.plots",
    "evenfold.scale",
)
_END_OF_SENTENCE = re.compile(r"(?<=\.)\s+(?=[A-Z])")


def list_statements() -> list[str]:
    """Return "NAME: SENTENCE" for each sentence in the Notes of a public name, each once."""
    found: list[str] = []
    for name, docstring in _read_public_docstrings():
        found += [f"{name}: {sentence}" for sentence in cut_notes(docstring)]
    return found


def cut_notes(docstring: str) -> list[str]:
    """Return the sentences of the section Notes; none if there is no such section."""
    lines = inspect.cleandoc(docstring).splitlines()
    starts = [at for at in range(len(lines) - 1) if _is_heading(lines, at)]
    own = [at for at in starts if lines[at].strip() == "Notes"]
    if not own:
        return []
    end = min((at for at in starts if at > own[0]), default=len(lines))
    return _END_OF_SENTENCE.split(" ".join(" ".join(lines[own[0] + 2 : end]).split()))


def _is_heading(lines: list[str], at: int) -> bool:
    return bool(lines[at].strip()) and set(lines[at + 1].strip()) == {"-"}


def _read_public_docstrings() -> Iterator[tuple[str, str]]:
    """Yield each public name and its docstring; a class comes before its methods."""
    docstrings = {path: _read_docstrings(path) for path in SOURCE.rglob("*.py")}
    seen = set()
    for module in map(importlib.import_module, MODULES):
        # The exceptions have no list: all classes of the module are public.
        for name in getattr(module, "__all__", dir(module)):
            value = getattr(module, name)
            if not (inspect.isclass(value) or inspect.isfunction(value)) or value in seen:
                continue
            seen.add(value)
            for owner in inspect.getmro(value) if inspect.isclass(value) else (value,):
                if not owner.__module__.startswith("evenfold"):
                    continue
                own = docstrings[Path(inspect.getfile(owner))]
                for inner, docstring in own.items():
                    path = inner.split(".")
                    is_own = path[0] == owner.__name__ and not path[-1].startswith("_")
                    # A method, and what a base says, is told once: below the first such class.
                    if is_own and (owner, inner) not in seen:
                        seen.add((owner, inner))
                        public = name if owner is value else owner.__name__
                        yield ".".join([module.__name__, public, *path[1:]]), docstring


def _read_docstrings(path: Path) -> dict[str, str]:
    """Return the docstrings of the classes, methods and functions of a file, by their names."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found[node.name] = ast.get_docstring(node) or ""
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    found[f"{node.name}.{method.name}"] = ast.get_docstring(method) or ""
    return found


if __name__ == "__main__":
    print(*list_statements(), sep="\n")
