"""The summary: every number a report shows, against the quality and against counting by hand."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import evenfold
from evenfold.quality.measures import MEASURES
from evenfold.report import measure_summaries
from evenfold.report.markdown import to_markdown
from evenfold.report.page import to_html
from evenfold.report.summary import make_summary, to_json
from evenfold.report.tables import make_part_table, make_size_class_table
from evenfold.splits.origin import Origin

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "report.schema.json").read_text(encoding="utf-8")
)
Y = np.random.default_rng(0).random((240, 9)) < np.geomspace(0.5, 0.01, 9)
GROUPS = np.arange(240) // 4
AGE = np.arange(240) % 83 + 5
SEX = np.where(np.arange(240) % 3 == 0, "F", "M")


def summarize(quality, **keywords):
    """Return the summary of a split; it is plain data that fits the schema."""
    summary = make_summary(quality, "a call", **keywords)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(to_json(summary)))
    return summary


def line_of(summary, key):
    """Return the record of a measure."""
    return next(line for line in summary["measures"] if line["key"] == key)


@pytest.fixture(scope="module")
def split():
    """A split with groups and two balanced columns."""
    return evenfold.split(Y, [0.6, 0.2, 0.2], groups=GROUPS, balance={"age": AGE, "sex": SEX})


@pytest.fixture(scope="module")
def summary(split):
    """The summary of that split."""
    return summarize(split.quality)


def test_measures_are_those_of_the_quality(split, summary):
    """Value, bound and excess of each measure are those of the quality."""
    assert [line["key"] for line in summary["measures"]] == [measure.name for measure in MEASURES]
    for line in summary["measures"]:
        assert line["value"] == getattr(split.quality, line["key"])
        assert line["bound"] == getattr(split.quality.bound, line["key"], None)
    assert line_of(summary, "rld")["excess"] == split.quality.excess
    assert line_of(summary, "kl")["excess"] is None


def test_tight_bounds_are_those_of_the_quality_with_their_seconds(split, summary):
    """Labels, pairs and labelsets have one of rLD; the tables say how long it took."""
    tight = {line["key"] for line in summary["measures"] if line["tight_bound"] is not None}
    assert tight == {"rld", "rld_pairs", "rld_labelsets"}
    rld = line_of(summary, "rld")
    assert rld["tight_bound"] == split.quality.tight_bound.rld >= rld["bound"]
    assert rld["tight_excess"] == split.quality.tight_excess
    assert rld["tight_seconds"] == split.quality.tight_bound.seconds
    text = to_markdown(summary)
    assert "above it | tight bound | above that | random" in text
    took = [
        f"{line['tight_seconds']:.2g} s for {line['name']}"
        for line in summary["measures"]
        if line["tight_seconds"]
    ]
    assert took
    assert all(text.count(own) == 1 for own in took)
    assert " 0 s for " not in text


def test_tight_bounds_of_large_data_are_the_cheap_ones(monkeypatch):
    """The report says so."""
    monkeypatch.setattr(measure_summaries, "MAX_TIGHT_WORK", 1)
    summary = summarize(evenfold.split(Y, [0.6, 0.4]).quality)
    rld = line_of(summary, "rld")
    assert rld["tight_bound"] == rld["bound"]
    assert "The tight bound is the cheap one: computing it would take a while." in to_markdown(
        summary
    )


@pytest.mark.parametrize("groups", [None, GROUPS])
def test_random_is_what_the_method_random_gives(groups):
    """Mean and deviation are those of `random` with the seeds that the summary names."""
    summary = summarize(evenfold.split(Y, 4, groups=groups, method="labelset").quality)
    assert summary["random"]["seeds"] == list(range(99))
    assert summary["random"]["seeds_of_pairs"] == list(range(19))
    made = [
        evenfold.split(Y, 4, groups=groups, method="random", random_state=seed).quality
        for seed in range(99)
    ]
    for line in summary["measures"]:
        n_measured = 19 if line["level"] in ("pairs", "labelsets") else 99
        own = [getattr(quality, line["key"]) for quality in made[:n_measured]]
        assert line["random"] == pytest.approx(np.mean(own))
        assert line["random_std"] == pytest.approx(np.std(own, ddof=1), abs=1e-12)


def test_where_there_is_no_random_split_the_reason_is_said():
    """If a group is larger than any part, the note says so and no random value is shown."""
    part = np.repeat([0, 1], [200, 40])
    summary = summarize(evenfold.measure(Y, part, parts=2, groups=part))
    assert line_of(summary, "rld")["random"] is None
    assert "'groups' puts 200 of 240 rows into one group" in summary["random"]["note"]


def test_parts_are_counted(split, summary):
    """Rows wanted and got, labels per row and lacking labels are those counted by hand."""
    for number, part in enumerate(summary["parts"]):
        rows = split[number]
        assert part["part"] == split.names[number]
        assert part["rows"] == len(rows)
        assert part["wanted"] == pytest.approx(240 * [0.6, 0.2, 0.2][number])
        assert part["share"] == pytest.approx(len(rows) / 240)
        assert part["cardinality"] == pytest.approx(Y[rows].sum(axis=1).mean())
        assert part["lacking"] == (Y[rows].sum(axis=0) == 0).sum()
        assert part["groups"] == len(set(GROUPS[rows]))
        assert part["share_of_groups"] == pytest.approx(part["groups"] / 60)


def test_without_groups_parts_have_no_number_of_them():
    """The number and the share of groups are null, and no form of the report has columns."""
    summary = summarize(evenfold.measure(Y, np.arange(240) % 2))
    assert summary["parts"][0]["groups"] is None
    assert summary["parts"][0]["share_of_groups"] is None
    assert "groups" not in make_part_table(summary).heading


def test_labels_are_summarized_by_size_class(split):
    """Every size class of the quality is there; the table is left out if there is only one."""
    summary = summarize(split.quality)
    per_label = split.quality.per_label
    labelled = [
        evenfold.split(Y, [0.6, 0.2, 0.2], groups=GROUPS, method="random", random_state=seed)
        for seed in summary["random"]["seeds"]
    ]
    for own, line in zip(
        split.quality.to_dict()["per_size_class"], summary["size_classes"], strict=True
    ):
        in_class = per_label.size_class == own["size_class"]
        random = [s.quality.per_label.rld[in_class].mean() for s in labelled]
        assert line == own | {"random": pytest.approx(np.mean(random))}
    table = make_size_class_table(summary)
    assert [row[0] for row in table.rows] == ["1-2", "3-9", "10-49", "50-199"]
    assert [int(row[1]) for row in table.rows] == split.quality.per_size_class.labels.tolist()
    for render in (to_markdown, to_html):
        assert table.caption in render(summary)
    alike = summarize(evenfold.measure(np.ones((20, 2)), np.arange(20) % 2))
    assert len(alike["size_classes"]) == 1
    assert table.caption not in to_markdown(alike)


def test_the_least_even_labels_come_first_with_their_rows():
    """Labels are ordered by rLD above the bound; counts are those counted by hand."""
    quality = evenfold.measure(Y, np.random.default_rng(1).integers(0, 3, 240))
    worst = summarize(quality)["worst"]
    per_label, placement = quality.per_label, quality.placement
    over = [line["rld"] - line["rld_bound"] for line in worst["lines"]]
    assert over == sorted(over, reverse=True)
    assert worst["labels"] == worst["over_bound"] == len(worst["lines"]) == 9
    for line in worst["lines"]:
        label = int(line["label"])
        count = [Y[placement.part_of_row == part, label].sum() for part in range(3)]
        share = Y[:, label].sum() * placement.sizes / 240
        assert line["rows"] == per_label.rows[label] == sum(count)
        assert line["counts"] == count
        assert line["off_rows"] == pytest.approx(count - share, abs=1e-3)
        assert line["off_percent"] == pytest.approx(100 * (count / share - 1), abs=1e-3)
        assert line["most_off"] == pytest.approx(np.abs(count - share).max(), abs=1e-3)


def test_labels_at_their_bound_are_ordered_by_rld():
    """In a split in which no label is above its bound, the largest rLD comes first."""
    worst = summarize(evenfold.split(Y, 4, order=1).quality)["worst"]
    assert worst["over_bound"] == 0
    values = [line["rld"] for line in worst["lines"]]
    assert values == sorted(values, reverse=True)


def test_shares_are_of_the_rows_in_which_a_label_is_known():
    """Rows in which a label is unknown do not count for its share."""
    y = np.array([[1.0], [1], [0], [np.nan], [np.nan], [0]])
    line = summarize(evenfold.measure(y, [0, 0, 0, 1, 1, 1]))["worst"]["lines"][0]
    assert line["counts"] == [2, 0]
    assert line["off_rows"] == pytest.approx([2 - 2 * 3 / 4, -2 * 1 / 4])


def test_lacking_tells_what_could_be_avoided():
    """A label of one row must be missing in two parts of three, one of four rows in none."""
    labels = [["rare", "all"], *[["four", "all"]] * 4, *[["all"]] * 4]
    lacking = summarize(evenfold.measure(labels, [0, 1, 1, 1, 1, 2, 2, 0, 0]))["lacking"]
    assert (
        lacking["labels"],
        lacking["avoidable_labels"],
        lacking["avoidable_above_half"],
        lacking["times"],
        lacking["avoidable_times"],
    ) == (2, 1, 1, 4, 2)
    assert lacking["lines"][0] == {
        "label": "four",
        "rows": 4,
        "parts": 2,
        "names": ["part0", "part2"],
        "unavoidable": 0,
    }
    assert lacking["lines"][1] == {
        "label": "rare",
        "rows": 1,
        "parts": 2,
        "names": ["part1", "part2"],
        "unavoidable": 2,
    }


def test_versions_and_fingerprints_are_in_the_origin(split, summary):
    """Of the program that made the report; the parts of the rows have one too."""
    origin = summary["origin"]
    assert origin["versions"]["evenfold"] == evenfold.__version__
    assert {"python", "numpy", "scipy"} <= origin["versions"].keys()
    assert origin["parts_fingerprint"] == split.certificate().to_dict()["fingerprints"]["parts"]
    assert origin["date"] is None
    text = to_markdown(summary)
    assert origin["parts_fingerprint"] in text
    assert f"numpy {origin['versions']['numpy']}" in text


def test_figures_show_the_labels(split, summary):
    """A figure has every label once, with the share counted by hand."""
    figures = summary["figures"]
    assert list(figures) == ["rld", "ld", "distribution", "cardinality"]
    assert sorted(figures["rld"]["data"]["value"]) == sorted(split.quality.per_label.rld.tolist())
    assert figures["rld"]["data"]["mean"] == pytest.approx(split.quality.rld)
    shares = figures["distribution"]["data"]
    assert shares["all"] == pytest.approx(sorted(100 * Y.mean(axis=0), reverse=True))
    assert len(shares["names"]) == 9
    test = next(
        part["share"] for part in figures["cardinality"]["data"]["parts"] if part["part"] == "test"
    )
    assert test[0] == pytest.approx(100 * (Y[split["test"]].sum(axis=1) == 0).mean())


def test_many_labels_are_thinned_to_what_can_be_seen():
    """A figure has at most 600 points, the largest value among them, and ranks for names."""
    y = np.random.default_rng(0).random((400, 3000)) < np.random.default_rng(1).random(3000) * 0.3
    figures = summarize(evenfold.split(y, 12, method="random").quality)["figures"]
    points = figures["rld"]["data"]
    assert points["labels"] == y.any(axis=0).sum()
    assert 100 < len(points["value"]) <= 600
    assert points["value"][0] == max(points["value"])
    assert figures["distribution"]["data"]["names"] == []
    assert figures["distribution"]["data"]["parts"] == []
    steps = figures["cardinality"]["data"]
    assert len(steps["numbers"]) <= 32
    assert steps["width"] == steps["numbers"][1] > 1
    assert sum(steps["all"]) == pytest.approx(100)


def test_a_few_rows_of_very_many_labels_are_counted_to_the_last_step():
    """One row of 100 labels among 399 rows of one is counted in the last step."""
    steps = summarize(evenfold.split([list(range(100)), *[[0]] * 399], 2, method="random").quality)[
        "figures"
    ]["cardinality"]["data"]
    assert (steps["numbers"], steps["width"], steps["or_more"]) == ([0, 1], 1, True)
    assert steps["all"] == [0, 100]


def test_a_command_is_shown_as_it_was_given():
    """A call keeps its blanks and lines; control characters and what is too long are cut."""
    quality = evenfold.split(Y, 2, method="random").quality
    given = "evenfold split 'a  b.csv' --separator '\n'"
    assert make_summary(quality, given)["origin"]["call"] == given
    assert make_summary(quality, "a\udce9\x1b\u202eb")["origin"]["call"] == "a\ufffd\ufffd\ufffdb"
    assert make_summary(quality, "x" * 5000)["origin"]["call"] == "x" * 2000 + "…"


def test_a_record_of_a_split_by_somebody_else_is_data_too():
    """Long settings in the record of another program are shortened."""
    made = make_summary(
        evenfold.split(Y, 2, method="random").quality,
        "",
        origin=Origin("m" * 999, {"order": "o" * 999, "effort": 2.5}, 0, "v" * 999),
    )["origin"]
    assert [len(made[name]) for name in ("method", "order", "version")] == [40, 40, 40]
    assert made["effort"] == "2.5"


def test_very_many_parts_have_columns_for_the_least_even():
    """At most 50 parts have columns and 200 parts have lines."""
    s = evenfold.split(Y[:, :3], 230, method="random")
    summary = summarize(s.quality)
    assert len(summary["part_columns"]) == len(summary["worst"]["lines"][0]["counts"]) == 50
    assert len(summary["parts"]) == 200
    assert summary["data"]["parts"] == 230


def test_a_part_without_rows_can_be_reported():
    """A wanted part without rows has a line, without a divergence."""
    summary = summarize(evenfold.measure(Y, np.zeros(240, int), parts=[0.5, 0.5]))
    assert [part["rows"] for part in summary["parts"]] == [240, 0]
    assert summary["parts"][1]["kl"] is None


def test_pairs_are_left_out_where_they_would_take_long(monkeypatch):
    """Label pairs of large data are not measured, and a note says so."""
    monkeypatch.setattr(measure_summaries, "_MAX_PAIR_WORK", 100)
    summary = summarize(evenfold.split(Y, 3, method="random").quality)
    assert "pairs" not in {line["level"] for line in summary["measures"]}
    assert summary["pairs_left_out"].startswith("Label pairs are not measured here: the rows hold ")
    assert "labelsets" in {line["level"] for line in summary["measures"]}


def test_labelsets_are_left_out_of_very_many_rows(monkeypatch):
    """Labelsets of large data are not measured, and every form of the report says so."""
    monkeypatch.setattr(measure_summaries, "_MAX_PAIR_WORK", 100)
    monkeypatch.setattr(measure_summaries, "_MAX_LABELSET_WORK", 3 * 240 - 1)
    summary = summarize(evenfold.split(Y, 3, method="random").quality)
    assert {line["level"] for line in summary["measures"]} == {"sizes", "labels"}
    assert (
        "Labelsets are not measured here: there are 240 rows, which would take a while."
        in summary["pairs_left_out"]
    )
    assert "each taken as a label" not in to_markdown(summary)
    assert "Labelsets are not measured here" in to_markdown(summary)


def test_a_comparison_is_taken_over():
    """A comparison adds the means of every method, and why one was skipped."""
    comparison = evenfold.compare(Y, 3, methods=["even", "svd"], repeats=1, max_seconds=1e-4)
    summary = summarize(evenfold.split(Y, 3).quality, comparison=comparison)
    even, svd = summary["comparison"]["methods"]
    assert even["measures"]["rld"] == comparison["even"].mean("rld")
    assert svd["measures"]["rld"] is None
    assert svd["note"].startswith("skipped")


def test_cover_is_in_the_origin_and_its_cost_in_the_remarks():
    """A report says what the cover cost; without one it says which labels a part may lack."""
    y = [["common", "rare"]] * 3 + [["common"]] * 57 + [[]] * 60
    covered = evenfold.split(y, [0.8, 0.1, 0.1], cover=True)
    summary = summarize(covered.quality, origin=covered.origin)
    assert summary["origin"]["cover"] == 1
    assert covered.origin.describe_cover() in summary["verdict"]["remarks"]
    by_default = evenfold.split(y, [0.8, 0.1, 0.1])
    summary = summarize(by_default.quality, origin=by_default.origin)
    assert summary["origin"]["cover"] is None
    assert not any("Every part holds" in remark for remark in summary["verdict"]["remarks"])
    for text in (to_markdown(summary), to_html(summary)):
        assert "whose share of the label is more than half a row. With cover=True" in text
