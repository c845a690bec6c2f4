"""The figures of the README and of the page of benchmarks are those that were measured."""

import re

import pytest
from benchmarks.pages import PAGES, SET_OF_PATIENTS, fill, read_records
from benchmarks.picture import PATH, SHOWN, make_panels, make_picture

from .blocks import ROOT

RECORDS = read_records()
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_have_the_recorded_figures(page):
    """`python -m benchmarks.pages` would change nothing."""
    text = page.read_text(encoding="utf-8")
    assert "<!-- figures: " in text
    assert fill(text, RECORDS) == text


def test_other_figures_are_replaced():
    """A number that was changed by hand is written anew."""
    text = README.replace("0.0214", "0.0100")
    assert text != README
    assert fill(text, RECORDS) == README


def find(package):
    """Return the records of a package, by data set."""
    own = RECORDS["default"]["sections"]["packages"]["records"]
    return {record["data"]: record for record in own if record["package"] == package}


def test_what_the_pages_say_of_the_figures_holds():
    """Evenfold is the most even one, sizes and patients are whole, and where it is slower."""
    ours = find("evenfold")
    for package in ("iterative-stratification", "scikit-multilearn-ng", "scikit-learn"):
        for name, record in find(package).items():
            assert ours[name]["rLD"] <= record["rLD"] + 1e-9
            assert ours[name]["rows off"] <= record["rows off"] + 1e-9
    assert max(record["rows off"] for record in ours.values()) < 1
    assert ours[SET_OF_PATIENTS]["groups cut %"] == 0
    assert all(
        record["time"] < 1
        for name, record in find("scikit-learn").items()
        if name != SET_OF_PATIENTS
    )
    others = find("iterative-stratification")
    slower = [name for name, record in others.items() if record["time"] < 1]
    assert slower == ["emotions", "yeast", "medical", SET_OF_PATIENTS]


def test_the_readme_counts_the_data_sets():
    """Those of the page of benchmarks that its own table does not have."""
    shown = {name.partition(",")[0] for name in find("evenfold")}
    page = PAGES[1].read_text(encoding="utf-8").partition("## The default, beside")[2]
    table = page.partition("<!-- end of figures -->")[0]
    sets = set(re.findall(r"^\| (\w+)(?: \\\*)? \| 5 folds", table, re.MULTILINE))
    assert f"{len(sets - shown)} more data sets" in README


def test_the_picture_is_that_of_its_script():
    """`python -m benchmarks.picture` would change nothing."""
    assert (ROOT / PATH).read_text(encoding="utf-8") == make_picture()


def test_the_text_of_the_picture_holds():
    """What the README says to those who do not see it."""
    random, even = make_panels()
    text = " ".join(re.search(r"!\[(.*?)\]", README, re.DOTALL)[1].split())
    for genre, name in (
        ("film-noir", "film-noir has between {} and {} rows"),
        ("adventure", "adventure between {} and {}"),
    ):
        rows = random.count[:, SHOWN.index(genre)]
        assert name.format(rows.min(), rows.max()) in text
    assert "no genre is a row off" in text
    assert (abs(even.count - even.count.sum(axis=0) / 5) < 1).all()
    assert "the least possible" in even.remark


def test_the_readme_is_short_and_begins_with_install_and_use():
    """Then come the two commands of the Makefile, on the first screen."""
    lines = README.splitlines()
    assert len(lines) <= 150
    first = "\n".join(lines[:55])
    places = [
        first.index(text)
        for text in ("pip install", "evenfold.split(", "evenfold split ", "make demo", "make test")
    ]
    assert places == sorted(places)
