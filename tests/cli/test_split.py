"""`evenfold split`: the split is that of Python; what is printed."""

import json
from pathlib import Path

import pytest

import evenfold

from ..files.made_files import (
    GENRES,
    N_ROWS,
    PATIENT,
    write_csv,
)
from .read_back import names_of, read_parts


def test_every_option_has_its_effect_in_python(command, tmp_path):
    """Groups, balance, names, holdout, method, order, effort and seed; text may be numbers."""
    data = write_csv(tmp_path / "data.csv")
    age = [at * 7 % 30 for at in range(N_ROWS)]
    options = [
        "--groups",
        "patient",
        "--balance",
        "age",
        "--folds",
        "2",
        "--holdout",
        "0.25",
        "--names",
        "a,b",
        "--order",
        "1",
        "--effort",
        "fast",
    ]
    assert command(f"split {data}", *options, "--seed", "5", "-o", "out.csv").code == 0
    s = evenfold.split(
        GENRES,
        2,
        groups=PATIENT,
        balance={"age": age},
        holdout=0.25,
        names=["a", "b"],
        order=1,
        effort="fast",
        random_state=5,
    )
    assert read_parts(Path("out.csv")) == names_of(s)
    assert set(s.names) == {"a", "b", "test"}
    assert command(f"split {data} --method iterative --parts train=30,dev=10 -o it.csv").code == 0
    assert read_parts(Path("it.csv")) == names_of(
        evenfold.split(GENRES, {"train": 30, "dev": 10}, method="iterative")
    )


def test_cover_is_that_of_python_and_its_cost_is_shown(command, tmp_path):
    """On the terminal, in JSON, in the manifest and in the report; 0 turns the rule off."""
    data = write_csv(tmp_path / "data.csv")
    done = command(
        f"split {data} --labels genres --parts 0.7,0.2,0.1 --cover 2 -o out.csv "
        "--manifest m.json --report r.md --json"
    )
    s = evenfold.split(GENRES, [0.7, 0.2, 0.1], cover=2)
    sentence = s.origin.describe_cover()
    assert sentence.startswith("Every part holds at least 2 rows of each label that has enough")
    assert read_parts(Path("out.csv")) == names_of(s)
    assert sentence in " ".join(done.stderr.split())
    assert json.loads(done.stdout)["parameters"] == s.origin.parameters
    assert s.origin.parameters.items() <= evenfold.load_split("m.json").origin.parameters.items()
    assert f"- {sentence}" in Path("r.md").read_text(encoding="utf-8")
    done = command(f"split {data} --labels genres --parts 0.7,0.2,0.1 --cover 0 -o none.csv")
    assert read_parts(Path("none.csv")) == names_of(
        evenfold.split(GENRES, [0.7, 0.2, 0.1], cover=False)
    )
    assert "Every part holds at least" not in done.stderr


def test_without_an_output_only_the_report_is_shown(command, tmp_path):
    """It has sizes, measures with bounds and the seed, and says that nothing was written."""
    data = write_csv(tmp_path / "data.csv")
    done = command(f"split {data} --parts 0.8,0.2 --seed 4")
    assert (done.code, done.stdout) == (0, "")
    for piece in (
        "seed 4",
        "train    32      32",
        "rLD  relative LD",
        "over bound",
        "Nothing was written: add -o, --indices, --manifest or --report.",
    ):
        assert piece in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


def test_the_report_names_the_least_even_labels_and_what_cannot_be(command, tmp_path):
    """Labels that cannot be in every part, and groups larger than a part, are named."""
    data = tmp_path / "data.csv"
    rows = [
        "tags,who",
        *(
            f"{'rare' if at == 0 else 'a' if at % 2 else 'b'}|c,{'big' if at < 12 else at}"
            for at in range(30)
        ),
    ]
    data.write_text("\n".join(rows) + "\n")
    done = command(
        f"split {data} --labels tags --separator '|' --groups who "
        "--parts 0.6,0.2,0.2 --method random"
    )
    assert done.code == 0
    assert "1 of 4 labels with fewer rows than parts: some part must lack them." in done.stderr
    assert (
        "The largest group has 12 rows, more than the size of 'val' (6), so it can only"
        in done.stderr
    )
    assert "least even labels" in done.stderr


def test_json_is_one_object_on_stdout(command, tmp_path):
    """It has quality, seed, warnings and the outputs written."""
    data = write_csv(tmp_path / "data.csv")
    done = command(f"split {data} --folds 3 --json -o out.csv --quiet")
    record = json.loads(done.stdout)
    s = evenfold.split(GENRES, 3)
    assert (record["names"], record["sizes"], record["seed"]) == (
        list(s.names),
        s.sizes.tolist(),
        0,
    )
    assert record["quality"] == json.loads(json.dumps(s.quality.to_dict()))
    assert record["written"] == ["out.csv"]
    assert done.stderr == ""


def test_bound_shows_the_tight_bound_too(command, tmp_path):
    """In the printed table and in JSON."""
    data = write_csv(tmp_path / "data.csv")
    done = command(f"split {data} --parts 0.8,0.2 --bound tight --json")
    assert "tight  over it" in done.stderr
    quality = evenfold.split(GENRES, [0.8, 0.2]).quality
    assert json.loads(done.stdout)["quality"]["tight_bound"]["rld"] == quality.tight_bound.rld


def test_quiet_says_nothing(command, tmp_path):
    """Nothing is printed on stdout or stderr."""
    data = write_csv(tmp_path / "data.csv")
    assert command(f"split {data} --folds 3 -o out.csv --quiet") == (0, "", "")


def test_size_tolerance_is_that_of_python_and_its_gain_is_shown(command, tmp_path):
    """Rows, shares and percent; on the terminal, in JSON and in the report; a large group too."""
    groups = [0] * 16 + [1] * 7 + [2] * 4 + list(range(3, 16))
    data = tmp_path / "data.csv"
    lines = [f"{'|'.join(own)},{group}" for own, group in zip(GENRES, groups, strict=True)]
    data.write_text("\n".join(["genres,studio", *lines]) + "\n", encoding="utf-8")
    told = (
        f"split {data} --labels genres --folds 4 --groups studio --force -o out.csv --report r.md"
    )
    refused = command(told)
    assert refused.code == 1
    assert "pass --size-tolerance: a part" in refused.stderr
    for text, tolerance in (("2", 2), ("0.25", 0.25), ("25%", 0.25)):
        done = command(f"{told} --size-tolerance {text} --json")
        s = evenfold.split(GENRES, 4, groups={"studio": groups}, size_tolerance=tolerance)
        assert read_parts(Path("out.csv")) == names_of(s)
        assert json.loads(done.stdout)["parameters"] == s.origin.parameters
        sentence = s.origin.describe_sizes()
        assert "The largest group has 16 rows, more than any part was to have (10)" in sentence
        assert sentence in " ".join(done.stderr.split())


@pytest.mark.parametrize("text", ["-1", "1.5", "nan", "100%", "-5%", "many"])
def test_size_tolerance_of_a_wrong_value_is_refused(command, tmp_path, text):
    """The message has the value and examples."""
    data = write_csv(tmp_path / "data.csv")
    done = command(f"split {data} --folds 4 --size-tolerance={text}")
    assert done.code == 2
    assert f"'{text}' is neither a number of rows nor a share below 1." in " ".join(
        done.stderr.split()
    )
