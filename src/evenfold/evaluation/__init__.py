"""Evaluation: learners trained and scored on the folds of several methods."""

from .evaluate_learners import evaluate
from .results import Estimate, Evaluation, average_ranks

__all__ = ["Estimate", "Evaluation", "average_ranks", "evaluate"]
