"""Numba behind a door: kernels compile on first use, and run as plain Python where Numba is absent."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

# Until a kernel has made this many steps in plain Python, it is done before Numba would be ready.
WORTH_COMPILING = 60_000


class Kernel:
    """A loop over arrays. Calling it runs plain Python; `for_work` picks the faster form; both give the same result."""

    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function
        self._n_plain_steps = 0
        functools.update_wrapper(self, function)

    def __call__(self, *arrays: Any) -> None:
        self.function(*arrays)

    def for_work(self, n_steps: int) -> Callable[..., None]:
        """Return the compiled loop where it is there already, or the steps so far and these repay its start-up; else the plain one."""
        self._n_plain_steps += n_steps
        return (
            self.compiled
            if "compiled" in self.__dict__ or self._n_plain_steps >= WORTH_COMPILING
            else self.function
        )

    @functools.cached_property
    def compiled(self) -> Callable[..., None]:
        njit = find_compiler()
        if njit is None:
            return self.function
        try:
            return njit(cache=True, nogil=True)(self.function)  # type: ignore[no-any-return]
        except RuntimeError:
            # Numba raises where it finds no writable folder for its cache (a read-only install without a home).
            return njit(nogil=True)(self.function)  # type: ignore[no-any-return]


def kernel(function: Callable[..., None]) -> Kernel:
    """Mark a function of arrays and scalars as a kernel."""
    return Kernel(function)


@functools.cache
def find_compiler() -> Callable[..., Any] | None:
    """Return `numba.njit`, or None, said once a process, where Numba cannot be imported."""
    try:
        from numba import njit
    except Exception as error:  # a broken install raises whatever it met first
        warnings.warn(
            f"Numba is not available ({error}), so evenfold runs uncompiled: the same splits, many times slower. Install it with: pip install numba",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return njit
