"""The package with and without its compiler."""

import ast
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import evenfold
from evenfold._kernels import compiler, even_records
from evenfold._kernels.iterative import place_iteratively


def run(code):
    """Run code in a fresh Python; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


SPLIT = """
    import zlib, numpy as np, evenfold
    y = np.random.default_rng(0).random((8000, 12)) < 0.3
    methods = ("iterative", "labelset", "random", "optisplit")
    calls = [{"method": m, "groups": g} for m in methods for g in (None, np.arange(8000) // 3)]
    parts = [evenfold.split(y, 5, **call).part_of_row for call in calls]
    parts.append(evenfold.split(y[:150], 4, groups=np.arange(150) // 2).part_of_row)
    quality = evenfold.split(y, 5, method="labelset").quality
    print(zlib.crc32(b"".join(part.tobytes() for part in parts)), quality.rld, quality.bound.ld)
"""


@pytest.mark.slow
def test_without_numba_the_split_is_the_same_and_it_is_said_once():
    """A missing compiler costs time, and one warning says so."""
    code = textwrap.dedent(SPLIT)
    with_numba, _ = run(code)
    without, said = run("import sys; sys.modules['numba'] = None\n" + code)
    assert without == with_numba
    assert said.count("Numba is not available") == 1
    assert "Install it with: pip install numba" in said


def test_small_work_does_not_load_the_compiler():
    """For a few rows the import of Numba would take longer than the split."""
    out, _ = run(
        """
        import sys, evenfold
        evenfold.split([['a'], ['b']] * 10, 2, order=1).quality
        print('numba' in sys.modules)
        """
    )
    assert out == "False"


def test_a_cache_that_cannot_be_written_is_done_without(monkeypatch):
    """Numba raises if it finds no folder; the kernel is compiled without a cache."""
    made = []

    def njit(cache=False, nogil=False):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")

        def compile_it(function):
            made.append(function)
            return function

        return compile_it

    monkeypatch.setattr(compiler, "find_compiler", lambda: njit)
    kernel = compiler.kernel(lambda x: None)
    monkeypatch.setattr(compiler, "register_shared", lambda function: None)
    assert kernel.compiled is kernel.function
    assert made == [kernel.function]


DEAL = """
    import sys, numpy as np
    from evenfold._kernels.strata import deal
    ones, part_of_unit = np.ones(4, np.int64), np.full(4, -1, np.int32)
    deal.compiled(np.arange(4), 0 * ones, ones, 4 * ones, 2 * ones[:2], np.arange(2), part_of_unit)
    print(part_of_unit.tolist())
    print([name for name in ('numba.np.arrayobj', 'scipy.linalg') if name in sys.modules])
"""


def test_cached_code_is_loaded_without_what_numba_needs_to_compile(monkeypatch, tmp_path):
    """Kernels that allocate arrays and add them up need Numba's support of NumPy only once."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert run(DEAL)[0] == "[0, 1, 0, 1]\n['numba.np.arrayobj', 'scipy.linalg']"
    assert run(DEAL)[0] == "[0, 1, 0, 1]\n[]"


def test_a_cache_that_cannot_be_read_quickly_is_read_as_numba_does(monkeypatch):
    """In other versions of Numba the quick way may fail."""
    caching = pytest.importorskip("numba.core.caching")
    usual = lambda self, sig, target_context: "read as Numba does"  # noqa: E731
    monkeypatch.setattr(caching.FunctionCache, "load_overload", usual)
    cache = compiler.make_quick_cache(place_iteratively.function)
    assert cache.load_overload((), None) == "read as Numba does"


def test_without_a_quick_cache_kernels_have_the_cache_of_numba(monkeypatch):
    """In other versions of Numba the modules may have other names."""
    caching = pytest.importorskip("numba.core.caching")

    def fail(function):
        raise ImportError("No module named 'numba.core'")

    monkeypatch.setattr(compiler, "make_quick_cache", fail)
    kernel = compiler.kernel(place_iteratively.function)
    assert type(kernel.compiled._cache) is caching.FunctionCache


def test_shared_functions_are_in_the_file_of_their_kernels():
    """Numba compiles a cached kernel again only if its own file changes.

    Records may be imported: with other fields they are other types, for which Numba compiles again.
    """
    for path in Path(compiler.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = [
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.level and node.module != "even_records"
            for alias in node.names
        ]
        assert set(imported) <= {"kernel", "shared", "inlined"}, path.name
    defined = ast.parse(Path(even_records.__file__).read_text(encoding="utf-8")).body
    assert not any(isinstance(node, ast.FunctionDef) for node in defined)


def test_shared_functions_stay_plain_python():
    """The decorators return the function itself, so that plain kernels call plain functions."""

    def double(x):
        return 2 * x

    assert compiler.shared(double) is double
    assert compiler.inlined(double) is double


def test_for_work_chooses_by_size():
    """Plain for few steps, compiled for many, and for any once it is compiled."""
    fresh = compiler.kernel(place_iteratively.function)
    assert fresh.for_work(10) is fresh.function
    assert fresh.for_work(10**7) is fresh.compiled
    assert fresh.for_work(10) is fresh.compiled
    often = compiler.kernel(place_iteratively.function)
    forms = [often.for_work(compiler.WORTH_COMPILING // 3) for _ in range(5)]
    assert forms[:2] == [often.function] * 2
    assert forms[-1] is often.compiled


@pytest.mark.parametrize("method", ["even", "iterative", "labelset", "random", "optisplit"])
def test_plain_and_compiled_give_the_same_split(method, monkeypatch):
    """Every kernel in one form, then in the other."""
    y = np.random.default_rng(1).random((60, 9)) < 0.2
    groups = np.arange(60) // 3
    splits = []
    for compiled in (True, False):
        monkeypatch.setattr(
            compiler.Kernel,
            "for_work",
            lambda self, n_steps, own=compiled: self.compiled if own else self.function,
        )
        splits.append(evenfold.split(y, [0.5, 0.3, 0.2], method=method, groups=groups).part_of_row)
    assert np.array_equal(*splits)
