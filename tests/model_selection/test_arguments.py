"""Wrong arguments of splitters and of the functions that split arrays."""

import numpy as np
import pytest

from evenfold.exceptions import ImpossibleSplit, InputError, InputTypeError

from .rows import (
    GroupKFold,
    KFold,
    Repeated,
    ShuffleSplit,
    both_functions,
    make_data,
    make_y,
    train_val_test_split,
)


@pytest.mark.parametrize(
    ("make", "settings", "error", "message"),
    [
        (
            KFold,
            {"n_splits": 1},
            InputError,
            r"'n_splits' must be 2 or more, got 1\. Try n_splits=5",
        ),
        (
            KFold,
            {"n_splits": 2.5},
            InputTypeError,
            r"'n_splits' must be a whole number, got 2\.5\. Try n_splits=5",
        ),
        (
            GroupKFold,
            {"n_splits": True},
            InputTypeError,
            "'n_splits' must be a whole number, got True",
        ),
        (Repeated, {"n_repeats": 0}, InputError, "'n_repeats' must be 1 or more, got 0"),
        (ShuffleSplit, {"n_splits": 0}, InputError, "'n_splits' must be 1 or more, got 0"),
        (
            KFold,
            {"shuffle": 1},
            InputTypeError,
            r"'shuffle' must be True or False, got 1\. Pass shuffle=True",
        ),
        (
            KFold,
            {"random_state": 7},
            InputError,
            r"'random_state' must be left out with shuffle=False, got 7\. Add shuffle=True",
        ),
        (
            GroupKFold,
            {"random_state": 0},
            InputError,
            "'random_state' must be left out with shuffle=False, got 0",
        ),
    ],
)
def test_wrong_parameters_of_splitters_are_refused(make, settings, error, message):
    """They are refused when the splitter is made, not when it splits."""
    with pytest.raises(error, match=message):
        make(**settings)


@pytest.mark.parametrize(
    ("cv", "data", "error", "message"),
    [
        (
            KFold(41),
            {},
            InputError,
            r"'n_splits' must be at most the number of rows, got 41 for 40 rows\. Ask for fewer",
        ),
        (
            GroupKFold(3),
            {},
            InputError,
            r"'groups' must be given, got None\. Pass one group per row, or use Multilabel",
        ),
        (GroupKFold(3), {"groups": [0, 1] * 20}, ImpossibleSplit, r"number of groups \(2\), got 3"),
        (
            GroupKFold(3),
            {"groups": [*range(20), *[20] * 20]},
            ImpossibleSplit,
            "'groups' puts 20 of 40 rows into one group",
        ),
        (
            KFold(3),
            {"X": np.zeros(39)},
            InputError,
            r"'X' and 'y' must have the same number of rows, got 39 and 40\. Check",
        ),
        (
            ShuffleSplit(3),
            {"X": [0] * 39},
            InputError,
            r"'X' and 'y' must have the same number of rows, got 39 and 40\. Check",
        ),
        (
            KFold(3, method="evn"),
            {},
            InputError,
            r"'method' must be one of .*, got 'evn'\. Did you mean 'even'\?",
        ),
        (
            KFold(3, shuffle=True, random_state=-1),
            {},
            InputError,
            "'random_state' must be 0 or more, got -1",
        ),
        (
            ShuffleSplit(test_size="half"),
            {},
            InputTypeError,
            "'test_size' must be a fraction or a number of rows, got 'half', a str",
        ),
        (
            ShuffleSplit(train_size=40),
            {},
            InputError,
            "'train_size' must be between 1 and 39 rows, got 40",
        ),
    ],
)
def test_data_that_does_not_fit_a_splitter_is_refused(cv, data, error, message):
    """The message has the value and the rows or groups there are."""
    with pytest.raises(error, match=message):
        next(cv.split(**{"X": None, "y": make_y(40), **data}))


@both_functions
@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        (
            {"test_size": True},
            InputTypeError,
            r"'test_size' must be a fraction or a number of rows, got True, a bool\. "
            r"Try test_size=0\.2",
        ),
        (
            {"test_size": 0},
            InputError,
            r"'test_size' must be between 1 and 39 rows, got 0\. Ask for another size",
        ),
        (
            {"test_size": 1.0},
            InputError,
            r"'test_size' must be a fraction between 0 and 1, or a whole number of rows, "
            r"got 1\.0\. Try test_size=0\.2",
        ),
        (
            {"train_size": -0.5},
            InputError,
            r"'train_size' must be a fraction between 0 and 1, .* got -0\.5",
        ),
        (
            {"train_size": 0.6, "test_size": 0.5},
            InputError,
            r"train_size=0\.6, .*test_size=0\.5 must leave every part a row, got 40 rows to share",
        ),
        (
            {"train_size": 0.01, "test_size": 5},
            InputError,
            r"train_size=0\.01, .*test_size=5 must leave every part a row, got 40 rows to share",
        ),
        (
            {"test_size": 0.99},
            InputError,
            r"test_size=0\.99 must leave every part a row, got 40 rows to share\. "
            "Ask for other sizes",
        ),
    ],
)
def test_wrong_sizes_are_refused(function, settings, error, message):
    """The message is the same for both functions."""
    with pytest.raises(error, match=message):
        function(make_y(40), **settings)


@pytest.mark.parametrize(
    "settings",
    [{"test_size": 0.1}, {"test_size": None}, {"test_size": None, "train_size": 0.7}],
    ids=str,
)
def test_two_sizes_of_none_are_refused(settings):
    """Two parts cannot both be what the third leaves; the message names them."""
    with pytest.raises(
        InputError, match=r"'(val|test)_size' must be given, got None: .*val_size.* cannot both be"
    ):
        train_val_test_split(make_y(100), val_size=None, **settings)


@both_functions
def test_arrays_that_do_not_fit_are_refused(function):
    """There must be arrays of one length with more than one row, and the last one has labels."""
    features, y, _ = make_data(40)
    with pytest.raises(
        InputError,
        match=r"at least one array must be given to split\. Pass the features and the labels",
    ):
        function()
    with pytest.raises(
        InputError, match=r"test_size=0\.[12]5 must leave every part a row, got 1 rows to share"
    ):
        function([["a"]])
    with pytest.raises(InputError, match="must have the same number of rows, got 39 and 40"):
        function(features[:39], y)
    with pytest.raises(
        InputError,
        match=r"must have the same number of rows, got 40 and 39\. "
        r"Check that both come from the same data\.$",
    ):
        function(features, stratify=y[:39])
    with pytest.raises(ValueError, match=r"must have the same number of rows, got 39 and 40"):
        function(features, features[:39], y)
    with pytest.raises(
        InputError,
        match=r"values other than 0, 1 and NaN.* values of the last array; "
        "pass the labels as 'stratify'",
    ):
        function(y, features)
    with pytest.raises(InputError, match=r"values other than 0, 1 and NaN(?!.*last array)"):
        function(y, stratify=features)
