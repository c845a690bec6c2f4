"""Sizes of parts as percent, in every command that has --parts."""

import json

import pytest

from ..files.made_files import N_ROWS, write_csv
from .refusals import check_refusal

PERCENT = "--parts is read as percent, because it sums to 100.\n"
ROWS = "--parts is read as numbers of rows; as percent, the sizes are the same.\n"


@pytest.fixture
def data(tmp_path):
    """A csv file of 40 rows."""
    return write_csv(tmp_path / "data.csv", extra=("fold", ["train", "test"] * (N_ROWS // 2)))


@pytest.fixture
def hundred(tmp_path):
    """A csv file of 100 rows."""
    path = tmp_path / "hundred.csv"
    path.write_text("tags\n" + "".join(f"{'a|b' if at % 3 else 'b'}\n" for at in range(100)))
    return path


@pytest.mark.parametrize(
    "sizes", ["80,10,10", "80%,10%,10%", "80 %,10 %,10 %", "train=80,val=10,test=10", "80.0,1e1,10"]
)
def test_percent_are_the_split_of_the_same_fractions(sizes, data, command):
    """Numbers that sum to 100 are percent, and the command says so."""
    expected = json.loads(command(f"split {data} --labels genres --parts .8,.1,.1 --json").stdout)
    done = command("split", data, "--labels", "genres", "--json", "--parts", sizes)
    found = json.loads(done.stdout)
    for key in ("names", "quality"):
        assert found[key] == expected[key]
    assert found["sizes"] == [32, 4, 4]
    assert (PERCENT in done.stderr) == ("%" not in sizes)


def test_rows_are_taken_if_there_are_100(hundred, command):
    """They are the same sizes, and the command says what was taken."""
    done = command(f"split {hundred} --labels tags --parts 80,10,10 --json")
    assert ROWS in done.stderr
    assert json.loads(done.stdout)["sizes"] == [80, 10, 10]
    as_percent = command(f"split {hundred} --labels tags --parts 80.0,10.0,10.0 --indices p.json")
    assert PERCENT in as_percent.stderr
    assert command(f"split {hundred} --labels tags --parts 80,10,10 --indices r.json").code == 0
    assert hundred.with_name("p.json").read_bytes() == hundred.with_name("r.json").read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        "info {} --labels genres --parts 75,25",
        "compare {} --labels genres --parts 75,25 --methods random",
        "check {} --labels genres --part-column fold --parts train=50,test=50",
        "extend {} --labels genres --part-column fold --parts train=50,test=50",
        "evaluate {} --labels genres --parts 75,25 --learner br:tree --method random",
    ],
)
def test_every_command_takes_percent(words, data, command):
    """And says so, once."""
    done = command(words.format(data))
    assert (done.code, done.stderr.count(PERCENT)) == (0, 1), done.stderr
    quiet = command(words.format(data) + " --quiet")
    assert PERCENT not in quiet.stderr


def test_other_sums_are_refused(data, command):
    """With the sums that are allowed; 90 is neither percent nor the rows."""
    done = command(f"split {data} --labels genres --parts 80,10 -q")
    message = "--parts must sum to 1, to 100 (percent) or to the 40 rows, got 90."
    check_refusal(done, 1, message)


@pytest.mark.parametrize("sizes", ["80%,10%", "80%,10%,10", "80%,30%,-10%,20%,0.1%"])
def test_percent_signs_must_be_at_all_sizes_and_sum_to_100(sizes, data, command):
    """Otherwise it is wrong usage."""
    done = command("split", data, "--labels", "genres", "--parts", sizes)
    check_refusal(done, 2, f"'{sizes}' is not percent that sum to 100. Try 80%,10%,10%.")


def test_negative_percent_is_refused(data, command):
    """As all sizes of 0 and below are."""
    for sizes in ("110,-10", "110%,-10%"):
        done = command("split", data, "--labels", "genres", "--parts", sizes, "-q")
        check_refusal(done, 2, "--parts must ")
