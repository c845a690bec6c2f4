"""Arrow files and streams: parts have the layout and the types of the file."""

import subprocess
import sys

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from evenfold.exceptions import InputError
from evenfold.files.formats.arrow_ipc import ArrowFile, read_layout

from .arrow_writing import write_ipc
from .columnar_table import TABLE, N, read_whole


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
def test_arrow_parts_have_the_layout_of_the_file(tmp_path, stream, codec):
    """A part is a file or a stream, and compressed, as the input is."""
    write_ipc(tmp_path / "data.arrow", TABLE, stream, codec)
    ArrowFile(tmp_path / "data.arrow").write_parts([tmp_path / "part"], np.zeros(N, np.int32))
    layout = read_layout(tmp_path / "part", "part")
    assert (layout.is_stream, layout.codec) == (stream, codec)


def test_arrow_of_polars_keeps_its_types(tmp_path):
    """Views, which Arrow cannot filter, stay views, also in lists and structs."""
    n = 70_000
    frame = pl.DataFrame(
        {
            "text": [f"row {i}" for i in range(n)],
            "tags": [["a", f"tag {i % 7}"][: i % 3] for i in range(n)],
            "box": [{"name": f"n{i % 5}"} for i in range(n)],
            "kind": pl.Series(["x", "y"] * (n // 2), dtype=pl.Categorical),
            "raw": [b"1", None] * (n // 2),
        }
    )
    frame.write_ipc(tmp_path / "data.arrow", compression="zstd")
    file = ArrowFile(tmp_path / "data.arrow")
    assert pa.types.is_string_view(file.schema.field("text").type)
    assert max(batch.num_rows for batch in file.read_batches(["text"])) < n
    file.write_parts([tmp_path / "a", tmp_path / "b"], np.arange(n, dtype=np.int32) % 3)
    assert pl.read_ipc(tmp_path / "b").equals(frame.gather_every(3, 1))
    assert ArrowFile(tmp_path / "b").schema.equals(file.schema)


SPLIT_IN_TWO = """
import numpy as np
from pathlib import Path
from evenfold.files.formats.arrow_ipc import ArrowFile
file = ArrowFile(Path("data.arrow"))
file.write_parts([Path("a"), Path("b")], np.arange(6, dtype=np.int32) % 2)
file.write_with_column(Path("more"), "part", ["train", "test"], np.arange(6, dtype=np.int32) % 2)
"""


@pytest.mark.parametrize("codec", ["lz4", "zstd"])
def test_short_texts_of_polars_are_written_compressed(tmp_path, codec):
    """Before pyarrow 25, views of short texts that come from a cast ended the process."""
    frame = pl.DataFrame(
        {
            "text": ["a", "b", None, "c", "", "d"],
            "tags": [["x"], ["y", "z"], [], None, ["x"], [None]],
            "box": [{"name": "n"}] * 6,
        }
    )
    frame.write_ipc(tmp_path / "data.arrow", compression=codec)
    done = subprocess.run([sys.executable, "-c", SPLIT_IN_TWO], check=False, cwd=tmp_path)
    assert done.returncode == 0
    assert pl.read_ipc(tmp_path / "b").equals(frame.gather_every(2, 1))
    part = pl.Series("part", ["train", "test"] * 3)
    assert pl.read_ipc(tmp_path / "more").equals(frame.with_columns(part))


def test_arrow_stream_whose_dictionary_changes_is_split(tmp_path):
    """Each batch may have categories of its own."""
    batches = [
        pa.record_batch({"kind": pa.array(kinds).dictionary_encode()})
        for kinds in (["a", "b", "a"], ["z", "a", None], ["c", "c", "b"])
    ]
    with (
        pa.OSFile(str(tmp_path / "data.arrow"), "wb") as sink,
        pa.ipc.new_stream(sink, batches[0].schema) as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)
    ArrowFile(tmp_path / "data.arrow").write_parts(
        [tmp_path / "a", tmp_path / "b"], np.arange(9, dtype=np.int32) % 2
    )
    assert read_whole(ArrowFile(tmp_path / "b")).column("kind").to_pylist() == ["b", "z", None, "c"]


def test_a_type_that_cannot_be_split_is_refused(tmp_path):
    """Arrow cannot filter some types, such as runs within a struct."""
    runs = pa.RunEndEncodedArray.from_arrays([2, 3], ["x", "y"])
    write_ipc(
        tmp_path / "data.arrow", pa.table({"deep": pa.StructArray.from_arrays([runs], ["runs"])})
    )
    with pytest.raises(
        InputError,
        match=r"data.arrow: cannot be written again from row 0: .*run_end_encoded.*"
        r"\. Arrow cannot do that: write",
    ):
        ArrowFile(tmp_path / "data.arrow").write_parts(
            [tmp_path / "part"], np.array([0, -1, 0], np.int32)
        )


def test_maps_of_text_as_polars_writes_it_are_split(tmp_path):
    """Keys and values of maps may be views."""
    kind = pa.map_(pa.string_view(), pa.list_(pa.string_view()))
    table = pa.table({"m": pa.array([[("a", ["b"])], None, [("c", None), ("d", ["e"])], []], kind)})
    write_ipc(tmp_path / "data.arrow", table)
    ArrowFile(tmp_path / "data.arrow").write_parts(
        [tmp_path / "part"], np.array([0, -1, 0, -1], np.int32)
    )
    again = read_layout(tmp_path / "part", "part").schema
    assert again == table.schema
    assert read_whole(ArrowFile(tmp_path / "part")).to_pydict() == {
        "m": [table["m"][0].as_py(), table["m"][2].as_py()]
    }


def test_run_end_encoded_values_are_read_and_split(tmp_path):
    """They are run-end encoded again in every part."""
    runs = pc.run_end_encode(pa.array(["a"] * 15 + [None] * 10 + ["b"] * 15), pa.int16())
    write_ipc(tmp_path / "data.arrow", pa.table({"id": range(40), "runs": runs}), rows=40)
    file = ArrowFile(tmp_path / "data.arrow")
    assert read_whole(file).column("runs").type == pa.string()
    file.write_parts([tmp_path / "0", tmp_path / "1"], np.arange(40, dtype=np.int32) % 2)
    for part in range(2):
        again = ArrowFile(tmp_path / str(part))
        assert again.schema == file.schema
        assert read_whole(again).to_pydict() == {
            "id": list(range(part, 40, 2)),
            "runs": runs.to_pylist()[part::2],
        }


def test_an_arrow_file_with_wrong_offsets_is_refused(tmp_path):
    """Arrow alone would end the process."""
    path = tmp_path / "data.arrow"
    write_ipc(path, pa.table({"tags": ["first label", "second label", "third label"]}))
    content = path.read_bytes()
    offsets = np.array([0, 11, 23, 34], np.int32).tobytes()
    assert content.count(offsets) == 1
    path.write_bytes(content.replace(offsets, np.array([0, 11, 2**31 - 1, 34], np.int32).tobytes()))
    with pytest.raises(InputError, match=r"data.arrow: cannot be read after row 0: "):
        list(ArrowFile(path).read_batches(["tags"]))
