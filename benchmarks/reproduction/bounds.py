"""The integer bounds of the real sets, beside the figures they are known by."""

from __future__ import annotations

from pathlib import Path

from .markdown import show, to_page, to_table
from .runs import TITLE_OF_MEASURE, Workbench

KNOWN = {
    ("bibtex", 5, "rld"): 0.02114,
    ("bibtex", 5, "dcp"): 0.00535,
    ("delicious", 5, "rld"): 0.01802,
    ("delicious", 5, "dcp"): 0.00436,
    ("wiki10_31k", 5, "rld"): 0.70257,
    ("wiki10_31k", 5, "dcp"): 0.16203,
    ("wiki10_31k", 5, "flz"): 50_982,
    ("genbase", 10, "flz"): 73,
    ("medical", 10, "flz"): 173,
    ("enron", 10, "flz"): 47,
    ("corel5k", 10, "flz"): 786,
}


def write(bench: Workbench, _: Path) -> str:
    """Return the section."""
    rows = []
    for (name, n_folds, measure), known in KNOWN.items():
        if bench.at_hand([name]):
            digits = 0 if measure == "flz" else 5
            bound = bench.run(name, n_folds, "random", 1).bound(measure)
            rows.append(
                [name, n_folds, TITLE_OF_MEASURE[measure], show(known, digits), show(bound, digits)]
            )
    return to_page(
        "## Bounds",
        "A label of m rows cannot be spread over k parts better than whole numbers allow: one of two rows is missing from three folds of "
        "five. The bounds of all labels together bound the measure. *Worked out*: by a separate script, from the label counts alone; "
        "*evenfold*: `quality.bound`.",
        to_table(["data", "folds", "measure", "worked out", "evenfold"], rows, n_text_columns=3),
    )
