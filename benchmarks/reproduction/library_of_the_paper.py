"""The library that the optisplit paper took IS and SOIS from, run on the same labels, to see where the paper's figures come from."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import warnings
from collections.abc import Mapping

import numpy as np
from scipy import sparse

import evenfold

from .markdown import show, to_page, to_table
from .runs import SHUFFLED, Workbench, tell

N_RUNS = 10
N_FOLDS = 5
# Data and order; order 2 on delicious takes minutes a run.
CASES = [("bibtex", 1), ("bibtex", 2), ("delicious", 1)]
TITLE_OF_ORDER = {1: SHUFFLED, 2: "iterative (order 2)"}


def write_library(
    bench: Workbench, published: Mapping[str, Mapping[str, tuple[float, ...]]]
) -> str:
    """Return what the library gives, beside the paper (by data and title) and a stratifier that does take the rarest label."""
    if importlib.util.find_spec("skmultilearn") is None:
        return "(scikit-multilearn-ng is not installed, so its stratifier was not run: `pip install '.[bench]'`.)"
    rows = []
    for name, order in CASES:
        y = bench.read(name)
        if y is not None:
            runs = bench.run(name, N_FOLDS, TITLE_OF_ORDER[order], N_RUNS)
            ours = [runs.mean(measure) for measure in ("ed", "ld", "dcp", "rld")]
            every = {
                "paper": published[name][TITLE_OF_ORDER[order]],
                "scikit-multilearn-ng": mean_of_library(y, order),
                "evenfold": ours,
            }
            for who, found in every.items():
                rows.append(
                    [
                        name,
                        "IS" if order == 1 else "SOIS",
                        who,
                        show(found[0], 0),
                        *(show(value, 4) for value in found[1:]),
                    ]
                )
    return to_page(
        "### Where the paper's IS and SOIS come from",
        f"scikit-multilearn-ng {importlib.metadata.version('scikit-multilearn-ng')}, mean of {N_RUNS} runs. Its figures are like the paper's, "
        "and far from those of a stratifier that takes the rarest label next. In its function `_get_most_desired_combination` a label "
        "replaces the one chosen so far only if it has fewer rows *and* more distinct labels; single labels all have one, so the first "
        "label met stays chosen. At order 2, only a pair can take the place of a single label, and nothing that of a pair.",
        to_table(["data", "method", "from", "ED", "LD", "DCP", "rLD"], rows, n_text_columns=3),
    )


def mean_of_library(y: sparse.csr_array, order: int) -> np.ndarray:
    """Return the mean ED, LD, DCP and rLD of the library's folds."""
    from skmultilearn.model_selection import IterativeStratification

    dense, found = y.toarray(), []
    for run in range(N_RUNS):
        tell(f"scikit-multilearn-ng, order {order}, run {run + 1} of {N_RUNS}")
        # A seed of its own would make it shuffle the labels and forget to map the folds back. Without one it draws from NumPy's global generator.
        np.random.seed(run)  # noqa: NPY002
        part_of_row = np.empty(len(dense), np.int64)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for fold, (_, test) in enumerate(
                IterativeStratification(n_splits=N_FOLDS, order=order).split(dense, dense)
            ):
                part_of_row[test] = fold
        quality = evenfold.measure(y, part_of_row, N_FOLDS)
        found.append((quality.ed, quality.ld, quality.dcp, quality.rld))
    return np.mean(found, axis=0)
