"""The cache of evaluations."""

import zipfile

import numpy as np
import pytest
from scipy import sparse
from sklearn.tree import DecisionTreeClassifier

import evenfold
from evenfold.exceptions import CacheWarning
from evenfold.learn import BinaryRelevance

from .counting import KNN, Counting, X, Y

ONE_RUN = {"parts": 2, "methods": ["random"], "repeats": 1, "metrics": ["hamming_loss"]}


def test_an_interrupted_evaluation_computes_only_what_is_missing(tmp_path):
    """Whole runs are kept: after 11 of 24 folds, these are 2 runs of 4 folds."""
    arguments = {
        "parts": 4,
        "methods": ["random", "even"],
        "repeats": 3,
        "metrics": ["hamming_loss"],
        "cache": tmp_path / "kept",
    }
    shares_seen = []

    def stop(share):
        shares_seen.append(share)
        if len(shares_seen) == 11:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evenfold.evaluate(Counting(), X, Y, progress=stop, **arguments)
    assert Counting.n_fits == 11
    assert len(list((tmp_path / "kept").iterdir())) == 2

    shares = []
    resumed = evenfold.evaluate(Counting(), X, Y, progress=shares.append, **arguments)
    assert Counting.n_fits == 11 + 16
    assert shares == [pytest.approx(number / 24) for number in range(9, 25)]
    whole = evenfold.evaluate(Counting(), X, Y, **{**arguments, "cache": None})
    for estimate in whole:
        np.testing.assert_array_equal(
            estimate.values, resumed[estimate.learner, estimate.method].values
        )

    fitted = Counting.n_fits
    evenfold.evaluate({"of another name": Counting()}, X, Y, **arguments)
    assert Counting.n_fits == fitted
    evenfold.evaluate(Counting(), X, Y, **{**arguments, "repeats": 4})
    assert Counting.n_fits == fitted + 8


