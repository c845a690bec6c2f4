"""Recount of a written split with DuckDB, which shares no code with evenfold.

    python -m benchmarks.recount OUT --input DATA [--id id] [--labels labels] [--groups group]

Counted in the files of the folder OUT: rows, rows of each part, rows of each label in each part,
unique ids, and the digest of each file. They must equal `_manifest.json`. With the input: each file
has the same ids and labels, in the same order, as its input file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np

# Ids are counted in this many slices, so that memory stays bounded.
N_ID_SLICES = 16
COLUMN = "part"


class Finding(NamedTuple):
    """What was counted, what the files have, and what they must have."""

    name: str
    found: object
    wanted: object

    @property
    def is_equal(self) -> bool:
        """Whether both are equal."""
        return self.found == self.wanted


class Claims(NamedTuple):
    """The claims of `_manifest.json` that are recounted."""

    names: list[str]
    sizes: list[int]
    labels: list[object]
    counts: list[list[int]]
    files: list[dict[str, object]]


def read_claims(folder: Path) -> Claims:
    """Return the claims of the manifest of a folder."""
    content = json.loads((folder / "_manifest.json").read_text())
    return Claims(*(content[name] for name in Claims._fields))


def recount(
    folder: Path,
    inputs: Sequence[Path] | None = None,
    id_column: str = "id",
    label_column: str = "labels",
    group_column: str | None = None,
    memory_limit: str = "2GB",
) -> list[Finding]:
    """Return what the files of a folder have beside what they must have."""
    claims = read_claims(folder)
    paths = [folder / str(file["path"]) for file in claims.files]
    with duckdb.connect(config={"memory_limit": memory_limit}) as connection:
        counter = Counter(connection, paths)
        findings = [
            Finding("files", find_files(folder), sorted(paths)),
            Finding("rows of each file", *compare_files(counter, claims)),
            Finding("rows of parts", counter.count_parts(), find_claimed_sizes(claims)),
            Finding(
                "rows of labels in parts",
                counter.count_labels(_name(label_column)),
                find_claimed_counts(claims),
            ),
            Finding("repeated ids", counter.count_repeats(_name(id_column)), 0),
            Finding(
                "digests",
                [digest_file(connection, path, claims.names) for path in paths],
                [file["digest"] for file in claims.files],
            ),
        ]
        if group_column is not None:
            findings.append(Finding("groups cut", counter.count_cut(_name(group_column)), 0))
        if inputs is not None:
            columns = [_name(id_column), _name(label_column)]
            off = sum(
                count_rows_off(connection, own, path, columns)
                for own, path in zip(inputs, paths, strict=True)
            )
            findings.append(Finding("rows that differ from the input", off, 0))
    return findings


def find_files(folder: Path) -> list[Path]:
    """Return the Parquet files of a folder that are not hidden, sorted."""
    return sorted(
        path
        for path in folder.rglob("*.parquet")
        if not any(name.startswith(".") for name in path.relative_to(folder).parts)
    )


class Counter:
    """Counts over all files of a split."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, paths: Sequence[Path]) -> None:
        self._connection = connection
        quoted = ", ".join(map(_quote, paths))
        self._files = f"read_parquet([{quoted}], hive_partitioning = false)"
        self._paths = paths

    def count_rows(self) -> list[int]:
        """Return the rows of each file."""
        return [
            self._connection.execute(f"SELECT count(*) FROM {_quote(path)}").fetchall()[0][0]
            for path in self._paths
        ]

    def count_parts(self) -> dict[str, int]:
        """Return the rows of each part."""
        return dict(self._run(f"SELECT {COLUMN}, count(*) FROM {self._files} GROUP BY ALL"))

    def count_labels(self, column: str) -> dict[tuple[str, object], int]:
        """Return the rows of each label in each part."""
        rows = self._run(
            f"SELECT {COLUMN}, label, count(*) FROM"
            f" (SELECT {COLUMN}, unnest(list_distinct({column})) AS label FROM {self._files})"
            " GROUP BY ALL"
        )
        return {(part, label): count for part, label, count in rows}

    def count_repeats(self, column: str) -> int:
        """Return how many rows have no id, or one that an other row has."""
        n_repeats = 0
        for number in range(N_ID_SLICES):
            own = f"hash({column}) % {N_ID_SLICES} = {number}"
            query = f"SELECT count(*) - count(DISTINCT {column}) FROM {self._files} WHERE {own}"
            n_repeats += self._run(query)[0][0]
        return n_repeats

    def count_cut(self, column: str) -> int:
        """Return how many groups are in several parts; rows without a group are alone."""
        query = (
            f"SELECT count(*) FROM (SELECT {column} FROM {self._files} WHERE {column} IS NOT NULL"
            f" GROUP BY {column} HAVING count(DISTINCT {COLUMN}) > 1)"
        )
        return self._run(query)[0][0]

    def _run(self, query: str) -> list[tuple]:
        return self._connection.execute(query).fetchall()


