"""evenfold splits multi-label data evenly, and says how close that is to the best possible."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from . import datasets, exceptions, labels, learn, methods, metrics, model_selection, plots
    from .evaluation import Estimate, Evaluation, evaluate
    from .links import Links, link
    from .quality import Bound, Quality, TightBound, measure
    from .splits import (
        Audit,
        Certificate,
        Comparison,
        Outcome,
        Split,
        audit,
        check,
        compare,
        extend,
        load_split,
        sample,
    )
    from .splits.make_split import split

__all__ = [
    "Audit",
    "Bound",
    "Certificate",
    "Comparison",
    "Estimate",
    "Evaluation",
    "Links",
    "Outcome",
    "Quality",
    "Split",
    "TightBound",
    "__version__",
    "audit",
    "check",
    "compare",
    "datasets",
    "evaluate",
    "exceptions",
    "extend",
    "labels",
    "learn",
    "link",
    "load_split",
    "measure",
    "methods",
    "metrics",
    "model_selection",
    "plots",
    "sample",
    "scale",
    "split",
]

# Imported when first used: `import evenfold` alone loads neither NumPy nor anything else that takes
# time.
_HOME_OF_NAME = {
    "Audit": "evenfold.splits",
    "Bound": "evenfold.quality",
    "Certificate": "evenfold.splits",
    "Comparison": "evenfold.splits",
    "Estimate": "evenfold.evaluation",
    "Evaluation": "evenfold.evaluation",
    "Links": "evenfold.links",
    "Outcome": "evenfold.splits",
    "Quality": "evenfold.quality",
    "Split": "evenfold.splits",
    "TightBound": "evenfold.quality",
    "audit": "evenfold.splits",
    "check": "evenfold.splits",
    "compare": "evenfold.splits",
    "evaluate": "evenfold.evaluation",
    "extend": "evenfold.splits",
    "link": "evenfold.links",
    "load_split": "evenfold.splits",
    "measure": "evenfold.quality",
    "sample": "evenfold.splits",
    "split": "evenfold.splits",
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
    "scale",
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
