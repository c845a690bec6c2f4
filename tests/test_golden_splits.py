"""Golden splits: seeded splits that no change of the code may alter by accident.

Each line of `golden_splits.csv` is a call and the hash of the `part_of_row` it gave. A change that
means to alter what a method computes records the table again, with a line in the changelog:

    python -m tests.test_golden_splits
"""

import csv
import functools
import hashlib
from pathlib import Path

import numpy as np
import pytest

import evenfold
from evenfold import datasets

TABLE = Path(__file__).with_name("golden_splits.csv")
METHODS = tuple(evenfold.methods.METHODS)


@functools.cache
def make_data(generator):
    """Return labels, groups and amounts; groups and amounts are None if there are none."""
    if generator == "exponential":
        return datasets.make_exponential(600, 30, 6, random_state=1), None, None
    if generator == "zipf":
        return datasets.make_zipf(800, 200, 4, random_state=2), None, None
    if generator == "ontology":
        return datasets.make_ontology(700, 80, random_state=3)[0], None, None
    if generator == "weights":
        return None, None, datasets.make_weights(120, 7, random_state=4).T
    y, groups = datasets.make_patients(900, 250, 12, random_state=5)
    return y, groups, None


def list_cases():
    """Return every call as (generator, seed, method, parts, groups, order)."""
    cases = []
    for method in METHODS:
        cases += [
            ("exponential", 0, method, "5", "no", ""),
            ("zipf", 1, method, "10", "no", ""),
            ("ontology", 2, method, "0.8 0.1 0.1", "no", ""),
            ("weights", 3, method, "0.65 0.35", "no", ""),
            ("patients", 4, method, "5", "yes", ""),
            ("patients", 5, method, "0.7 0.15 0.15", "yes", ""),
        ]
    for order in ("1", "2"):
        cases += [
            ("exponential", 6, "even", "5", "no", order),
            ("zipf", 7, "even", "0.8 0.1 0.1", "no", order),
            ("ontology", 8, "even", "10", "no", order),
            ("patients", 9, "even", "3", "yes", order),
        ]
    cases += [
        ("exponential", 10, "iterative", "5", "no", "2"),
        ("patients", 11, "iterative", "4", "yes", "2"),
        ("patients", 12, "even", "4", "no", "auto"),
        ("patients", 13, "labelset", "4", "no", "auto"),
        ("ontology", 14, "svd", "4", "no", "auto"),
        ("zipf", 15, "optisplit", "4", "no", "auto"),
    ]
    return cases


def hash_split(generator, seed, method, parts, groups, order):
    """Return 16 hexadecimal digits of the hash of the split's `part_of_row`."""
    y, group_of_row, amounts = make_data(generator)
    s = evenfold.split(
        y,
        [float(share) for share in parts.split()] if " " in parts else int(parts),
        groups=group_of_row if groups == "yes" else None,
        balance=amounts,
        method=method,
        order=int(order) if order.isdecimal() else (order or None),
        random_state=int(seed),
    )
    return hashlib.sha256(np.asarray(s.part_of_row, "<i4").tobytes()).hexdigest()[:16]


def read_table():
    """Return the lines of the table as tuples, the hash last."""
    with TABLE.open(newline="") as file:
        return [tuple(line) for line in csv.reader(file)][1:]


@pytest.mark.parametrize("line", read_table(), ids=lambda line: "-".join(line[:-1]))
def test_golden_split_is_unchanged(line):
    """The call gives the split it gave when the table was recorded."""
    *call, recorded = line
    assert hash_split(*call) == recorded


def test_golden_table_covers_every_case():
    """No case has been left out of the table."""
    assert [line[:-1] for line in read_table()] == [tuple(map(str, case)) for case in list_cases()]


if __name__ == "__main__":
    lines = [[*case, hash_split(*case)] for case in list_cases()]
    with TABLE.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["generator", "seed", "method", "parts", "groups", "order", "hash"])
        writer.writerows(lines)
