"""The report of a split known by counts only: that of its rows, without what needs rows."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import evenfold
from evenfold.exceptions import InputError
from evenfold.plots import figure_data
from evenfold.quality import measure_counts
from evenfold.report.page import to_html
from evenfold.report.summary import make_summary, to_json
from evenfold.report.tables import make_measure_table

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "report.schema.json").read_text(encoding="utf-8")
)
Y = np.random.default_rng(0).random((240, 9)) < np.geomspace(0.5, 0.01, 9)
NAMES = [f"label {at}" for at in range(9)]


def take_counts(quality):
    """Return the same quality, known by counts only."""
    rows = quality.placement
    groups = rows.count_groups()
    return measure_counts(
        rows.label_names,
        rows.count_labels(),
        rows.sizes,
        rows.parts,
        rows.find_groups_of_label(),
        None if groups is None else groups.in_part,
    )


@pytest.fixture(params=[None, np.arange(240) // 4], ids=["rows", "groups"])
def of_rows(request):
    """The quality of a split, with and without groups."""
    y = [[NAMES[label] for label in np.flatnonzero(row)] for row in Y]
    return evenfold.split(y, [0.6, 0.2, 0.2], groups=request.param).quality


def summarize(quality):
    """Return the summary, which fits the schema, as a program reads it."""
    summary = json.loads(to_json(make_summary(quality, "a call")))
    jsonschema.Draft202012Validator(SCHEMA).validate(summary)
    return summary


def test_the_summary_is_that_of_the_rows_without_what_needs_them(of_rows):
    """Parts, size classes, labels and figures are equal; pairs and labelsets are not there."""
    whole, counted = summarize(of_rows), summarize(take_counts(of_rows))
    assert whole.keys() == counted.keys()
    for own in whole["size_classes"]:
        own["random"] = None
    for key in ("title", "parts", "size_classes", "part_columns", "worst", "lacking", "balance"):
        assert counted[key] == whole[key]
    assert counted["data"] == whole["data"] | {"rows_without_labels": None}
    assert whole["figures"].pop("cardinality")
    assert counted["figures"] == whole["figures"]
    assert counted["origin"] == whole["origin"] | {"fingerprint": None, "parts_fingerprint": None}
    if whole["groups"] is not None:
        not_known = dict.fromkeys(("smallest", "median", "largest", "random", "worse_than_random"))
        not_known["labels"] = []
        assert counted["groups"] == whole["groups"] | not_known
    lines = [line for line in whole["measures"] if line["level"] in ("sizes", "labels")]
    for own, other in zip(counted["measures"], lines, strict=True):
        assert own["random"] is own["random_std"] is None
        assert all(own[key] == other[key] for key in ("key", "value", "bound", "excess"))


def test_the_summary_says_what_is_left_out(of_rows):
    """One sentence each for label pairs, labelsets and random splits."""
    summary = summarize(take_counts(of_rows))
    needs = "are not measured here: this needs the rows, of which only counts are known."
    assert summary["pairs_left_out"] == f"Label pairs {needs} Labelsets {needs}"
    assert summary["random"] == {
        "seeds": [],
        "seeds_of_pairs": [],
        "note": f"Random splits {needs}",
    }


def test_the_tables_have_no_column_that_is_empty_or_twice(of_rows):
    """There are no random splits, and no tight bound besides the bound."""
    summary = make_summary(take_counts(of_rows), "a call")
    assert all(line["tight_bound"] is None for line in summary["measures"])
    table = make_measure_table(summary, ["labels"], "Labels.")
    assert table.heading == ["measure", "this split", "best possible", "above it"]
    assert table.caption == "Labels."
    assert {len(row) for row in table.rows} == {4}
    page = to_html(summary)
    assert "tight bound" not in page
    assert "bar-best" in page


@pytest.mark.parametrize("suffix", [".html", ".md", ".json"])
def test_the_report_is_written_in_each_form(of_rows, suffix, tmp_path):
    """It says what is left out."""
    path = tmp_path / f"report{suffix}"
    take_counts(of_rows).report(path)
    text = path.read_text(encoding="utf-8")
    assert "only counts are known" in text
    assert "label 3" in text


def test_the_verdict_does_not_claim_more_than_is_known():
    """A split far above its bound is not called more even than random ones."""
    quality = evenfold.measure(Y, Y[:, 0].astype(int))
    verdict = summarize(take_counts(quality))["verdict"]
    assert verdict["level"] == "above"
    assert "random" not in " ".join([verdict["sentence"], *verdict["remarks"]]).lower()


def test_figures_of_labels_are_those_of_the_rows(of_rows):
    """Evenness, distribution and deviation need counts only; the labels of rows are an error."""
    counted = take_counts(of_rows)
    for find in (
        figure_data.find_distribution,
        lambda quality: figure_data.find_evenness(quality, "rld"),
        lambda quality: figure_data.find_deviation(quality, 5),
    ):
        assert find(counted) == find(of_rows)
    with pytest.raises(InputError, match="only the rows of each label"):
        evenfold.plots.cardinality(counted)
