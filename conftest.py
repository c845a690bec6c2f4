"""Names that doctests can use without an import, and the folder they run in."""

import pytest

import evenfold

# Its examples need the package `datasets`; tests/integrations/test_datasets.py runs them.
collect_ignore = ["docs/huggingface.md"]


@pytest.fixture(autouse=True)
def _names_in_examples(request, doctest_namespace, tmp_path, monkeypatch):
    doctest_namespace["evenfold"] = evenfold
    doctest_namespace["tmp_path"] = tmp_path
    # Examples write files; those of the README do so under plain names.
    if isinstance(request.node, pytest.DoctestItem):
        monkeypatch.chdir(tmp_path)
