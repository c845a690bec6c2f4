"""What the parts hold: groups, groups of labels, and balanced columns, counted by hand."""

import numpy as np
import pytest

import evenfold
from evenfold.report.markdown import to_markdown
from evenfold.report.tables import make_balance_tables, make_part_table

from .test_summary import AGE, GROUPS, SEX, Y, summarize


@pytest.fixture(scope="module")
def split():
    """A split with groups and two balanced columns."""
    return evenfold.split(Y, [0.6, 0.2, 0.2], groups=GROUPS, balance={"age": AGE, "sex": SEX})


@pytest.fixture(scope="module")
def summary(split):
    """The summary of that split."""
    return summarize(split.quality)


def test_a_share_of_groups_far_off_is_in_the_verdict():
    """The remark of the quality on the groups of a part is among those of the verdict."""
    rows = np.arange(240)
    groups = np.where(rows < 120, rows // 12, rows)
    summary = summarize(evenfold.measure(Y, rows // 120, groups=groups))
    remark = "part0 has 10 groups, 84.6 % fewer than its share (65.0)."
    assert remark in summary["verdict"]["remarks"]
    assert make_part_table(summary).rows[0][5:7] == ["10", "7.69 %"]


def test_groups_are_counted_and_none_straddles(split, summary):
    """Number and sizes of the groups, and how many are in each part, are counted."""
    groups = summary["groups"]
    assert (
        groups["number"],
        groups["smallest"],
        groups["median"],
        groups["largest"],
        groups["straddling"],
    ) == (60, 4, 4.0, 4, 0)
    assert groups["in_part"] == [len(set(GROUPS[split[part]])) for part in range(3)]
    cut = summarize(evenfold.measure(Y, np.arange(240) % 2, groups=GROUPS))
    assert cut["groups"]["straddling"] == 60
    assert "60 of 60 groups in more than one part." in cut["verdict"]["remarks"]


def test_groups_of_labels_are_counted(split, summary):
    """Groups that hold each label, in all and in each part; those with the fewest come first."""
    lines = summary["groups"]["labels"]
    assert len(lines) == summary["judged"]["labels"]
    for line in lines:
        held = Y[:, int(line["label"])]
        groups = GROUPS[held]
        assert line["rows"] == held.sum()
        assert line["groups"] == len(set(groups))
        assert line["rows_of_largest_group"] == np.bincount(groups).max()
        assert line["in_part"] == [
            len(set(GROUPS[held & (split.part_of_row == part)])) for part in range(3)
        ]
    fewest = [min(line["in_part"]) for line in lines]
    assert fewest == sorted(fewest)
    for line in summary["worst"]["lines"]:
        groups = GROUPS[Y[:, int(line["label"])]]
        assert (line["groups"], line["rows_of_largest_group"]) == (
            len(set(groups)),
            np.bincount(groups).max(),
        )
    assert "with the groups that hold them in each part" in to_markdown(summary)


def test_a_group_in_two_parts_is_counted_in_both():
    """Groups of a label are counted where they have rows with it."""
    y = [["a", "b"], ["a", "b"], ["b"], ["a"]]
    summary = summarize(evenfold.measure(y, [0, 1, 0, 1], groups=[0, 0, 1, 1]))
    assert {line["label"]: line["in_part"] for line in summary["groups"]["labels"]} == {
        "a": [1, 2],
        "b": [2, 1],
    }


def test_balanced_columns_have_means_and_percentages_by_part(split, summary):
    """Means and percentages are those counted by hand, beside random splits."""
    age, sex = summary["balance"]
    assert age["lines"][0]["all"] == pytest.approx(AGE.mean())
    assert age["lines"][0]["parts"] == pytest.approx([AGE[split[part]].mean() for part in range(3)])
    assert [line["value"].split()[0] for line in age["lines"]] == [
        "mean",
        "up",
        "over",
        "over",
        "over",
        "over",
    ]
    assert sum(line["all"] for line in age["lines"][1:]) == pytest.approx(100)
    edge = float(age["lines"][1]["value"].removeprefix("up to "))
    assert age["lines"][1]["all"] == pytest.approx(100 * (edge >= AGE).mean())
    assert {line["value"]: line["all"] for line in sex["lines"]} == pytest.approx(
        {"F": 100 / 3, "M": 200 / 3}
    )
    assert sex["lines"][0]["parts"] == pytest.approx(
        [100 * (SEX[split[part]] == "F").mean() for part in range(3)]
    )
    assert age["rld"] == max(
        own.rld for own in split.quality.per_balance if own.criterion.startswith("age")
    )
    assert 0 < age["rld"] < age["random"]
    assert age["worse_than_random"] is False
    assert sex["figure"]["data"]["names"] == ["F", "M"]
    assert sex["figure"]["text"].startswith("Chart of sex in all rows and in each part; ")
    assert len(age["figure"]["data"]["names"]) == 14


def test_missing_values_are_a_value_of_their_own():
    """Missing numbers and categories are counted as the value "missing"."""
    balance = {"few": [1, 2, None, 2] * 10, "sex": ["F", None, "M", "F"] * 10}
    few, sex = summarize(evenfold.split(parts=2, balance=balance).quality)["balance"]
    assert {line["value"]: line["all"] for line in few["lines"][1:]} == {
        "1": 25,
        "2": 50,
        "missing": 25,
    }
    assert {line["value"]: line["all"] for line in sex["lines"]} == {
        "F": 50,
        "missing": 25,
        "M": 25,
    }


def test_categories_are_in_the_order_of_their_numbers():
    """Not in that of the rows; missing ones come last, and the figure has the same order."""
    ages = ["70-79", "100-109", None, "8-9"] * 10
    [column] = summarize(evenfold.split(parts=2, balance={"age": ages}).quality)["balance"]
    in_order = ["8-9", "70-79", "100-109", "missing"]
    assert [line["value"] for line in column["lines"]] == in_order
    assert column["figure"]["data"]["names"] == in_order


def test_years_have_no_comma():
    """Neither in the table nor below the axis; larger numbers have one."""
    balance = {"year": np.arange(1950, 2010), "rows": 25_000 + 100 * np.arange(60)}
    summary = summarize(evenfold.split(parts=2, balance=balance).quality)
    year, rows = make_balance_tables(summary)
    assert year.rows[0][:2] == ["mean", "1979.5"]
    assert rows.rows[0][:2] == ["mean", "27,950"]
    figures = [column["figure"]["data"]["names"] for column in summary["balance"]]
    assert figures[0][0] == "1950"
    assert figures[1][0] == "25,059"


def test_sizes_have_a_decimal_only_if_some_is_no_whole_number():
    """The rows asked for, and labels per row with three decimals each."""
    whole = make_part_table(summarize(evenfold.split(Y, [0.5, 0.25, 0.25]).quality))
    assert [row[1] for row in whole.rows] == ["120", "60", "60"]
    assert [row[1] for row in make_part_table(summarize(evenfold.split(Y, 7).quality)).rows] == [
        "34.3"
    ] * 7
    assert all(len(row[-3].partition(".")[2]) == 3 for row in whole.rows)
