"""Split: its parts, its folds, and how it is shown."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import evenfold

Y = np.random.default_rng(0).random((40, 6)) < [0.5, 0.3, 0.2, 0.1, 0.05, 0.05]


def test_parts_are_found_by_name_and_number():
    """Access by name, by number and in a loop agrees; indices are sorted."""
    s = evenfold.split(Y, [0.6, 0.2, 0.2])
    assert len(s) == 3
    assert np.array_equal(s["val"], s[1])
    assert np.array_equal(s["test"], s[-1])
    assert [part.tolist() for part in s] == [s[name].tolist() for name in s.names]
    assert (np.diff(s["train"]) > 0).all()


def test_folds_pair_each_part_with_the_rest():
    """Each row is tested once."""
    s = evenfold.split(Y, 4)
    tested = []
    for train, test in s.folds():
        assert np.array_equal(np.sort(np.concatenate((train, test))), np.arange(40))
        tested += test.tolist()
    assert sorted(tested) == list(range(40))


def test_quality_is_that_of_measure():
    """`Split.quality` and `evenfold.measure` give the same values."""
    groups = np.arange(40) // 2
    s = evenfold.split(Y, [0.5, 0.5], groups=groups)
    assert s.quality.to_dict()["rld"] == evenfold.measure(Y, s.part_of_row, [0.5, 0.5], groups).rld
    assert s.quality.bound.rld == evenfold.measure(Y, s.part_of_row, [0.5, 0.5], groups).bound.rld


@pytest.mark.parametrize("parts", [2, 5, 40])
def test_print_fits_a_terminal(parts):
    """Title, sizes, measures beside bounds, worst labels, in 80 columns."""
    labels = [[f"a label with a long name, number {i}" for i in np.flatnonzero(row)] for row in Y]
    text = str(evenfold.split(labels, parts, method="random"))
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith(f"{parts} parts of 40 rows, 6 labels, method random")
    one_label = evenfold.split([["a"]] * 40, parts, method="random")
    assert str(one_label).startswith(f"{parts} parts of 40 rows, 1 label, method random")
    assert ("least even labels" in text) == (parts < 40)  # one row a part is as even as can be
    assert "rLD" in text


def test_print_says_when_labels_are_rarer_than_parts():
    """A line, not a warning."""
    assert "1 of 2 labels with fewer rows than parts: some part must lack them." in str(
        evenfold.split([["a"]] * 9 + [["b"]], 5)
    )
    grouped = evenfold.split([["a"]] * 8 + [["b"]] * 4, 3, groups=[*range(8), 8, 8, 9, 9])
    assert "1 of 2 labels in fewer groups than parts: some part must lack them." in str(grouped)


def test_repr_is_one_line():
    """The first five sizes and the method."""
    assert (
        repr(evenfold.split(Y, [0.5, 0.5], method="random"))
        == "<Split train: 20, test: 20; method random>"
    )
    assert "…" in repr(evenfold.split(Y, 8))


def test_html_shows_names_as_text():
    """Labels and parts are data, never markup."""
    s = evenfold.split(
        [["<script>alert(1)</script>"], []] * 4 + [["x"]] * 3,
        2,
        names=["<i>a</i>", "b"],
        method="random",
    )
    html = s._repr_html_()
    assert "<script>" not in html
    assert "<i>" not in html
    assert "&lt;i&gt;a" in html


def test_a_split_keeps_its_parameters_and_its_time():
    """Fixed rows and a start are named in the parameters; the time is not part of the record."""
    s = evenfold.split(Y, 2, start=np.arange(40) % 2, fixed=[0, None] * 20)
    assert s.origin.parameters["start"] is s.origin.parameters["fixed"] is True
    assert s.origin.seconds > 0
    assert not {"start", "fixed"} & set(evenfold.split(Y, 2).origin.parameters)
    assert "fixed" not in evenfold.extend(s, Y).origin.parameters


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
    assert s.to_frame().row.tolist() == list(range(40))
    with pytest.raises(
        ValueError, match="'backend' must be one of pandas, polars, pyarrow, got 'spark'"
    ):
        s.to_frame("spark")


def test_a_measured_split_can_be_pickled():
    """Processes can pass it to each other."""
    s = evenfold.split(Y, 3)
    assert s.quality.rld_pairs == pickle.loads(pickle.dumps(s)).quality.rld_pairs


def test_shares_are_those_wanted():
    """Not those that rows allow."""
    assert evenfold.split(Y, [0.7, 0.15, 0.15]).shares.tolist() == [0.7, 0.15, 0.15]


def test_numbered_parts_can_be_named_when_measured():
    """`measure(names=...)` counts a part without rows too."""
    quality = evenfold.measure([["a"], ["b"], ["a"]], [0, 2, 0], names=["x", "y", "z"])
    assert quality.per_part.part.tolist() == ["x", "y", "z"]
    assert quality.per_part.rows.tolist() == [2, 0, 1]
    with pytest.raises(ValueError, match=r"'part_of_row' must name a part for each row .* got 2"):
        evenfold.measure([["a"], ["b"]], [0, 2], names=["x", "y"])
