"""Figures that pages quote are those of the records, or of the page that has the whole table."""

import re

from benchmarks.pages import read_records

from .blocks import ROOT

SECTIONS = read_records()["default"]["sections"]
DOCS = ROOT / "docs"


def read(name):
    """Return a page on one line."""
    return " ".join((DOCS / name).read_text(encoding="utf-8").split())


def test_intervals_are_those_of_the_evaluation_page():
    """Every value with a 95 % interval is in the page that is linked."""
    table = read("evaluation.md")
    quoted = re.findall(r"\d\.\d\d \[[\d., ]+\]", read("explanation/what-even-is-worth.md"))
    assert len(quoted) == 9
    assert [value for value in quoted if value not in table] == []


def test_the_bias_of_means_is_that_of_the_evaluation_page():
    """The range of the mean over folds, and that of the pooled value."""
    text, table = read("explanation/pooled-estimates.md"), read("evaluation.md")
    mean, pooled = (
        [float(value) for value in re.findall(r"([+-]?\d+\.\d) %", row)]
        for row in (
            re.search(r"\| MAP, mean over folds \|([^\n]*?) \| MAP, pooled", table)[1],
            re.search(r"\| MAP, pooled \|(.*?) \| macro-F1", table)[1],
        )
    )
    assert f"{min(mean):.0f} to {max(mean):.0f} % too high" in text
    assert f"between {-min(pooled)} % too low and {max(pooled)} % too high" in text


def test_what_is_said_of_iterative_stratification_holds():
    """The number of sets, and that no split of evenfold is less even."""
    records = [record for record in SECTIONS["default"]["records"] if "peer rLD" in record]
    text = read("coming-from/iterative-stratification.md")
    assert f"on {len({record['data'] for record in records})} data sets" in text
    assert "evenfold is never less even there" in text
    assert all(record["rLD"] <= record["peer rLD"] + 1e-9 for record in records)


def test_what_is_said_of_scikit_learn_holds():
    """The rLD of bibtex in five folds."""
    rld = {
        record["package"]: record["rLD"]
        for record in SECTIONS["packages"]["records"]
        if record["data"] == "bibtex"
    }
    sentence = f"is {rld['scikit-learn']:.4f} there and {rld['evenfold']:.4f} with evenfold"
    assert sentence in read("coming-from/scikit-learn.md")


def test_what_is_said_of_optisplit_is_in_the_tables():
    """The ratio of times and both rLDs on delicious, and ED on bibtex."""
    times, theirs, ours = re.search(
        r"\| optisplit 0.2 \| `optisplit` \| (\d+) \| ([\d.]+) \| ([\d.]+) \|",
        read("reference/benchmarks.md"),
    ).groups()
    text = read("coming-from/optisplit.md")
    assert f"{times} times as long" in text
    assert f"rLD of {theirs} instead of {ours}" in text
    ed = re.search(r"\| bibtex \| 5 folds \| optisplit \| ([\d.]+)", read("methods.md"))[1]
    assert f"{float(ed):.0f} rows off on average" in text


def test_what_is_said_of_randomsplit_is_in_the_tables():
    """The residuals of a split 50/50 with ten tries."""
    table = read("reproduction.md").partition("### split 50/50")[2]
    published, ours, even = re.search(
        r"\| 10 \| ([\d.]+) \([\d.]+\) \| ([\d.]+) .*?\| ([\d.]+) \([\d.]+\) \| \| 100 ", table
    ).groups()
    sentence = f"{published} as published, {ours} with `svd`, and {even} with `even`"
    assert sentence in read("coming-from/randomsplit.md")
