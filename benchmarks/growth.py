"""Time and memory by size, beside SciPy's `tocsc()`, which reads and writes every entry once."""

from __future__ import annotations

from scipy import sparse

import evenfold
from evenfold.quality import Quality

from .memory import measure_extra_memory
from .sections.settings import Settings
from .tables import RecordTable
from .timing import time_in_turns

N_LABELS = 11_000
# Compiles the kernels, so that a measured split does not.
WARM_UP = "import evenfold\nevenfold.split([['a'], ['b']] * 50_000, 2, order=1)"
FORMATS = {
    "rows": ",",
    "entries": ",",
    "iterative / tocsc": ".1f",
    "even / tocsc": ".1f",
    "even per entry, first = 1": ".2f",
    "rLD even": ".5f",
    "bound": ".5f",
    "extra memory / CSR": ".1f",
}


def measure_growth(_: Settings) -> list[dict[str, object]]:
    """Return a record for each number of rows."""
    table = RecordTable(f"Time by size, 5 folds, order 1, ontology of {N_LABELS:,} labels", FORMATS)
    # Compile before the first measurement.
    evenfold.split(evenfold.datasets.make_zipf(20_000, 100, labels_per_row=10), 5)
    first = None
    for n_rows in (67_500, 135_000, 270_000, 540_000):
        y, _ = evenfold.datasets.make_ontology(n_rows, N_LABELS, most_specific=12)
        seconds = time_methods(y)
        per_entry = seconds["even"] / y.nnz
        first = first or per_entry
        quality: Quality = evenfold.split(y, 5, order=1).quality
        extra, own = measure_extra_memory(y, WARM_UP, "evenfold.split(y, 5, order=1)")
        table.add(
            {
                "rows": n_rows,
                "entries": y.nnz,
                "iterative / tocsc": seconds["iterative"] / seconds["tocsc"],
                "even / tocsc": seconds["even"] / seconds["tocsc"],
                "even per entry, first = 1": per_entry / first,
                "rLD even": quality.rld,
                "bound": quality.bound.rld,
                "extra memory / CSR": extra / own,
            }
        )
    return table.records


def time_methods(y: sparse.csr_array) -> dict[str, float]:
    """Return the seconds of `tocsc()`, of `iterative` and of `even`."""
    return time_in_turns(
        {
            "tocsc": y.tocsc,
            "iterative": lambda: evenfold.split(y, 5, method="iterative"),
            "even": lambda: evenfold.split(y, 5, order=1),
        },
        repeats=3,
    )
