"""Printed numbers have the digits that they deserve."""

import pytest

import evenfold
from evenfold._tables.numbers import (
    show_excess,
    show_measure,
    show_number,
    show_percent,
    show_rows,
    show_with_spread,
)
from evenfold.report.summary import make_summary
from evenfold.report.tables import make_measure_table


def test_wanted_rows_have_decimals_only_if_some_are_fractions():
    """80,000 and not 80,000.0; but 333.3 below 333.0."""
    whole = str(evenfold.split([["a"], ["b"]] * 400, [0.75, 0.25]).quality)
    assert "train   600     600  " in whole
    fractions = str(evenfold.split([["a"], ["b"]] * 5, [0.75, 0.25]).quality)
    assert " 7.5  " in fractions
    assert " 2.5  " in fractions
    assert [show_rows(value) for value in (80000.0, 2.5, 0.04, 1e6)] == [
        "80,000",
        "2.5",
        "0",
        "1,000,000",
    ]


def test_a_bound_near_0_gives_a_difference_and_no_percent():
    """LD of 0.00008 is not 717.6 % over a bound of 0.00001, of which one digit is known."""
    labels = [["a"]] * 49_999 + [["b"]] * 50_001
    uneven = evenfold.measure(labels, [0] * 25_020 + [1] * 50_000 + [0] * 24_980, parts=2)
    assert 0 < uneven.bound.ld < 1e-4
    [line] = [own for own in str(uneven).splitlines() if own.startswith("LD ")]
    assert line.split()[-1] == f"{uneven.ld - uneven.bound.ld:+.5f}"
    in_report = make_measure_table(make_summary(uneven, "a call"), ["labels"], "").rows
    [line] = [own for own in in_report if own[0].startswith("LD: ")]
    assert line[3].startswith("+0.00")
    assert float(line[3]) == pytest.approx(uneven.ld - uneven.bound.ld, rel=1e-2)
    assert show_excess(0.000012, 0.00001, 0.2) == "0.0 %"
    assert show_excess(0.0, 0.0, 0.0) == "0.0 %"
    assert show_excess(0.1, 0.0, float("inf")) == "infinite"
    assert show_excess(0.0003, 0.0002, 0.5) == "50.0 %"


def test_what_rounding_leaves_is_0():
    """1.06e-18 is left of a sum of shares that is 0."""
    assert [show_number(value) for value in (1.06e-18, -3e-17, 1e-11)] == ["0", "0", "1e-11"]
    assert [show_measure(value) for value in (1.06e-18, None, "inf", 3)] == [
        "0",
        "–",
        "infinite",
        "3",
    ]


def test_small_numbers_have_the_same_form_in_all_columns():
    """0.0000644 and not 6.44e-05, with and without a spread."""
    assert show_number(0.0000644321) == "0.0000644"
    assert show_with_spread(0.0000644321, 0.0) == "0.0000644"
    assert show_with_spread(0.0000644321, 2e-6) == "0.000064 ± 0.000002"


def test_a_thousand_percent_has_no_decimals():
    """29.2 times a bound is not known to a tenth of a percent."""
    assert [show_percent(share) for share in (9.5551, 10.103, 29.195)] == [
        "955.5 %",
        "1,010 %",
        "2,920 %",
    ]
