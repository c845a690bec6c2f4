"""Frames of Dask: the error names what to call; folders that Dask writes and reads."""

import pandas as pd
import pytest

import evenfold
from evenfold.exceptions import InputTypeError
from evenfold.files.registry import open_data

from .labels import GROUP, NAMES, Y, check_same

dd = pytest.importorskip("dask.dataframe", reason="dask is not installed")
pytestmark = pytest.mark.slow

FRAME = pd.DataFrame(Y, columns=NAMES)


def test_the_error_names_the_call():
    """What it returns is read."""
    lazy = dd.from_pandas(FRAME.assign(patient=GROUP), npartitions=3)
    message = r"of dask.* Call .compute\(\) first, or use evenfold.scale.split."
    for arguments in ({"y": lazy[NAMES]}, {"y": lazy["war"]}, {"y": Y, "groups": lazy["patient"]}):
        with pytest.raises(InputTypeError, match=message):
            evenfold.split(**arguments, parts=3)
    check_same(evenfold.split(lazy[NAMES].compute(), 3))


def test_an_array_is_computed():
    """As NumPy does."""
    check_same(evenfold.split(dd.from_pandas(FRAME, npartitions=3).to_dask_array(lengths=True), 3))


def test_folders_of_dask_are_read_and_written(command, tmp_path):
    """Its keys are columns; it reads the parts as one frame."""
    frame = dd.from_pandas(FRAME.assign(year=1990 + GROUP % 2), npartitions=3)
    frame.to_parquet(tmp_path / "data", partition_on=["year"])
    assert "year" in open_data(str(tmp_path / "data")).columns
    line = "split data --labels war,drama,crime,art --folds 2 --groups year -o out --hive -q"
    done = command(line)
    assert (done.code, done.stderr) == (0, "")
    out = dd.read_parquet(tmp_path / "out").compute()
    assert len(out.drop_duplicates(["year", "part"])) == 2
    assert sorted(out["year"].astype(int)) == sorted(1990 + GROUP % 2)
