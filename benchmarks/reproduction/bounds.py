"""The bounds of the real data sets, beside values from a separate computation."""

from __future__ import annotations

from pathlib import Path

from .experiments import TITLE_OF_MEASURE, Experiments
from .markdown import format_number, to_page, to_table

EXPECTED = {
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


def write_section(experiments: Experiments, _: Path) -> str:
    """Return the section."""
    rows = []
    for (name, n_folds, measure), expected in EXPECTED.items():
        if experiments.available([name]):
            digits = 0 if measure == "flz" else 5
            bound = experiments.run(name, n_folds, "random", 1).bound(measure)
            rows.append(
                [
                    name,
                    n_folds,
                    TITLE_OF_MEASURE[measure],
                    format_number(expected, digits),
                    format_number(bound, digits),
                ]
            )
    return to_page(
        "## Bounds",
        "The rows of a label can be distributed over the parts only as whole numbers. For "
        "example, a label with two rows is missing from at least three of five folds. The bounds "
        "of all labels together give the bound of the measure. *Separate script*: computed from "
        "the label counts alone. *evenfold*: `quality.bound`.",
        to_table(
            ["data", "folds", "measure", "separate script", "evenfold"], rows, n_text_columns=3
        ),
    )
