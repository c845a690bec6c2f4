"""Evaluation: learners fitted and scored on the folds of several methods."""

from .estimates import Estimate
from .evaluate_learners import evaluate
from .results import Evaluation, average_ranks

__all__ = ["Estimate", "Evaluation", "average_ranks", "evaluate"]
