"""Records of scores for `make reproduce`, and the tables that are made from them."""

import json

import numpy as np
import pytest
from benchmarks.reproduction import downstream, forest_scores
from benchmarks.reproduction.published_scores import RANKS_4, RANKS_5, TABLE_4, TABLE_5
from benchmarks.reproduction.score_records import ScoreRecords, round_scores

FOLDS = np.array([0, 1, 0, 1], np.int32)


@pytest.fixture
def path(tmp_path):
    """A file for records that does not exist yet."""
    return tmp_path / "records.json"


def test_record_is_computed_once(path):
    """A second process reads it from the file."""
    made = ScoreRecords(path).find(("a", 1), FOLDS, lambda: {"loss": {"mean": 0.5}})
    assert made == {"loss": {"mean": 0.5}}
    again = ScoreRecords(path)
    assert again.has(("a", 1))
    assert not again.has(("a", 2))
    assert again.find(("a", 1), FOLDS, pytest.fail) == made


def test_record_of_other_folds_is_computed_again(path):
    """A method that changed does not keep the scores of its old folds."""
    records = ScoreRecords(path)
    records.find(("a",), FOLDS, lambda: {"loss": {"mean": 0.5}})
    assert records.find(("a",), FOLDS[::-1], lambda: {"loss": {"mean": 0.7}})["loss"]["mean"] == 0.7
    assert len(json.loads(path.read_text(encoding="utf-8"))) == 1


def test_records_of_two_processes_are_both_kept(path):
    """A process does not overwrite what another has added since it read the file."""
    first, second = ScoreRecords(path), ScoreRecords(path)
    first.find(("a",), FOLDS, lambda: {"loss": {"mean": 1.0}})
    second.find(("b",), FOLDS, lambda: {"loss": {"mean": 2.0}})
    assert list(json.loads(path.read_text(encoding="utf-8"))) == ["a", "b"]


def test_scores_are_rounded_and_undefined_ones_are_none():
    """Six digits; NaN is no JSON."""
    assert round_scores({"loss": {"mean": 0.123456789, "std": np.nan}}) == {
        "loss": {"mean": 0.123457, "std": None}
    }


def test_published_scores_are_complete():
    """Eight data sets in Table 4 and five in Table 5, three methods each, six metrics."""
    for table, n_sets in ((TABLE_4, 8), (TABLE_5, 5)):
        assert len(table) == 3 * n_sets
        assert {len(cells) for cells in table.values()} == {6}
    assert TABLE_4["medical", "iterative"][3] == (".0209", ".0069")
    assert TABLE_5["yeast", "labelset"][4] == (".4830", ".0134")
    assert TABLE_4["bibtex", "random"][4].is_undefined
    assert not TABLE_4["bibtex", "iterative"][4].is_undefined
    for ranks in (*RANKS_4.values(), *RANKS_5.values()):
        assert [sum(own) for own in ranks if own] == pytest.approx(
            [6] * sum(map(bool, ranks)), abs=0.11
        )


def make_scores(std, undefined=0):
    """Return the scores of one run in which all metrics have this std."""
    own = {metric: {"mean": 0.5, "std": std, "pooled": 0.25} for metric in forest_scores.METRICS}
    own[forest_scores.MAP]["undefined"] = undefined
    return own


def test_map_is_ranked_on_sets_where_it_is_defined():
    """As in the paper, where a fold without a label makes the mean NaN."""
    stds = dict(zip(forest_scores.METHODS, (4, 3, 2, 1), strict=True))
    found = {("scene", method): [make_scores(std)] for method, std in stds.items()}
    found |= {
        ("yeast", method): [make_scores(5 - std, undefined=method == "random")]
        for method, std in stds.items()
    }
    names, methods = ["scene", "yeast"], list(forest_scores.METHODS)
    ranks = forest_scores.average_ranks(found, names, "coverage_average_ties", methods)
    assert ranks == [2.5] * 4
    assert forest_scores.average_ranks(found, names, forest_scores.MAP, methods) == [4, 3, 2, 1]
    assert forest_scores.average_ranks(found, ["yeast"], forest_scores.MAP, methods) is None


def test_scores_stand_beside_published_ones():
    """Mean ± std, what is NaN in how many repeats, and the pooled estimate in a row of its own."""
    found = {
        ("scene", method): [make_scores(0.1), make_scores(0.3, undefined=2)]
        for method in forest_scores.METHODS
    }
    rows = forest_scores.list_scores(found, "scene", TABLE_4)
    assert [row[1] for row in rows] == [*forest_scores.METHODS, "even, pooled"]
    assert rows[0][2] == ".5000 ± .2000 (.0806 ± .0078)"
    assert rows[2][3] == ".5000 ± .2000 (?)"
    assert rows[0][6] == "NaN in 1 of 2; .5000 ± .2000 (.8695 ± .0177)"
    assert rows[3][2] == ".5000 ± .2000"
    assert rows[4][2:] == [".2500"] * 6


def test_ratios_are_geometric_means_with_an_interval():
    """Every value is twice that of the baseline in half of the sets, and half of it in others."""
    keys = [
        (learner, method, metric, seed)
        for learner, n in downstream.REPEATS.items()
        for method in downstream.METHODS
        for metric in downstream.METRICS
        for seed in range(n)
    ]
    found = [
        {key: {"std": 1.0 if key[1] == downstream.BASELINE else ratio} for key in keys}
        for ratio in (2.0, 0.5)
    ]
    *rows, last = downstream.list_ratios(found)
    assert [row[0] for row in rows] == [
        method for method in downstream.METHODS if method != downstream.BASELINE
    ]
    assert {cell for row in rows for cell in row[1:]} == {"1.00 [0.50, 2.00]"}
    assert last == ["even + difficulty, of even", *["1.00 [1.00, 1.00]"] * 3]
    assert downstream.list_ratios([]) == []


def test_errors_and_biases_are_those_of_the_estimates():
    """Errors of 0.1 and 0.2: a ratio of 0.5. An estimate of 0.6 for 0.5 has a bias of 20 %."""
    found = {}
    for learner in downstream.ERROR_LEARNERS:
        for method in downstream.METHODS:
            for metric in downstream.METRICS:
                for seed in range(downstream.SAMPLES):
                    mean = 0.7 if method == downstream.BASELINE else 0.6
                    found[learner, method, metric, seed] = {
                        "truth": 0.5,
                        "5 folds": mean,
                        "holdout": mean,
                        "pooled": 0.45,
                    }
    assert {cell for row in downstream.list_errors([found]) for cell in row[1:]} == {
        "0.50 [0.50, 0.50]"
    }
    assert downstream.list_pooled([found])[0] == [
        "Hamming loss",
        "k-NN",
        "+20.0 %",
        "-10.0 %",
        "0.50 [0.50, 0.50]",
    ]
