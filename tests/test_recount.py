"""The recount of a written split finds what differs from its manifest."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytest.importorskip("duckdb", reason="the recount reads with duckdb, of the extra bench")

from benchmarks.recount import recount

pytestmark = pytest.mark.slow

NAMES = ["train", "it's a test"]
# One file per list; of each row the id, the labels, the group and the part.
FILES = (
    [(7, [0, 2], "a", 0), (3, [2], "b", 1), (9, [], "a", 0)],
    [],
    [(4, [2], None, 1), (1, [1], None, 0)],
)


def write_split(folder: Path) -> None:
    """Write the input and the output of a split of 5 rows with 3 labels into 2 parts."""
    claimed = []
    for number, rows in enumerate(FILES):
        path = f"rows-{number}.parquet"
        write_file(folder / "input" / path, rows, with_parts=False)
        write_file(folder / "output" / path, rows)
        numbers = np.array([part for *_, part in rows], "<u2").tobytes()
        digest = hashlib.sha256(numbers).hexdigest()
        claimed.append({"path": path, "rows": len(rows), "digest": digest})
    manifest = {
        "names": NAMES,
        "sizes": [3, 2],
        "labels": [0, 1, 2],
        "counts": [[1, 1, 1], [0, 0, 2]],
        "files": claimed,
    }
    (folder / "output" / "_manifest.json").write_text(json.dumps(manifest))


def write_file(path: Path, rows: list[tuple], with_parts: bool = True) -> None:
    """Write rows as a Parquet file, with or without their parts."""
    path.parent.mkdir(exist_ok=True)
    columns = {
        "id": pa.array([row[0] for row in rows], pa.int64()),
        "labels": pa.array([row[1] for row in rows], pa.list_(pa.int32())),
        "group": pa.array([row[2] for row in rows], pa.string()),
    }
    if with_parts:
        columns["part"] = pa.array([NAMES[row[3]] for row in rows], pa.string())
    pq.write_table(pa.table(columns), path)


def find_differences(folder: Path) -> set[str]:
    """Return the names of the findings that differ."""
    inputs = sorted((folder / "input").iterdir())
    findings = recount(folder / "output", inputs, group_column="group")
    assert len(findings) == 8
    return {finding.name for finding in findings if not finding.is_equal}


def test_recount_of_a_right_split_is_equal(tmp_path):
    """Nothing differs, with an empty file, a row without labels and rows without a group."""
    write_split(tmp_path)
    assert find_differences(tmp_path) == set()


@pytest.mark.parametrize(
    ("rows", "differences"),
    [
        pytest.param(
            [(7, [0, 2], "a", 0), (3, [2], "b", 1), (9, [], "a", 1)],
            {"rows of parts", "digests", "groups cut"},
            id="part of a row",
        ),
        pytest.param(
            [(7, [0], "a", 0), (3, [2], "b", 1), (9, [], "a", 0)],
            {"rows of labels in parts", "rows that differ from the input"},
            id="label of a row",
        ),
        pytest.param(
            [(9, [], "a", 0), (3, [2], "b", 1), (7, [0, 2], "a", 0)],
            {"rows that differ from the input"},
            id="order of rows",
        ),
        pytest.param(
            [(4, [0, 2], "a", 0), (3, [2], "b", 1), (9, [], "a", 0)],
            {"repeated ids", "rows that differ from the input"},
            id="id that repeats",
        ),
        pytest.param(
            [(7, [0, 2], "a", 0), (3, [2], "b", 1)],
            {"rows of each file", "rows of parts", "digests", "rows that differ from the input"},
            id="lost row",
        ),
    ],
)
def test_recount_finds_a_change(tmp_path, rows, differences):
    """A change of one file is found by the counts that it concerns, and by no others."""
    write_split(tmp_path)
    write_file(tmp_path / "output" / "rows-0.parquet", rows)
    assert find_differences(tmp_path) == differences


def test_recount_finds_a_file_too_many(tmp_path):
    """A file that the manifest does not name is a difference."""
    write_split(tmp_path)
    write_file(tmp_path / "output" / "rows-9.parquet", FILES[0])
    assert find_differences(tmp_path) == {"files"}


def test_recount_does_not_count_hidden_files(tmp_path):
    """Files in a folder whose name begins with a dot are not part of a split."""
    write_split(tmp_path)
    (tmp_path / "output" / ".evenfold-work-0").mkdir()
    write_file(tmp_path / "output" / ".evenfold-work-0" / "rows.parquet", FILES[0])
    assert find_differences(tmp_path) == set()
