"""The verdict of a report: its level, its sentence, its remarks."""

import numpy as np
import pytest

import evenfold
from evenfold.report import judged_labels
from evenfold.report.baseline import Baseline
from evenfold.report.remarks import describe_effort, show_share
from evenfold.report.summary import make_summary

Y = np.random.default_rng(0).random((240, 9)) < np.geomspace(0.5, 0.01, 9)
AGE = np.arange(240) % 83 + 5
N_COMMON = 2000


def judge(split):
    """Return the verdict on a split, or on a quality."""
    if isinstance(split, evenfold.Split):
        return make_summary(split.quality, "a call", origin=split.origin)["verdict"]
    return make_summary(split, "a call")["verdict"]


def make_common():
    """Return labels of which all can be divided, too many for a split that is even in all."""
    return np.random.default_rng(0).random((N_COMMON, 60)) < 0.2


@pytest.mark.parametrize(
    ("quality", "level", "sentence"),
    [
        (
            lambda: evenfold.split(Y, 4, order=1).quality,
            "best",
            "Every label is within one row of its share in every part. "
            "No split of these rows can be more even (",
        ),
        (
            lambda: evenfold.split(Y, 4, groups=np.arange(240) // 2).quality,
            "best",
            "No split that keeps the groups whole can be more even (",
        ),
        (
            lambda: evenfold.measure(Y, evenfold.split(Y, 4, method="random").part_of_row),
            "random",
            "1 of 8 labels with at least a row for each part is within one row, or 1 %, of their "
            "share in every part. On average, these labels are 27.6 % off their share of a part; "
            "no split of these rows is below 10.7 %. This bound may not be reachable.",
        ),
        (
            lambda: evenfold.split(balance={"age": AGE}, parts=3).quality,
            "unlabelled",
            "The least even of 1 balanced column, “age”, is 0.",
        ),
        (
            lambda: evenfold.split(np.zeros((9, 1)), 3).quality,
            "unlabelled",
            "No row has a label, so there is nothing to keep even.",
        ),
        (
            lambda: evenfold.measure([["a"], ["a"], [], []], [0, 0, 1, 1]),
            "random",
            "On average, labels are 100 % off their share of a part; a split with 0 % may exist.",
        ),
    ],
)
def test_the_verdict_is_a_sentence_with_its_number(quality, level, sentence):
    """Each level has its sentence, with the number that supports it."""
    verdict = judge(quality())
    assert verdict["level"] == level
    assert sentence in verdict["sentence"]


def test_the_verdict_of_a_split_that_could_be_better_holds():
    """How far labels are off is rounded up, and the bound down."""
    s = evenfold.split(make_common(), 5, method="iterative")
    verdict = judge(s)
    assert verdict["level"] == "better"
    off = float(verdict["sentence"].split("On average, labels are ")[1].split(" %")[0])
    bound = float(verdict["sentence"].split("is below ")[1].split(" %")[0])
    assert 0 <= off - 100 * s.quality.rld < 0.01
    assert 0 <= 100 * s.quality.bound.rld - bound < 0.01
    assert verdict["sentence"].endswith("This bound may not be reachable.")
    assert any(remark.startswith("Made by the method iterative, ") for remark in verdict["remarks"])


def test_the_verdict_takes_the_tight_bound():
    """A split that reaches the tight bound is as even as the rows allow."""
    quality = evenfold.measure([["a"], ["b"], ["c"], ["d"]], [0, 0, 0, 1])
    assert quality.excess == pytest.approx(0.5)
    verdict = judge(quality)
    assert verdict["level"] == "best"
    assert "No split of these rows can be more even (rLD 1)." in verdict["sentence"]


def test_rare_labels_do_not_hide_common_ones():
    """A split that is even in many rare labels but not in a common one is not called close.

    The bound of the rare labels is so high that the mean of all is within 1 % of its own.
    """
    y = np.zeros((1200, 901))
    y[:900, 0] = 1
    y[np.arange(900), 1 + np.arange(900)] = 1
    uneven = np.arange(1200) % 4
    uneven[np.flatnonzero(uneven[:900] == 3)[:120]] = 0
    uneven[900 + np.flatnonzero(uneven[900:] == 0)] = 3
    quality = evenfold.measure(y, uneven)
    assert quality.tight_excess < 0.05
    verdict = judge(quality)
    assert verdict["level"] == "random"
    assert verdict["sentence"].startswith(
        "0 of 1 label with at least a row for each part are within one row, or 1 %, of their share "
        "in every part. On average, "
    )
    assert verdict["remarks"][0].startswith("Furthest off: “0”, 86.2 rows ")
    assert verdict["remarks"][0].endswith(" fewer than its share in part3.")


def test_a_size_class_that_is_not_close_is_named():
    """Labels together may be close to the best while the common ones are not."""
    rng = np.random.default_rng(0)
    y = np.zeros((4000, 62), bool)
    y[:, :2] = rng.random((4000, 2)) < 0.4
    for label in range(2, 62):
        y[rng.choice(4000, 9, replace=False), label] = True
    s = evenfold.split(y, 4, order=1)
    # Rows that hold common labels alone are moved: only these labels change.
    part = s.part_of_row.copy()
    plain = np.flatnonzero(~y[:, 2:].any(axis=1))
    holds, lacks = plain[y[plain, 0] & (part[plain] == 0)], plain[~y[plain].any(axis=1)]
    lacks = lacks[part[lacks] == 1]
    part[holds[:25]], part[lacks[:25]] = 1, 0
    verdict = judge(s.quality.measure_other(part))
    assert verdict["level"] == "average"
    assert verdict["headline"] == "Close to the best on average, but not labels of every size"
    furthest = "Furthest off: “0”, 24.8 rows (6.2 %) fewer than its share in fold0; “1”, "
    assert verdict["remarks"][0].startswith(furthest)
    assert any(
        remark.startswith("2 labels with 1,000+ rows: ")
        and "(best not below 0.108 %, random " in remark
        for remark in verdict["remarks"]
    )


def test_a_split_hardly_above_its_bound_is_called_close():
    """A split with two of 500 labels above their bound of 0 is called close to the best."""
    y = [[number % 500] for number in range(5000)]
    s = evenfold.split(y, 5, order=1)
    part = s.part_of_row.copy()
    other = next(row for row in range(1, 5000, 500) if part[row] != part[0])
    part[0], part[other] = part[other], part[0]
    quality = s.quality.measure_other(part)
    assert quality.rld == pytest.approx(0.0008)
    verdict = judge(quality)
    assert verdict["level"] == "close"
    assert "a split with 0 % may exist." in verdict["sentence"]


@pytest.mark.parametrize("seed", range(40))
def test_a_random_split_is_never_called_more_even_than_random(seed):
    """Random splits by another generator, of data with few labels, whose rLD varies most."""
    rng = np.random.default_rng(seed)
    y = rng.random((120, 3)) < 0.3
    verdict = judge(evenfold.measure(y, rng.permutation(120) % 4))
    assert verdict["level"] == "random"
    assert not any("all of them are less even" in remark for remark in verdict["remarks"])


@pytest.mark.parametrize(("seed", "few"), [(4, "none of them is"), (6, "1 % of them are")])
def test_a_split_that_few_random_splits_reach_is_not_clearly_more_even(seed, few):
    """A few large groups: hardly a random split is as even, but one might well be."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(40), rng.integers(1, 60, 40))
    y = rng.random((len(groups), 8)) < 0.2
    s = evenfold.split(y, [0.8, 0.1, 0.1], groups=groups)
    verdict = judge(s)
    assert verdict["level"] == "unclear"
    assert verdict["headline"] == "Not clearly more even than a random split"
    assert any(f" off: {few} as even as this one" in own for own in verdict["remarks"])
    assert judge(s.quality)["level"] == ("unclear" if seed == 4 else "random")


def test_a_split_of_the_method_random_is_not_called_more_even_than_random(monkeypatch):
    """Not even the one of a thousand that is below all others."""
    monkeypatch.setattr(Baseline, "is_below", lambda *_: True)
    s = evenfold.split(make_common(), 5, method="random")
    assert judge(s)["level"] == "random"
    assert judge(s.quality)["level"] == "better"


def test_where_the_split_is_among_random_splits_is_said():
    """All less even, all more even, or the percentage that is as even or more."""
    y = make_common()
    assert any(
        remark.startswith("99 random splits of these rows are ")
        and remark.endswith(" off: all of them are less even.")
        for remark in judge(evenfold.split(y, 5, order=1))["remarks"]
    )
    random = evenfold.split(y, 5, method="random", random_state=500).quality
    remarks = judge(random)["remarks"]
    assert any("% of them are as even as this one or more." in remark for remark in remarks)
    uneven = judge(evenfold.measure(y[:, :3], 2 * y[:, 0] + y[:, 1]))["remarks"]
    assert any("off: all of them are more even." in remark for remark in uneven)


def test_what_is_less_even_than_in_random_splits_is_named():
    """Label pairs, labelsets, balanced columns and groups per part."""
    rng = np.random.default_rng(0)
    a = rng.random(800) < 0.5
    y = np.stack([a, rng.random(800) < 0.5], axis=1)
    # Even in both labels, but rows with both are in the first part.
    number = 2 * y[:, 0] + y[:, 1]
    part = np.zeros(800, int)
    both, one, two, none = (np.flatnonzero(number == value) for value in (3, 2, 1, 0))
    half = len(both) // 2
    part[both[: half - 60]] = part[one[: len(one) // 2 + 60]] = 1
    part[two[: len(two) // 2 + 60]] = part[none[: len(none) // 2 - 60]] = 1
    age, groups = np.where(part, 10.0, 20.0), np.where(part, np.arange(800), np.arange(800) // 9)
    groups = np.where(part, groups, groups + 1000)
    quality = evenfold.measure(y, part, parts=[0.5, 0.5], balance={"age": age}, groups=groups)
    remark = next(
        own for own in judge(quality)["remarks"] if own.startswith("Less even than in random")
    )
    for name in ("rLD of label pairs (", "rLD of labelsets (", "“age” (", "groups per part ("):
        assert name in remark
    fair = judge(evenfold.split(y, 2, balance={"age": AGE[:1].repeat(800)}))["remarks"]
    assert not any(own.startswith("Less even than in random splits") for own in fair)


def test_labels_that_parts_lack_more_often_than_in_random_splits_are_named():
    """All rows of rare labels are in the largest part."""
    y = [[number // 3] for number in range(1500)] + [[]] * 1500
    quality = evenfold.measure(y, [0] * 2400 + [1] * 300 + [2] * 300)
    remarks = judge(quality)["remarks"]
    remark = next(own for own in remarks if own.startswith("Less even than in random"))
    assert "how often a part lacks a label (1,000, random 7" in remark


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"parts": 5}, "This bound may not be reachable."),
        (
            {"parts": [0.7, 0.3]},
            "This bound may not be reachable, because parts have different sizes.",
        ),
        (
            {"parts": [0.7, 0.3], "groups": np.arange(N_COMMON) // 2},
            "This bound may not be reachable, because groups stay whole and parts have different "
            "sizes.",
        ),
        (
            {"parts": [0.7, 0.3], "fixed": np.where(np.arange(N_COMMON) < 5, 0, -1)},
            "This bound may not be reachable, because parts have different sizes and some rows "
            "are fixed.",
        ),
    ],
)
def test_why_the_bound_may_not_be_reachable_is_said(arguments, reason):
    """Groups, unequal parts and fixed rows are reasons."""
    s = evenfold.split(make_common(), method="labelset", **arguments)
    assert judge(s)["sentence"].endswith(reason)


def test_the_effort_of_the_search_is_said(monkeypatch):
    """A split that is not the best possible says what was spent on it, and what would be more."""
    y = np.random.default_rng(0).random((300, 80)) < 0.1
    remarks = judge(evenfold.split(y, 5, order=1, effort="fast"))["remarks"]
    assert any(
        remark.startswith("Made by the method even, effort fast, ")
        and remark.endswith(" s; effort normal searches longer.")
        for remark in remarks
    )


def test_labels_too_rare_for_every_part_are_judged_if_there_are_no_others():
    """The sentence then does not say that they can be divided."""
    y = np.zeros((60, 20))
    y[np.arange(40), np.arange(40) // 2] = 1
    quality = evenfold.measure(y, np.arange(60) % 30 // 10)
    verdict = judge(quality)
    assert "labels with at least a row" not in verdict["sentence"]
    summary = make_summary(quality, "a call")
    assert (summary["judged"]["labels"], summary["judged"]["can_be_divided"]) == (20, False)


def test_labels_in_too_few_groups_cannot_be_divided():
    """A label with many rows in one group is not judged."""
    y = np.zeros((60, 2))
    y[:20, 0] = y[::2, 1] = 1
    quality = evenfold.measure(y, np.arange(60) // 20, groups=np.arange(60) // 20)
    assert make_summary(quality, "a call")["judged"]["labels"] == 1


def test_bounds_of_judged_labels_hold(monkeypatch):
    """No split found is below the bound of its judged labels, nor of one size class."""
    rng = np.random.default_rng(0)
    y = rng.random((90, 12)) < np.geomspace(0.5, 0.02, 12)
    for groups in (None, np.arange(90) // 3):
        splits = [
            evenfold.split(y, [0.6, 0.4], groups=groups, order=1, random_state=seed)
            for seed in range(3)
        ]
        for s in splits:
            judged = make_summary(s.quality, "a call")["judged"]
            for own in (judged, *judged["size_classes"]):
                assert own["bound"] <= own["rld"] + 1e-12
            chosen = s.quality.per_label.rows * 0.4 >= 1
            if groups is None:
                assert judged["rld"] == pytest.approx(s.quality.per_label.rld[chosen].mean())


def test_wrong_sizes_and_lacking_labels_are_remarked_on():
    """Parts of other sizes than wanted, and labels that parts lack, have a remark."""
    remarks = judge(evenfold.measure(Y, np.arange(240) % 3 % 2, parts=2))["remarks"]
    assert "Sizes are not those asked for: fold0 has 40.0 rows more." in remarks
    rare = np.zeros((240, 2))
    rare[0, 0] = rare[:, 1] = 1
    assert (
        "1 label lacking in some part: too rare to be in every part, so this cannot be avoided."
        in judge(evenfold.split(rare, 2).quality)["remarks"]
    )


def test_shares_are_shown_with_three_digits_rounded_to_the_safe_side():
    """A share that is a round number stays it."""
    shown = [show_share(share) for share in (0, 1, 0.05, 0.123401, 2.5, 0.00012301, 1e-7)]
    assert shown == ["0 %", "100 %", "5.00 %", "12.4 %", "250 %", "0.0124 %", "0.0000100 %"]


def test_random_values_are_told_apart_by_their_spread():
    """A value below all others is not yet improbable; one far below them is."""
    values = np.array([1.0, 1.1, 0.9, 1.05, 0.95, 1.02])
    baseline = Baseline(6, 0, {"own": values, "equal": np.ones(6)}, "")
    assert baseline.is_below("own", 0.89) is False
    assert baseline.is_below("own", 0.2) is True
    assert baseline.is_above("own", 1.11) is False
    assert baseline.is_above("own", 1.9) is True
    assert baseline.is_above("equal", 1 + 1e-14) is False
    assert baseline.is_above("equal", 1.01) is True
    assert baseline.is_below("none", 0) is None
    assert baseline.quantile("own", 1.0) == 0.5
    assert baseline.range("own") == (0.9, 1.1)
    assert judged_labels.JUDGED not in baseline.values


def test_a_split_far_closer_to_its_bound_than_random_splits_is_called_close():
    """Groups keep some labels a row off; a 50th of the way to random splits is no reason to warn.

    The mean is 8 % above the bound, and by more than 0.1 % of the share.
    """
    rng = np.random.default_rng(1)
    y = rng.random((900, 18)) < 0.12
    s = evenfold.split(y, [0.8, 0.1, 0.1], order=1)
    part = s.part_of_row.copy()
    # One row of a label changes places with one without any.
    one = next(row for row in np.flatnonzero(part == 1) if y[row].sum() == 1)
    none = next(row for row in np.flatnonzero(part == 0) if not y[row].any())
    part[[one, none]] = part[[none, one]]
    quality = s.quality.measure_other(part)
    summary = make_summary(quality, "a call")
    judged = summary["judged"]
    over = judged["rld"] - judged["bound"]
    assert over > 0.001
    assert over > 0.05 * judged["bound"]
    assert over < 0.02 * (judged["random"] - judged["bound"])
    assert summary["verdict"]["level"] == "close"


def test_lacking_labels_are_told_apart_by_their_reason():
    """Too rare; a share of at most half a row, where `cover` asks for one; or more than that."""
    y = np.zeros((100, 3))
    y[:4, 0] = 1  # 0.4 rows of each small part
    y[:20, 1] = 1  # 2 rows of them
    y[:1, 2] = 1  # one row for three parts
    part = np.zeros(100, int)
    part[80:90], part[90:] = 1, 2
    assert (
        "3 labels lacking in some part: 1 too rare to be in every part; 1 with a share of half a "
        "row or less there (cover=True, or --cover 1, asks for a row); 1 with enough rows and a "
        "share of more than half a row there."
    ) in judge(evenfold.measure(y, part))["remarks"]


def test_very_short_times_are_not_counted_in_microseconds():
    """A reader needs no digits of them."""
    origin = {"method": "random", "effort": None, "seconds": 0.000542}
    assert describe_effort(origin) == ["Made by the method random, less than 0.01 s."]
    assert describe_effort({**origin, "seconds": 8.7612}) == ["Made by the method random, 8.76 s."]
