"""Wrong arguments of the functions that make data."""

import re

import numpy as np
import pytest

from evenfold import datasets
from evenfold.exceptions import InputError, InputTypeError


@pytest.mark.parametrize(
    ("maker", "wrong", "message"),
    [
        (
            "movies",
            {"n_movies": -1},
            "'n_movies' must be 1 or more, got -1. Ask for at least one movie.",
        ),
        (
            "exponential",
            {"n_rows": 0},
            "'n_rows' must be 1 or more, got 0. Ask for at least one row.",
        ),
        (
            "exponential",
            {"n_labels": -2},
            "'n_labels' must be 1 or more, got -2. Ask for at least one label.",
        ),
        (
            "exponential",
            {"n_labels": 5, "most_labels": 6},
            "'most_labels' must be from 1 to 5, got 6. "
            "The labels of a row are distinct: ask for fewer, or raise 'n_labels'.",
        ),
        ("zipf", {"n_rows": -1}, "'n_rows' must be 1 or more, got -1. Ask for at least one row."),
        (
            "zipf",
            {"n_labels": 0},
            "'n_labels' must be 1 or more, got 0. Ask for at least one label.",
        ),
        (
            "zipf",
            {"labels_per_row": 1001},
            "'labels_per_row' must be from 1 to 1,000, got 1,001. "
            "The labels of a row are distinct: ask for fewer, or raise 'n_labels'.",
        ),
        (
            "zipf",
            {"exponent": -1},
            "'exponent' must be 0 or more and finite, got -1. Zipf's own law has 1.",
        ),
        (
            "zipf",
            {"exponent": float("nan")},
            "'exponent' must be 0 or more and finite, got nan. Zipf's own law has 1.",
        ),
        (
            "zipf",
            {"exponent": float("inf")},
            "'exponent' must be 0 or more and finite, got inf. Zipf's own law has 1.",
        ),
        ("ontology", {"n_rows": 0}, "'n_rows' must be 1 or more, got 0. Ask for at least one row."),
        (
            "ontology",
            {"n_labels": 0},
            "'n_labels' must be 1 or more, got 0. Ask for at least one label.",
        ),
        (
            "ontology",
            {"n_labels": 2},
            "'most_specific' must be from 1 to 2, got 3. "
            "The labels of a row are distinct: ask for fewer, or raise 'n_labels'.",
        ),
        (
            "ontology",
            {"second_parents": 1.5},
            "'second_parents' must be 0 or more and at most 1, got 1.5. "
            "It is a share of the labels; 0 makes a tree.",
        ),
        ("patients", {"n_rows": 0}, "'n_rows' must be 1 or more, got 0. Ask for at least one row."),
        (
            "patients",
            {"n_rows": 10, "n_groups": 11},
            "'n_groups' must be from 1 to 10, got 11. "
            "Every patient has a row: ask for fewer, or raise 'n_rows'.",
        ),
        (
            "patients",
            {"n_labels": 0},
            "'n_labels' must be 1 or more, got 0. Ask for at least one label.",
        ),
        (
            "measure_experiment",
            {"kind": "missing"},
            "'kind' must be one of equal, difference, one missing, got 'missing'. "
            "Did you mean 'one missing'?",
        ),
        (
            "weights",
            {"n_columns": 0},
            "'n_columns' must be 1 or more, got 0. Ask for at least one unit.",
        ),
        (
            "weights",
            {"n_criteria": 0},
            "'n_criteria' must be 1 or more, got 0. The number of units alone is one criterion.",
        ),
    ],
)
def test_wrong_values_are_refused(maker, wrong, message):
    """The message names the parameter, the rule, the value and what to do."""
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        getattr(datasets, f"make_{maker}")(**wrong)


@pytest.mark.parametrize(
    ("maker", "wrong", "message"),
    [
        (
            "movies",
            {"n_movies": 2.5},
            "'n_movies' must be a whole number, got 2.5. Ask for at least one movie.",
        ),
        (
            "exponential",
            {"n_rows": "10"},
            "'n_rows' must be a whole number, got '10'. Ask for at least one row.",
        ),
        (
            "patients",
            {"n_groups": True},
            "'n_groups' must be a whole number, got True. "
            "Every patient has a row: ask for fewer, or raise 'n_rows'.",
        ),
        (
            "measure_experiment",
            {"kind": 1},
            "'kind' must be one of equal, difference, one missing, got 1. Try kind='difference'.",
        ),
        ("zipf", {"exponent": "1"}, "'exponent' must be a number, got '1'. Zipf's own law has 1."),
    ],
)
def test_wrong_types_are_refused(maker, wrong, message):
    """A value that is not a number, or not a whole number, is a TypeError."""
    with pytest.raises(InputTypeError, match=f"^{re.escape(message)}$"):
        getattr(datasets, f"make_{maker}")(**wrong)


def test_numbers_of_numpy_are_taken():
    """Whole numbers and floats of NumPy are numbers too."""
    assert datasets.make_zipf(np.int64(10), np.int32(5), np.int8(2), np.float32(1)).shape == (10, 5)
