"""Reading of a split that is to be audited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..exceptions import InputError
from .existing_split import name_parts
from .link_options import Linking
from .options import Reading

if TYPE_CHECKING:
    from ..files.datafile import DataFile
    from ..labels.labels import Labels
    from ..links.sources import Sources
    from ..splits import Audit
    from .reading import Coded


class AuditedRows(NamedTuple):
    """Rows with their parts.

    Attributes
    ----------
    labels : Labels or None
        The labels; None if it is not clear where they are.
    parts : Coded
        The part of each row.
    sources : Sources
        What keeps rows together.
    ids : Coded or None
        The id of each row.
    first_rows : list of int
        The number of the first row of each file.
    note : str
        What was assumed of the labels, or why there are none; empty if there is nothing to say.
    """

    labels: Labels | None
    parts: Coded
    sources: Sources
    ids: Coded | None
    first_rows: list[int]
    note: str


def read_audited_rows(
    paths: Sequence[str],
    reading: Reading,
    part_column: str | None,
    linking: Linking,
    id_column: str | None,
) -> AuditedRows:
    """Read one file whose parts are in a column, or one file for each part."""
    import numpy as np

    from ..files.chain import Chain
    from ..files.registry import open_data
    from .linking import count_rows
    from .reading import Coded, order_parts, read_ids, read_whole_codes

    files = [open_data(path, reading.format, reading.xml) for path in paths]
    if not linking.copies:
        _check_same_columns(files)
    file = Chain(files) if len(files) > 1 else files[0]
    labels, label_columns, note = _find_labels(file, reading)
    ids = read_ids(file, id_column)
    if part_column is not None:
        advice = "Leave out rows that are in no part."
        parts = order_parts(read_whole_codes(file, part_column, "--part-column", advice))
        rows_of_file = [len(parts.code_of_row)]
    else:
        if labels is None:
            count_rows(file)
        assert isinstance(file, Chain)
        rows_of_file = file.rows_of_file
        parts = Coded(np.repeat(np.arange(len(paths)), rows_of_file), name_parts(paths))
    apart = [*label_columns, part_column or "", id_column or ""]
    sources = _read_sources(file, paths, linking, ids, len(parts.code_of_row), apart)
    first_rows = np.cumsum([0, *rows_of_file[:-1]]).tolist()
    return AuditedRows(labels, parts, sources, ids, first_rows, note)


def audit_rows(rows: AuditedRows) -> Audit:
    """Audit the rows."""
    import numpy as np

    from ..labels.fingerprints import make_fingerprint
    from ..links.group_columns import GroupColumn
    from ..splits.audit_split import audit_sources
    from ..splits.certificate import Placed

    fingerprint = None if rows.labels is None else make_fingerprint(rows.labels)
    part_of_row = rows.parts.code_of_row.astype(np.int32)
    placed = Placed(part_of_row, tuple(rows.parts.values), None, fingerprint)
    ids = None if rows.ids is None else GroupColumn("ids", rows.ids.code_of_row, rows.ids.values)
    return audit_sources(
        rows.labels,
        placed,
        rows.sources,
        ids,
        name_row=_number_within_file(rows.first_rows),
        option="--{}",
    )


def _check_same_columns(files: Sequence[DataFile]) -> None:
    """Refuse files whose rows cannot be compared, because their columns differ."""
    from ..files.named_columns import show_columns

    first = files[0]
    for file in files[1:]:
        differ = [
            f"'{name}'"
            for name in dict.fromkeys([*first.columns, *file.columns])
            if (name in first.columns) != (name in file.columns)
        ]
        if differ:
            raise InputError(
                f"{file.name}: has not the same columns as {first.name}: {show_columns(differ)} "
                "are in one of them only. Name the columns to compare with --copies."
            )


def _find_labels(file: DataFile, reading: Reading) -> tuple[Labels | None, Sequence[str], str]:
    """Read the labels; without --labels there may be none that are clear."""
    from .reading import read_labels_of

    try:
        labels, choice = read_labels_of(file, reading)
    except InputError as error:
        if reading.labels or reading.propagate or reading.separator is not None:
            raise
        return None, [], f"Audited without labels. {error}"
    return labels, choice.columns, choice.guessed


def _read_sources(
    file: DataFile,
    paths: Sequence[str],
    linking: Linking,
    ids: Coded | None,
    n_rows: int,
    apart: Sequence[str],
) -> Sources:
    """Read what links rows; if the user names no copies, rows are compared by all they hold."""
    from ..links.group_columns import GroupColumn
    from ..links.sources import Sources
    from .linking import read_sources
    from .reading import split_names

    groups = split_names(linking.groups, file.columns)
    is_default = not linking.copies
    if is_default and set(file.columns) - {*apart, *groups}:
        linking = linking._replace(copies=("*",))
    read = read_sources(file, paths, linking, ids=ids, n_rows=n_rows, apart=apart)
    sources = Sources(n_rows, (), ()) if read is None else read
    if not (is_default and not file.columns):
        return sources
    features: Any = file.read_own_features()
    if features is None:
        return sources
    from ..links.copies import number_equal_rows

    copies = GroupColumn("copies", number_equal_rows(features, n_rows))
    return sources._replace(columns=(*sources.columns, copies))


def _number_within_file(first_rows: Sequence[int]) -> Callable[[int], str]:
    from bisect import bisect_right

    return lambda row: str(row - first_rows[bisect_right(first_rows, row) - 1])
