"""Parquet files with encrypted columns are refused with their names."""

import base64
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as encryption
import pytest

from evenfold.exceptions import InputError
from evenfold.files.codecs.thrift import read_struct, write_struct
from evenfold.files.formats.parquet import Parquet

TABLE = pa.table({"id": [1, 2], "tags": [["a"], ["b"]], "name": ["x", "y"], "age": [3, 4]})
# Of parquet.thrift: numbers of fields, and the type of a struct.
ROW_GROUPS, COLUMNS, CRYPTO_METADATA, WITH_FOOTER_KEY, STRUCT = 4, 1, 8, 1, 12
SIGNATURE = bytes(28)


class OpenKeys(encryption.KmsClient):
    """Keeps keys as they are."""

    def wrap_key(self, key_bytes, master_key_identifier):
        """Return a key as text."""
        return base64.b64encode(key_bytes)

    def unwrap_key(self, wrapped_key, master_key_identifier):
        """Return the key that a text stands for."""
        return base64.b64decode(wrapped_key)


def write_encrypted(path, **options):
    """Write the table with a factory of keys."""
    factory = encryption.CryptoFactory(lambda _: OpenKeys())
    properties = factory.file_encryption_properties(
        encryption.KmsConnectionConfig(),
        encryption.EncryptionConfiguration(footer_key="footer", **options),
    )
    with pq.ParquetWriter(path, TABLE.schema, encryption_properties=properties) as writer:
        writer.write_table(TABLE)


def cut_footer(content):
    """Return what is before the footer of a parquet file, and the footer."""
    n_bytes = int.from_bytes(content[-8:-4], "little")
    return content[: -8 - n_bytes], read_struct(content[-8 - n_bytes : -8])


def join_footer(body, footer):
    """Return a parquet file with this footer."""
    return body + footer + len(footer).to_bytes(4, "little") + b"PAR1"


@pytest.mark.parametrize(
    ("keys", "shown"),
    [({"k": ["name"]}, "name"), ({"k": ["tags.list.element"], "l": ["age"]}, "tags, age")],
)
def test_encrypted_columns_under_a_plain_footer_are_named(tmp_path, keys, shown):
    """Arrow would end the process."""
    path = tmp_path / "data.parquet"
    write_encrypted(path, column_keys=keys, plaintext_footer=True)
    with pytest.raises(
        InputError,
        match=re.escape(
            f"{path}: has encrypted columns ({shown}), for which evenfold has no keys. Write the "
            "file again without encryption, or without these columns."
        ),
    ):
        Parquet(path)


def test_columns_that_are_encrypted_with_the_key_of_the_footer_are_named(tmp_path):
    """Other libraries write them. Their names are in the metadata of the column only."""
    path = tmp_path / "data.parquet"
    pq.write_table(TABLE, path)
    body, footer = cut_footer(path.read_bytes())
    chunks = footer[ROW_GROUPS][1][1][0][COLUMNS][1][1]
    chunks[1][CRYPTO_METADATA] = (STRUCT, {WITH_FOOTER_KEY: (STRUCT, {})})
    path.write_bytes(join_footer(body, write_struct(footer) + SIGNATURE))
    with pytest.raises(InputError, match=r"has encrypted columns \(tags\), for which"):
        Parquet(path)


def test_an_encrypted_footer_is_refused(tmp_path):
    """Arrow says it."""
    path = tmp_path / "data.parquet"
    write_encrypted(path, column_keys={"k": ["name"]})
    with pytest.raises(InputError, match=r"data.parquet: cannot be read: .*encrypted"):
        Parquet(path)


def test_a_file_with_bytes_after_its_footer_is_read(tmp_path):
    """They need not be the signature of encrypted columns."""
    path = tmp_path / "data.parquet"
    pq.write_table(TABLE, path)
    body, footer = cut_footer(path.read_bytes())
    path.write_bytes(join_footer(body, write_struct(footer) + SIGNATURE))
    Parquet(path).write_parts([tmp_path / "a"], np.zeros(2, np.int32))
    assert pq.read_table(tmp_path / "a").equals(TABLE)


def test_the_command_refuses_encrypted_columns_with_one_message(command, tmp_path):
    """Also where the footers of a folder are read first, and for data past memory."""
    (tmp_path / "data").mkdir()
    for name in ("a.parquet", "b.parquet"):
        write_encrypted(
            tmp_path / "data" / name, column_keys={"k": ["name"]}, plaintext_footer=True
        )
    for options in ("", "--memory 1GB"):
        done = command(f"split data --labels tags --folds 2 -o out {options}")
        assert done.code == 1
        assert "a.parquet: has encrypted columns (name), for which evenfold" in done.stderr
        assert not (tmp_path / "out").exists()
