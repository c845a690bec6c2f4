"""Bad arguments of splitters, learners, metrics, data sets, figures and splits past memory."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import evenfold
from evenfold import datasets, learn, metrics, model_selection, plots, scale

from .bad_inputs_calls import (
    N_ROWS,
    NAN,
    SCORES,
    Wrong,
    X,
    Y,
    each,
    said,
    typed,
)

_evaluate = functools.partial(
    evenfold.evaluate, "br:tree", X, Y, 2, methods=["random"], repeats=1, n_samples=0
)


def _fit(learner: Any) -> Callable[..., Any]:
    """Return a function that sets a parameter of a learner and fits it."""
    return lambda **given: learner(**given).fit(X, Y)


def _splitter(kind: Any) -> Callable[..., Any]:
    """Return a function that makes a splitter and splits."""
    return lambda **given: list(kind(**given).split(X, Y))


def list_cases(folder: Path) -> dict[str, list[Wrong]]:
    """Return the calls by area; a few read files, which are made in a folder."""
    split = evenfold.split(Y, 2)
    pq.write_table(pa.table({"a": [["x"]] * N_ROWS}), folder / "data.parquet")
    past_memory = functools.partial(
        scale.split, str(folder / "data.parquet"), 2, labels="a", output=folder / "out"
    )
    return {
        "splitters": [
            *(
                case
                for kind in (
                    model_selection.MultilabelStratifiedKFold,
                    model_selection.StratifiedKFold,
                    model_selection.MultilabelStratifiedGroupKFold,
                )
                for name, values in {
                    "n_splits": (0, 1, -1, 2.5, 99, typed("x", "'x'")),
                    "method": ("evn", typed(5, "5")),
                    "random_state": (-1, typed("x", "str")),
                }.items()
                for case in each(_splitter_of(kind), name, values)
            ),
            *each(
                _splitter(model_selection.MultilabelStratifiedShuffleSplit),
                "test_size",
                [0, -1, 1.0, 1.5, 24, 99, NAN, typed("x", "'x'")],
            ),
            *each(
                _splitter(model_selection.MultilabelStratifiedShuffleSplit),
                "train_size",
                [0, 1.0, said(24, "24"), typed("x", "'x'")],
            ),
            *each(
                _splitter(model_selection.RepeatedMultilabelStratifiedKFold),
                "n_repeats",
                [0, -1, 1.5, typed("x", "'x'")],
            ),
            *each(
                functools.partial(model_selection.train_test_split, X, stratify=Y),
                "test_size",
                [0, 1.0, 25, typed("x", "'x'"), NAN],
            ),
            *each(
                functools.partial(model_selection.train_test_split, X),
                "stratify",
                [typed(5, "int"), said(np.full((N_ROWS, 2), 7), "7")],
            ),
            *each(
                functools.partial(model_selection.train_val_test_split, X, stratify=Y),
                "val_size",
                [0, 1.0, typed("x", "'x'"), said(0.9, "0.9")],
            ),
            *each(
                functools.partial(model_selection.train_test_split, X, stratify=Y),
                "target",
                ["classs", typed(3, "3")],
            ),
        ],
        "learners and evaluate": [
            *each(
                learn.make_learner,
                "name",
                [said("br:tre", "'tre'"), "bx", "", typed(3, "3"), said("br:br:tree", "'br:tree'")],
            ),
            *each(learn.make_base, "name", ["tre", typed(3, "3")]),
            *each(_fit(learn.MLkNN), "k", [0, -1, 1.5, typed("x", "'x'")]),
            *each(_fit(learn.MLkNN), "s", [-1, NAN, typed("x", "'x'")]),
            *each(_fit(learn.MLkNN), "threshold", [NAN, typed("x", "'x'")]),
            *each(_fit(learn.RAkEL), "k", [0, 1.5]),
            *each(_fit(learn.RAkEL), "n_models", [0, -1, 1.5]),
            *each(_fit(learn.ChainEnsemble), "n_chains", [0, -1, 1.5]),
            *each(_fit(learn.ChainEnsemble), "voting", ["sof", typed(3, "3")]),
            *each(_fit(learn.ChainEnsemble), "max_samples", [0, 1.5, NAN]),
            *each(
                _fit(learn.ClassifierChain),
                "order",
                [said([0, 1], "[0, 1]"), said([0, 0, 1], "[0, 0, 1]"), "x"],
            ),
            *each(_fit(learn.LabelPowerset), "min_rows", [0, 1.5]),
            *each(_fit(learn.CalibratedLabelRanking), "voting", ["sof"]),
            *each(_fit(learn.TunedThreshold), "metric", ["f1"]),
            *each(_fit(learn.TunedThreshold), "cv", [1, 0, 1.5]),
            *each(_fit(learn.BinaryRelevance), "base", ["tre", typed(3, "3")]),
            *each(
                _evaluate,
                "metrics",
                [said(["hamming"], "'hamming'"), said([], "none"), typed(5, "5")],
            ),
            *each(_evaluate, "repeats", [0, 1.5]),
            *each(_evaluate, "n_jobs", [0, 1.5, typed("x", "'x'")]),
            *each(_evaluate, "undefined", ["skp", [1]]),
            *each(_evaluate, "order", [3, "x"]),
            *each(
                functools.partial(evenfold.evaluate, X=X, y=Y, parts=2),
                "learners",
                [said("br:tre", "'tre'"), typed(5, "int"), said([], "none"), said({}, "none")],
            ),
            *each(
                functools.partial(evenfold.evaluate, "br:tree", y=Y, parts=2),
                "X",
                [said(X[:3], "24", "3"), typed(None, "None"), typed(5, "5")],
            ),
            *each(
                functools.partial(learn.difficulty, X, Y),
                "n_neighbors",
                [0, 1.5, typed("x", "'x'")],
            ),
        ],
        "metrics": [
            *each(
                functools.partial(metrics.f1_score, Y, Y),
                "average",
                ["macr", typed(3, "3"), ""],
            ),
            *each(functools.partial(metrics.f1_score, Y, Y), "undefined", ["skp", []]),
            *each(
                functools.partial(metrics.f1_score, Y, Y),
                "sample_weight",
                [
                    said([1], "24", "1"),
                    said([-1] * N_ROWS, "-1"),
                    said([NAN] * N_ROWS, "nan"),
                    typed("x", "<U1"),
                ],
            ),
            *each(
                functools.partial(metrics.fbeta_score, Y, Y),
                "beta",
                [0, -1, NAN, typed("x", "'x'")],
            ),
            *each(
                functools.partial(metrics.hamming_loss, Y),
                "y_pred",
                [
                    said(Y[:3], "24", "3"),
                    said(Y[:, :2], "3", "2"),
                    said(Y * 2, "2"),
                    said(5, "0"),
                    said(Y * NAN, "nan"),
                    typed(None, "object"),
                ],
            ),
            *each(
                functools.partial(metrics.ranking_loss, Y),
                "scores",
                [
                    said(SCORES[:3], "24", "3"),
                    said(SCORES * NAN, "NaN", "72"),
                    typed("x", "<U1"),
                    typed(SCORES * 1j, "complex128"),
                ],
            ),
            *each(
                functools.partial(metrics.log_loss, Y),
                "scores",
                [said(SCORES + 1, "1 to 2"), said(-SCORES, "-")],
            ),
            *each(functools.partial(metrics.coverage, Y, SCORES), "ties", ["wrst", typed(3, "3")]),
            *each(
                functools.partial(metrics.precision_recall_curve, Y, SCORES), "label", [3, -1, 1.5]
            ),
            *each(
                functools.partial(metrics.count_undefined, y_true=Y, y_pred=Y),
                "metric",
                ["f1", typed(3, "3")],
            ),
        ],
        "datasets, plots and reports": [
            *each(datasets.make_zipf, "n_rows", [0, -1, 1.5, typed("x", "'x'")]),
            *each(datasets.make_zipf, "n_labels", [0, -1]),
            *each(datasets.make_zipf, "exponent", [NAN, -1, typed("x", "'x'")]),
            *each(datasets.make_movies, "n_movies", [0, -1, 1.5]),
            *each(datasets.make_patients, "n_groups", [0, said(10**6, "1,000,000")]),
            *each(datasets.make_ontology, "second_parents", [-1, 1.5, NAN]),
            *each(datasets.make_measure_experiment, "kind", ["diference"]),
            *each(
                functools.partial(plots.label_evenness, split.quality),
                "measure",
                ["rdl", typed(3, "3")],
            ),
            *each(
                functools.partial(plots.label_deviation, split.quality), "n_labels", [0, -1, 1.5]
            ),
            *each(plots.balance, "quality", [said(split.quality, "balanced columns")]),
            *each(split.report, "path", [said(folder / "a.txt", "a.txt")]),
            *each(split.to_frame, "backend", ["pands", typed(3, "3")]),
            *each(split.quality.report, "path", [said(folder / "a", "html")]),
        ],
        "data past memory": [
            *each(
                functools.partial(scale.split, parts=2, labels="a"),
                "data",
                [
                    said(str(folder / "no.parquet"), "no.parquet"),
                    typed(5, "int"),
                    said([], "file"),
                ],
            ),
            *each(
                past_memory,
                "memory",
                ["much", "4XB", -1],
            ),
            *each(
                past_memory,
                "engine",
                ["dsk", typed(5, "5")],
            ),
            *each(
                past_memory,
                "budget",
                [-1, "x", NAN],
            ),
            *each(
                past_memory,
                "workers",
                [0, -1, 1.5],
            ),
        ],
    }


def _splitter_of(kind: Any) -> Callable[..., Any]:
    """Return a function that splits; what needs groups gets groups of one row."""
    groups = np.arange(N_ROWS) if "Group" in kind.__name__ else None
    y = Y if kind.__name__.startswith("Multi") else Y[:, 0]

    def split(**given: Any) -> Any:
        if "random_state" in given:
            given["shuffle"] = True
        return list(kind(**given).split(X, y, groups))

    return split
