"""Several files that are read as one."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.files.chain import Chain
from evenfold.files.registry import open_data


def open_tables(folder, *tables):
    """Write tables as parquet files and open them as one."""
    for number, table in enumerate(tables):
        pq.write_table(pa.table(table), folder / f"{number}.parquet")
    names = [str(number) for number in range(len(tables))]
    return Chain([open_data(str(folder / f"{name}.parquet")) for name in names], names)


def test_rows_follow_each_other_in_the_columns_that_all_files_have(tmp_path):
    """Types are those of the first file."""
    chain = open_tables(
        tmp_path, {"a": [1, 2], "b": [1, 2]}, {"c": [0], "a": pa.array([3], "int8")}
    )
    assert chain.columns == ["a"]
    table = pa.Table.from_batches(chain.read_batches(["a"]))
    assert table.column("a").type == pa.int64()
    assert table.to_pydict() == {"a": [1, 2, 3]}
    assert chain.rows_of_file == [2, 1]


def test_a_column_of_two_types_is_refused(tmp_path):
    """The message has both types and both files."""
    chain = open_tables(tmp_path, {"a": [1]}, {"a": ["x"]})
    with pytest.raises(
        InputError,
        match=r"1\.parquet: the column 'a' is string here and int64 in .*0\.parquet\. Write both",
    ):
        list(chain.read_batches(["a"]))


def test_the_first_file_without_a_column_is_found(tmp_path):
    """By name and by pattern; the chain itself if every file has a match."""
    chain = open_tables(tmp_path, {"a1": [1], "b": [1]}, {"a2": [1]})
    assert chain.find_lacking("b").name.endswith("1.parquet")
    assert chain.find_lacking("a*") is chain


def test_a_chain_is_not_written(tmp_path):
    """Each file is written by itself."""
    with pytest.raises(
        InputError,
        match=r"0\.parquet: several files in the format parquet are read together, but not written",
    ):
        open_tables(tmp_path, {"a": [1]}).write_parts([tmp_path / "out"], np.zeros(1, np.int32))
