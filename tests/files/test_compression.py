"""Text files that are compressed: read as streams, written as their name says."""

import gzip
import io
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.compression import find_suffix, open_to_write, without_codec
from evenfold.files.formats.delimited import Csv
from evenfold.files.formats.json_lines import JsonLines
from evenfold.files.registry import find_format, open_data

from .text_files import fill, read, split, with_column

ROWS = 50_000
TEXT = b"id,text\n" + b"".join(b'%d,"row\n%d"\n' % (at, at * 7919) for at in range(ROWS))


def zstd(content):
    """Compress with zstd."""
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as file:
        file.write(content)
    return sink.getvalue().to_pybytes()


COMPRESS = {".gz": gzip.compress, ".zst": zstd}


def decompress(path):
    """Return the content of a compressed file."""
    with pa.CompressedInputStream(str(path), {".gz": "gzip", ".zst": "zstd"}[path.suffix]) as file:
        return file.read()


def write(folder, content, suffix, name="data.csv"):
    """Write a compressed file."""
    path = folder / f"{name}{suffix}"
    path.write_bytes(COMPRESS[suffix](content))
    return path


@pytest.mark.parametrize("suffix", COMPRESS)
def test_rows_are_those_of_the_plain_file(suffix, tmp_path):
    """Cells that straddle chunks, and the line of a row in messages, too."""
    (tmp_path / "data.csv").write_bytes(TEXT)
    plain, packed = Csv(tmp_path / "data.csv"), Csv(write(tmp_path, TEXT, suffix))
    for file in (plain, packed):
        file.chunk_bytes = 30_000
    assert packed.columns == plain.columns == ["id", "text"]
    assert read(packed, ["text", "id"]) == read(plain, ["text", "id"])
    last = [list(file.read_records())[-1] for file in (plain, packed)]
    assert packed.line_of(last[1], 3) == plain.line_of(last[0], 3) == 2 * (ROWS - len(last[0])) + 8


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_file_of_many_pieces_is_read_to_its_end(suffix, tmp_path):
    """As bgzip and parallel programs write, each piece compressed by itself."""
    pieces = [TEXT[at : at + 10_007] for at in range(0, len(TEXT), 10_007)]
    path = tmp_path / f"data.csv{suffix}"
    path.write_bytes(b"".join(map(COMPRESS[suffix], pieces)))
    assert read(Csv(path), ["id"]) == {"id": [str(at) for at in range(ROWS)]}


@pytest.mark.parametrize("suffix", COMPRESS)
def test_what_is_written_is_compressed_as_its_name_says(suffix, tmp_path):
    """Parts and columns have the bytes of the plain file; writing twice gives the same bytes."""
    content = b"id,text\n1,a\n2,b\n3,c"
    file = Csv(write(tmp_path, content, suffix))
    targets = [tmp_path / f"a.csv{suffix}", tmp_path / "b.csv"]
    file.write_parts(targets, np.array([0, 1, 0], np.int32))
    assert decompress(targets[0]) == b"id,text\n1,a\n3,c"
    assert targets[1].read_bytes() == b"id,text\n2,b\n"
    once = targets[0].read_bytes()
    file.write_parts(targets, np.array([0, 1, 0], np.int32))
    assert targets[0].read_bytes() == once
    assert with_column(file, "part", ["x"], [0, 0, 0]) == b"id,text,part\n1,a,x\n2,b,x\n3,c,x"
    assert fill(file, "text", ["x"], [0, -1, 0]) == b"id,text\n1,x\n2,b\n3,x"
    longer = tmp_path / f"longer.csv{suffix}"
    file.write_with_column(longer, "part", ["x"], np.zeros(3, np.int32))
    assert decompress(longer) == b"id,text,part\n1,a,x\n2,b,x\n3,c,x"


@pytest.mark.parametrize("suffix", COMPRESS)
def test_json_lines_are_read_and_written_compressed(suffix, tmp_path):
    """Parts, a new key and another value."""
    file = JsonLines(write(tmp_path, b'{"a": 1}\n{"a": 2}\n', suffix, "data.jsonl"))
    assert read(file, ["a"]) == {"a": [1, 2]}
    assert split(file, [1, 0]) == [b'{"a": 2}\n', b'{"a": 1}\n']
    assert with_column(file, "b", ["x"], [0, 0]) == b'{"a": 1, "b": "x"}\n{"a": 2, "b": "x"}\n'
    filled = tmp_path / f"filled.jsonl{suffix}"
    file.fill_column(filled, "a", ["7"], np.array([0, -1], np.int32))
    assert decompress(filled) == b'{"a": 7}\n{"a": 2}\n'


