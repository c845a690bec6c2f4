"""Parts: their number, their wanted shares and their names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import is_whole
from .._checks.values import show_value
from ..exceptions import ImpossibleSplit, InputError, InputTypeError

# Largest sum of weights, and largest denominator of a share; beyond it, shares are rounded to
# multiples of 1 / 2³⁰, so that weights times rows stay within 63 bits.
_LARGEST_WEIGHT = 2**30


@dataclass(frozen=True, eq=False, slots=True)
class Parts:
    """The wanted shares as whole numbers, and the names of the parts.

    Part j wants `weights[j] / weights.sum()` of the rows, r_j in the papers. With whole numbers,
    what is left to assign is compared without rounding.
    """

    weights: NDArray[np.int64]
    names: tuple[str, ...]

    @property
    def shares(self) -> NDArray[np.float64]:
        """(n_parts,) wanted shares, summing to 1."""
        return np.asarray(self.weights / self.weights.sum())

    @property
    def are_equal(self) -> bool:
        """Whether all parts want the same share."""
        return bool((self.weights == self.weights[0]).all())

    def __len__(self) -> int:
        return len(self.weights)


def check_parts(parts: Any, n_rows: int, names: Sequence[str] | None = None) -> Parts:
    """Read `parts`: a number of equal folds, or fractions that sum to 1, or numbers of rows.

    Numbers of rows must sum to `n_rows`; sizes may be a list, or a mapping by name.
    """
    if isinstance(parts, Mapping):
        parts, names = list(parts.values()), list(parts) if names is None else names
    if isinstance(parts, np.ndarray) and parts.ndim == 0:
        parts = parts.item()
    if is_whole(parts):
        weights, default = _equal_weights(int(parts), n_rows), make_fold_names(int(parts))
    else:
        weights = _weights(_as_numbers(parts), n_rows)
        default = make_part_names(len(weights))
    return Parts(weights, default if names is None else check_names(names, len(weights)))


def make_fold_names(n_folds: int, has_holdout: bool = False) -> tuple[str, ...]:
    """Return the default names of equal folds, and of the holdout after them if there is one."""
    return (*(f"fold{j}" for j in range(n_folds)), *(("test",) if has_holdout else ()))


def make_part_names(n_parts: int) -> tuple[str, ...]:
    """Return the default names of parts given by their sizes."""
    by_number = {2: ("train", "test"), 3: ("train", "val", "test")}
    return by_number.get(n_parts) or make_fold_names(n_parts)


def check_parts_and_holdout(
    parts: Any, holdout: Any, n_rows: int, names: Sequence[str] | None = None
) -> Parts:
    """Read `parts`, which divide the rows outside the holdout; the holdout is the last part.

    `holdout` is a fraction or a number of rows.
    """
    check_share_or_rows(holdout, n_rows, "holdout", "Try holdout=0.2.")
    share = Fraction(int(holdout), n_rows) if holdout >= 1 else _to_fraction(holdout)
    n_left = n_rows - round(share * n_rows)
    folds = check_parts(parts, n_left)
    if isinstance(parts, Mapping) and names is None:
        names = list(parts)
    total = int(folds.weights.sum())
    exact = [(1 - share) * Fraction(int(weight), total) for weight in folds.weights]
    common = math.lcm(share.denominator, *(fraction.denominator for fraction in exact))
    weights = [
        int(fraction * common)
        if common <= _LARGEST_WEIGHT
        else max(1, round(fraction * _LARGEST_WEIGHT))
        for fraction in [*exact, share]
    ]
    if names is not None and len(names) == len(folds):
        names = [*names, "test"]
    default = make_fold_names(len(folds), has_holdout=True)
    return Parts(
        np.array(weights, dtype=np.int64),
        default if names is None else check_names(names, len(weights)),
    )


def check_share_or_rows(value: Any, n_rows: int, parameter: str, advice: str) -> None:
    """Check that a value is a fraction of the rows, or a whole number of fewer rows.

    1.0 is refused: it may be meant as one row, or as all rows.
    """
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    is_one = is_number and value == 1 and not is_whole(value)
    is_rows = is_number and not is_one and 1 <= value < n_rows and value == int(value)
    if not is_rows and not (is_number and 0 < value < 1):
        error = InputError if is_number or isinstance(value, bool) else InputTypeError
        raise error(
            f"must be a fraction below 1 or a number of rows below {n_rows:,}, "
            f"got {show_value(value)}. {'Write 1 for one row.' if is_one else advice}",
            parameter=parameter,
        )


def share_out(
    n_rows: int,
    parts: Parts,
    rng: np.random.Generator,
    n_fixed: NDArray[np.int64] | None = None,
    may_outgrow: bool = False,
) -> NDArray[np.int64]:
    """Return whole sizes that sum to `n_rows`, by largest remainder; ties are drawn at random.

    A part gets at least its `n_fixed` rows; with `may_outgrow` also if that is more than its share,
    rounded up.
    """
    n_fixed = np.zeros(len(parts), np.int64) if n_fixed is None else n_fixed
    tie_break = rng.permutation(len(parts)).tolist()
    sizes = n_fixed.copy()
    shared = list(range(len(parts)))
    # Parts with too many fixed rows keep them, and the others share the rest; each round can show
    # another such part.
    while True:
        n_left = n_rows - int(n_fixed.sum()) + int(n_fixed[shared].sum())
        total = sum(int(parts.weights[j]) for j in shared)
        for j in shared:
            sizes[j] = n_left * int(parts.weights[j]) // total
        # Parts with more fixed rows than the floor must be rounded up.
        first = sorted(
            shared,
            key=lambda j: (
                n_fixed[j] <= sizes[j],
                -(n_left * int(parts.weights[j]) % total),
                tie_break[j],
            ),
        )
        sizes[first[: n_left - int(sizes[shared].sum())]] += 1
        outgrown = [j for j in shared if n_fixed[j] > sizes[j]]
        if not outgrown:
            break
        if not may_outgrow:
            j = outgrown[0]
            raise ImpossibleSplit(
                f"must leave every part its size, got {n_fixed[j]:,} rows for '{parts.names[j]}', "
                f"which is to have {sizes[j]:,} of {n_rows:,}. Make the part larger, or free some "
                "of its rows.",
                parameter="fixed",
            )
        shared = [j for j in shared if j not in outgrown]
        sizes[outgrown] = n_fixed[outgrown]
    if (sizes == 0).any():
        j = int(np.argmin(sizes))
        raise ImpossibleSplit(
            f"must leave every part a row, got a share of {parts.shares[j]:.3g} of {n_rows:,} rows "
            f"for '{parts.names[j]}'. Give it at least {1 / n_rows:.3g}, or drop it.",
            parameter="parts",
        )
    return sizes


def _equal_weights(n_parts: int, n_rows: int) -> NDArray[np.int64]:
    if n_parts < 2:
        raise InputError(
            f"must be at least 2, got {n_parts}. For one part there is nothing to split.",
            parameter="parts",
        )
    _check_number_of_parts(n_parts, n_rows)
    return np.ones(n_parts, dtype=np.int64)


def _check_number_of_parts(n_parts: int, n_rows: int) -> None:
    if n_parts > n_rows:
        advice = (
            "Ask for fewer parts." if n_rows else "The data has no rows. Check how it was written."
        )
        raise ImpossibleSplit(
            f"must be at most the number of rows, got {n_parts:,} parts for {n_rows:,} rows. "
            f"{advice}",
            parameter="parts",
        )


def _as_numbers(parts: Any) -> list[float | int]:
    if hasattr(parts, "tolist"):
        parts = parts.tolist()
    if not isinstance(parts, Sequence) or isinstance(parts, str | bytes):
        raise InputTypeError(
            f"must be a number of folds or a list of sizes, got {show_value(parts)}. "
            "Try parts=5 or parts=[0.8, 0.2].",
            parameter="parts",
        )
    for part in parts:
        if isinstance(part, bool) or not isinstance(part, int | float | np.number):
            raise InputTypeError(
                f"must hold numbers, got {part!r}, a {type(part).__name__}. Try parts=[0.8, 0.2].",
                parameter="parts",
            )
        if isinstance(part, complex | np.complexfloating) or not 0 < part < 2**62:
            size = part.item() if isinstance(part, np.number) else part
            raise InputError(
                f"must hold sizes above 0, got {show_value(size)}. "
                "Leave out the parts you do not want.",
                parameter="parts",
            )
    if len(parts) < 2:
        raise InputError(
            f"must have at least 2 sizes, got {len(parts)}. "
            "For one part there is nothing to split.",
            parameter="parts",
        )
    return list(parts)


def _weights(parts: list[float | int], n_rows: int) -> NDArray[np.int64]:
    if all(float(part).is_integer() for part in parts):
        if sum(parts) != n_rows:
            raise _wrong_sum(int(sum(parts)), n_rows)
        return np.array(parts, dtype=np.int64)
    if abs(sum(parts) - 1) > 1e-6:
        if sum(parts) == n_rows:
            odd = next(part for part in parts if not float(part).is_integer())
            raise InputError(
                f"must hold whole numbers of rows, or fractions that sum to 1, got {odd}. "
                "Round the sizes.",
                parameter="parts",
            )
        raise _wrong_sum(sum(parts), n_rows)
    _check_number_of_parts(len(parts), n_rows)
    fractions = [_to_fraction(part) for part in parts]
    common = math.lcm(*(fraction.denominator for fraction in fractions))
    if sum(fractions) != 1 or common > _LARGEST_WEIGHT:
        return np.array([max(1, round(part * _LARGEST_WEIGHT)) for part in parts], dtype=np.int64)
    return np.array([int(fraction * common) for fraction in fractions], dtype=np.int64)


def _to_fraction(share: float) -> Fraction:
    """Return what was written: exactly a tenth for 0.1, and a third for 1 / 3; never zero."""
    written = Fraction(repr(float(share)))
    if written.denominator <= _LARGEST_WEIGHT:
        return written
    return written.limit_denominator(_LARGEST_WEIGHT) or Fraction(1, _LARGEST_WEIGHT)


def _wrong_sum(got: float, n_rows: int) -> InputError:
    advice = (
        "Did you leave out a part?"
        if got < 1 or (isinstance(got, int) and got < n_rows)
        else "Make one of the parts smaller."
    )
    return InputError(
        f"must sum to 1 or to the {n_rows:,} rows, got {got:.6g}. {advice}", parameter="parts"
    )


def check_names(names: Sequence[str], n_parts: int) -> tuple[str, ...]:
    """Check that there is one name per part, and each name once."""
    if (
        isinstance(names, str)
        or not isinstance(names, Sequence | np.ndarray)
        or not all(isinstance(name, str) for name in names)
    ):
        raise InputTypeError(
            f"must be a list of strings, one per part, got {show_value(names)}. "
            "Try names=['train', 'test'].",
            parameter="names",
        )
    if len(names) != n_parts:
        raise InputError(
            f"must have one name per part, got {len(names)} for {n_parts} parts. "
            "Name each part once.",
            parameter="names",
        )
    if len(set(names)) < n_parts:
        twice = next(name for name in names if list(names).count(name) > 1)
        raise InputError(
            f"must differ, got {twice!r} twice. Rename one of the parts.", parameter="names"
        )
    return tuple(str(name) for name in names)
