"""Tools of scikit-learn that take the splitters."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
import sklearn.model_selection as theirs
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier

from .rows import GroupKFold, KFold, ShuffleSplit, every_seeded, make_data


@every_seeded
def test_cross_validation_takes_the_splitters(make):
    """Scores are those of a loop by hand; groups are passed to the splitter that needs them."""
    features, y, groups = make_data()
    cv, model = make(0), KNeighborsClassifier(3)
    groups = groups if isinstance(cv, GroupKFold) else None
    by_hand = [
        model.fit(features[train], y[train]).score(features[test], y[test])
        for train, test in cv.split(features, y, groups)
    ]
    settings = {"cv": cv, "groups": groups, "error_score": "raise"}
    assert theirs.cross_val_score(model, features, y, **settings).tolist() == by_hand
    assert (
        theirs.cross_validate(model, features, y, scoring=["f1_micro", "accuracy"], **settings)[
            "test_accuracy"
        ].tolist()
        == by_hand
    )
    assert (
        theirs.learning_curve(model, features, y, train_sizes=[0.5, 1.0], **settings)[2][1].tolist()
        == by_hand
    )
    search = theirs.GridSearchCV(model, {"n_neighbors": [3, 1]}, cv=cv, error_score="raise").fit(
        features, y, groups=groups
    )
    assert search.cv_results_["mean_test_score"][0] == pytest.approx(np.mean(by_hand))


def test_cross_val_predict_predicts_every_row():
    """Rows may be arrays or frames, labels may be sparse, and groups are taken."""
    features, y, groups = make_data()
    model, cv = KNeighborsClassifier(3), KFold(4)
    predicted = theirs.cross_val_predict(model, features, y, cv=cv)
    for train, test in cv.split(features, y):
        assert np.array_equal(
            predicted[test], model.fit(features[train], y[train]).predict(features[test])
        )
    for form in (pd.DataFrame, pl.DataFrame):
        assert np.array_equal(
            theirs.cross_val_predict(model, form(features), form(y), cv=cv), predicted
        )
    assert (
        theirs.cross_val_predict(model, features, y, cv=GroupKFold(4), groups=groups).shape
        == y.shape
    )
    assert (
        theirs.cross_val_predict(DummyClassifier(), features, sparse.csr_matrix(y), cv=cv).shape
        == y.shape
    )


def test_grid_search_takes_sparse_labels_and_can_be_nested():
    """A search inside a cross-validation works, each with its own splitter."""
    features, y, _ = make_data()
    settings = {"cv": ShuffleSplit(2, random_state=0), "error_score": "raise"}
    assert (
        theirs.GridSearchCV(DummyClassifier(), {}, **settings)
        .fit(features, sparse.csr_matrix(y))
        .n_splits_
        == 2
    )
    search = theirs.GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, **settings)
    assert np.isfinite(
        theirs.cross_val_score(search, features, y, cv=KFold(3), error_score="raise")
    ).all()


@pytest.mark.parametrize(
    "make",
    [
        lambda n_splits: GroupKFold(n_splits, method="iterative"),
        lambda n_splits: ShuffleSplit(n_splits, random_state=0, method="iterative"),
    ],
    ids=["GroupKFold", "ShuffleSplit"],
)
def test_groups_are_routed_as_metadata(make):
    """Scores are those without routing, also in a nested search."""
    features, y, groups = make_data()
    model, settings = KNeighborsClassifier(3), {"cv": make(4), "error_score": "raise"}
    unrouted = theirs.cross_val_score(model, features, y, groups=groups, **settings).tolist()
    with sklearn.config_context(enable_metadata_routing=True):
        routed = {"params": {"groups": groups}, **settings}
        assert theirs.cross_val_score(model, features, y, **routed).tolist() == unrouted
        assert (
            theirs.cross_validate(model, features, y, **routed)["test_score"].tolist() == unrouted
        )
        assert (
            theirs.learning_curve(model, features, y, train_sizes=[0.5, 1.0], **routed)[2][
                1
            ].tolist()
            == unrouted
        )
        search = theirs.GridSearchCV(
            model, {"n_neighbors": [1, 3]}, cv=make(2), error_score="raise"
        )
        assert search.fit(features, y, groups=groups).n_splits_ == 2
        assert len(theirs.cross_val_score(search, features, y, **routed)) == 4
        predicted = theirs.cross_val_predict(
            model, features, y, cv=GroupKFold(4), params={"groups": groups}
        )
    assert np.array_equal(
        predicted, theirs.cross_val_predict(model, features, y, cv=GroupKFold(4), groups=groups)
    )
