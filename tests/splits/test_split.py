"""Split as a thing to keep: saved, loaded, compared, extended, sampled from."""

import json
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import evenfold
from evenfold.labels.fingerprints import make_fingerprint
from evenfold.labels import make_labels, propagate

from ..checks import check_groups_whole, check_partition

Y = np.random.default_rng(0).random((120, 6)) < [0.5, 0.3, 0.2, 0.1, 0.05, 0.05]


def test_what_went_in_and_how_long_it_took_are_kept_with_a_split():
    """Fixed rows and a start are named in the parameters; the time is not part of the record."""
    s = evenfold.split(Y, 2, start=np.arange(120) % 2, fixed=[0, None] * 60)
    assert s.origin.parameters["start"] is s.origin.parameters["fixed"] is True
    assert s.origin.seconds > 0
    assert not {"start", "fixed"} & set(evenfold.split(Y, 2).origin.parameters)
    assert "fixed" not in evenfold.extend(s, Y).origin.parameters


def test_a_saved_split_is_loaded_as_it_was(tmp_path):
    """Parts, names and origin; with its labels it can be measured."""
    path = tmp_path / "split.json"
    s = evenfold.split(Y, 4, holdout=0.2, groups=np.arange(120) // 2, random_state=7)
    s.save(path)
    read = evenfold.load_split(path, Y, groups=np.arange(120) // 2)
    assert read == s
    assert (read.method, read.origin.random_state, read.origin.version) == (
        "even",
        7,
        evenfold.__version__,
    )
    assert read.origin.parameters["holdout"] == 0.2
    assert read.quality.rld == s.quality.rld
    assert len(list(read.folds())) == 4
    assert read.fingerprint == s.fingerprint
    assert [path.name for path in tmp_path.iterdir()] == ["split.json"]


def test_a_saved_split_is_plain_json(tmp_path):
    """Anyone can read it."""
    evenfold.split(Y, [0.8, 0.2]).save(tmp_path / "s.json")
    record = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    assert record["format"] == "evenfold split"
    assert record["names"] == ["train", "test"]
    assert len(record["part_of_row"]) == 120
    assert {"method", "parameters", "random_state", "version", "fingerprint"} <= set(record)


def test_a_split_loaded_without_labels_shows_its_sizes(tmp_path):
    """It says what it needs to be measured."""
    evenfold.split(Y, [0.8, 0.2]).save(tmp_path / "s.json")
    s = evenfold.load_split(tmp_path / "s.json")
    assert "train    96" in str(s)
    assert "train    96" in s._repr_html_()
    with pytest.raises(
        ValueError,
        match=r"loaded without its labels, so it cannot be measured. Load it with them: load_split\(path, y\)",
    ):
        s.quality  # noqa: B018 - asking is the test


def test_loading_checks_the_labels(tmp_path):
    """Other labels, or rows in another order, are refused; another form of the same is not."""
    path = tmp_path / "s.json"
    evenfold.split(Y, 3).save(path)
    other = Y.copy()
    other[5, 2] = not other[5, 2]
    with pytest.raises(
        ValueError, match=r"'y' must hold the labels the split in .* was made for, got others"
    ):
        evenfold.load_split(path, other)
    with pytest.raises(ValueError, match="got others"):
        evenfold.load_split(path, Y[::-1])
    with pytest.raises(ValueError, match=r"'y' must have the 120 rows of the split in .*, got 119"):
        evenfold.load_split(path, Y[1:])
    lists = [[f"l{i}" for i in np.flatnonzero(row)] for row in Y]
    assert evenfold.load_split(path, lists).quality.rld == evenfold.load_split(path, Y).quality.rld


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("not json", "must be a split saved by evenfold, got something that is not JSON"),
        ("[1, 2]", "must be a split saved by evenfold, got other JSON"),
        (
            '{"format": "evenfold split", "format_version": 99}',
            "is of format 99, this evenfold .* reads format 1",
        ),
        ('{"format": "evenfold split", "format_version": 1}', "is damaged: KeyError 'names'"),
        ("[1, 7]", "its rows, parts and names do not fit each other"),
        ('["x"]', "is damaged: ValueError"),
    ],
)
def test_damaged_files_are_refused(tmp_path, content, message):
    """With what is wrong and what to do."""
    path = tmp_path / "s.json"
    evenfold.split(Y[:4], 2, method="random").save(path)
    if "rows, parts" in message or "ValueError" in message:
        record = json.loads(path.read_text(encoding="utf-8"))
        record["part_of_row"] = json.loads(content)
        content = json.dumps(record)
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        evenfold.load_split(path)


def test_a_missing_file_is_a_missing_file(tmp_path):
    """Python's own error names it."""
    with pytest.raises(FileNotFoundError, match=re.escape("nowhere.json")):
        evenfold.load_split(tmp_path / "nowhere.json")


