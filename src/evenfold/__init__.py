"""evenfold splits multi-label data evenly, and says how close that is to the best possible."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from . import datasets, exceptions, labels, learn, methods, metrics, model_selection, plots
    from .comparing import compare
    from .comparison import Comparison, Outcome
    from .evaluating import evaluate
    from .evaluation import Estimate, Evaluation
    from .measures import Bound, Quality, measure
    from .splits import Split, load_split
    from .splitting import extend, sample, split

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
    "Bound": "evenfold.measures",
    "Comparison": "evenfold.comparison",
    "Outcome": "evenfold.comparison",
    "compare": "evenfold.comparing",
    "Estimate": "evenfold.evaluation",
    "Evaluation": "evenfold.evaluation",
    "evaluate": "evenfold.evaluating",
    "Quality": "evenfold.measures",
    "Split": "evenfold.splits",
    "extend": "evenfold.splitting",
    "load_split": "evenfold.splits",
    "measure": "evenfold.measures",
    "sample": "evenfold.splitting",
    "split": "evenfold.splitting",
}
_MODULES = {"datasets", "exceptions", "labels", "learn", "methods", "metrics", "model_selection", "plots"}


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
