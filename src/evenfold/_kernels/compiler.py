"""Compile kernels with Numba on first use; run them as plain Python where Numba is absent."""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

# A kernel runs as plain Python until it has made this many steps in one process. Fewer steps take
# less time than the import of Numba and the load of the compiled code. Chosen by hand.
WORTH_COMPILING = 60_000

Function = TypeVar("Function", bound=Callable[..., Any])

# Shared functions that Numba does not know yet, and whether each is to be inlined.
_unregistered: dict[Callable[..., Any], bool] = {}


class Kernel:
    """A loop over arrays in two forms, plain Python and compiled, which give the same result.

    Calling the kernel runs plain Python; `for_work` returns the form that ends sooner.
    """

    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function
        self._n_plain_steps = 0
        functools.update_wrapper(self, function)

    def __call__(self, *arrays: Any) -> None:
        self.function(*arrays)

    def for_work(self, n_steps: int) -> Callable[..., None]:
        """Return the form that makes this many steps sooner.

        That is the compiled form if it is loaded, or if the steps so far and these are enough to
        repay its start-up time; otherwise the plain form.
        """
        self._n_plain_steps += n_steps
        is_loaded = "compiled" in self.__dict__
        if is_loaded or self._n_plain_steps >= WORTH_COMPILING:
            return self.compiled
        return self.function

    @functools.cached_property
    def compiled(self) -> Callable[..., None]:
        """The compiled form; the plain one where Numba is absent."""
        njit = find_compiler()
        if njit is None:
            return self.function
        register_shared(self.function)
        try:
            compiled = njit(cache=True, nogil=True)(self.function)
            with contextlib.suppress(ImportError):  # other versions of Numba may have other modules
                compiled._cache = make_quick_cache(self.function)
        except RuntimeError:
            # Numba raises if no folder for its cache is writable (a read-only install, no home).
            return njit(nogil=True)(self.function)  # type: ignore[no-any-return]
        return compiled  # type: ignore[no-any-return]


def kernel(function: Callable[..., None]) -> Kernel:
    """Mark a function of arrays and scalars as a kernel."""
    return Kernel(function)


def shared(function: Function) -> Function:
    """Mark a function that kernels of the same file call, compiled or not.

    It stays a plain Python function; a compiled kernel calls its compiled form. It must be in the
    file of the kernels that call it: Numba compiles a cached kernel again only if that file
    changes.
    """
    _unregistered[function] = False
    return function


def inlined(function: Function) -> Function:
    """Mark a shared function that is called in inner loops, where a call would take time.

    LLVM inlines it: called, such functions made the loops of `even` up to 1.6 times as slow.
    Numba's own `inline="always"` doubled the time to compile.
    """
    _unregistered[function] = True
    return function


def register_shared(function: Callable[..., None]) -> None:
    """Make the shared functions of this function's file known to Numba, without compiling them."""
    from numba.extending import register_jitable

    for value in function.__globals__.values():
        if callable(value) and value in _unregistered:
            register_jitable(forceinline=_unregistered.pop(value))(value)


def make_quick_cache(function: Callable[..., None]) -> Any:
    """Return Numba's cache of a kernel, changed so that reading from it takes less time.

    Before Numba reads machine code, it registers all that it can compile, and with the code it
    loads the modules of all functions that a kernel calls, for functions that use Python objects.
    Both take longer than its import, and kernels need neither: only Numba's runtime. If the code
    is not in the cache, Numba compiles the kernel, and registers everything then.
    """
    from numba.core.caching import FunctionCache
    from numba.core.compiler import CompileResult
    from numba.core.runtime.nrt import rtsys

    class KernelResult(CompileResult):
        def _find_referenced_environments(self) -> list[Any]:
            return []

    class QuickCache(FunctionCache):
        def load_overload(self, sig: Any, target_context: Any) -> Any:
            try:
                rtsys.initialize(target_context)
                return self._load_overload(sig, target_context)
            except Exception:  # other versions of Numba may need more, or have other names
                return super().load_overload(sig, target_context)

        def save_overload(self, sig: Any, data: Any) -> None:
            super().save_overload(sig, KernelResult(*data))

    return QuickCache(function)


@functools.cache
def find_compiler() -> Callable[..., Any] | None:
    """Return `numba.njit`, or None with one warning per process if Numba cannot be imported."""
    try:
        from numba import njit
    except Exception as error:  # a broken install can raise any exception
        warnings.warn(
            f"Numba is not available ({error}), so evenfold runs uncompiled: the same splits, many "
            "times slower. Install it with: pip install numba",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return njit
