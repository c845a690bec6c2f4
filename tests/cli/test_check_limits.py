"""`evenfold check`: its last line, and the limits of how far counts of labels may be off."""

import json

import numpy as np
import pytest

from .refusals import check_refusal


@pytest.fixture
def data(tmp_path):
    """300 rows in parts of 200 and 100; `war` is 6 rows off, `rare` has 1 and 0 of its 1 row."""
    part = np.array(["train"] * 200 + ["test"] * 100)
    labels = {
        "war": [1] * 54 + [0] * 146 + [1] * 36 + [0] * 64,
        "drama": [1] * 100 + [0] * 100 + [1] * 50 + [0] * 50,
        "rare": [1] + [0] * 299,
    }
    names = ["part", *labels]
    rows = zip(part, *labels.values(), strict=True)
    text = "\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)])
    (tmp_path / "data.csv").write_text(text + "\n")


CHECK = "check data.csv --part-column part --labels war:rare"
ROWS = ("6 rows off (war in train: 54 of 60)", "54 rows in train, 6 rows fewer", "60")
PERCENT = ("20 % off (war in test: 36 of 30)", "36 rows in test, 20 % more", "30")


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("option", "limit", "found", "others"),
    [
        ("--max-off-rows 5", "5 rows", ROWS, " 2 counts of labels are beyond it."),
        ("--max-off-rows 5.5", "5.5 rows", ROWS, " 2 counts of labels are beyond it."),
        ("--max-off-rows 1", "1 row", ROWS, " 2 counts of labels are beyond it."),
        ("--max-off-percent 19.9", "19.9 %", PERCENT, ""),
    ],
)
def test_counts_beyond_a_limit_fail(option, limit, found, others, command):
    """The farthest is named; the last line says FAILED."""
    done = command(f"{CHECK} {option}")
    assert done.code == 1
    line, sentence, share = found
    assert done.stderr == (
        f"evenfold: label 'war' has {sentence} than its share ({share}); the limit is {limit}."
        f"{others}\n"
    )
    assert done.stdout.splitlines()[-2:] == [
        f"FAILED labels: at most {line}; limit {limit}",
        "FAILED: 1 of 1 check of data.csv.",
    ]


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("option", "limit", "found"),
    [("--max-off-rows 6", "6 rows", ROWS), ("--max-off-percent 20", "20 %", PERCENT)],
)
def test_counts_at_a_limit_pass(option, limit, found, command):
    """A limit is what is still allowed."""
    done = command(f"{CHECK} {option}")
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-2:] == [
        f"ok     labels: at most {found[0]}; limit {limit}",
        "OK: 1 check of data.csv.",
    ]


@pytest.mark.usefixtures("data")
def test_less_than_a_row_off_never_fails(command):
    """Whole rows cannot come nearer: 1 row of `rare` is 50 % more than its share."""
    done = command(
        f"{CHECK.replace('war:rare', 'drama,rare')} --max-off-rows 0 --max-off-percent 0"
    )
    assert (done.code, done.stderr) == (0, "")
    text = "ok     labels: every count is within a row of its share; limit"
    *_, rows, percent, verdict = done.stdout.splitlines()
    assert (rows, percent) == (f"{text} 0 rows", f"{text} 0 %")
    assert verdict == "OK: 2 checks of data.csv."


def test_percent_are_of_shares_of_a_row_or_more(command, tmp_path):
    """All 3 rows in a part that should have 0.3 are off in rows, and not in percent."""
    rows = [("train", 0)] * 90 + [("test", 1)] * 3 + [("test", 0)] * 7
    text = "".join(f"{part},{rare},{rare}\n" for part, rare in rows)
    (tmp_path / "data.csv").write_text(f"part,rare,again\n{text}")
    check = "check data.csv --part-column part --labels rare,again"
    assert command(f"{check} --max-off-rows 2.6").code == 1
    done = command(f"{check} --max-off-percent 99.9")
    assert done.stderr == (
        "evenfold: label 'rare' has 0 rows in train, 100 % fewer than its share (2.7); the limit "
        "is 99.9 %. 2 counts of labels are beyond it.\n"
    )
    assert command(f"{check} --max-off-percent 100").code == 0


@pytest.mark.usefixtures("data")
def test_the_share_is_of_the_rows_that_parts_have(command):
    """As the measures of labels are; --parts is about sizes."""
    done = command(f"{CHECK} --max-off-rows 6 --parts train=0.5,test=0.5 -q")
    assert done.stderr.splitlines() == [
        "evenfold: train has 200 rows, 150 are wanted.",
        "evenfold: test has 100 rows, 150 are wanted.",
    ]
    shown = command(f"{CHECK} --max-off-rows 6 --parts train=0.5,test=0.5").stdout.splitlines()
    assert shown[-3].startswith("FAILED sizes: 2 of 2 parts are a row or more off")
    assert shown[-1] == "FAILED: 1 of 2 checks of data.csv."
    kept = command(f"{CHECK} --parts train=200,test=100").stdout.splitlines()
    assert kept[-2] == "ok     sizes: every part is within a row of what is wanted"


@pytest.mark.usefixtures("data")
def test_all_limits_are_lines_and_the_last_line_counts_them(command):
    """With their numbers, whether they hold or not."""
    done = command(f"{CHECK} --max-excess .1 --max-empty 0 --max-off-rows 6")
    assert done.code == 1
    *_, off, excess, empty, verdict = done.stdout.splitlines()
    assert off == "ok     labels: at most 6 rows off (war in train: 54 of 60); limit 6 rows"
    assert excess == "FAILED rLD: 0.30000, 20.0 % over the best possible (0.25000); limit 10.0 %"
    assert empty == ("ok     0 times a part lacks a label that it could have had; the limit is 0")
    assert verdict == "FAILED: 1 of 3 checks of data.csv."
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.usefixtures("data")
def test_stdout_stays_json_and_quiet_stays_quiet(command):
    """With --json, the last line is on stderr; with --quiet, there is none."""
    for limit, start in (("6", "OK: 1 check of data.csv."), ("5", "FAILED: 1 of 1 check of")):
        done = command(f"{CHECK} --max-off-rows {limit} --json")
        assert json.loads(done.stdout)["passed"] is (limit == "6")
        assert done.stderr.splitlines()[-1].startswith(start)
    assert command(f"{CHECK} --max-off-rows 6 --quiet") == (0, "", "")
    assert command(f"{CHECK} --quiet --json").stderr == ""


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("option", ["--max-off-rows", "--max-off-percent"])
def test_limits_below_0_are_refused(option, command):
    """And so is what is no number."""
    check_refusal(command(f"{CHECK} {option} -1"), 2, "-1.0 is not in the range x>=0")
    check_refusal(command(f"{CHECK} {option} nan"), 2, "nan' is not a number. Try 5.")
    check_refusal(command(f"{CHECK} {option} few"), 2, "few' is not a number. Try 5.")


@pytest.mark.usefixtures("data")
def test_percent_may_have_their_sign(command):
    """5% is 5."""
    expected = command(f"{CHECK} --max-off-percent 5")
    assert command(f"{CHECK} --max-off-percent 5%") == expected
