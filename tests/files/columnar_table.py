"""One table with columns of many types, and reading it again."""

import datetime
import decimal

import pyarrow as pa

N = 23
SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False, metadata={"unit": "none"}),
        pa.field("title", pa.string()),
        pa.field("tags", pa.list_(pa.string())),
        pa.field("kind", pa.dictionary(pa.int32(), pa.string())),
        pa.field("box", pa.struct([("x", pa.float32()), ("y", pa.float32())])),
        pa.field("when", pa.timestamp("us", tz="UTC")),
        pa.field("price", pa.decimal128(9, 2)),
        pa.field("image", pa.large_binary()),
    ],
    metadata={"made by": "a test"},
)
TABLE = pa.table(
    [
        pa.array(range(N), pa.int64()),
        pa.array([None if i == 3 else f"title {i}" for i in range(N)]),
        pa.array([None if i == 5 else ["a", "b", "c"][: i % 4] for i in range(N)]),
        pa.array(["red" if i % 2 else "blue" for i in range(N)]).dictionary_encode(),
        pa.array(
            [None if i == 7 else {"x": i, "y": -i} for i in range(N)], SCHEMA.field("box").type
        ),
        pa.array(
            [datetime.datetime(2020, 1, 1 + i, tzinfo=datetime.UTC) for i in range(N)],
            pa.timestamp("us", tz="UTC"),
        ),
        pa.array([decimal.Decimal(i) / 4 for i in range(N)], pa.decimal128(9, 2)),
        pa.array([bytes([i]) * i for i in range(N)], pa.large_binary()),
    ],
    schema=SCHEMA,
)


def read_whole(file):
    """Return all columns of a data file as one table."""
    return pa.Table.from_batches(file.read_batches(file.columns))
