"""What doctests may use without importing it."""

import pytest

import evenfold


@pytest.fixture(autouse=True)
def _names_in_examples(doctest_namespace):
    doctest_namespace["evenfold"] = evenfold
