"""Metrics of multi-label predictions, in scikit-learn's argument order.

Metrics take dense and sparse matrices and return floats, NaN where a value is undefined.
"""

from . import names
from .names import *  # noqa: F403 - names.py lists the metrics, so that a new one is added there

__all__ = names.__all__
