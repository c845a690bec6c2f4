"""The figures of the page "How even works" are those of their script, and show what it says."""

import re

import numpy as np
import pytest
from benchmarks.phases import N_FOLDS, find_deviations, make_figures, trace_split

from .blocks import ROOT

PAGE = (ROOT / "docs/explanation/how-even-works.md").read_text(encoding="utf-8")
TRACE = trace_split()
FIGURES = make_figures(TRACE)


def find_off(phase):
    """Return the most rows that a label, and a size, is off after a phase."""
    deviation = np.abs(find_deviations(TRACE.y, TRACE.last(phase).part_of_row))
    return deviation[:-1].max(), deviation[-1].max()


@pytest.mark.parametrize("path", FIGURES, ids=lambda path: path.stem)
def test_the_figure_of_a_phase_is_that_of_its_script(path):
    """`python -m benchmarks.phases` would change nothing, and the page shows it."""
    assert (ROOT / path).read_text(encoding="utf-8") == FIGURES[path]
    assert f"(../figures/{path.name})" in PAGE


def test_the_phases_come_in_the_order_of_the_page():
    """Start, sizes, moves, swaps."""
    phases = list(dict.fromkeys(step.phase for step in TRACE.steps))
    assert phases == ["start", "sizes", "moves", "swaps"]
    shown = re.findall(r"figures/even_(\w+)\.svg", PAGE)
    assert shown == phases


def test_what_the_page_says_of_the_figures_holds():
    """The rows that labels and sizes are off, and when the bound is reached."""
    text = " ".join(PAGE.split())
    off, sizes = find_off("start")
    assert f"up to {off:.0f} rows off, sizes up to {sizes:.0f}" in text
    off, sizes = find_off("sizes")
    assert sizes == 0
    assert f"up to {off:.0f} rows off]" in text
    off, sizes = find_off("moves")
    assert sizes == 0
    assert f"at most {off:.1f} rows off]" in text
    assert find_off("swaps")[0] < 1
    at_bound = [step.rld <= TRACE.bound * (1 + 1e-9) for step in TRACE.steps]
    swaps = [
        even for even, step in zip(at_bound, TRACE.steps, strict=True) if step.phase == "swaps"
    ]
    assert swaps.index(True) + 1 == 15
    assert all(swaps[14:])
    assert "the labels reach the bound after fifteen sweeps" in text


def test_the_swaps_keep_the_sizes():
    """After each of them, all folds have the same size."""
    for step in TRACE.steps:
        if step.phase == "swaps":
            assert len(set(np.bincount(step.part_of_row, minlength=N_FOLDS))) == 1
