"""compare: every method on the same rows."""

import json
import re

import numpy as np
import pytest

import evenfold
from evenfold.exceptions import InputError
from evenfold.methods import METHODS, Even, Iterative, OptiSplit, Svd
from evenfold.quality.measures import MEASURES

Y = np.random.default_rng(0).random((120, 8)) < 0.2
TITLES = [measure.title for measure in MEASURES]


@pytest.fixture(scope="module")
def table():
    """A comparison of all methods, with two repeats."""
    return evenfold.compare(Y, 4, repeats=2)


@pytest.mark.parametrize("read", ["mean", "spread", "bound"])
@pytest.mark.parametrize("title", ["even", "skipped"])
def test_outcomes_are_read_by_measure_or_name(table, read, title):
    """A measure or its name is read; another name is refused, of a skipped method too."""
    skipped = type(table["even"])("skipped", [], [], "a reason")
    read = getattr(table["even"] if title == "even" else skipped, read)
    assert read("dcp") == pytest.approx(read(evenfold.Quality.dcp), nan_ok=True)
    with pytest.raises(InputError, match=r"'measure' .*, got 'rdl'\. Did you mean 'rld'\?"):
        read("rdl")


def test_every_method_is_compared_by_default(table):
    """Every method is there, and second-order iterative stratification."""
    titles = [outcome.title for outcome in table]
    assert set(METHODS) < set(titles)
    assert titles[:3] == ["even", "iterative", "iterative, order 2"]
    assert len(table) == len(METHODS) + 1
    assert all(outcome.n_runs == 2 for outcome in table)


@pytest.mark.parametrize("method", ["even", "svd", "sampling"])
def test_figures_are_those_of_the_splits(table, method):
    """Mean, spread and bound are those of the splits with seeds 0 and 1."""
    made = [evenfold.split(Y, 4, method=method, random_state=seed).quality for seed in (0, 1)]
    for measure in [measure.name for measure in MEASURES]:
        own = [getattr(quality, measure) for quality in made]
        assert table[method].mean(measure) == pytest.approx(np.mean(own))
        assert table[method].spread(measure) == pytest.approx(np.std(own, ddof=1))
        bound = np.mean([getattr(quality.bound, measure, np.nan) for quality in made])
        assert table[method].bound(measure) == pytest.approx(bound, nan_ok=True)


def test_it_prints_within_eighty_columns(table):
    """Methods are rows, measures columns, and the bound is the last row."""
    text = str(table)
    assert max(map(len, text.splitlines())) <= 80
    for shown in [*METHODS, "iterative, order 2", "bound", "mean ± std", *TITLES]:
        assert shown in text
    assert text.startswith("4 parts of 120 rows, 8 labels, 2 repeats; smaller is better")
    once = str(evenfold.compare(Y, 4, methods=["random"], repeats=1))
    assert "mean ± std" not in once
    assert " ± " not in once
    assert "1 repeat;" in once


def test_it_becomes_plain_data(table):
    """The record survives JSON, without infinite numbers."""
    read = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    assert read["rows"] == 120
    assert [method["method"] for method in read["methods"]] == [outcome.title for outcome in table]
    assert read["methods"][0]["rld"]["bound"] == table["even"].bound("rld")
    assert read["methods"][0]["kl"]["bound"] is None


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_it_becomes_a_frame(table, backend):
    """A frame has one line per method and three columns per measure."""
    frame = table.to_frame(backend)
    assert frame.shape == (len(table), 5 + 3 * len(MEASURES))
    with pytest.raises(
        evenfold.exceptions.InputError,
        match="'backend' must be one of pandas, polars, pyarrow, got 'dask'",
    ):
        table.to_frame("dask")


def test_titles_are_data_in_html():
    """A title with markup is shown as text."""
    html = evenfold.compare(Y, 3, methods={"<b>bold</b>": "random"}, repeats=1)._repr_html_()
    assert "&lt;b&gt;bold" in html
    assert "<b>" not in html
    assert html.count("<table>") == 3


def test_what_is_set_other_than_usual_is_in_the_title():
    """Settings that are not the default are in the title, functions by name."""
    methods = ["even", Even(order=1), OptiSplit(measure="dcp"), Svd(tries=2, aggregator=np.mean)]
    titles = [outcome.title for outcome in evenfold.compare(Y, 3, methods=methods, repeats=1)]
    assert titles == [
        "even",
        "even, order 1",
        "optisplit, measure dcp",
        "svd, tries 2, aggregator mean",
    ]


def test_groups_balance_and_holdout_reach_every_method():
    """Groups, balance and holdout are those of `split`."""
    groups, age = np.arange(120) // 3, np.arange(120) % 9
    table = evenfold.compare(
        Y,
        3,
        methods=["even", "sampling"],
        repeats=1,
        groups=groups,
        balance={"age": age},
        holdout=0.25,
    )
    s = evenfold.split(Y, 3, groups=groups, balance={"age": age}, holdout=0.25)
    assert table["even"].mean("rld") == s.quality.rld
    assert "4 parts of 120 rows in 40 groups" in str(table)


def test_what_would_take_too_long_is_skipped_and_said():
    """A method over the limit is skipped or not repeated, and the reason is printed."""
    table = evenfold.compare(Y, 3, methods=["svd", "random"], repeats=2, max_seconds=1e-4)
    assert table["svd"].n_runs == 0
    assert re.search(
        r"svd skipped: one split would take about \d+ s, more than max_seconds=0.0001\.", str(table)
    )
    assert np.isnan(table["svd"].mean("rld"))
    assert table.to_dict()["methods"][0]["rld"] == {"mean": None, "std": None, "bound": None}
    again = evenfold.compare(Y, 3, methods=["svd", "labelset"], repeats=2, max_seconds=None)
    assert [outcome.n_runs for outcome in again] == [2, 2]
    once = evenfold.compare(Y, 3, methods=[Iterative(order=2)], repeats=3, max_seconds=1e-9)
    assert once["iterative, order 2"].n_runs == 1
    assert (
        "iterative, order 2 not repeated: one split took 0 s, more than max_seconds=1e-09."
        in str(once)
    )


def test_a_method_that_was_not_compared():
    """An unknown title raises an error that lists the methods."""
    with pytest.raises(KeyError, match=r"'evan' was not compared\. Methods: even"):
        evenfold.compare(Y, 3, methods=["even"], repeats=1)["evan"]


def test_seeds_of_a_generator_are_drawn():
    """The same state of a generator gives the same table."""
    a, b = (
        evenfold.compare(Y, 3, methods=["random"], repeats=2, random_state=np.random.default_rng(5))
        for _ in range(2)
    )
    assert a["random"].mean("rld") == b["random"].mean("rld")
    assert a["random"].spread("rld") > 0


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"repeats": 0}, ValueError, "'repeats' must be 1 or more, got 0. Try repeats=3."),
        (
            {"methods": "even"},
            TypeError,
            "'methods' must be a list of methods, or a mapping from title to method, got 'even'.",
        ),
        ({"methods": []}, ValueError, "'methods' must name at least one method, got none."),
        ({"methods": ["even", "even"]}, ValueError, "'methods' must differ, got 'even' twice."),
        ({"methods": ["evem"]}, ValueError, "got 'evem'. Did you mean 'even'?"),
        ({"random_state": -1}, ValueError, "'random_state' must be 0 or more, got -1."),
    ],
)
def test_what_cannot_be_meant_is_refused(keywords, error, message):
    """Each message says what was wrong and what to do."""
    with pytest.raises(error, match=re.escape(message)):
        evenfold.compare(Y, 3, **keywords)
