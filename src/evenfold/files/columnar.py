"""ColumnarFile: what the formats of record batches have in common, from Arrow's errors in our words to one writer per part."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..exceptions import InputError
from .datafile import DataFile
from .read_ahead import read_ahead

_MOST_BYTES_WAITING = 128 << 20


class ColumnarFile(DataFile):
    """A format of record batches, written again batch by batch: a subclass says how to read them and how to open a writer."""

    # How many rows of a part are written together; at least as many as were read together.
    rows_at_once: int = 0

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self.path = path
        self.schema = schema
        self.columns = schema.names
        (name, n_columns), *_ = Counter(self.columns).most_common(1) or [("", 0)]
        if n_columns > 1:
            raise InputError(
                f"{path}: holds {n_columns} columns named '{name}'. Give each its own name."
            )

    @abstractmethod
    def read_all_columns(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows as they are in the file."""

    @abstractmethod
    def open_writer(self, target: Path, schema: pa.Schema) -> AbstractContextManager[Any]:
        """Open a file of the same kind, with a method `write_table`."""

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the rows of part j to `targets[j]`, with the schema and the metadata of the file."""
        with ExitStack() as open_files:
            hands = [
                _Hand(open_files.enter_context(self.open_writer(target, self.schema)), self.schema)
                for target in targets
            ]
            self._deal_rows(self.read_all_columns(), hands, part_of_row)

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with one more text column at the end; it is null where the code is negative."""
        self.check_new(column)
        schema = self.schema.append(pa.field(column, pa.string()))
        with self.open_writer(target, schema) as writer:
            batches = self._append_text(column, values, code_of_row)
            self._deal_rows(batches, [_Hand(writer, schema)], np.zeros(len(code_of_row), np.int32))

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with other values in one column of some rows, its type as it was, and its categories, those that are new after them."""
        try:
            new = self.to_cells(column, values)
        except pa.ArrowException:
            raise self._cannot_hold(column, values) from None
        with self.open_writer(target, self.schema) as writer:
            self._deal_rows(
                self._fill(column, new, code_of_row),
                [_Hand(writer, self.schema)],
                np.zeros(len(code_of_row), np.int32),
            )

    def to_cells(self, column: str, values: Sequence[str]) -> pa.Array:
        """Return what stands for these values in a column that is there, or raise Arrow's error where it cannot hold them."""
        kind = without_view(self.schema.field(column).type)
        return pa.array(values, pa.string()).cast(
            kind.value_type if pa.types.is_dictionary(kind) else kind
        )

    def _fill(
        self, column: str, new: pa.Array, code_of_row: NDArray[np.int32]
    ) -> Iterator[pa.RecordBatch]:
        place = self.schema.get_field_index(column)
        field = self.schema.field(place)
        fill = _fill_categories if pa.types.is_dictionary(field.type) else _fill_cells
        for start, batch in self._number_rows(self.read_all_columns(), len(code_of_row)):
            codes = code_of_row[start : start + batch.num_rows]
            try:
                filled = fill(batch.column(place), new, codes).cast(field.type)
            except pa.ArrowInvalid:  # more categories than the column has numbers for
                raise self._cannot_hold(column, [str(value) for value in new.to_pylist()]) from None
            if _is_enum(field) and len(filled.dictionary) > len(batch.column(place).dictionary):
                raise self._cannot_hold(
                    column, filled.dictionary[len(batch.column(place).dictionary) :].to_pylist()
                )
            yield batch.set_column(place, field, filled)

    def _cannot_hold(self, column: str, values: Sequence[str]) -> InputError:
        kind = self.schema.field(column).type
        return InputError(
            f"{self.path}: '{column}' is of type {kind}, which cannot hold {', '.join(values[:5])}. Name a new column with --column."
        )

    def _append_text(
        self, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> Iterator[pa.RecordBatch]:
        texts = pa.array(values, pa.string())
        for start, batch in self._number_rows(self.read_all_columns(), len(code_of_row)):
            codes = code_of_row[start : start + batch.num_rows]
            yield batch.append_column(column, texts.take(pa.array(codes, mask=codes < 0)))

    def _deal_rows(
        self,
        batches: Iterable[pa.RecordBatch],
        hands: Sequence[_Hand],
        part_of_row: NDArray[np.int32],
    ) -> None:
        enough = self.rows_at_once
        with _WriterThread() as thread:
            for start, batch in self._number_rows(batches, len(part_of_row)):
                enough = max(enough, batch.num_rows)
                part_of_own = part_of_row[start : start + batch.num_rows]
                with name_damage(self.path, f"cannot be written again from row {start}"):
                    batch = without_views(batch)
                    for part, hand in enumerate(hands):
                        hand.take(batch, part_of_own == part)
                    too_much = sum(hand.n_bytes for hand in hands) > _MOST_BYTES_WAITING
                    for hand in hands:
                        if too_much or hand.n_rows >= enough:
                            thread.write(hand)
            with name_damage(self.path, "cannot be written again"):
                for hand in hands:
                    thread.write(hand)
                thread.wait()

    def _number_rows(
        self, batches: Iterable[pa.RecordBatch], n_rows: int
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Yield each batch with the number of its first row, and see that there are as many rows as were read before."""
        start = 0
        for batch in read_ahead(iter(batches)):
            if start + batch.num_rows <= n_rows:
                yield start, batch
            start += batch.num_rows
        if start != n_rows:
            raise InputError(
                f"{self.path}: has {start:,} rows, and the parts of {n_rows:,} are given. Was it changed meanwhile? Split it again."
            )


class _Hand:
    """The rows dealt to one part, kept until they are enough: small row groups make a file slow to read."""

    def __init__(self, writer: Any, schema: pa.Schema) -> None:
        self._writer = writer
        self._schema = schema
        self._batches: list[pa.RecordBatch] = []
        self.n_rows = 0
        self.n_bytes = 0

    def take(self, batch: pa.RecordBatch, is_own: NDArray[np.bool_]) -> None:
        own = batch if is_own.all() else batch.filter(pa.array(is_own))
        if own.num_rows:
            self._batches.append(own)
            self.n_rows += own.num_rows
            self.n_bytes += own.nbytes

    def put_down(self) -> list[pa.RecordBatch]:
        """Return what is kept, and keep it no longer."""
        batches, self._batches, self.n_rows, self.n_bytes = self._batches, [], 0, 0
        return batches

    def write(self, batches: list[pa.RecordBatch]) -> None:
        if batches:
            table = _encode_runs(pa.Table.from_batches(batches).combine_chunks(), self._schema)
            self._writer.write_table(
                table if table.schema == self._schema else table.cast(self._schema)
            )


class _WriterThread(ThreadPoolExecutor):
    """Writes what a hand puts down while the next rows are dealt; one at a time, so that little waits."""

    def __init__(self) -> None:
        super().__init__(1)
        self._last: Future[None] | None = None

    def write(self, hand: _Hand) -> None:
        batches = hand.put_down()
        self.wait()
        self._last = self.submit(hand.write, batches)

    def wait(self) -> None:
        """See that what was to be written is, or why not."""
        if self._last is not None:
            self._last.result()


def _fill_cells(cells: pa.Array, new: pa.Array, codes: NDArray[np.int32]) -> pa.Array:
    return pc.if_else(
        pa.array(codes >= 0), new.take(pa.array(codes, mask=codes < 0)), cells.cast(new.type)
    )


def _is_enum(field: pa.Field) -> bool:
    """Tell columns of polars with a closed list of categories: it takes others that come after them for null."""
    return any(key.startswith(b"_PL_ENUM_VALUES") for key in field.metadata or {})


def _fill_categories(
    cells: pa.DictionaryArray, new: pa.Array, codes: NDArray[np.int32]
) -> pa.DictionaryArray:
    """Put new values into a column of categories; all that are new become categories, for those of an Arrow file must be the same in every batch."""
    known = cells.dictionary.cast(new.type)
    added = new.filter(pc.invert(pc.is_in(new, value_set=known)))
    categories = pa.concat_arrays([known, added])
    own = pc.index_in(new, value_set=categories).take(pa.array(codes, mask=codes < 0))
    indices = pc.if_else(pa.array(codes >= 0), own, cells.indices.cast(pa.int32()))
    return pa.DictionaryArray.from_arrays(
        indices.cast(cells.type.index_type), categories, ordered=cells.type.ordered
    )


def without_views(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Cast text as polars writes it, which Arrow can neither filter nor take; the same with values that are kept once for a run of rows."""
    for at, field in enumerate(batch.schema):
        if pa.types.is_run_end_encoded(field.type):
            batch = batch.set_column(
                at, field.with_type(field.type.value_type), pc.run_end_decode(batch.column(at))
            )
    schema = pa.schema(
        [_field_without_view(field) for field in batch.schema], batch.schema.metadata
    )
    return batch if schema == batch.schema else batch.cast(schema)


def _encode_runs(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Keep values once for a run of rows again where the schema says so."""
    for at, field in enumerate(schema):
        if pa.types.is_run_end_encoded(field.type):
            table = table.set_column(
                at, field, pc.run_end_encode(table.column(at), field.type.run_end_type)
            )
    return table


def without_view(kind: pa.DataType) -> pa.DataType:
    """Return the same type with text and bytes in the form that Arrow can do all with."""
    if pa.types.is_string_view(kind):
        return pa.large_string()
    if pa.types.is_binary_view(kind):
        return pa.large_binary()
    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, without_view(kind.value_type), kind.ordered)
    if pa.types.is_struct(kind):
        return pa.struct([_field_without_view(field) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(
            _field_without_view(kind.key_field),
            _field_without_view(kind.item_field),
            kind.keys_sorted,
        )
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        make = pa.list_ if pa.types.is_list(kind) else pa.large_list
        return make(_field_without_view(kind.value_field))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_field_without_view(kind.value_field), kind.list_size)
    return kind


def _field_without_view(field: pa.Field) -> pa.Field:
    return field.with_type(without_view(field.type))


def check_same_schema(path: Path, schema: pa.Schema, first_path: Path, first: pa.Schema) -> None:
    """Refuse a file that is not of the same table as the first."""
    if schema.names != first.names:
        odd = [
            f"'{name}'"
            for name in [*first.names, *schema.names]
            if (name in first.names) != (name in schema.names)
        ]
        reason = (
            f"it has not the same columns ({', '.join(odd[:5])})"
            if odd
            else "its columns are in another order"
        )
    else:
        mine, theirs = next(
            (
                (own, other)
                for own, other in zip(schema, first, strict=True)
                if not own.equals(other)
            ),
            (None, None),
        )
        if mine is None:
            return
        reason = f"column '{mine.name}' is {_show_type(mine)}, not {_show_type(theirs)}"
    raise InputError(
        f"{path}: differs from {first_path}: {reason}. Pass files of one table, or write them anew with one schema."
    )


def _show_type(field: pa.Field) -> str:
    return str(field.type) + ("" if field.nullable else " not null")


@contextmanager
def name_damage(path: Path, what: str = "cannot be read") -> Iterator[None]:
    """Say path and place (in `what`) where Arrow finds the content wrong; a file that is not there, or a full disk, stays an OSError."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        reason = str(error).partition("\n")[0].rstrip(". ")
        if isinstance(error, pa.ArrowNotImplementedError):
            advice = (
                "Arrow cannot do that: write the file anew, with a simpler type or compression."
            )
        else:
            advice = "Is it whole, and in the format its name says?"
        raise InputError(f"{path}: {what}: {reason}. {advice}") from error
