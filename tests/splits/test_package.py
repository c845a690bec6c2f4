"""The package evenfold.splits: what it exports."""

import pkgutil
import subprocess
import sys

import evenfold.splits


def test_the_public_names_are_those_of_evenfold():
    """`evenfold.splits` and `evenfold` give the same objects."""
    for name in evenfold.splits.__all__:
        assert getattr(evenfold.splits, name) is getattr(evenfold, name)


def test_no_module_has_the_name_of_a_public_function():
    """Otherwise an import could replace the function by the module."""
    modules = {module.name for module in pkgutil.iter_modules(evenfold.splits.__path__)}
    assert not modules & {*evenfold.splits.__all__, *evenfold.__all__}


def test_each_module_can_be_imported_first():
    """No import is circular."""
    for module in pkgutil.iter_modules(evenfold.splits.__path__):
        code = f"import evenfold.splits.{module.name}"
        subprocess.run([sys.executable, "-c", code], check=True)
