"""`python -m evenfold.quality.reference`: all measures as one page, docs/reference/measures.md."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from . import formulas
from .measure_record import Measure
from .measures import MEASURES

_WIDTH = 100
_INTRODUCTION = """\
# Measures

Made from the registry of measures by `make reference`. Smaller is better for all of them.
`evenfold.measure` computes them for any split; `quality.rld` is the value of rLD, and
`quality.bound.rld` a value that no split can be below.

$n$ rows are cut into $k$ parts; part $j$ has $n_j$ rows and should have the share $r_j$ of them.
$q$ labels have rows: label $i$ has $m_i$ of them, $m_{ij}$ of which are in part $j$. Labels without
rows are left out of everything.
"""
_EXCESS = f"""
## excess

`quality.excess`: rLD over its bound, minus 1. 0 means that no split can be more even. If the bound
is 0, the excess is 0 if rLD is 0 too, and infinite otherwise.

$$
{formulas.EXCESS}
$$
"""
_BOUNDS = """
## Bounds

The bounds of LD and rLD are the best whole-number spread of each label for the sizes that the parts
have. The bounds of ED and DCP are for the wanted shares, those of FZ and FLZ for the number of
parts. With groups, the bounds also consider the largest group of a label.

These bounds consider each label alone. `quality.tight_bound` has higher ones: they consider that a
row is in one part with all its labels, and every group. They take up to some seconds. Reports show
them, and so do `evenfold.measure(..., bound="tight")` and `evenfold check --bound tight`.
[Methods](../methods.md#bounds) says how they are found.

## Rules for special cases

- A label that every row holds has no odds, so LD leaves it out. Where all rows of a part hold a
  label, its share of the rows is read as $(n_j - 1) / n_j$.
- Where a label is unknown in some rows (NaN), $n$ and $n_j$ count the rows in which it is known.
- A part without labels has no divergence, so KL leaves it out. Reports also have the divergence in
  the other direction, which is infinite where a part lacks a label.
- With `balance` and without labels, the residual is that of the amounts: $m_{ij}$ is then the total
  of amount $i$ in part $j$.
- In tables, labels are also shown by their number of rows, so that labels too rare to be divided do
  not hide the others.
"""
_TAKEN_AS_LABELS = {
    "pairs": "$i$ stands for a pair of labels that some row holds.",
    "labelsets": "$i$ stands for all labels of a row together.",
}


def make_reference() -> str:
    """Return the page as Markdown."""
    sections = [_INTRODUCTION, _list_measures()]
    sections += [f"\n{_describe(measure)}" for measure in MEASURES]
    return "".join([*sections, _EXCESS, _BOUNDS])


def _list_measures() -> str:
    rows = [f"| `{own.name}` | {own.title} | {own.meaning} |\n" for own in MEASURES]
    return "".join(["\n| attribute | title | meaning |\n", "|---|---|---|\n", *rows])


def _describe(measure: Measure[Any]) -> str:
    title = measure.title
    # "residual: largest" and the like say less than the title alone.
    heading = title if len(measure.subtitle.split()) < 2 else f"{title}: {measure.subtitle}"
    sentences = [f"`quality.{measure.name}`: {measure.meaning}.", *_state_facts(measure)]
    text = textwrap.fill(" ".join(sentences), _WIDTH, break_on_hyphens=False)
    return f"## {heading}\n\n{text}\n\n$$\n{measure.formula}\n$$\n"


def _state_facts(measure: Measure[Any]) -> Iterator[str]:
    """Yield one sentence for each fact of the registry that a reader needs."""
    if measure.level in _TAKEN_AS_LABELS:
        yield _TAKEN_AS_LABELS[measure.level]
    if measure.is_own_of_label:
        yield f"`quality.per_label.{measure.name}` has the value of each label."
    if measure.bound is None:
        yield "There is no bound."
    elif measure.max_parts_for_bound is not None:
        yield f"The bound is computed for at most {measure.max_parts_for_bound} parts."
    if measure.has_tight_bound:
        yield "There is also a tight bound."


if __name__ == "__main__":
    print(make_reference(), end="")  # noqa: T201 - the page is what this module prints