def compare_files(counter: Counter, claims: Claims) -> tuple[list[int], list[int]]:
    """Return the rows of each file, found and claimed."""
    return counter.count_rows(), [int(str(file["rows"])) for file in claims.files]


def find_claimed_sizes(claims: Claims) -> dict[str, int]:
    """Return the claimed rows of the parts that have rows."""
    return {name: size for name, size in zip(claims.names, claims.sizes, strict=True) if size}


def find_claimed_counts(claims: Claims) -> dict[tuple[str, object], int]:
    """Return the claimed rows of each label in each part, where there are any."""
    return {
        (name, label): count
        for name, counts in zip(claims.names, claims.counts, strict=True)
        for label, count in zip(claims.labels, counts, strict=True)
        if count
    }


def count_rows_off(
    connection: duckdb.DuckDBPyConnection, before: Path, after: Path, columns: Sequence[str]
) -> int:
    """Return how many rows of a file have other values than the same row of its input file."""
    values = f"row({', '.join(columns)}) AS own, file_row_number AS number"
    query = (
        f"SELECT count(*) FROM (SELECT {values} FROM {_numbered(before)}) AS before"
        f" FULL JOIN (SELECT {values} FROM {_numbered(after)}) AS after"
        " USING (number) WHERE before.own IS DISTINCT FROM after.own"
    )
    return connection.execute(query).fetchall()[0][0]


def digest_file(connection: duckdb.DuckDBPyConnection, path: Path, names: Sequence[str]) -> str:
    """Return the SHA-256 of the numbers of the parts, in the order of the rows."""
    numbers = ", ".join(f"{_quote(name)}: {number}" for number, name in enumerate(names))
    query = (
        f"SELECT (MAP {{{numbers}}})[{COLUMN}]::USMALLINT AS number FROM {_numbered(path)}"
        " ORDER BY file_row_number"
    )
    values = connection.execute(query).fetchnumpy()["number"]
    # A name that is no part becomes a number that is none either.
    return hashlib.sha256(np.ma.filled(values, 65_535).astype("<u2").tobytes()).hexdigest()


def _numbered(path: Path) -> str:
    return f"read_parquet({_quote(path)}, file_row_number = true, hive_partitioning = false)"


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _quote(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def print_findings(findings: Sequence[Finding]) -> bool:
    """Print one line for each finding, and return whether all are equal."""
    for finding in findings:
        print(f"{'equal' if finding.is_equal else 'DIFFERENT':10}{finding.name}", flush=True)
    return all(finding.is_equal for finding in findings)


def main() -> None:
    """Recount the folder of the command line; exit with 1 if something differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of the written split")
    parser.add_argument("--input", type=Path, help="folder of the input files")
    parser.add_argument("--id", default="id", help="column of the ids")
    parser.add_argument("--labels", default="labels", help="column of the labels, lists")
    parser.add_argument("--groups", help="column of the groups")
    options = parser.parse_args()
    inputs = options.input and find_files(options.input)
    findings = recount(options.folder, inputs, options.id, options.labels, options.groups)
    sys.exit(0 if print_findings(findings) else 1)


if __name__ == "__main__":
    main()
