"""evaluate(): what learners score on the folds of several methods."""

from .running import evaluate

__all__ = ["evaluate"]