@pytest.mark.parametrize(
    "change",
    [
        {"learners": Counting(tag="another parameter")},
        {"X": X + 1},
        {"y": 1 - Y},
        {"y": np.column_stack((Y, np.zeros(90, int)))},
        {"y": sparse.csr_array(Y)},
        {"parts": 3},
        {"methods": [evenfold.methods.Random(tries=2)]},
        {"metrics": ["recall_macro", "log_loss"]},
        {"parts": [0.5, 0.5]},
        {"holdout": 0.2},
        {"balance": {"age": np.arange(90)}},
        {"order": 2},
        {"random_state": 1},
        {"groups": np.arange(90) // 2},
    ],
)
def test_other_inputs_are_not_taken_from_the_cache(tmp_path, change):
    """The key has learner, data, parts, balance, order, outputs, method, seed and groups."""
    arguments = {"learners": Counting(), "X": X, "y": Y, **ONE_RUN, "metrics": ["recall_macro"]}
    evenfold.evaluate(**arguments, cache=tmp_path)
    before = Counting.n_fits
    evenfold.evaluate(**arguments, cache=tmp_path)
    assert Counting.n_fits == before
    changed = {**arguments, **change}
    evenfold.evaluate(**changed, cache=tmp_path)
    assert Counting.n_fits > before


def test_other_metrics_need_no_new_fits(tmp_path):
    """Predictions are kept, and metrics are computed from them."""
    evenfold.evaluate(Counting(), X, Y, **ONE_RUN, cache=tmp_path)
    arguments = {**ONE_RUN, "metrics": ["recall_macro", "f1_samples"]}
    again = evenfold.evaluate(Counting(), X, Y, **arguments, undefined=0.0, cache=tmp_path)
    assert Counting.n_fits == 2
    alone = evenfold.evaluate(Counting(), X, Y, **arguments, undefined=0.0)
    np.testing.assert_array_equal(again.estimates[0].values, alone.estimates[0].values)


@pytest.mark.parametrize("metric", ["hamming_loss", "ranking_loss"])
def test_predictions_of_labels_and_scores_serve_metrics_of_either(tmp_path, metric):
    """The other way round, what is missing is fitted."""
    both = {**ONE_RUN, "metrics": ["hamming_loss", "ranking_loss"], "cache": tmp_path}
    one = {**both, "metrics": [metric]}
    evenfold.evaluate(Counting(), X, Y, **one)
    evenfold.evaluate(Counting(), X, Y, **both)
    assert Counting.n_fits == 4
    for path in tmp_path.glob("*.npz"):
        path.unlink()
    evenfold.evaluate(Counting(), X, Y, **both)
    again = evenfold.evaluate(Counting(), X, Y, **one)
    assert Counting.n_fits == 6
    alone = evenfold.evaluate(Counting(), X, Y, **{**one, "cache": None})
    np.testing.assert_array_equal(again.estimates[0].values, alone.estimates[0].values)


@pytest.mark.parametrize("y", [Y, sparse.csr_array(Y)])
def test_scores_and_sparse_labels_are_kept_exactly(tmp_path, y):
    """Values, pooled values and intervals are those of an evaluation without a cache."""
    learner = BinaryRelevance(DecisionTreeClassifier(max_depth=3, random_state=0))
    arguments = {"parts": 3, "holdout": 0.2, "methods": ["even"], "repeats": 2}
    plain, written, read = (
        evenfold.evaluate(learner, X, y, **arguments, cache=cache).to_dict()
        for cache in (None, tmp_path, tmp_path)
    )
    assert plain == written == read


def test_values_of_an_older_version_are_not_taken_from_the_cache(tmp_path, monkeypatch):
    """The version of what a run computes is part of the key."""
    for version in (1, 1, 2):
        monkeypatch.setattr("evenfold.evaluation.cache.RUN_VERSION", version)
        evenfold.evaluate(Counting(), X, Y, **ONE_RUN, cache=tmp_path)
    assert Counting.n_fits == 4


def test_seeds_are_part_of_the_key_of_the_cache(tmp_path):
    """A learner with another seed in its base learner is fitted anew."""
    for n_files, seed in ((1, 1), (1, 1), (2, 2), (3, None)):
        learner = BinaryRelevance(DecisionTreeClassifier(random_state=seed))
        evenfold.evaluate(learner, X, Y, **ONE_RUN, cache=tmp_path)
        assert len(list(tmp_path.iterdir())) == n_files


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), "cut", "changed"]
)
def test_a_damaged_file_is_computed_again(tmp_path, content):
    """Its content is not taken for values, and the file is named."""
    arguments = {**ONE_RUN, "metrics": ["hamming_loss", "recall_macro"], "cache": tmp_path}
    first = evenfold.evaluate(Counting(), X, np.column_stack((Y, np.zeros(90))), **arguments)
    [file] = tmp_path.iterdir()
    good = file.read_bytes()
    middle = len(good) // 2
    damaged = {"cut": good[:middle], "changed": good[:middle] + bytes(99) + good[middle + 99 :]}
    file.write_bytes(damaged.get(content, content))
    with pytest.warns(CacheWarning, match=r"npz in the cache is damaged \(.+\)\. Its predictions"):
        again = evenfold.evaluate(Counting(), X, np.column_stack((Y, np.zeros(90))), **arguments)
    assert Counting.n_fits == 4
    assert file.read_bytes() == good
    np.testing.assert_array_equal(first.estimates[0].values, again.estimates[0].values)
    assert np.isnan(again.estimates[0].mean("recall_macro"))


@pytest.mark.parametrize("name", [b"A labels.npy", b"1 labels.npy"])
def test_a_damaged_name_of_an_array_is_noticed(tmp_path, name):
    """In the directory of the archive: the array is not taken for one that is not there."""
    first = evenfold.evaluate(Counting(), X, Y, **ONE_RUN, cache=tmp_path)
    [file] = tmp_path.iterdir()
    good = file.read_bytes()
    start, found, rest = good.rpartition(b"0 labels.npy")
    assert found
    file.write_bytes(start + name + rest)
    with pytest.warns(CacheWarning, match="is damaged .*0 labels"):
        again = evenfold.evaluate(Counting(), X, Y, **ONE_RUN, cache=tmp_path)
    np.testing.assert_array_equal(first.estimates[0].values, again.estimates[0].values)
    assert file.read_bytes() == good


