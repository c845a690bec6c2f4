"""Notes of evaluations: what has no value and why, and what then may be taken."""

import numpy as np
from sklearn.linear_model import RidgeClassifier

import evenfold

from .counting import KNN, Counting, X, Y

ARGUMENTS = {"parts": 3, "methods": ["random"], "repeats": 2}
NO_MEAN = "A mean over folds needs a value on every fold, the pooled value does not."


def test_what_a_learner_lacks_is_said_once():
    """Metrics that need it are not counted as undefined."""
    metrics = ["hamming_loss", "ranking_loss", "mean_average_precision", "log_loss"]
    learners = {"labels": Counting(), "decisions": RidgeClassifier(), "all": KNN}
    result = evenfold.evaluate(learners, X, Y, **ARGUMENTS, metrics=metrics)
    assert result.notes() == [
        "labels, random: no ranking_loss, mean_average_precision, because the learner has no "
        "scores.",
        "labels, random: no log_loss, because the learner has no probabilities.",
        "decisions, random: no log_loss, because the learner has no probabilities.",
    ]
    assert result["decisions", "random"].lacking == {"log_loss": "probabilities"}


def test_folds_and_holdouts_without_a_value_are_counted():
    """The pooled value of a rare label is there."""
    rare = np.column_stack((Y, np.arange(90) == 4))
    result = evenfold.evaluate(
        {"knn": KNN}, X, rare, **ARGUMENTS, holdout=0.2, metrics=["f1_macro", "hamming_loss"]
    )
    [estimate] = result.estimates
    assert estimate.pooled("f1_macro") > 0
    assert result.notes() == [
        "knn, random: no f1_macro on 4 of 6 folds.",
        "knn, random: no f1_macro on 2 of 2 holdouts.",
        NO_MEAN,
    ]


def test_a_label_without_rows_has_no_pooled_value_either():
    """The note names the argument that leaves it out."""
    empty = np.column_stack((Y, np.zeros(90, int)))
    arguments = {**ARGUMENTS, "metrics": ["mean_average_precision"]}
    result = evenfold.evaluate({"knn": KNN}, X, empty, **arguments)
    assert np.isnan(result.estimates[0].pooled("mean_average_precision"))
    assert result.notes() == [
        "knn, random: no mean_average_precision on 6 of 6 folds.",
        "A metric of all test rows has no value if a label is in none of them. The argument "
        "'undefined' says what then counts; \"skip\" leaves such labels out.",
    ]
    skipped = evenfold.evaluate({"knn": KNN}, X, empty, **arguments, undefined="skip")
    assert skipped.notes() == []
    assert skipped.estimates[0].pooled("mean_average_precision") > 0


def test_balanced_columns_are_named():
    """Only the first ones of many."""
    balance = {f"column {at}": X[:, at % 4] for at in range(10)}
    result = evenfold.evaluate({"knn": KNN}, X, Y, **ARGUMENTS, balance=balance)
    [line] = result.notes()
    assert line.startswith("Balanced besides labels: column 0, column 1, ")
    assert line.endswith("column 7, ….")


def test_macro_auc_is_better_as_the_mean_over_folds():
    """The line is there if there is a mean, and not for one test part."""
    arguments = {"methods": ["random"], "repeats": 1, "metrics": ["roc_auc_macro"]}
    line = (
        "roc_auc_macro: report the mean over folds, which is closer to the truth than the pooled "
        "value."
    )
    assert evenfold.evaluate({"knn": KNN}, X, Y, 3, **arguments).notes() == [line]
    assert evenfold.evaluate({"knn": KNN}, X, Y, [0.7, 0.3], **arguments).notes() == []
    rare = np.column_stack((Y, np.arange(90) == 4))
    assert line not in evenfold.evaluate({"knn": KNN}, X, rare, 3, **arguments).notes()


def test_estimates_and_predictions_are_shown_in_one_line():
    """With their pooled values, not their arrays."""
    arguments = {**ARGUMENTS, "metrics": ["hamming_loss", "coverage"]}
    result = evenfold.evaluate({"knn": KNN}, X, Y, **arguments, keep_predictions=True)
    [estimate] = result.estimates
    hamming, coverage = (estimate.pooled(metric) for metric in result.metrics)
    assert repr(estimate) == (
        f"<Estimate of knn on random: hamming_loss {hamming:.4g}, coverage {coverage:.4g}>"
    )
    assert (
        repr(list(estimate.predictions)) == "[<Prediction for 90 rows>, <Prediction for 90 rows>]"
    )
