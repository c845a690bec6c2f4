"""Columns of parquet and Arrow files that are filled where rows are new."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.formats.arrow_ipc import ArrowFile
from evenfold.files.registry import open_data

from .arrow_writing import write_ipc
from .columnar_table import read_whole

PARTS = [None if at % 4 == 0 else "val" if at % 4 == 1 else "train" for at in range(40)]
NEW = np.array([at % 2 if own is None else -1 for at, own in enumerate(PARTS)], np.int32)
FILLED = [["test", "train"][at % 2] if own is None else own for at, own in enumerate(PARTS)]


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_declared_categories_stay_in_their_order_where_a_column_is_filled(tmp_path, suffix):
    """Unused categories stay too; new ones come after them."""
    column = pd.Series(pd.Categorical(PARTS, categories=["train", "val", "held out"], ordered=True))
    path, target = tmp_path / f"data.{suffix}", tmp_path / f"more.{suffix}"
    getattr(pd.DataFrame({"part": column}), f"to_{suffix}")(path)
    open_data(str(path)).fill_column(target, "part", ["test", "train"], NEW)
    after = getattr(pd, f"read_{suffix}")(target)["part"]
    assert after.tolist() == FILLED
    assert after.cat.categories.tolist() == ["train", "val", "held out", "test"]
    assert after.cat.ordered


def test_filled_categories_of_an_arrow_file_are_the_same_in_all_batches(tmp_path):
    """The format does not allow other categories in later batches."""
    column = pd.Series(pd.Categorical(["train"] * 80_000 + ["test"] * 70_000 + [None]))
    pd.DataFrame({"part": column}).to_feather(tmp_path / "data.feather")
    codes = np.append(np.full(150_000, -1, np.int32), np.int32(0))
    ArrowFile(tmp_path / "data.feather").fill_column(
        tmp_path / "more.feather", "part", ["train", "val"], codes
    )
    after = pd.read_feather(tmp_path / "more.feather")["part"]
    assert after.equals(column.cat.add_categories("val").fillna("train"))


def test_more_categories_than_a_column_can_number_are_refused(tmp_path):
    """The type of the column does not change."""
    column = pa.DictionaryArray.from_arrays(
        pa.array([None, *range(127)], pa.int8()), pa.array([f"c{at}" for at in range(128)])
    )
    write_ipc(tmp_path / "data.arrow", pa.table({"part": column}), rows=200)
    with pytest.raises(
        InputError,
        match=r"'part' is of type dictionary.*int8.*, which cannot hold new\. Name a new column",
    ):
        ArrowFile(tmp_path / "data.arrow").fill_column(
            tmp_path / "more.arrow", "part", ["new"], np.array([0] + [-1] * 127, np.int32)
        )


@pytest.mark.parametrize("kind", [pl.String, pl.Categorical, pl.Enum(["val", "test", "train"])])
def test_a_column_of_polars_is_filled(tmp_path, kind):
    """Text and categories, as polars writes them to Arrow files."""
    path, target = tmp_path / "data.arrow", tmp_path / "more.arrow"
    pl.DataFrame({"part": pl.Series(PARTS, dtype=kind)}).write_ipc(path)
    ArrowFile(path).fill_column(target, "part", ["test", "train"], NEW)
    after = pl.read_ipc(target)
    assert after["part"].dtype == kind
    assert after["part"].to_list() == FILLED


def test_a_value_outside_an_enum_of_polars_is_refused(tmp_path):
    """Polars would read it as null."""
    pl.DataFrame({"part": pl.Series(PARTS, dtype=pl.Enum(["train", "val"]))}).write_ipc(
        tmp_path / "data.arrow"
    )
    with pytest.raises(
        InputError,
        match=r"'part' is of type dictionary.*, which cannot hold test\. Name a new column",
    ):
        ArrowFile(tmp_path / "data.arrow").fill_column(
            tmp_path / "more.arrow", "part", ["test", "train"], NEW
        )


@pytest.mark.parametrize("write", ["write_ipc", "write_parquet"])
def test_categories_of_polars_are_read_as_text_that_arrow_can_take(tmp_path, write):
    """Arrow can cast them to text, also in lists."""
    frame = pl.DataFrame(
        {
            "own": pl.Series(PARTS, dtype=pl.Categorical),
            "enum": pl.Series(PARTS, dtype=pl.Enum(["val", "train"])),
            "all": pl.Series(
                [[part] if part else [] for part in PARTS], dtype=pl.List(pl.Categorical)
            ),
        }
    )
    path = tmp_path / f"data.{write.removeprefix('write_').replace('ipc', 'arrow')}"
    getattr(frame, write)(path)
    table = read_whole(open_data(str(path)))
    assert table.to_pydict() == frame.to_dict(as_series=False)
    assert table.column("own").cast(pa.large_string()).to_pylist() == PARTS
    assert table.column("enum").cast(pa.large_string()).to_pylist() == PARTS
