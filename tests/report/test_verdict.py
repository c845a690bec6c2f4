"""The verdict of a report: its level, its sentence, its remarks."""

import numpy as np
import pytest

import evenfold
from evenfold.report.summary import make_summary

Y = np.random.default_rng(0).random((240, 9)) < np.geomspace(0.5, 0.01, 9)
AGE = np.arange(240) % 83 + 5


def judge(quality):
    """Return the verdict on a split."""
    return make_summary(quality, "a call")["verdict"]


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
            "2 of 9 labels are within one row of their share in every part; the one furthest off, "
            "“0”, has 7.5 rows (27.3 %) more than its share in part1.",
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
            "Its rLD is 1; a split with rLD 0 may exist.",
        ),
    ],
)
def test_the_verdict_is_a_sentence_with_its_number(quality, level, sentence):
    """Each level has its sentence, with the number that supports it."""
    verdict = judge(quality())
    assert verdict["level"] == level
    assert sentence in verdict["sentence"]


def test_the_verdict_of_a_split_that_could_be_better_holds():
    """The share by which a split could be more even is rounded up to a tenth of a percent."""
    y = np.random.default_rng(0).random((2000, 60)) < 0.2
    s = evenfold.split(y, 5, method="iterative")
    verdict = judge(s.quality)
    assert verdict["level"] == "better"
    said = float(verdict["sentence"].split("can be more than ")[1].split(" %")[0])
    assert 0 <= said - 100 * (1 - s.quality.bound.rld / s.quality.rld) < 0.1


def test_the_verdict_takes_the_tight_bound():
    """A split that reaches the tight bound is as even as the rows allow."""
    quality = evenfold.measure([["a"], ["b"], ["c"], ["d"]], [0, 0, 0, 1])
    assert quality.excess == pytest.approx(0.5)
    verdict = judge(quality)
    assert verdict["level"] == "best"
    assert "No split of these rows can be more even (rLD 1)." in verdict["sentence"]


def test_a_split_hardly_above_its_bound_is_called_close():
    """A split with one of a hundred labels above its bound is called close to the best."""
    y = [[number % 100] for number in range(300)]
    s = evenfold.split(y, 5, order=1)
    part = s.part_of_row.copy()
    part[0] = part[100]
    verdict = judge(s.quality.measure_other(part))
    assert verdict["level"] == "close"
    assert any(
        remark.startswith("Random splits of these rows have an rLD of 1.")
        for remark in verdict["remarks"]
    )


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
