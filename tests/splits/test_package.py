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


IMPORT_EACH = """
import importlib, sys
for name in sys.argv[1:]:
    for loaded in [own for own in sys.modules if own.partition(".")[0] == "evenfold"]:
        del sys.modules[loaded]
    importlib.import_module(f"evenfold.splits.{name}")
"""


def test_each_module_can_be_imported_first():
    """No import is circular."""
    names = [module.name for module in pkgutil.iter_modules(evenfold.splits.__path__)]
    assert names
    subprocess.run([sys.executable, "-c", IMPORT_EACH, *names], check=True)
