"""evenfold splits multi-label data evenly, and says how close that is to the best possible."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from . import datasets, exceptions, labels, learn, methods, metrics, model_selection, plots
    from .evaluation import Estimate, Evaluation, evaluate
    from .quality import Bound, Quality, measure
    from .splits.compare_methods import compare
    from .splits.comparison import Comparison, Outcome
    from .splits.make_split import extend, sample, split
    from .splits.split import Split, load_split

__all__ = [
    "Bound",
    "Comparison",
    "Estimate",
    "Evaluation",
    "Outcome",
    "Quality",
    "Split",
    "__version__",
    "compare",
    "datasets",
    "evaluate",
    "exceptions",
    "extend",
    "labels",
    "learn",
    "load_split",
    "measure",
    "methods",
    "metrics",
    "model_selection",
    "plots",
    "sample",
    "split",
]

# Imported when first asked for: the door itself loads neither NumPy nor anything else that takes time.
_HOME_OF_NAME = {
    "Bound": "evenfold.quality",
    "Comparison": "evenfold.splits.comparison",
    "Outcome": "evenfold.splits.comparison",
    "compare": "evenfold.splits.compare_methods",
    "Estimate": "evenfold.evaluation",
    "Evaluation": "evenfold.evaluation",
    "evaluate": "evenfold.evaluation",
    "Quality": "evenfold.quality",
    "Split": "evenfold.splits.split",
    "extend": "evenfold.splits.make_split",
    "load_split": "evenfold.splits.split",
    "measure": "evenfold.quality",
    "sample": "evenfold.splits.make_split",
    "split": "evenfold.splits.make_split",
}
_MODULES = {
    "datasets",
    "exceptions",
    "labels",
    "learn",
    "methods",
    "metrics",
    "model_selection",
    "plots",
}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return importlib.import_module(f"evenfold.{name}")
    if name in _HOME_OF_NAME:
        value = getattr(importlib.import_module(_HOME_OF_NAME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'evenfold' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
