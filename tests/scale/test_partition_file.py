import pytest

from evenfold.exceptions import InputError
from evenfold.scale.partition_file import PartitionFile

from .partitioned import write_partitions


def test_partition_is_not_written_as_files_of_parts(tmp_path):
    """The pass `write` writes partitions."""
    file = PartitionFile(write_partitions(tmp_path, [{"a": [1, 2]}]), ["a"])
    with pytest.raises(InputError, match=r"parquet: a partition cannot be .* evenfold.scale.split"):
        file.write_parts([], [])
