"""Which columns of a parquet file are encrypted.

Arrow ends the process if it is asked how such a column is stored.
"""

from __future__ import annotations

import io
from typing import IO, Any

from .thrift import Struct, read_struct

_N_BYTES_OF_END = 8
# Numbers of fields in parquet.thrift.
_ROW_GROUPS, _COLUMNS = 4, 1
_METADATA, _CRYPTO_METADATA, _PATH = 3, 8, 3
_WITH_COLUMN_KEY, _PATH_WITH_KEY = 2, 1


def find_encrypted_columns(file: IO[bytes], n_bytes_read: int) -> list[str]:
    """Return the encrypted columns of a file whose footer is not encrypted.

    Parameters
    ----------
    file : binary file
        The file, open for reading at any position.
    n_bytes_read : int
        How long the footer is, as Arrow has read it.

    Returns
    -------
    list of str
        The columns, each once, in the order of the file.
    """
    ends = file.seek(-_N_BYTES_OF_END, io.SEEK_END)
    n_bytes = int.from_bytes(file.read(4), "little")
    # Only a file with encrypted columns has a signature after its footer. To read the footer here
    # takes long if there are many columns and row groups.
    if n_bytes <= n_bytes_read:
        return []
    file.seek(ends - n_bytes)
    footer = read_struct(file.read(n_bytes))
    groups = _elements(footer, _ROW_GROUPS)
    chunks = _elements(groups[0], _COLUMNS) if groups else []
    return list(dict.fromkeys(_find_name(chunk) for chunk in chunks if _CRYPTO_METADATA in chunk))


def _find_name(chunk: Struct) -> str:
    """Return the name of an encrypted column; its own metadata may be encrypted too."""
    crypto = chunk[_CRYPTO_METADATA][1]
    if _WITH_COLUMN_KEY in crypto:
        path = _elements(crypto[_WITH_COLUMN_KEY][1], _PATH_WITH_KEY)
    else:
        path = _elements(chunk[_METADATA][1], _PATH)
    return str(path[0].decode())


def _elements(struct: Struct, number: int) -> list[Any]:
    return struct[number][1][1]  # type: ignore[no-any-return]