def test_an_array_that_is_lost_in_a_comment_is_noticed(tmp_path):
    """The length of a comment in the directory of the archive spans the entry of an array."""
    first = evenfold.evaluate(Counting(), X, Y, **ONE_RUN, cache=tmp_path)
    [file] = tmp_path.iterdir()
    good = file.read_bytes()
    last = good.rindex(b"PK\x01\x02")
    before = good.rindex(b"PK\x01\x02", 0, last)
    length = good.index(b"PK\x05\x06", last) - last
    file.write_bytes(good[: before + 32] + bytes([length, 0]) + good[before + 34 :])
    with pytest.warns(CacheWarning, match="is damaged .*it has a comment"):
        again = evenfold.evaluate(Counting(), X, Y, **ONE_RUN, cache=tmp_path)
    np.testing.assert_array_equal(first.estimates[0].values, again.estimates[0].values)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"key": np.array("{}")}, "it is of another run"),
        ({"0 rows": np.arange(45) + 60}, "its row numbers are wrong"),
        ({"0 rows": np.arange(45.0)}, "its row numbers are wrong"),
        ({"0 rows": np.arange(45), "1 rows": np.arange(45)}, "it has a row twice"),
        ({"0 labels": np.zeros((45, 9), int)}, r"its cells are \(45, 9\) of int64, not \(45, 3\)"),
        ({"0 labels": np.full((45, 3), "1")}, "its cells are .* of <U1"),
        ({"0 labels": np.zeros((10**6, 3))}, "it expands to 24,[0-9,]+ bytes"),
        ({"0 rows": None}, "0 rows"),
        ({"1 is probability": np.zeros(2)}, "truth value"),
    ],
)
def test_content_of_another_form_is_computed_again(tmp_path, change, reason):
    """An archive that can be read is checked: key, rows, shapes, types and size."""
    evenfold.evaluate(Counting(), X, Y, **ONE_RUN, cache=tmp_path)
    [file] = tmp_path.iterdir()
    good = file.read_bytes()
    with np.load(file) as archive:
        arrays = {**archive, **change}
    np.savez_compressed(file, **{name: own for name, own in arrays.items() if own is not None})
    with pytest.warns(CacheWarning, match=f"is damaged .*{reason}"):
        evenfold.evaluate(Counting(), X, Y, **ONE_RUN, cache=tmp_path)
    assert Counting.n_fits == 4
    assert file.read_bytes() == good


def test_a_wrong_header_is_computed_again(tmp_path):
    """The header of an array is Python's syntax, which may be wrong in its own way."""
    evenfold.evaluate(Counting(), X, Y, **ONE_RUN, cache=tmp_path)
    [file] = tmp_path.iterdir()
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content.replace(b"()", b"(\n"))
    with pytest.warns(CacheWarning, match="is damaged"):
        evenfold.evaluate(Counting(), X, Y, **ONE_RUN, cache=tmp_path)
    assert Counting.n_fits == 4


class Alternating(evenfold.methods.Method):
    """A method whose state does not show."""

    name = "alternating"

    def __init__(self, first):
        self.first = first

    def __repr__(self):
        return "Alternating()"

    def place(self, problem, rng):
        """Place units in turn."""
        return (np.arange(problem.n_units) + self.first) % problem.n_parts


def test_methods_of_users_are_known_by_their_folds(tmp_path):
    """Two of the same name and text may make other folds."""
    for first, n_fits in ((0, 2), (0, 2), (1, 4), (1, 4), (2, 4)):
        arguments = {**ONE_RUN, "methods": [Alternating(first)]}
        evenfold.evaluate(Counting(), X, Y, **arguments, cache=tmp_path)
        assert Counting.n_fits == n_fits


def test_other_metrics_of_one_name_are_computed(tmp_path):
    """Functions of users are called on the predictions that are kept."""
    for power in (1, 2):
        own = evenfold.metrics.Metric(lambda _, predicted, by=power: by * 0.5, "labels", True)
        result = evenfold.evaluate(
            Counting(), X, Y, **{**ONE_RUN, "metrics": {"own": own}}, cache=tmp_path
        )
        assert result.estimates[0].mean("own") == power * 0.5
    assert Counting.n_fits == 2


def test_unusable_caches_are_refused(tmp_path):
    """The folder may not be a file, and learners must have a hash."""
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(
        ValueError, match=r"'cache' must be a folder, got the file .*file\. Name another\."
    ):
        evenfold.evaluate(KNN, X, Y, cache=file)
    with pytest.raises(
        ValueError, match=r"'cache' needs learners and data that can be pickled, got .*lambda"
    ):
        evenfold.evaluate(Counting(tag=lambda: 0), X, Y, cache=tmp_path)
