"""Files and frames of polars."""

import os
import subprocess
import sys

import polars as pl
import pytest

import evenfold

from .labels import GROUP, IN_GROUPS, NAMES, Y, check_same

pytestmark = pytest.mark.slow

FRAME = pl.DataFrame(Y, schema=NAMES, orient="row")
MAIN = "import sys; from evenfold.cli.main import main; sys.argv[0] = 'evenfold'; main()"


def test_lazy_frames_are_computed():
    """Also those of a file that is scanned."""
    lazy = FRAME.lazy().with_columns(patient=pl.Series(GROUP))
    check_same(evenfold.split(lazy.select(NAMES), 3, groups=lazy.select("patient")), IN_GROUPS)


def test_scanned_files_are_computed(tmp_path):
    """The rows are in the order of the file."""
    FRAME.write_parquet(tmp_path / "data.parquet")
    check_same(evenfold.split(pl.scan_parquet(tmp_path / "data.parquet"), 3))


@pytest.mark.parametrize("codec", ["uncompressed", "lz4", "zstd"])
@pytest.mark.parametrize("output", ["out", "out.feather"])
def test_feather_files_of_short_texts_are_split(tmp_path, codec, output):
    """In a process of its own, which old versions of Arrow would end."""
    tags = [["war", "drama", "crime"][: row % 4] for row in range(60)]
    frame = pl.DataFrame({"id": range(60), "tags": tags})
    frame.write_ipc(tmp_path / "data.feather", compression=codec)
    words = f"split data.feather --labels tags --parts 0.5,0.5 -o {output}".split()
    environment = os.environ | {"EVENFOLD_DEBUG": "1"}
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *words], cwd=tmp_path, env=environment, check=False
    )
    assert done.returncode == 0
    written = [tmp_path / output]
    if output == "out":
        written = [tmp_path / "out" / f"{part}.feather" for part in ("train", "test")]
    again = pl.concat([pl.read_ipc(path) for path in written]).sort("id")
    assert again.select("id", "tags").equals(frame)


def test_hive_folders_are_read_and_written(command, tmp_path):
    """Polars has the column part."""
    frame = FRAME.with_columns(year=pl.Series(1990 + GROUP % 2))
    for (year,), rows in frame.group_by("year"):
        (tmp_path / "data" / f"year={year}").mkdir(parents=True)
        rows.drop("year").write_parquet(tmp_path / "data" / f"year={year}" / "0.parquet")
    line = "split data --labels war,drama,crime,art --folds 3 -o out --hive -q"
    assert command(line) == (0, "", "")
    again = pl.read_parquet(tmp_path / "out", hive_partitioning=True)
    assert again["part"].value_counts()["count"].to_list() == [20, 20, 20]
    assert sorted(again["year"]) == sorted(frame["year"])
