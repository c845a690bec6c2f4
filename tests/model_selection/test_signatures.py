"""Signatures of the splitters, which are those of the tools they replace."""

import inspect

import numpy as np
import pytest
import sklearn.model_selection as theirs

import evenfold.model_selection as ours

from .rows import GroupKFold, KFold, Repeated, ShuffleSplit, make_y, train_test_split

PEERS = [
    (KFold, theirs.StratifiedKFold),
    (GroupKFold, theirs.StratifiedGroupKFold),
    (Repeated, theirs.RepeatedStratifiedKFold),
    (ShuffleSplit, theirs.StratifiedShuffleSplit),
    (ours.StratifiedKFold, theirs.StratifiedKFold),
    (ours.StratifiedGroupKFold, theirs.StratifiedGroupKFold),
    (ours.RepeatedStratifiedKFold, theirs.RepeatedStratifiedKFold),
    (ours.StratifiedShuffleSplit, theirs.StratifiedShuffleSplit),
    (train_test_split, theirs.train_test_split),
    (KFold.split, theirs.StratifiedKFold.split),
]


@pytest.mark.parametrize(("own", "peer"), PEERS, ids=lambda named: named.__qualname__)
def test_signatures_take_every_call_that_scikit_learn_takes(own, peer):
    """Names, order and defaults are the same; added parameters are keyword-only."""
    own, peer = inspect.signature(own).parameters, inspect.signature(peer).parameters
    assert [name for name in own if name in peer] == list(peer)
    for name in own:
        if name not in peer:
            assert own[name].kind == inspect.Parameter.KEYWORD_ONLY
        else:
            assert peer[name].default in (inspect.Parameter.empty, own[name].default)
            assert own[name].kind in (peer[name].kind, inspect.Parameter.POSITIONAL_OR_KEYWORD), (
                name
            )


def test_signatures_take_every_call_that_iterative_stratification_takes():
    """These are the first argument by position, the test size "default", and the defaults."""
    assert KFold(3, shuffle=True, random_state=0).get_n_splits(None, None, None) == 3
    assert Repeated(3, n_repeats=2, random_state=0).get_n_splits() == 6
    cv = ShuffleSplit(3, test_size="default", train_size=None, random_state=0)
    assert [(len(train), len(test)) for train, test in cv.split(np.zeros(50), make_y(50))] == [
        (45, 5)
    ] * cv.get_n_splits()
    assert [cv().get_n_splits() for cv in (KFold, GroupKFold, Repeated, ShuffleSplit)] == [
        5,
        5,
        50,
        10,
    ]


def test_repr_shows_every_parameter():
    """It has the form of scikit-learn, which breaks long ones into lines."""
    shown = [
        " ".join(repr(cv).split())
        for cv in (
            KFold(3),
            GroupKFold(),
            Repeated(),
            ShuffleSplit(test_size=0.2, method="labelset"),
            ours.StratifiedKFold(target="numbers"),
        )
    ]
    assert shown == [
        "MultilabelStratifiedKFold(method='even', n_splits=3, random_state=None, shuffle=False)",
        "MultilabelStratifiedGroupKFold(method='even', n_splits=5, random_state=None, "
        "shuffle=False, size_tolerance=None)",
        "RepeatedMultilabelStratifiedKFold(method='even', n_repeats=10, n_splits=5, "
        "random_state=None)",
        "MultilabelStratifiedShuffleSplit(method='labelset', n_splits=10, random_state=None, "
        "test_size=0.2, train_size=None)",
        "StratifiedKFold(method='even', n_splits=5, random_state=None, shuffle=False, "
        "target='numbers')",
    ]
