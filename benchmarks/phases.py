"""The figures of the page "How even works": the split after each phase, and rLD after each sweep.

    python -m benchmarks.phases

Writes docs/figures/even_start.svg and three more, from made labels. The colours are those of the
picture of the README.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

import evenfold
from evenfold._kernels.even import MEND, SWAP
from evenfold.methods import Even
from evenfold.methods.even.plan import Budget, place_evenly
from evenfold.methods.even.refinement import Refinement
from evenfold.methods.even.tuning import EFFORTS

from .picture import GREY, LIGHT, STYLE, TOO_FEW, TOO_MANY

FOLDER = Path("docs/figures")
N_ROWS, N_LABELS, LABELS_PER_ROW, N_FOLDS = 2_400, 14, 4, 5
TITLE_OF_PHASE = {
    "start": "after the start",
    "sizes": "after exact sizes",
    "moves": "after the moves",
    "swaps": "after the swaps",
}
CELL, ROW, LEFT, TOP = 36, 21, 70, 50
BOTTOM = TOP + ROW * (N_LABELS + 1)
CHART_LEFT, CHART_WIDTH, CHART_TOP = 330, 250, TOP + 2
CHART_BOTTOM = BOTTOM - 4
WIDTH, HEIGHT = CHART_LEFT + CHART_WIDTH + 12, BOTTOM + 42
# From so many rows off, a cell has the full colour; below it, one that grey can be read on.
STRONG = 4


class Step(NamedTuple):
    """The split after one sweep: its phase, the fold of each row, and the mean rLD."""

    phase: str
    part_of_row: np.ndarray
    rld: float


class Trace(NamedTuple):
    """All steps of a split, the labels as a dense array, and the bound of rLD."""

    steps: list[Step]
    y: np.ndarray
    bound: float

    def last(self, phase: str) -> Step:
        """Return the last step of a phase."""
        return [step for step in self.steps if step.phase == phase][-1]


def main() -> None:
    """Write the figures."""
    for path, text in make_figures(trace_split()).items():
        path.write_text(text, encoding="utf-8")


def trace_split() -> Trace:
    """Split the labels by the plan of `even`, and keep what each sweep leaves."""
    labels = evenfold.datasets.make_zipf(
        N_ROWS, N_LABELS, labels_per_row=LABELS_PER_ROW, random_state=1
    )
    y = labels.toarray()
    steps: list[Step] = []

    def keep(phase: str, part_of_row: np.ndarray) -> None:
        steps.append(Step(phase, part_of_row.copy(), measure_rld(y, part_of_row)))

    class TracedRefinement(Refinement):
        """A refinement that makes one sweep at a time; sweeps that mend sizes count as one."""

        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)
            keep("start", self.part_of_unit)

        def run(self, sweeps, n_units=None) -> None:
            mending = [sweep for sweep in sweeps if sweep.kind == MEND]
            for sweep in sweeps[: len(sweeps) - len(mending)]:
                super().run([sweep], n_units)
                keep("swaps" if sweep.kind == SWAP else "moves", self.part_of_unit)
            if mending:
                super().run(mending, n_units)
                keep("sizes" if steps[-1].phase == "start" else "moves", self.part_of_unit)

    class TracedBudget(Budget):
        def refine(self, problem, part_of_unit, rng, label_exponent=1.0) -> Refinement:
            return TracedRefinement(
                problem, part_of_unit, rng, self.progress, self.until, label_exponent
            )

    class TracedEven(Even):
        def place(self, problem, rng) -> np.ndarray:
            return place_evenly(problem, rng, TracedBudget(EFFORTS["normal"], np.inf, None))

    s = evenfold.split(labels, N_FOLDS, method=TracedEven(), random_state=0)
    return Trace(steps, y, s.quality.bound.rld)


def measure_rld(y: np.ndarray, part_of_row: np.ndarray) -> float:
    """Return the mean rLD of a split."""
    share = np.array([y[part_of_row == fold].mean(axis=0) for fold in range(N_FOLDS)])
    return float(np.abs(share / y.mean(axis=0) - 1).mean())


def find_deviations(y: np.ndarray, part_of_row: np.ndarray) -> np.ndarray:
    """Return (n_labels + 1, n_folds) rows above the fair share of a fold; last, of all rows."""
    columns = np.column_stack([y, np.ones(len(y))])
    count = np.array([columns[part_of_row == fold].sum(axis=0) for fold in range(N_FOLDS)])
    return (count - columns.sum(axis=0) / N_FOLDS).T


def make_figures(trace: Trace) -> dict[Path, str]:
    """Return the text of each figure, by its path."""
    return {FOLDER / f"even_{phase}.svg": draw_figure(trace, phase) for phase in TITLE_OF_PHASE}


def draw_figure(trace: Trace, phase: str) -> str:
    """Return the figure of one phase: deviations at its end, and rLD after each sweep."""
    step = trace.last(phase)
    deviation = find_deviations(trace.y, step.part_of_row)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" {STYLE} font-size="12">',
        f"<title>{escape(describe(deviation, step, phase))}</title>",
        *draw_cells(deviation, TITLE_OF_PHASE[phase]),
        *draw_chart(trace, phase),
        *draw_legend(),
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def describe(deviation: np.ndarray, step: Step, phase: str) -> str:
    """Return what the figure shows, for those who do not see it."""
    off, sizes = np.abs(deviation[:-1]).max(), np.abs(deviation[-1]).max()
    return (
        f"{N_LABELS} labels in {N_FOLDS} folds {TITLE_OF_PHASE[phase]}: at most {off:.1f} rows off "
        f"their fair share, sizes at most {sizes:.1f} rows, rLD {step.rld:.4f}."
    )


def draw_cells(deviation: np.ndarray, title: str) -> list[str]:
    """Return a cell for each label and fold, and one for the size of each fold."""
    lines = [f'<text x="{LEFT}" y="16" font-size="14" font-weight="600">{title}</text>']
    for fold in range(N_FOLDS):
        x = LEFT + fold * CELL + CELL / 2
        lines.append(
            f'<text x="{x:g}" y="{TOP - 6}" text-anchor="middle" font-size="11">fold {fold}</text>'
        )
    for at, of_fold in enumerate(deviation):
        name = f"label {at}" if at < N_LABELS else "all rows"
        y = TOP + at * ROW
        lines.append(f'<text x="{LEFT - 8}" y="{y + 15}" text-anchor="end">{name}</text>')
        for fold, off in enumerate(of_fold):
            lines += draw_cell(LEFT + fold * CELL, y, float(off))
    return lines


def draw_cell(x: int, y: int, off: float) -> list[str]:
    """Return a cell in the colour of its deviation; less than a row off is none."""
    is_off = abs(off) >= 1
    is_strong = abs(off) >= STRONG
    colour = TOO_MANY if off > 0 else TOO_FEW
    fill = (
        f'fill="{colour}" fill-opacity="{1 if is_strong else LIGHT}"' if is_off else 'fill="none"'
    )
    lines = [
        f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{ROW - 2}" rx="3" {fill} '
        f'stroke="{GREY}" stroke-opacity="0.35"/>'
    ]
    if is_off:
        text = ' fill="#ffffff" font-weight="600"' if is_strong else ""
        lines.append(
            f'<text x="{x + CELL / 2:g}" y="{y + 15}" text-anchor="middle" font-size="11"{text}>'
            f"{off:+.0f}</text>"
        )
    return lines


def draw_chart(trace: Trace, phase: str) -> list[str]:
    """Return rLD after each sweep, the sweeps of the phase in colour, and the bound."""
    rld = np.array([step.rld for step in trace.steps])
    highest = 1.05 * rld.max()
    xs = CHART_LEFT + 8 + (CHART_WIDTH - 16) * np.arange(len(rld)) / (len(rld) - 1)
    ys = CHART_BOTTOM - (CHART_BOTTOM - CHART_TOP) * rld / highest
    bound = CHART_BOTTOM - (CHART_BOTTOM - CHART_TOP) * trace.bound / highest
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    lines = [
        f'<text x="{CHART_LEFT}" y="16" font-size="14" font-weight="600">rLD after each sweep'
        "</text>",
        f'<text x="{CHART_LEFT}" y="{TOP - 14}">{trace.last(phase).rld:.4f} '
        f"{TITLE_OF_PHASE[phase]}</text>",
        f'<path d="M{CHART_LEFT},{CHART_TOP}V{CHART_BOTTOM}h{CHART_WIDTH}" fill="none" '
        f'stroke="{GREY}"/>',
        f'<path d="M{CHART_LEFT},{bound:.1f}h{CHART_WIDTH}" stroke="{GREY}" '
        'stroke-dasharray="4 3"/>',
        f'<text x="{CHART_LEFT + CHART_WIDTH}" y="{bound + 15:.1f}" text-anchor="end" '
        f'font-size="11">bound {trace.bound:.4f}</text>',
        f'<polyline points="{points}" fill="none" stroke="{GREY}"/>',
    ]
    return lines + [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{TOO_MANY}"/>'
        for x, y, step in zip(xs, ys, trace.steps, strict=True)
        if step.phase == phase
    ]


def draw_legend() -> list[str]:
    """Return what the colours stand for, below the cells."""
    y = HEIGHT - 12
    entries = ((0, TOO_FEW, "rows too few"), (110, TOO_MANY, "rows too many"))
    return [
        element
        for x, colour, text in entries
        for element in (
            f'<rect x="{LEFT + x + 1}" y="{y - 12}" width="14" height="14" rx="3" '
            f'fill="{colour}"/>',
            f'<text x="{LEFT + x + 21}" y="{y}">{text}</text>',
        )
    ]


if __name__ == "__main__":
    main()
