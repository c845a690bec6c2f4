"""The registry of measures, and that everything else is derived from it."""

import copy
import math
import pickle
import re
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest

import evenfold
from evenfold.exceptions import InputError, InputTypeError
from evenfold.quality.measures import (
    LABEL_MEASURES,
    MEASURES,
    MEASURES_OF_EACH_LABEL,
    find_measure,
)
from evenfold.quality.reference import make_reference
from evenfold.report.summary import make_summary
from evenfold.report.tables import make_worst_table

Y = np.random.default_rng(0).random((60, 5)) < 0.4
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "measures.md"


@pytest.fixture(scope="module")
def quality():
    """A random split into three parts."""
    return evenfold.split(Y, 3, method="random").quality


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_every_measure_is_an_attribute(quality, measure):
    """A quality has the value of a measure, its bound the bound, and the class the measure."""
    assert getattr(evenfold.Quality, measure.name) is measure is find_measure(measure.name)
    assert getattr(quality, measure.name) == quality.value_of(measure)
    if measure.bound is None:
        assert math.isnan(quality.bound_of(measure))
        with pytest.raises(AttributeError, match=f"'Bound' has no '{measure.name}'"):
            getattr(quality.bound, measure.name)
    else:
        assert getattr(quality.bound, measure.name) == quality.bound_of(measure)
        assert quality.bound_of(measure) <= quality.value_of(measure)


def test_titles_and_meanings_are_distinct():
    """No two measures have the same title or meaning, and none lacks one."""
    for texts in zip(*((own.title, own.meaning) for own in MEASURES), strict=True):
        assert all(texts)
        assert len(set(texts)) == len(MEASURES)


def test_tables_and_json_have_the_measures_of_sizes_and_labels(quality):
    """They are printed in the order of the registry, and have the keys of JSON."""
    printed = [row[0] for row in quality.tables()[1].rows]
    assert printed == [measure.heading for measure in LABEL_MEASURES]
    names = [measure.name for measure in LABEL_MEASURES]
    written = quality.to_dict()
    assert list(written)[: len(names)] == names
    assert list(written["bound"]) == [own.name for own in LABEL_MEASURES if own.bound is not None]


def test_labels_have_a_column_for_each_measure_of_labels(quality):
    """Values come first, then their bounds, then the size class."""
    names = [measure.name for measure in MEASURES if measure.is_own_of_label]
    assert {"ld", "rld", "dcp", "flz"} <= set(names)
    bounds = [f"{name}_bound" for name in names if find_measure(name).bound is not None]
    assert quality.per_label.dtype.names == ("label", "rows", *names, *bounds, "size_class")


def test_values_and_bounds_are_found_by_name(quality):
    """A name stands for its measure; another name or value is refused with a suggestion."""
    assert quality.value_of("rld") == quality.rld
    assert quality.bound_of("rld_pairs") == quality.bound.rld_pairs
    with pytest.raises(InputError, match=r"'measure' .*, got 'rdl'\. Did you mean 'rld'\?"):
        quality.value_of("rdl")
    with pytest.raises(InputError, match=r"'measure' .*, got 'DCB'\. Did you mean 'dcp'\?"):
        quality.bound_of("DCB")
    with pytest.raises(InputTypeError, match=r"'measure' must be one of ed, ld, .*, got 3\."):
        quality.value_of(3)


def test_reports_have_every_measure_of_each_label(quality):
    """The least even labels have a value for each measure, and figures are those with a caption."""
    assert [own.name for own in MEASURES_OF_EACH_LABEL] == ["rld", "ld", "dcp"]
    summary = make_summary(quality, "a call")
    heading = make_worst_table(summary).heading
    for measure in MEASURES_OF_EACH_LABEL:
        assert measure.title in heading
        assert {line["label"]: line[measure.name] for line in summary["worst"]["lines"]} == dict(
            zip(map(str, quality.per_label.label), quality.per_label[measure.name], strict=True)
        )
    drawn = [own.name for own in MEASURES_OF_EACH_LABEL if own.caption]
    assert list(summary["figures"]) == [*drawn, "distribution", "cardinality"]


def test_the_page_of_measures_is_up_to_date():
    """docs/reference/measures.md is made of the registry by `make reference`."""
    assert PAGE.read_text(encoding="utf-8") == make_reference()


def test_the_page_of_measures_has_every_measure():
    """Its name, title and meaning, its formula, and what is particular about it."""
    page = make_reference()
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    assert rows == [(own.name, own.title, own.meaning) for own in MEASURES]
    sections = {part.partition("`")[0]: part for part in page.split("\n\n`quality.")[1:]}
    assert list(sections) == [*(own.name for own in MEASURES), "excess"]
    for measure in MEASURES:
        section = sections[measure.name]
        assert f"$$\n{measure.formula}\n$$" in section
        section = " ".join(section.split())
        assert ("There is no bound." in section) == (measure.bound is None)
        assert ("also a tight bound" in section) == measure.has_tight_bound
    assert "for at most 50 parts" in sections["ld"]


def test_qualities_are_copied_and_pickled_whole(quality):
    """Copies have the same measures, those of label pairs included."""
    for other in (copy.deepcopy(quality), pickle.loads(pickle.dumps(quality))):
        assert other.to_dict() == quality.to_dict()
        assert other.rld_pairs == quality.rld_pairs
        assert other.bound == quality.bound
        assert hash(other.bound) == hash(quality.bound)
    assert quality.bound != evenfold.measure(Y, np.arange(60) % 2).bound
    assert quality.bound != "a bound"


def test_qualities_cannot_be_changed(quality):
    """Neither a measure nor a bound can be assigned."""
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'rld'"):
        quality.rld = 0.0
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'rld'"):
        quality.bound.rld = 0.0


def test_representations_are_short(quality):
    """A quality shows its headline numbers, its bound all of labels, a measure its meaning."""
    assert repr(quality) == (
        f"Quality(ed=0, rld={quality.rld:.4g}, bound.rld={quality.bound.rld:.4g}, "
        f"excess={quality.excess:.4g})"
    )
    assert repr(quality.bound).startswith("Bound(ed=0.0, ld=")
    assert repr(evenfold.Quality.flz) == "<Measure flz: times that a part lacks a label>"
