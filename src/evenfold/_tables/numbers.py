"""Numbers as text: every format that tables, reports and messages use."""

from __future__ import annotations

import math

# A value that is not known: a hyphen in printed tables, which every terminal can show and programs
# may look for; a dash in reports, where a hyphen could be read as a minus sign.
NO_VALUE = "-"
NO_VALUE_IN_REPORTS = "–"
# What is smaller is left of sums of shares that are 0.
_ROUNDING = 1e-12
# A bound below this has fewer than two of the five decimals that tables show.
_SMALL_BOUND = 1e-4
# What is smaller takes too many zeros to be written without a power of ten.
_LEAST_IN_FULL = 1e-6
# A value with its spread has at most so many decimals.
_MAX_DECIMALS = 6


def show_number(value: float) -> str:
    """Show four digits, three of small numbers, so that columns stay narrow.

    Examples
    --------
    >>> show_number(0.00123456), show_number(12.3456), show_number(12345.6), show_number(1e-18)
    ('0.00123', '12.35', '12,346', '0')
    >>> show_number(0.0000644), show_number(1.23e-7)
    ('0.0000644', '1.23e-07')
    """
    if math.isnan(value):
        return NO_VALUE
    if abs(value) < _ROUNDING:
        return "0"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    if _LEAST_IN_FULL <= abs(value) < 1e-4:  # where Python's format takes a power of ten
        return f"{value:.{_count_decimals(value, 3)}f}"
    return f"{value:.4g}" if abs(value) >= 0.01 else f"{value:.3g}"


def show_decimals(value: float) -> str:
    """Show five decimals, two of large numbers, so that the decimals of a column line up.

    Examples
    --------
    >>> show_decimals(0.0123456), show_decimals(12345.6), show_decimals(12345)
    ('0.01235', '12,345.60', '12,345')
    """
    if math.isnan(value):
        return NO_VALUE
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.5f}" if abs(value) < 10 else f"{value:,.2f}"


def show_exact(value: float | str | None) -> str:
    """Show a number of a summary to four digits however small it is, three of very small ones.

    What is not known (None) is a dash; a string stands for infinity.

    Examples
    --------
    >>> show_exact(0.00123456), show_exact(0.0000123456), show_exact(1.23456e-7), show_exact(None)
    ('0.001235', '0.0000123', '1.23e-07', '–')
    """
    if value is None:
        return NO_VALUE_IN_REPORTS
    if isinstance(value, str):
        return "infinite"
    if isinstance(value, int):
        return f"{value:,}"
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}" if abs(value) >= 1000 or value.is_integer() else f"{value:.1f}"
    if abs(value) >= 1e-4:
        return f"{value:.4g}"
    if abs(value) >= _LEAST_IN_FULL:
        return f"{value:.{_count_decimals(value, 3)}f}"
    return f"{value:.2e}"


def show_measure(value: float | str | None) -> str:
    """Show a measure as `show_exact` does, and what is left of rounding as 0.

    Examples
    --------
    >>> show_measure(0.0012345), show_measure(1.06e-18)
    ('0.001234', '0')
    """
    is_noise = isinstance(value, float) and abs(value) < _ROUNDING
    return show_exact(0 if is_noise else value)


def show_with_spread(value: float, spread: float, digits: int = 2) -> str:
    """Show a value and its spread with as many decimals as give the spread so many digits.

    A spread of 0, or of less than these decimals show, is left out.

    Examples
    --------
    >>> show_with_spread(0.10223, 0.0204), show_with_spread(0.1, 0.00049, 3)
    ('0.102 ± 0.020', '0.100000 ± 0.000490')
    >>> show_with_spread(118.6, 0.0), show_with_spread(0.000583, 4.59e-7), show_with_spread(3, 0)
    ('118.6', '0.000583', '3')
    """
    if math.isnan(value) or math.isnan(spread):
        return show_number(value)
    decimals = min(_MAX_DECIMALS, max(0, _count_decimals(spread, digits))) if spread > 0 else 0
    if round(spread, decimals) == 0:
        return show_number(value)
    return f"{value:,.{decimals}f} ± {spread:,.{decimals}f}"


def _count_decimals(value: float, digits: int) -> int:
    """Return how many decimals show so many digits of a number; below 0 for large numbers."""
    return digits - 1 - math.floor(math.log10(abs(value)))


def show_rows(value: float) -> str:
    """Show a number of rows that may be a fraction: one decimal, none if it is whole.

    Examples
    --------
    >>> show_rows(80000.0), show_rows(61.55)
    ('80,000', '61.5')
    """
    return f"{value:,.1f}".removesuffix(".0")


def show_excess(value: float, bound: float, share: float) -> str:
    """Show how far a value is over its bound: as percent, or as it is if the bound is near 0.

    `share` is the value over its bound, minus 1. Percent of a bound of which hardly a digit is
    shown would be digits of rounding.

    Examples
    --------
    >>> show_excess(0.03, 0.02, 0.5), show_excess(0.00008, 0.00001, 7.0)
    ('50.0 %', '+0.00007')
    """
    if 0 < bound < _SMALL_BOUND and value > bound and math.isfinite(share):
        over = f"{value - bound:+.5f}"
        return "0.0 %" if not over.strip("+-0.") else over
    return show_percent(share)


def show_exact_excess(value: float, bound: float | None, share: float | str | None) -> str:
    """Show what `show_excess` does, for tables with numbers of `show_exact`.

    Examples
    --------
    >>> show_exact_excess(0.03, 0.02, 0.5), show_exact_excess(0.0028, 0.00005, 55.0)
    ('50.0 %', '+0.00275')
    >>> show_exact_excess(0.00005, 0.00005, 0.0), show_exact_excess(0.3, None, None)
    ('0.0 %', '–')
    """
    if bound is None or not 0 < bound < _SMALL_BOUND or value - bound < _ROUNDING:
        return show_percent(share)
    return f"+{show_exact(value - bound)}"


def show_percent(share: float | str | None) -> str:
    """Show a share as percent, without decimals from 1000 % on; nothing for NaN.

    Examples
    --------
    >>> show_percent(0.1234), show_percent(-1e-9), show_percent(float("inf")), show_percent(None)
    ('12.3 %', '0.0 %', 'infinite', '–')
    >>> show_percent(9.9994), show_percent(29.195)
    ('999.9 %', '2,920 %')
    """
    if share is None or isinstance(share, str):
        return show_exact(share)
    if math.isnan(share):
        return ""
    if math.isinf(share):
        return "infinite"
    # A share that rounds to 0 has no sign.
    percent = round(100 * share, 1) + 0.0
    return f"{percent:,.0f} %" if abs(percent) >= 1000 else f"{percent:,.1f} %"


def show_signed(value: float, digits: int = 1) -> str:
    """Show a number with its sign, 0 without.

    Examples
    --------
    >>> show_signed(1.25), show_signed(-1.25), show_signed(0.01)
    ('+1.2', '−1.2', '0')
    """
    text = f"{value:+,.{digits}f}"
    return "0" if not text.strip("+-0.,") else text.replace("-", "−")


def show_count(number: int, noun: str) -> str:
    """Show how many there are of something.

    Examples
    --------
    >>> show_count(1, "label"), show_count(2000, "label")
    ('1 label', '2,000 labels')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
