"""How close `even` with `order=1` comes to the bound, for each effort."""

from __future__ import annotations

import numpy as np
from scipy import sparse

import evenfold

from .sections.settings import PARTS, Parts, Settings
from .tables import RecordTable

# The number of parts of the sets whose labels compete, or are many.
FIVE_FOLDS = ("bibtex", "delicious", "wiki10_31k", "go_sp2014_mf")
TEN_FOLDS = ("scene", "emotions", "yeast", "genbase", "medical", "enron", "corel5k", "tmc2007")
# The effort of each column, and the number of seeds.
EFFORTS = {"fast": 3, "normal": 3, "best": 1}
FORMATS = {
    "data": "",
    "parts": "",
    **{f"{effort} excess %": ".2f" for effort in EFFORTS},
    "FLZ above bound": "",
    "ED above bound": ".2f",
}


def measure_efforts(settings: Settings) -> list[dict[str, object]]:
    """Return a record for each set in equal parts, and in 80/10/10."""
    table = RecordTable("even, order 1: rLD above its bound, mean of 3 seeds; best: 1", FORMATS)
    cases = [
        *((name, "10 folds") for name in TEN_FOLDS),
        *((name, "5 folds") for name in FIVE_FOLDS),
        *((name, "80/10/10") for name in (*TEN_FOLDS, *FIVE_FOLDS)),
    ]
    for name, shown in cases:
        for _, y in settings.read_sets([name]):
            table.add({"data": name, "parts": shown, **measure_excess(y, PARTS[shown])})
    return table.records


def measure_excess(y: sparse.csr_array, parts: Parts) -> dict[str, object]:
    """Return the measures of one set."""
    found = {
        effort: [
            evenfold.split(y, parts, order=1, effort=effort, random_state=seed).quality
            for seed in range(n_seeds)
        ]
        for effort, n_seeds in EFFORTS.items()
    }
    return {
        **{
            f"{effort} excess %": float(100 * np.mean([quality.excess for quality in own]))
            for effort, own in found.items()
        },
        "FLZ above bound": max(own.flz - own.bound.flz for own in found["normal"]),
        "ED above bound": max(abs(own.ed - own.bound.ed) for own in found["normal"]),
    }
