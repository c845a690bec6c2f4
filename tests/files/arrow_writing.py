"""Arrow files and saved datasets, as other programs write them."""

from __future__ import annotations

import json

import pyarrow as pa


def write_ipc(path, table, stream=False, codec=None, rows=10):
    """Write an Arrow file in batches of `rows` rows."""
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with (
        pa.OSFile(str(path), "wb") as sink,
        make(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as writer,
    ):
        writer.write_table(table, max_chunksize=rows)


def save_to_disk(path, tables, features=None, **more_state):
    """Write a folder as datasets.Dataset.save_to_disk does."""
    path.mkdir()
    features = features or {
        name: {"dtype": "string", "_type": "Value"} for name in tables[0].column_names
    }
    names = [f"data-{at:05d}-of-{len(tables):05d}.arrow" for at in range(len(tables))]
    for name, table in zip(names, tables, strict=True):
        metadata = {
            **(table.schema.metadata or {}),
            b"huggingface": json.dumps(
                {"info": {"features": features}, "fingerprint": "f00"}
            ).encode(),
        }
        write_ipc(path / name, table.replace_schema_metadata(metadata), stream=True)
    state = {
        "_data_files": [{"filename": name} for name in names],
        "_fingerprint": "f00",
        "_format_type": None,
        "_split": "train",
    } | more_state
    splits = {
        "train": {"name": "train", "num_bytes": 5, "num_examples": 9, "shard_lengths": [9]},
        "test": {"name": "test", "num_bytes": 7},
    }
    info = {
        "citation": "us",
        "features": features,
        "splits": splits,
        "dataset_size": 12,
        "download_size": 100,
        "size_in_bytes": 112,
    }
    (path / "state.json").write_text(json.dumps(state))
    (path / "dataset_info.json").write_text(json.dumps(info))
    return path


def save_dict_to_disk(path, splits, features=None):
    """Write a folder as datasets.DatasetDict.save_to_disk does."""
    path.mkdir()
    (path / "dataset_dict.json").write_text(json.dumps({"splits": list(splits)}))
    for name, tables in splits.items():
        save_to_disk(path / name, tables, features, _split=name, _fingerprint=f"f-{name}")
    return path