def test_memory_is_bounded_by_the_chunk_and_not_by_the_text(tmp_path, monkeypatch):
    """No read asks for more than a chunk or a row."""
    asked = []

    class Counted(pa.CompressedInputStream):
        def read(self, n_bytes=None):
            asked.append(n_bytes)
            return super().read(n_bytes)

    path = write(tmp_path, TEXT, ".gz")
    monkeypatch.setattr(pa, "CompressedInputStream", Counted)
    file = Csv(path)
    file.chunk_bytes = 10_000
    assert sum(len(records) for records in file.read_records()) == ROWS
    assert max(asked) == 1 << 16


# What can go wrong with a compressed file, as a function of its bytes.
DAMAGE = {
    "truncated": lambda content: content[: len(content) // 2],
    "without its last byte": lambda content: content[:-1],
    "with bytes overwritten": lambda content: content[:12] + b"\xff" * 9 + content[21:],
    "followed by something else": lambda content: content + b"something else",
    "its head alone": lambda content: content[:6],
}


@pytest.mark.parametrize("kind", DAMAGE)
@pytest.mark.parametrize(("suffix", "codec"), [(".gz", "gzip"), (".zst", "zstd")])
def test_a_damaged_file_is_refused_in_one_message(suffix, codec, kind, tmp_path):
    """Whether it is found when the file is opened or later."""
    path = tmp_path / f"data.csv{suffix}"
    path.write_bytes(DAMAGE[kind](COMPRESS[suffix](TEXT)))
    with pytest.raises(
        InputError,
        match=rf"data\.csv{suffix}: cannot be decompressed with {codec}: .*\. Is it whole\?",
    ):
        list(Csv(path).read_batches(["id"]))


def test_a_name_that_says_something_else_than_the_content_is_refused(tmp_path):
    """Compressed or not, or in another way; an empty file is empty."""
    for name, content, message in (
        ("a.csv.gz", b"a,b\n1,2\n", r"is not compressed with gzip, as its name says\. Rename it"),
        ("b.csv.zst", b"a,b\n1,2\n", r"is not compressed with zstd, as its name says"),
        ("c.csv", gzip.compress(b"a\n1\n"), r"is compressed with gzip, and its name does not say"),
        ("d.csv.gz", zstd(b"a\n1\n"), r"is compressed with zstd, .* Let it end in '\.zst'\."),
        ("e.csv.gz", b"", r"is empty\. The first line must hold"),
        ("f.csv.gz", gzip.compress(b""), r"is empty\. The first line must hold"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=rf"{name}: {message}"):
            Csv(tmp_path / name)


def test_other_formats_are_not_read_compressed(tmp_path, monkeypatch):
    """By their suffix, with --format, and from stdin."""
    for name, format_name in (("data.parquet.gz", None), ("data.csv.gz", "svmlight")):
        (tmp_path / name).write_bytes(gzip.compress(b"1 1:1\n"))
        with pytest.raises(
            InputError,
            match=rf"{name}: only csv, tsv, jsonl are read compressed \(\.gz and \.zst\), got .*"
            r"Decompress it first\.",
        ):
            open_data(str(tmp_path / name), format_name)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"1 1:1\n"))))
    with pytest.raises(InputError, match=r"^stdin: only csv, tsv, jsonl are read compressed"):
        open_data("-", "svmlight")


@pytest.mark.parametrize("suffix", COMPRESS)
def test_stdin_may_be_compressed(suffix, monkeypatch):
    """Its content says how."""
    content = COMPRESS[suffix](b"a,b\n1,2\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    file = open_data("-")
    assert (file.name, read(file, ["b"])) == ("stdin", {"b": ["2"]})


def test_suffixes_of_compressed_files():
    """A codec is no format, and a format is no codec."""
    assert find_format(Path("a/data.CSV.GZ")) == "csv"
    assert find_format(Path("data.npz.gz")) is find_format(Path("data.gz")) is None
    assert find_suffix(Path("a.b/data.csv.gz")) == ".csv.gz"
    assert (find_suffix(Path("data.csv")), find_suffix(Path("data"))) == (".csv", "")
    assert without_codec(Path("a/data.csv.zst")) == Path("a/data.csv")


def test_a_misspelled_suffix_before_that_of_a_codec_has_a_hint(tmp_path):
    """The hint keeps the codec."""
    (tmp_path / "data.cvs.gz").write_bytes(b"")
    with pytest.raises(
        InputError,
        match=r"the suffix '\.cvs\.gz' does not tell its format\. .*Did you mean 'data\.csv\.gz'\?",
    ):
        open_data(str(tmp_path / "data.cvs.gz"))


def test_names_and_times_are_not_in_what_is_written(tmp_path):
    """The same text gives the same bytes in two files."""
    for name in ("one.csv.gz", "two.csv.gz"):
        with open_to_write(tmp_path / name) as file:
            file.write(b"a\n")
    assert (tmp_path / "one.csv.gz").read_bytes() == (tmp_path / "two.csv.gz").read_bytes()
