"""How much a score varies over seeds: the figure of the page "Why even folds are still random".

    python -m benchmarks.chance

Writes docs/figures/chance.svg. Each dot is the pooled mean average precision of one seed, for even
and for random folds of the data of the page. It takes about 20 seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from sklearn.linear_model import Ridge

import evenfold

from .picture import GREY, STYLE, TOO_FEW, TOO_MANY

PATH = Path("docs/figures/chance.svg")
N_FOLDS, N_SEEDS = 5, 100
COLOURS = {"even": TOO_FEW, "random": TOO_MANY}
# Dots of scores that share a step stand above each other.
STEP = 0.001
LEFT, WIDTH, ROW, DOT, TOP = 70, 560, 150, 3.4, 24


def main() -> None:
    """Write the figure."""
    PATH.write_text(make_figure(measure_scores()), encoding="utf-8")


def measure_scores() -> dict[str, np.ndarray]:
    """Return the score of each seed for each method."""
    y = evenfold.datasets.make_zipf(400, 8, labels_per_row=2, random_state=3).toarray()
    rng = np.random.default_rng(0)
    X = y @ rng.normal(size=(8, 5)) + 2 * rng.normal(size=(400, 5))
    return {
        method: np.array([score_folds(X, y, method, seed) for seed in range(N_SEEDS)])
        for method in COLOURS
    }


def score_folds(X: np.ndarray, y: np.ndarray, method: str, seed: int) -> float:
    """Return the mean average precision of all out-of-fold predictions."""
    predicted = np.empty(y.shape)
    for train, test in evenfold.split(y, N_FOLDS, method=method, random_state=seed).folds():
        predicted[test] = Ridge().fit(X[train], y[train]).predict(X[test])
    return evenfold.metrics.mean_average_precision(y, predicted)


def make_figure(scores: Mapping[str, np.ndarray]) -> str:
    """Return the dots of each method above a common axis."""
    steps = {name: np.round(own / STEP).astype(int) for name, own in scores.items()}
    first = min(own.min() for own in steps.values()) - 1
    last = max(own.max() for own in steps.values()) + 1
    wide = WIDTH / (last - first)
    bottom = TOP + ROW * len(scores)
    lines = [draw_axis(first, last, wide, bottom)]
    for at, (name, own) in enumerate(steps.items()):
        y = TOP + ROW * (at + 1) - 12
        mean, std = scores[name].mean(), scores[name].std(ddof=1)
        lines += [
            f'<text x="{LEFT - 10}" y="{y - 12}" text-anchor="end" font-weight="600">{name}</text>',
            f'<text x="{LEFT}" y="{y - ROW + 40}" font-size="12">'
            f"{name}: mean {mean:.3f}, standard deviation {std:.4f}</text>",
        ]
        for step, n_seeds in sorted(Counter(own.tolist()).items()):
            x = LEFT + (step - first) * wide
            lines += [
                f'<circle cx="{x:.1f}" cy="{y - (2 * number + 1) * DOT:.1f}" r="{DOT - 0.4:.1f}" '
                f'fill="{COLOURS[name]}"/>'
                for number in range(n_seeds)
            ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} '
            f'{bottom + 44}" width="{LEFT + WIDTH + 20}" height="{bottom + 44}" role="img" '
            f'font-size="13" {STYLE}>',
            f"<title>Scores of {N_SEEDS} seeds, for even and for random folds</title>",
            *lines,
            "</svg>",
            "",
        ]
    )


def draw_axis(first: int, last: int, wide: float, y: int) -> str:
    """Return the axis of scores, with a tick at each hundredth."""
    ticks = [step for step in range(first, last + 1) if step % 10 == 0]
    return "\n".join(
        [
            f'<path d="M{LEFT},{y}h{WIDTH}" stroke="{GREY}"/>',
            *(
                f'<path d="M{LEFT + (step - first) * wide:.1f},{y}v5" stroke="{GREY}"/>'
                f'<text x="{LEFT + (step - first) * wide:.1f}" y="{y + 18}" text-anchor="middle" '
                f'font-size="11">{step * STEP:.2f}</text>'
                for step in ticks
            ),
            f'<text x="{LEFT + WIDTH}" y="{y + 36}" text-anchor="end" font-size="11">'
            "pooled mean average precision; each dot is a seed</text>",
        ]
    )


if __name__ == "__main__":
    main()
