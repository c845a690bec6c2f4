"""Files of one NumPy array whose header is wrong."""

import re

import numpy as np
import pytest

from evenfold.exceptions import InputError
from evenfold.files.codecs.npy_arrays import read_npy

HEADERS = {
    "an open bracket": ("(3, 2)", "(3, 2", "EOF in multi-line statement|never closed"),
    "many brackets": ("(3, 2)", "[" * 3000, "."),
    "a shape of truth": ("(3, 2)", "(True, 6)", r"has the shape \(True, 6\)"),
    "a negative shape": ("(3, 2)", "(-3, -2)", r"has the shape \(-3, -2\)"),
    "a large shape": ("(3, 2)", "(3, 4611686018427387904)", "does not fit its 48 bytes"),
    "other bytes": ("(3, 2)", "(3, 1)", "does not fit its 48 bytes"),
    "objects": ("<f8", "|O", "Object arrays cannot be loaded"),
    "no type": ("<f8", "<q9", "descr is not a valid dtype"),
    "no shape": ("'shape'", "'shap'", "Header does not contain the correct keys"),
}


def write(path, old, new):
    """Write an array with a part of its header replaced."""
    np.save(path, np.arange(6.0).reshape(3, 2))
    content = path.read_bytes()
    head = content[10:128].decode().replace(old, new).encode()
    path.write_bytes(content[:8] + len(head).to_bytes(2, "little") + head + content[128:])
    return path


@pytest.mark.parametrize(("old", "new", "reason"), HEADERS.values(), ids=HEADERS)
def test_a_wrong_header_is_refused(tmp_path, old, new, reason):
    """Before memory is taken for what it says."""
    path = write(tmp_path / "a.npy", old, new)
    message = f"{re.escape(str(path))}: cannot be read as npy: .*({reason}).*Save it again with"
    with pytest.raises(InputError, match=message):
        read_npy(path, str(path))


def test_an_array_is_read(tmp_path):
    """With its type and shape."""
    path = write(tmp_path / "a.npy", "<f8", "<i8")
    assert read_npy(path, "a").dtype == np.int64
    assert read_npy(path, "a").shape == (3, 2)
