"""Bootstrap: the values of a metric on resampled rows, or on resampled groups of rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..metrics.names import Metric
from ..metrics.resampling import average_rows
from .predictions import Cells
from .scoring import ScoredRows

# How often each row is drawn in each sample: (n_rows, n_samples).
Counts = NDArray[np.uint8]


def draw_counts(
    n_rows: int, group_of_row: NDArray[np.int64] | None, n_samples: int, seed: int
) -> Counts:
    """Draw as many rows, or groups, as there are, with replacement, and count them.

    Rows of a group are drawn together: they are not independent.
    """
    n_units = n_rows if group_of_row is None else int(group_of_row.max()) + 1
    rng = np.random.default_rng([seed, n_units])
    counts = np.empty((n_units, n_samples), np.uint8)
    for sample in range(n_samples):
        drawn = np.bincount(rng.integers(n_units, size=n_units), minlength=n_units)
        # No unit is drawn 255 times, unless there are less than two.
        counts[:, sample] = np.minimum(drawn, np.iinfo(np.uint8).max)
    return counts if group_of_row is None else counts[group_of_row]


def resample_metrics(
    table: Any, scored: ScoredRows, metrics: Mapping[str, Metric], counts: Counts
) -> NDArray[np.float64]:
    """Return the value of each metric on each sample of rows, (n_metrics, n_samples).

    `table` and `counts` are those of all rows. `counts` is the same for all learners and methods.
    """
    prediction = scored.prediction
    truth, drawn = table[prediction.rows], counts[prediction.rows]
    values = np.full((len(metrics), counts.shape[1]), np.nan)
    if not len(prediction.rows):
        return values
    for at, metric in enumerate(metrics.values()):
        given, of_rows = prediction.give(metric.needs), scored.values_of_rows[at]
        if of_rows is not None:
            values[at] = average_rows(of_rows, drawn, np.nan)
        elif given is not None:
            resample = metric.resample or _make_loop(metric)
            values[at] = resample(truth, given, drawn)
    return values


def _make_loop(metric: Metric) -> Any:
    """Return a function that computes the metric for each sample, on repeated rows."""

    def resample(truth: Any, given: Cells, counts: Counts) -> NDArray[np.float64]:
        samples = (np.repeat(np.arange(len(own)), own) for own in counts.T)
        return np.array(
            [
                float(metric.function(truth[rows], given[rows])) if len(rows) else np.nan
                for rows in samples
            ]
        )

    return resample
