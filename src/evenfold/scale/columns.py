"""Which columns of partitioned data are read, and how: decided once for all partitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from ..exceptions import InputError, InputTypeError
from ..files.column_ranges import explain_range
from ..files.label_columns import LabelForm, choose_label_columns, find_form, settle_form
from ..files.label_columns.forms import COLUMNS, FLAG
from ..files.label_columns.star import leave_out
from ..files.named_columns import list_known, match_names
from ..files.struct_fields import Fields, list_fields
from ..labels.classes import Subject, sort_names
from .partition_file import FirstRows, PartitionFile, read_known_labels
from .partitions import Partition, join_schemas, read_partition_schemas, show_paths


class Columns(NamedTuple):
    """The columns that are read, and how. Plain data, the same for every partition.

    Attributes
    ----------
    labels : tuple of str
        The label columns.
    separator : str or None
        What separates the labels of a cell.
    kind : str
        How labels are read, as in `LabelForm`.
    groups : str or None
        The column whose values keep rows together.
    balance : tuple of str
        The columns that are to be even besides the labels.
    fixed : str or None
        The column of parts that are fixed.
    key : str or None
        The column that names each row.
    column_kinds : tuple of str
        What each of several label columns holds, as in `LabelForm`.
    width : int
        The number of labels where lists are the rows of a 0/1 matrix, else 0.
    balance_is_number : tuple of bool
        Whether each column of `balance` holds numbers.
    """

    labels: tuple[str, ...]
    separator: str | None
    kind: str
    groups: str | None = None
    balance: tuple[str, ...] = ()
    fixed: str | None = None
    key: str | None = None
    column_kinds: tuple[str, ...] = ()
    width: int = 0
    balance_is_number: tuple[bool, ...] = ()

    @property
    def form(self) -> LabelForm:
        """How the labels are read."""
        return LabelForm(self.kind, self.labels, self.separator, self.column_kinds, self.width)

    @property
    def needed(self) -> list[str]:
        """All columns that are read, each once."""
        single = [name for name in (self.groups, self.fixed, self.key) if name is not None]
        return list(dict.fromkeys([*self.labels, *self.balance, *single]))


def choose_columns(
    partitions: Sequence[Partition],
    labels: str | Sequence[str] | None = None,
    separator: str | None = None,
    groups: str | None = None,
    balance: str | Sequence[str] | None = None,
    fixed: str | None = None,
    key: str | None = None,
) -> tuple[Columns, str]:
    """Decide which columns are read and how, from the schemas and the first rows.

    Parameters
    ----------
    partitions : sequence of Partition
        The data.
    labels : str or sequence of str, default=None
        Names or patterns of the label columns; None guesses where that is safe.
    separator : str, default=None
        What separates the labels of a cell, "" where each cell is one label; None finds it.
    groups : str, default=None
        The column whose values keep rows together.
    balance : str or sequence of str, default=None
        The columns that are to be even besides the labels.
    fixed : str, default=None
        The column of parts that are fixed.
    key : str, default=None
        The column that names each row.

    Returns
    -------
    Columns
        The columns, in plain data.
    str
        What was assumed, as a sentence; empty where nothing was.

    Raises
    ------
    InputError
        If a file lacks a column or has another type for it, if the label columns do not hold
        labels, or if there are no rows.

    Notes
    -----
    The rules are those of `evenfold split` for one file.
    """
    # The form does not depend on the order of rows, and to sort would read whole partitions.
    partitions = [partition._replace(key=None) for partition in partitions]
    paths = [path for partition in partitions for path in partition.paths]
    if not paths:
        raise InputError("must have files, got none.", parameter="data")
    schemas = read_partition_schemas(partitions)
    names, fields = schemas[0].names, list_fields(schemas[0])
    balance = [balance] if isinstance(balance, str) else list(balance or ())
    roles = [("groups", groups), ("fixed", fixed), ("key", key)]
    others = {
        name: role
        for role, name in [*roles, *(("balance", name) for name in balance)]
        if name is not None
    }
    for name, role in others.items():
        _match(role, name, paths, names, fields)
    patterns = [labels] if isinstance(labels, str) else list(labels or ())
    matched = {pattern: _match("labels", pattern, paths, names, fields) for pattern in patterns}
    named = [name for found in matched.values() for name in found]

    schema = join_schemas(paths, schemas, list(dict.fromkeys([*named, *others])))
    for name, role in others.items():
        _check_type(role, name, schema.field(name).type, paths)
    file = PartitionFile(partitions, names, schema, fields)
    named, left_out = leave_out(file, matched, others) if matched else ([], "")
    choice = choose_label_columns(file, named or None, separator)
    schema = join_schemas(paths, schemas, list(dict.fromkeys([*choice.columns, *others])))
    file = PartitionFile(partitions, names, schema, fields)
    form = settle_form(file, find_form(file, choice.columns, choice.separator))
    _check_distinct_names(form)
    # Columns that are no labels are refused before the first pass.
    read_known_labels(FirstRows(partitions, names, schema, fields), form)
    columns = Columns(
        labels=form.columns,
        separator=form.separator,
        kind=form.kind,
        groups=groups,
        balance=tuple(balance),
        fixed=fixed,
        key=key,
        column_kinds=form.column_kinds,
        width=form.width,
        balance_is_number=tuple(_is_number(schema.field(name).type) for name in balance),
    )
    return columns, "\n".join(said for said in (left_out, choice.guessed) if said)


def merge_names(columns: Columns, names_of_partition: Iterable[Sequence[Any]]) -> list[Any]:
    """Return the label names of all partitions, in the order that each partition has them in.

    Parameters
    ----------
    columns : Columns
        How labels were read.
    names_of_partition : iterable of sequence
        The label names of each partition.

    Returns
    -------
    list of str or int
        The names, each once: those of lists and classes sorted, those of columns in the order of
        the columns and then of the values.
    """
    found: dict[Any, None] = {}
    for names in names_of_partition:
        found.update(dict.fromkeys(names))
    if columns.kind != COLUMNS:
        return sort_names(found, Subject(None, f"column '{columns.labels[0]}' "))
    return sorted(found, key=lambda name: _find_place(columns, name))


def _find_place(columns: Columns, name: str) -> tuple[int, str]:
    """Return the place of a label of several columns: its column, then its value.

    Values are text: columns of numbers beside others must hold 0 and 1.
    """
    for at, (column, kind) in enumerate(zip(columns.labels, columns.column_kinds, strict=True)):
        if kind == FLAG and name == column:
            return at, ""
        if kind != FLAG and name.startswith(f"{column}="):
            return at, name
    raise ValueError(f"no column has the label {name!r}")


def _match(
    role: str, pattern: str, paths: Sequence[str], names: Sequence[str], fields: Fields
) -> list[str]:
    """Return the columns that a name stands for; of labels also a shell pattern or a range."""
    if not isinstance(pattern, str):
        raise InputTypeError(
            f"must be the name of a column, got {pattern!r}, a {type(pattern).__name__}.",
            parameter=role,
        )
    if pattern in names or pattern in fields:
        return [pattern]
    matched = match_names(names, fields, pattern) if role == "labels" else []
    if not matched:
        why = explain_range(pattern, names)[0] if role == "labels" else ""
        if why:
            raise InputError(
                f"must name columns of {show_paths(paths)}, got '{pattern}', {why.rstrip()}",
                parameter=role,
            )
        raise InputError(
            f"must name columns of {show_paths(paths)}, got '{pattern}'. "
            f"{list_known(names, fields, pattern)}",
            parameter=role,
        )
    return matched


def _check_type(role: str, name: str, kind: pa.DataType, paths: Sequence[str]) -> None:
    if pa.types.is_nested(kind):
        raise InputError(
            f"must name a column with one name or number in each row, got '{name}' of "
            f"{show_paths(paths)}, which holds {kind}. Name another column.",
            parameter=role,
        )


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _check_distinct_names(form: LabelForm) -> None:
    """Refuse columns whose labels, named column=value, could not be told apart."""
    for column, kind in zip(form.columns, form.column_kinds, strict=False):
        odd = [name for name in form.columns if kind != FLAG and name.startswith(f"{column}=")]
        if odd:
            raise InputError(
                f"must name columns whose labels differ, got '{column}', which has labels such as "
                f"'{column}=value', and '{odd[0]}'. Rename one of them.",
                parameter="labels",
            )
