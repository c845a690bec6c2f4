"""Names that doctests can use without an import, and the folder they run in."""

import pytest

import evenfold


@pytest.fixture(autouse=True)
def _names_in_examples(request, doctest_namespace, tmp_path, monkeypatch):
    doctest_namespace["evenfold"] = evenfold
    doctest_namespace["tmp_path"] = tmp_path
    # Examples write files under plain names.
    if isinstance(request.node, pytest.DoctestItem):
        monkeypatch.chdir(tmp_path)
