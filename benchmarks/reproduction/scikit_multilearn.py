"""scikit-multilearn, which the optisplit paper used for IS and SOIS, on the same labels."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import warnings
from collections.abc import Mapping

import numpy as np
from scipy import sparse

import evenfold

from .experiments import SHUFFLED, Experiments, print_progress
from .markdown import format_number, to_page, to_table

N_RUNS = 10
N_FOLDS = 5
# Data set and order. Order 2 on delicious takes minutes per run.
CASES = [("bibtex", 1), ("bibtex", 2), ("delicious", 1)]
TITLE_OF_ORDER = {1: SHUFFLED, 2: "iterative (order 2)"}


def write_scikit_multilearn(
    experiments: Experiments, published: Mapping[str, Mapping[str, tuple[float, ...]]]
) -> str:
    """Return the results of the library, beside those of the paper and of evenfold.

    `published` has the values of the paper by data set and title.
    """
    if importlib.util.find_spec("skmultilearn") is None:
        return (
            "scikit-multilearn-ng is not installed, so its stratifier was not run. Install it with "
            "`pip install '.[bench]'`."
        )
    rows = []
    for name, order in CASES:
        y = experiments.read(name)
        if y is not None:
            runs = experiments.run(name, N_FOLDS, TITLE_OF_ORDER[order], N_RUNS)
            ours = [runs.mean(measure) for measure in ("ed", "ld", "dcp", "rld")]
            every = {
                "paper": published[name][TITLE_OF_ORDER[order]],
                "scikit-multilearn-ng": measure_scikit_multilearn(y, order),
                "evenfold": ours,
            }
            for who, found in every.items():
                rows.append(
                    [
                        name,
                        "IS" if order == 1 else "SOIS",
                        who,
                        format_number(found[0], 0),
                        *(format_number(value, 4) for value in found[1:]),
                    ]
                )
    return to_page(
        "### Where the paper's IS and SOIS come from",
        f"scikit-multilearn-ng {importlib.metadata.version('scikit-multilearn-ng')}, mean of "
        f"{N_RUNS} runs. Its values are similar to those of the paper. They differ much from "
        "those of a stratifier that takes the rarest label next. The reason is in the function "
        "`_get_most_desired_combination`. There, a label replaces the one chosen so far only if "
        "it has fewer rows *and* more distinct labels. All single labels have one distinct "
        "label, so the first label stays chosen. At order 2, a pair can replace a single label, "
        "but nothing replaces a pair.",
        to_table(["data", "method", "from", "ED", "LD", "DCP", "rLD"], rows, n_text_columns=3),
    )


def measure_scikit_multilearn(y: sparse.csr_array, order: int) -> np.ndarray:
    """Return the mean ED, LD, DCP and rLD of the folds of scikit-multilearn-ng."""
    from skmultilearn.model_selection import IterativeStratification

    dense, found = y.toarray(), []
    for run in range(N_RUNS):
        print_progress(f"scikit-multilearn-ng, order {order}, run {run + 1} of {N_RUNS}")
        # With its own seed, the package shuffles the labels and does not map the folds back.
        # Without one, it uses the global generator of NumPy.
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
