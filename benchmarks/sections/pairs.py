"""`order=2`: label pairs over their bound, and time."""

from __future__ import annotations

from ..tables import RecordTable
from .settings import Settings, find_origin, measure_splits, run_splits, warm_up

SETS = ("enron", "bibtex", "scene", "yeast", "made_zipf")
FORMATS = {
    "data": "",
    "": "",
    "rLD": ".4f",
    "excess %": ".2f",
    "pairs excess %": ".2f",
    "labelsets excess %": ".2f",
    "rows off": ".1f",
    "ms": ".1f",
}


def measure_pairs(settings: Settings) -> list[dict[str, object]]:
    """Measure splits into 5 folds that keep label pairs even."""
    warm_up()
    table = RecordTable("Label pairs: order=2, 5 folds", FORMATS)
    for name, y in settings.read_sets(SETS):
        runs = run_splits(y, 5, {"order=2": {"order": 2}}, settings)["order=2"]
        record = measure_splits(y, 5, runs.results, with_pairs=True)
        table.add({"data": name, "": find_origin(name), "ms": 1000 * runs.seconds, **record})
    return table.records
