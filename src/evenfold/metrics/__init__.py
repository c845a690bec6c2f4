"""Metrics of multi-label predictions, in scikit-learn's argument order: floats, on dense and sparse matrices, NaN where a value is undefined."""

from .curves import PrecisionRecall, plot_pr_curve, precision_recall_curve
from .losses import hamming_loss, log_loss, subset_accuracy, zero_one_loss
from .names import METRICS, Metric, count_undefined
from .overlaps import f1_score, fbeta_score, jaccard_score, precision_score, recall_score
from .ranked_lists import average_precision_score, mean_average_precision, roc_auc_score
from .rankings import coverage, label_ranking_average_precision_score, one_error, ranking_loss

__all__ = [
    "METRICS",
    "Metric",
    "PrecisionRecall",
    "average_precision_score",
    "count_undefined",
    "coverage",
    "f1_score",
    "fbeta_score",
    "hamming_loss",
    "jaccard_score",
    "label_ranking_average_precision_score",
    "log_loss",
    "mean_average_precision",
    "one_error",
    "plot_pr_curve",
    "precision_recall_curve",
    "precision_score",
    "ranking_loss",
    "recall_score",
    "roc_auc_score",
    "subset_accuracy",
    "zero_one_loss",
]
