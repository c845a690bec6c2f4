"""The figures of the README and of the documentation are those that were measured."""

import re

import pytest
from benchmarks.page_tables.beside import SET_OF_PATIENTS
from benchmarks.page_tables.markdown import find_record
from benchmarks.pages import MAKERS, PAGES, fill, read_records
from benchmarks.picture import PATH, SHOWN, make_panels, make_picture

from .blocks import ROOT, list_pages

RECORDS = read_records()
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_have_the_recorded_figures(page):
    """`python -m benchmarks.pages` would change nothing."""
    text = page.read_text(encoding="utf-8")
    assert "<!-- figures: " in text
    assert fill(text, RECORDS) == text


def test_all_pages_with_figures_are_written():
    """A page with figures is one of `PAGES`, and each table is in a page."""
    texts = {path: path.read_text(encoding="utf-8") for path in list_pages().values()}
    assert {path for path, text in texts.items() if "<!-- figures: " in text} == set(PAGES)
    names = [name for text in texts.values() for name in re.findall(r"<!-- figures: (\S+)", text)]
    assert sorted(names) == sorted(MAKERS)


def test_other_figures_are_replaced():
    """A number that was changed by hand is written anew."""
    rld = f"{find('iterative-stratification')['yeast']['rLD']:.4f}"
    text = README.replace(rld, "0.9999")
    assert text != README
    assert fill(text, RECORDS) == README


def find(package):
    """Return the records of a package, by data set."""
    own = RECORDS["results"]["sections"]["packages"]["records"]
    return {record["data"]: record for record in own if record["package"] == package}


def test_what_the_pages_say_of_the_figures_holds():
    """Evenfold is the most even one, sizes and patients are whole, and where it is slower."""
    ours = find("evenfold")
    for package in ("iterative-stratification", "scikit-multilearn-ng", "scikit-learn"):
        for name, record in find(package).items():
            # To the digits of the table, because packages that cut patients may be more even.
            assert round(ours[name]["rLD"], 4) <= round(record["rLD"], 4)
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
    text = " ".join(README.split())
    assert "scikit-learn is faster on all sets except ChestX-ray14" in text
    assert "iterative-stratification on all except bibtex" in text


def test_the_readme_counts_the_data_sets():
    """Those of the page of benchmarks that its own table does not have."""
    shown = {name.partition(",")[0] for name in find("evenfold")}
    page = PAGES[1].read_text(encoding="utf-8").partition("<!-- figures: default -->")[2]
    table = page.partition("<!-- end of figures -->")[0]
    sets = set(re.findall(r"^\| (\w+)(?: \\\*)? \| 5 folds", table, re.MULTILINE))
    assert f"{len(sets - shown)} more data sets" in " ".join(README.split())


def test_a_figure_without_a_record_is_an_error():
    """A table that needs a record which is not there names it."""
    with pytest.raises(ValueError, match=r"section pairs has 0 records with {'data': 'pear'}"):
        find_record(RECORDS, "pairs", data="pear")


def test_the_picture_is_that_of_its_script():
    """`python -m benchmarks.picture` would change nothing."""
    assert (ROOT / PATH).read_text(encoding="utf-8") == make_picture()


def test_the_text_of_the_picture_holds():
    """What the README says below it, also to those who do not see it."""
    random, even = make_panels()
    text = " ".join(README.partition("](docs/figures/before_after.svg)")[2].split())
    for genre, name in (
        ("film-noir", "film-noir has between {} and {} rows"),
        ("adventure", "adventure between {} and {}"),
    ):
        rows = random.count[:, SHOWN.index(genre)]
        assert name.format(rows.min(), rows.max()) in text
    assert "every genre is less than one row away from its fair share" in text
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


@pytest.mark.parametrize("name", list_pages())
def test_pictures_have_a_text_on_one_line(name):
    """For readers who do not see them; Sphinx would drop a line break and join two words."""
    text = list_pages()[name].read_text(encoding="utf-8")
    for found in re.findall(r"!\[([^\]]*)\]\(", text):
        assert len(found) > 15, found
        assert "\n" not in found
