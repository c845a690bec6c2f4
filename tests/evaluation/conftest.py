"""Fixtures for tests of evaluations."""

import pytest

from .counting import Counting


@pytest.fixture(autouse=True)
def _start_counting():
    """Start to count fits from 0 in every test."""
    Counting.n_fits = 0
