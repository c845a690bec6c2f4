"""A split of a pandas frame or column keeps its index."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import evenfold
from evenfold.labels import from_classes, from_text, make_labels, propagate
from evenfold.labels.fingerprints import make_fingerprint

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.integers(0, 2, (40, 3)), columns=["a", "b", "c"])
SHUFFLED = FRAME.sample(frac=1, random_state=1)
TAGS = pd.Series([["x", "y"], ["y"], [], ["x"]] * 10, index=SHUFFLED.index)


def check_parts(frame, s):
    """Every row has the part of its place, by the index."""
    parts = pd.Series([s.names[part] for part in s.part_of_row], index=frame.index)
    frame = pd.DataFrame({"row": range(len(frame))}, index=frame.index)
    frame["fold"] = s.to_frame("pandas")["part"]
    assert not frame["fold"].isna().any()
    assert (frame["fold"] == parts).all()
    assert s.to_frame("pandas")["row"].tolist() == list(range(len(frame)))


@pytest.mark.parametrize(
    "y", [SHUFFLED, TAGS, SHUFFLED["a"], SHUFFLED[["a"]]], ids=lambda y: y.shape
)
def test_the_parts_fit_the_rows_of_a_shuffled_frame(y):
    """Assigned as a column, none is missing and each is right."""
    check_parts(y, evenfold.split(y, [0.5, 0.5]))


def test_other_indexes_are_kept():
    """Names, several levels and repeated values."""
    for index in (
        [f"patient {row}" for row in range(40)],
        pd.MultiIndex.from_product([range(4), range(10)]),
        [row // 2 for row in range(40)],
    ):
        y = FRAME.set_axis(index)
        assert evenfold.split(y, 4).to_frame("pandas").index.equals(y.index)


def test_a_split_that_is_loaded_or_extended_keeps_the_index(tmp_path):
    """It is that of the labels given then."""
    s = evenfold.split(SHUFFLED[:30], 3)
    check_parts(SHUFFLED, evenfold.extend(s, SHUFFLED))
    s.save(tmp_path / "split.json")
    check_parts(SHUFFLED[:30], evenfold.load_split(tmp_path / "split.json", SHUFFLED[:30]))
    check_parts(SHUFFLED, evenfold.extend(evenfold.load_split(tmp_path / "split.json"), SHUFFLED))
    loaded = evenfold.load_split(tmp_path / "split.json").to_frame("pandas")
    assert loaded.index.tolist() == list(range(30))


def test_other_frames_have_no_index():
    """Those of polars and Arrow, and those of labels that had none."""
    s = evenfold.split(SHUFFLED, 2)
    assert s.to_frame("polars").columns == s.to_frame("pyarrow").column_names == ["row", "part"]
    for y in (FRAME.to_numpy(), pl.from_pandas(FRAME), FRAME.to_numpy().tolist()):
        assert evenfold.split(y, 2).to_frame("pandas").index.tolist() == list(range(40))


def test_the_index_is_no_part_of_the_labels():
    """The fingerprint and the split are those of the values."""
    plain = SHUFFLED.reset_index(drop=True)
    assert make_fingerprint(make_labels(plain)) == make_fingerprint(make_labels(SHUFFLED))
    assert evenfold.split(plain, 3) == evenfold.split(SHUFFLED, 3)


def test_labels_made_of_labels_keep_the_index():
    """Whatever makes them."""
    texts = TAGS.map("|".join)
    for labels in (
        make_labels(TAGS),
        from_classes(SHUFFLED),
        from_text(texts, "|"),
        propagate(TAGS, {"x": "y"}),
    ):
        assert labels.index.equals(SHUFFLED.index)
        assert labels.first_rows(5).index.equals(SHUFFLED.index[:5])
    assert make_labels(SHUFFLED.to_numpy()).first_rows(5).index is None
