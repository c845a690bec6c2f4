"""Bytes of memory and budgets of label entries are read from numbers and text."""

import numpy as np
import pytest

from evenfold.exceptions import InputError
from evenfold.scale.limits import check_budget, check_memory, choose_budget, fits_in_memory


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (0, 0),
        (np.int64(7), 7),
        ("4GB", 4 * 10**9),
        ("1.5 gb", 1_500_000_000),
        ("512MiB", 512 * 2**20),
        (".5k", 500),
        ("2T", 2 * 10**12),
        ("100", 100),
        ("100B", 100),
    ],
)
def test_memory_is_a_number_of_bytes(given, expected):
    """Units are decimal, or binary with an i."""
    assert check_memory(given) == expected


@pytest.mark.parametrize("given", [-1, 1.5, "GB", "4 apples", "", None, True, "1e3"])
def test_other_memory_is_refused(given):
    """The error shows the value."""
    with pytest.raises(InputError, match="'memory' must be a number of bytes, got"):
        check_memory(given)


@pytest.mark.parametrize(
    ("given", "n_gathered"),
    [
        (0, 0),
        (1, 1),
        ("1", 1),
        (1.0, 5000),
        ("1.0", 5000),
        ("100%", 5000),
        (0.05, 250),
        ("5%", 250),
        ("0.05", 250),
        (".05", 250),
        (300, 300),
        ("1,000", 1000),
        (np.float64(0.5), 2500),
        (None, 3000),
    ],
)
def test_budget_is_a_number_or_a_share_of_entries(given, n_gathered):
    """Whole numbers are entries, others shares; by default each label has ten rows."""
    assert choose_budget(check_budget(given), 1000, 5000, 60) == n_gathered


@pytest.mark.parametrize("given", [-1, 1.5, -0.1, "many", "150%", "5 %%", True, np.nan, [1]])
def test_other_budgets_are_refused(given):
    """The error shows the value."""
    with pytest.raises(InputError, match="'budget' must be a number of label entries"):
        check_budget(given)


def test_default_budget_is_a_share_of_many_entries():
    """It is 5 % where labels are few, never more than there are, and bounded."""
    assert choose_budget(None, 10**6, 5 * 10**6, 10) == 250_000
    assert choose_budget(None, 10, 50, 1000) == 50
    assert choose_budget(None, 10**9, 10**10, 10) == 60_000_000


def test_data_fits_by_rows_and_entries():
    """Rows without labels count too."""
    assert fits_in_memory(0, 0, 0)
    assert not fits_in_memory(1, 0, 0)
    assert fits_in_memory(10**6, 10**7, 4 * 10**9)
    assert not fits_in_memory(10**8, 10, 4 * 10**9)
    assert fits_in_memory(15 * 10**6, 75 * 10**6, 4 * 10**9)
    assert not fits_in_memory(16 * 10**6, 80 * 10**6, 4 * 10**9)
