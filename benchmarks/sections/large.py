"""Many rows: times beside SciPy's `tocsc()`, and the time of one label."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ..tables import RecordTable
from .settings import PARTS, Parts, Settings, run_splits, warm_up

SETS = ("go_sp2014_mf",)
ORDERS: dict[str, dict[str, object]] = {"order=1": {"order": 1}, "default": {}}
GOALS = {"order=1": 14, "default": 22}
FORMATS = {"data": "", "parts": "", "order": "", "ms": ".1f", "times tocsc()": ".1f", "goal": ""}


def measure_large(settings: Settings) -> list[dict[str, object]]:
    """Measure the times of a large set and of one label."""
    warm_up()
    table = RecordTable("Many rows: processor time", FORMATS)
    for name, y in settings.read_sets(SETS):
        for shown, parts in PARTS.items():
            seconds = time_orders(y, parts, settings)
            for order in ORDERS:
                table.add(
                    {
                        "data": name,
                        "parts": shown,
                        "order": order,
                        "ms": 1000 * seconds[order],
                        "times tocsc()": seconds[order] / seconds["tocsc"],
                        "goal": f"≤ {GOALS[order]} times tocsc()",
                    }
                )
    for shown, parts in PARTS.items():
        y = (np.random.default_rng(0).random((50_000, 1)) < 0.3).astype(np.int8)
        seconds = time_orders(sparse.csr_array(y), parts, settings)
        for order in ORDERS:
            table.add(
                {
                    "data": "one label, 50,000 rows",
                    "parts": shown,
                    "order": order,
                    "ms": 1000 * seconds[order],
                    "goal": "≤ 50 ms",
                }
            )
    return table.records


def time_orders(y: sparse.csr_array, parts: Parts, settings: Settings) -> dict[str, float]:
    """Return the seconds of `tocsc()` and of a split of each order."""
    runs = run_splits(y, parts, ORDERS, settings, {"tocsc": lambda _: y.tocsc()})
    return {title: run.seconds for title, run in runs.items()}
