"""Names that doctests can use without an import."""

import pytest

import evenfold


@pytest.fixture(autouse=True)
def _names_in_examples(doctest_namespace, tmp_path):
    doctest_namespace["evenfold"] = evenfold
    doctest_namespace["tmp_path"] = tmp_path
