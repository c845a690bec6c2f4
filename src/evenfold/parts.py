"""Parts: how many, what share each wants, what they are called."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .exceptions import ImpossibleSplit, InputError, InputTypeError

_LARGEST_DENOMINATOR = 1_000_000
_TOO_LARGE = 2**30


@dataclass(frozen=True, eq=False, slots=True)
class Parts:
    """The wanted shares as whole numbers: part j wants `weights[j] / weights.sum()` of the rows (r_j in the papers).

    Whole numbers, because then what is left to hand out can be compared without rounding.
    """

    weights: NDArray[np.int64]
    names: tuple[str, ...]

    @property
    def shares(self) -> NDArray[np.float64]:
        """(n_parts,) wanted shares, summing to 1."""
        return np.asarray(self.weights / self.weights.sum())

    def __len__(self) -> int:
        return len(self.weights)


def check_parts(parts: Any, n_rows: int, names: Sequence[str] | None = None) -> Parts:
    """Read `parts`: a number of equal folds, fractions that sum to 1, or whole numbers that sum to the rows."""
    if isinstance(parts, numbers.Integral) and not isinstance(parts, bool):
        weights, default = _equal_weights(int(parts), n_rows), None
    else:
        listed = _as_numbers(parts)
        weights = _weights(listed, n_rows)
        default = {2: ("train", "test"), 3: ("train", "val", "test")}.get(len(listed))
    default = default or tuple(f"fold{j}" for j in range(len(weights)))
    return Parts(weights, default if names is None else _check_names(names, len(weights)))


def share_out(n_rows: int, parts: Parts, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return whole sizes that sum to `n_rows`, by largest remainder; equal remainders are served in random order."""
    total = int(parts.weights.sum())
    exact = [n_rows * int(weight) for weight in parts.weights]
    sizes = np.array([amount // total for amount in exact], dtype=np.int64)
    tie_break = rng.permutation(len(parts))
    by_remainder = sorted(range(len(parts)), key=lambda j: (-(exact[j] % total), tie_break[j]))
    sizes[by_remainder[: n_rows - int(sizes.sum())]] += 1
    if (sizes == 0).any():
        j = int(np.argmin(sizes))
        raise ImpossibleSplit(
            f"'parts' must leave every part a row, got a share of {parts.shares[j]:.3g} of {n_rows:,} rows for '{parts.names[j]}'. "
            f"Give it at least {1 / n_rows:.3g}, or drop it."
        )
    return sizes


def _equal_weights(n_parts: int, n_rows: int) -> NDArray[np.int64]:
    if n_parts < 2:
        raise InputError(f"'parts' must be at least 2, got {n_parts}. For one part there is nothing to split.")
    if n_parts > n_rows:
        raise ImpossibleSplit(f"'parts' must be at most the number of rows, got {n_parts:,} parts for {n_rows:,} rows. Ask for fewer parts.")
    return np.ones(n_parts, dtype=np.int64)


def _as_numbers(parts: Any) -> list[float | int]:
    if isinstance(parts, np.ndarray):
        parts = parts.tolist()
    if not isinstance(parts, Sequence) or isinstance(parts, str | bytes):
        raise InputTypeError(f"'parts' must be a number of folds or a list of sizes, got {parts!r}. Try parts=5 or parts=[0.8, 0.2].")
    for part in parts:
        if isinstance(part, bool) or not isinstance(part, int | float | np.number):
            raise InputTypeError(f"'parts' must hold numbers, got {part!r}, a {type(part).__name__}. Try parts=[0.8, 0.2].")
        if not part > 0 or math.isinf(part):
            raise InputError(f"'parts' must hold sizes above 0, got {part}. Leave out the parts you do not want.")
    if len(parts) < 2:
        raise InputError(f"'parts' must have at least 2 sizes, got {len(parts)}. For one part there is nothing to split.")
    return list(parts)


def _weights(parts: list[float | int], n_rows: int) -> NDArray[np.int64]:
    if all(float(part).is_integer() for part in parts):
        if sum(parts) != n_rows:
            raise _wrong_sum(int(sum(parts)), n_rows)
        return np.array(parts, dtype=np.int64)
    if abs(sum(parts) - 1) > 1e-6:
        raise _wrong_sum(sum(parts), n_rows)
    if len(parts) > n_rows:
        raise ImpossibleSplit(f"'parts' must be at most the number of rows, got {len(parts):,} parts for {n_rows:,} rows. Ask for fewer parts.")
    fractions = [Fraction(float(part)).limit_denominator(_LARGEST_DENOMINATOR) for part in parts]
    common = math.lcm(*(fraction.denominator for fraction in fractions))
    if sum(fractions) != 1 or common > _TOO_LARGE:
        return np.array([max(1, round(part * _TOO_LARGE)) for part in parts], dtype=np.int64)
    return np.array([int(fraction * common) for fraction in fractions], dtype=np.int64)


def _wrong_sum(got: float, n_rows: int) -> InputError:
    advice = "Did you leave out a part?" if got < 1 or (isinstance(got, int) and got < n_rows) else "Make one of the parts smaller."
    return InputError(f"'parts' must sum to 1 or to the {n_rows:,} rows, got {got:.6g}. {advice}")


def _check_names(names: Sequence[str], n_parts: int) -> tuple[str, ...]:
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise InputTypeError(f"'names' must be a list of strings, one per part, got {names!r}. Try names=['train', 'test'].")
    if len(names) != n_parts:
        raise InputError(f"'names' must have one name per part, got {len(names)} for {n_parts} parts. Name each part once.")
    if len(set(names)) < n_parts:
        twice = next(name for name in names if list(names).count(name) > 1)
        raise InputError(f"'names' must differ, got {twice!r} twice. Rename one of the parts.")
    return tuple(names)
