"""Manifests of small splits, for the tests."""

import numpy as np

from evenfold.problem.parts import Parts
from evenfold.quality.groups_of_label import GroupsOfLabel
from evenfold.scale.manifest import FileRecord, GroupRecord, Manifest


def make_manifest(**changes):
    """Return the manifest of a split of 30 rows in two files."""
    about = {
        "scheme": "gather",
        "parameters": {"parts": [0.8, 0.2]},
        "seed": 3,
        "columns": {"labels": ["labels"], "separator": None, "kind": "lists", "groups": None},
        "parts": Parts(np.array([2, 1]), ("train", "test")),
        "sizes": np.array([20, 10]),
        "labels": ["war", "art", 7],
        "counts": np.array([[8, 3, 1], [4, 0, 0]]),
        "files": [FileRecord("a.parquet", 18, "0" * 64), FileRecord("b/c.parquet", 12, "1" * 64)],
        "run": "abc",
        "budget": 5,
        "notes": ["Labelsets were left to chance."],
        "kept": {"balance": [1.5, 2]},
    }
    return Manifest(**(about | changes))


def make_groups():
    """Return groups that fit the manifest."""
    of_label = GroupsOfLabel(np.array([2, 1, 1]), np.array([10, 3, 1]))
    return GroupRecord(of_label, np.array([15, 7]), 22, 4)


def write_files(folder, manifest):
    """Write files under the names of the manifest."""
    for file in manifest.files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
