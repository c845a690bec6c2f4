"""What the pages "Coming from" show: other packages and evenfold on the data of these pages.

    python -m benchmarks.coming_from [--json FILE]
    python -m benchmarks.coming_from --datasail [--json FILE]

The second line needs the package datasail. It has many dependencies, so it is in no extra: install
it into an environment of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from scipy import sparse

import evenfold

from .iterstrat import join_folds, split_by_iterstrat
from .packages import split_by_labelsets
from .peers import Place, run_optisplit, run_skmultilearn
from .records import write_records
from .tables import RecordTable

N_FOLDS, TEST_SIZE = 5, 0.2
SEEDS = range(5)
PACKAGES = (
    "numpy",
    "scipy",
    "iterative-stratification",
    "optisplit",
    "scikit-learn",
    "scikit-multilearn-ng",
)
FORMATS = {"package": "", "call": "", "rLD": ".4f", "bound": ".4f", "least": "d", "most": "d"}
NOTE = """
'rLD' and 'bound' are means over {n_seeds} seeds. 'least' and 'most' are the rows of the smallest
and of the largest fold of all seeds; of calls with a test size, those of the test part. optisplit
starts from the same folds whatever its seed, so it runs once."""


def main() -> None:
    """Print the table, and write its records."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasail", action="store_true", help="measure only DataSAIL")
    parser.add_argument("--json", type=Path, help="file that the records are added to")
    options = parser.parse_args()
    if options.datasail:
        from . import datasail

        write_records(options.json, "datasail", datasail.measure_all(), datasail.PACKAGES)
        return
    table = RecordTable("The data of the pages 'Coming from'", FORMATS)
    for record in measure_all():
        table.add(record)
    print(NOTE.format(n_seeds=len(SEEDS)))
    write_records(options.json, "coming_from", table.records, PACKAGES)


def make_labels() -> sparse.csr_array:
    """Return the labels that the pages make."""
    return evenfold.datasets.make_zipf(1_000, 20, labels_per_row=3, random_state=0)


def measure_all() -> Iterator[dict[str, object]]:
    """Yield a record for each call of each package."""
    y = make_labels()
    dense = y.toarray()
    for package, call, splits in make_folds(y, dense):
        qualities = [evenfold.measure(y, split, N_FOLDS) for split in splits]
        yield make_record(package, call, qualities, [own.per_part.rows for own in qualities])
    for package, call, splits in make_test_parts(dense):
        qualities = [evenfold.measure(y, is_test.astype(int), 2) for is_test in splits]
        yield make_record(package, call, qualities, [[is_test.sum()] for is_test in splits])


def make_record(
    package: str, call: str, qualities: list[evenfold.Quality], sizes: Iterable[Iterable[int]]
) -> dict[str, object]:
    """Return the measures of the splits of one call."""
    rows = np.concatenate([list(own) for own in sizes])
    return {
        "package": package,
        "call": call,
        "rLD": float(np.mean([own.rld for own in qualities])),
        "bound": float(np.mean([own.bound.rld for own in qualities])),
        "least": int(rows.min()),
        "most": int(rows.max()),
    }


def make_folds(
    y: sparse.csr_array, dense: np.ndarray
) -> Iterator[tuple[str, str, list[np.ndarray]]]:
    """Yield five folds of each package, one split for each seed."""
    for call, options in (
        ("split(Y, 5)", {}),
        ('split(Y, 5, method="random")', {"method": "random"}),
        ('split(Y, 5, method="optisplit-published")', {"method": "optisplit-published"}),
    ):
        splits = [evenfold.split(y, N_FOLDS, random_state=seed, **options) for seed in SEEDS]
        yield "evenfold", call, [own.part_of_row for own in splits]
    yield (
        "iterative-stratification",
        "MultilabelStratifiedKFold",
        [split_by_iterstrat(dense, N_FOLDS, seed) for seed in SEEDS],
    )
    yield (
        "scikit-multilearn-ng",
        "IterativeStratification",
        [place_with_global_seed(run_skmultilearn(1), seed, y, dense) for seed in SEEDS],
    )
    yield (
        "scikit-multilearn-ng",
        "IterativeStratification, with random_state",
        [run_skmultilearn(1, seed)(y, dense) for seed in SEEDS],
    )
    yield (
        "scikit-learn",
        "StratifiedKFold, with labelsets as classes",
        [split_by_labelsets(dense.astype(bool), None, seed) for seed in SEEDS],
    )
    yield "optisplit", "optisplit", [run_optisplit("rld")(y, dense)]


def make_test_parts(dense: np.ndarray) -> Iterator[tuple[str, str, list[np.ndarray]]]:
    """Yield for each package which rows are in the test part, one array for each split."""
    from iterstrat.ml_stratifiers import MultilabelStratifiedShuffleSplit as TheirShuffleSplit
    from skmultilearn.model_selection import iterative_train_test_split

    rows = np.arange(len(dense)).reshape(-1, 1)
    for package, kind in (
        ("evenfold", evenfold.model_selection.MultilabelStratifiedShuffleSplit),
        ("iterative-stratification", TheirShuffleSplit),
    ):
        splits = kind(len(SEEDS), test_size=TEST_SIZE, random_state=0).split(rows, dense)
        tests = [join_folds(len(dense), (train, test)) == 1 for train, test in splits]
        yield package, "MultilabelStratifiedShuffleSplit", tests
    tests = []
    for seed in SEEDS:
        np.random.seed(seed)  # noqa: NPY002 - the package follows the global seed
        train, test, *_ = iterative_train_test_split(rows, dense, test_size=TEST_SIZE)
        tests.append(join_folds(len(dense), (train[:, 0], test[:, 0])) == 1)
    yield "scikit-multilearn-ng", "iterative_train_test_split", tests


def place_with_global_seed(
    place: Place, seed: int, y: sparse.csr_array, dense: np.ndarray
) -> np.ndarray:
    """Return a split of a package that follows the global seed of NumPy."""
    np.random.seed(seed)  # noqa: NPY002
    return place(y, dense)


if __name__ == "__main__":
    main()