def test_equality_is_of_parts_and_names():
    """Not of how they were found."""
    s = evenfold.split(Y, 3)
    assert s == evenfold.split(Y, 3)
    assert s != evenfold.split(Y, 3, random_state=1)
    assert s != evenfold.split(Y, 3, names=["a", "b", "c"])
    assert s != "split"
    with pytest.raises(TypeError, match="unhashable"):
        hash(s)


def test_to_frame_gives_the_frame_asked_for():
    """Row and name of the part."""
    s = evenfold.split(Y, [0.5, 0.5])
    for backend, kind in (
        ("pandas", pd.DataFrame),
        ("polars", pl.DataFrame),
        ("pyarrow", pa.Table),
        (None, pd.DataFrame),
    ):
        frame = s.to_frame(backend)
        assert isinstance(frame, kind)
    assert s.to_frame().part.tolist() == [s.names[part] for part in s.part_of_row]
    assert s.to_frame().row.tolist() == list(range(120))
    with pytest.raises(
        ValueError, match="'backend' must be one of pandas, polars, pyarrow, got 'spark'"
    ):
        s.to_frame("spark")


def test_fingerprints_know_content_not_form():
    """Another label, another row or another unknown entry changes it; names, order and empty columns do not."""
    own = make_fingerprint(make_labels(Y))
    assert own == make_fingerprint(make_labels(np.column_stack((np.zeros(120), Y[:, ::-1]))))
    assert own != make_fingerprint(make_labels(np.vstack((Y, np.zeros(6)))))
    unknown = Y.astype(float)
    unknown[0, 0] = np.nan
    known = Y.copy()
    known[0, 0] = False
    assert make_fingerprint(make_labels(unknown)) != make_fingerprint(make_labels(known))


def test_extend_moves_no_old_row_and_fills_up():
    """Sizes of the whole are those of the shares."""
    s = evenfold.split(Y[:80], [0.7, 0.2, 0.1])
    more = evenfold.extend(s, Y)
    check_partition(more, 120)
    assert np.array_equal(more.part_of_row[:80], s.part_of_row)
    assert more.sizes.tolist() == [84, 24, 12]
    assert more.names == s.names
    assert more.quality.rld < evenfold.split(Y, [0.7, 0.2, 0.1], method="random").quality.rld


def test_extend_works_on_a_loaded_split_and_again(tmp_path):
    """From a file, twice."""
    evenfold.split(Y[:60], 3).save(tmp_path / "s.json")
    s = evenfold.load_split(tmp_path / "s.json")
    more = evenfold.extend(evenfold.extend(s, Y[:90]), Y)
    assert np.array_equal(more.part_of_row[:60], s.part_of_row)
    assert more.sizes.tolist() == [40, 40, 40]


def test_extend_puts_new_rows_of_an_old_group_with_it():
    """Groups stay whole across the seam."""
    groups = np.arange(120) % 30
    s = evenfold.split(Y[:60], 3, groups=groups[:60])
    more = evenfold.extend(s, Y, groups=groups)
    check_groups_whole(more, groups.tolist())
    assert np.array_equal(more.part_of_row[:60], s.part_of_row)


def test_extend_lets_a_part_be_too_large_already():
    """The others share the new rows."""
    s = evenfold.split(Y[:40], [0.9, 0.1], fixed=[0] * 36 + [1] * 4)
    evenly = evenfold.split(Y[:40], [0.5, 0.5], start=s, method="even")
    assert evenly.sizes.tolist() == [20, 20]
    lopsided = evenfold.split(Y[:40], [38, 2])
    more = evenfold.extend(lopsided, Y[:41])
    assert more.sizes.sum() == 41
    assert np.array_equal(more.part_of_row[:40], lopsided.part_of_row)


def test_extend_without_new_rows_is_the_same_split():
    """Nothing to add, nothing changes."""
    s = evenfold.split(Y, 4, method="iterative")
    assert evenfold.extend(s, Y) == s


def test_extend_takes_unknown_labels_in_new_rows():
    """The old rows are the same, whether or not a matrix has room for NaN."""
    s = evenfold.split(Y, 4)
    more = evenfold.extend(s, np.vstack((Y.astype(float), [[np.nan, 1, 0, 0, 0, 1]])))
    assert np.array_equal(more.part_of_row[:120], s.part_of_row)
    assert more.origin.parameters["order"] == "auto"
    assert evenfold.extend(evenfold.split(Y[:80], 4, order=1), Y).origin.parameters["order"] == 1


def test_a_measured_split_can_be_pickled():
    """As workers need."""
    s = evenfold.split(Y, 3)
    assert s.quality.rld_pairs == pickle.loads(pickle.dumps(s)).quality.rld_pairs


def test_a_split_by_a_mapping_can_be_saved(tmp_path):
    """With NumPy's numbers as sizes."""
    evenfold.split(Y, {"a": np.int64(100), "b": np.int64(20)}).save(tmp_path / "s.json")
    assert evenfold.load_split(tmp_path / "s.json").sizes.tolist() == [100, 20]


@pytest.mark.parametrize(
    "change",
    [
        {"wanted": [0, 0]},
        {"wanted": [[1, 1]]},
        {"names": ["a", "a"]},
        {"n_folds": 0},
        {"part_of_row": [0.7, 1, 0, 1]},
        {"names": "ab"},
    ],
)
def test_files_that_do_not_fit_themselves_are_refused(tmp_path, change):
    """Before anything is made of them."""
    path = tmp_path / "s.json"
    evenfold.split(Y[:4], 2, method="random").save(path)
    path.write_text(
        json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8"
    )
    with pytest.raises(ValueError, match="is damaged"):
        evenfold.load_split(path)


def test_extend_refuses_other_rows():
    """Fewer rows, or others in front."""
    s = evenfold.split(Y[:80], 3)
    with pytest.raises(
        ValueError, match="'y_all' must hold the 80 rows of the split and the new ones, got 40"
    ):
        evenfold.extend(s, Y[:40])
    with pytest.raises(
        ValueError, match="'y_all' must begin with the 80 rows of the split, got other labels there"
    ):
        evenfold.extend(s, Y[::-1])


@pytest.mark.parametrize(("n", "expected"), [(30, 30), (0.25, 30), (1, 1), (119, 119)])
def test_sample_has_the_size_asked_for(n, expected):
    """A number or a fraction; sorted, without repeats."""
    rows = evenfold.sample(Y, n)
    assert len(rows) == expected
    assert (np.diff(rows) > 0).all()


def test_sample_is_even():
    """Every label within a row of its share."""
    rows = evenfold.sample(Y, 40)
    assert np.abs(Y[rows].sum(axis=0) - Y.sum(axis=0) / 3).max() <= 1


@pytest.mark.parametrize("n", [0, 120, 500, 1.5, -3, "10", True])
def test_sample_refuses_impossible_sizes(n):
    """With what could be asked for."""
    with pytest.raises(
        ValueError,
        match="'n' must be a number of rows between 1 and 119, or a fraction below 1, got ",
    ):
        evenfold.sample(Y, n)


PARENTS = {
    "kinase": ["transferase"],
    "transferase": "enzyme",
    "enzyme": "function",
    "binding": "function",
}


@pytest.mark.parametrize(
    "parents",
    [
        PARENTS,
        [
            ("kinase", "transferase"),
            ("transferase", "enzyme"),
            ("enzyme", "function"),
            ["binding", "function"],
        ],
    ],
)
def test_propagate_adds_all_ancestors(parents):
    """From a mapping or from edges; what was held stays."""
    labels = propagate([["kinase"], ["binding", "enzyme"], [], ["other"]], parents)
    held = [
        sorted(labels.names[i] for i in labels.indices[labels.indptr[r] : labels.indptr[r + 1]])
        for r in range(4)
    ]
    assert held == [
        ["enzyme", "function", "kinase", "transferase"],
        ["binding", "enzyme", "function"],
        [],
        ["other"],
    ]
    assert evenfold.split(labels, 2).sizes.tolist() == [2, 2]


def test_propagate_takes_roots_sets_and_numpy_numbers():
    """None is no parent; new labels of a set come in one order."""
    assert propagate([["a"]], {"a": {"c", "b"}, "b": None}).names == ["a", "b", "c"]
    assert propagate(np.eye(3), {0: np.int64(2)}).count_of_label.tolist() == [1, 1, 2]


def test_propagate_works_on_matrices_and_keeps_the_unknown():
    """Columns by number; an ancestor that is held is no longer unknown."""
    y = np.array([[1, 0, np.nan], [0, np.nan, 0]])
    labels = propagate(y, {0: 2})
    assert labels.to_csr().toarray().tolist() == [[1, 0, 1], [0, 0, 0]]
    assert (labels.unknown[0].tolist(), labels.unknown[1].tolist()) == ([0, 0, 1], [1])


@pytest.mark.parametrize(
    ("parents", "error", "message"),
    [
        (
            {"a": "b", "b": "c", "c": "a"},
            ValueError,
            "'parents' must not go in a circle, got one through 'a', 'b', 'c'. Remove one of its edges.",
        ),
        (
            [("a", "b", "c")],
            ValueError,
            "'parents' must hold pairs (label, parent), got ('a', 'b', 'c') at place 0.",
        ),
        (
            {"a": [["b"]]},
            TypeError,
            "'parents' must hold strings or whole numbers as labels, got ['b'], a list.",
        ),
        (
            "a",
            TypeError,
            "'parents' must be a mapping from label to parents or pairs (label, parent), got str.",
        ),
    ],
)
def test_hierarchies_that_cannot_be_meant_are_refused(parents, error, message):
    """Circles, and what is no pair."""
    with pytest.raises(error, match=re.escape(message)):
        propagate([["a"]], parents)
