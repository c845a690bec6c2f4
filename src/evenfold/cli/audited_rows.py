"""Reading of a split that is to be audited."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..exceptions import InputError
from .existing_split import Found, open_split, read_parts
from .link_options import Linking
from .options import Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..files.datafile import DataFile
    from ..labels.labels import Labels
    from ..links.sources import Sources
    from ..splits import Audit
    from .reading import Coded


_COPIES = "copies"
_ADVICE = "Name columns that tell rows apart with --copies."
# Names of columns that identify rows: id, image_id, uuid, index.
_ID_NAME = re.compile(r"(?:^|[ _.-])(?:id|uuid|index|key)s?$", re.IGNORECASE)


def read_audited(
    paths: Sequence[str],
    reading: Reading,
    part_column: str | None,
    linking: Linking,
    id_column: str | None,
    quiet: bool = True,
) -> tuple[Found, str]:
    """Read a split to be audited, and say what was assumed of its labels, or why there are none."""
    from ..files.named_columns import leave_out, show_columns
    from .linking import count_rows
    from .reading import read_ids, split_groups

    file = open_split(paths, reading, part_column, quiet=quiet)
    if not (linking.copies and file.columns):
        _check_same_columns(file)
    labels, label_columns, note = _find_labels(file, reading)
    if labels is None and not count_rows(file):
        raise file.holds_no("rows")
    parts = read_parts(file, part_column)
    ids = read_ids(file, id_column)
    apart = [*label_columns, part_column or file.split_column or "", id_column or ""]
    if not linking.copies:
        id_columns = _find_id_columns(file, apart, len(parts.code_of_row))
        apart += id_columns
        if id_columns:
            left_out = f"Rows are compared without {', '.join(id_columns)}: all values differ."
            note = f"{note}\n{left_out}".strip()
    sources = _read_sources(file, paths, linking, ids, len(parts.code_of_row), apart)
    if not linking.copies:
        groups = split_groups(linking.groups, file)
        sources, vague = _drop_vague_copies(sources, len(groups), parts.code_of_row)
        if vague:
            kept = set(leave_out(file, file.columns, {*apart, *groups}))
            compared = show_columns([name for name in file.columns if name in kept])
            note = f"{note}\nCopies are not looked for: {vague} are equal in {compared}. {_ADVICE}"
    note = note.strip()
    return Found(labels, parts, sources, ids, parts_are_files=file.are_parts), note


def audit_found(found: Found) -> Audit:
    """Audit a split; rows without ids are numbered within their file if each part is a file."""
    import numpy as np

    from ..labels.fingerprints import make_fingerprint
    from ..splits.audit_split import audit_sources
    from ..splits.placed import Placed

    assert found.sources is not None
    fingerprint = None if found.labels is None else make_fingerprint(found.labels)
    part_of_row = found.parts.code_of_row.astype(np.int32)
    return audit_sources(
        found.labels,
        Placed(part_of_row, tuple(found.parts.values), None, fingerprint),
        found.sources,
        None if found.ids is None else found.ids.to_column("ids"),
        name_row=_number_within_part(found.parts) if found.parts_are_files else str,
        option="--{}",
    )


def _check_same_columns(file: DataFile) -> None:
    """Refuse files whose rows cannot be compared, because their columns differ."""
    from ..files.named_columns import show_columns

    first, *others = file.files or [file]
    for other in others:
        both = dict.fromkeys([*first.columns, *other.columns])
        in_one = set(first.columns) ^ set(other.columns)
        differ = [f"'{name}'" for name in both if name in in_one]
        if differ:
            raise InputError(
                f"{other.name}: has not the same columns as {first.name}: {show_columns(differ)} "
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


def _find_id_columns(file: DataFile, apart: Sequence[str], n_rows: int) -> list[str]:
    """Return the columns that are named like ids and have no value twice.

    Copies under other ids would not be equal otherwise.
    """
    import pyarrow as pa

    from ..files.memory import count_batches
    from ..files.named_columns import leave_out

    without = set(apart)
    names = [name for name in (*file.columns, *file.fields) if name not in without]
    found = []
    for name in filter(_ID_NAME.search, names):
        batches = count_batches(file.name, file.read_to_guess([name]))
        cells = pa.Table.from_batches(list(batches)).column(0)
        if not pa.types.is_nested(cells.type) and len(cells.unique()) == n_rows:
            found.append(name)
    return found if leave_out(file, file.columns, {*apart, *found}) else []


def _read_sources(
    file: DataFile,
    paths: Sequence[str],
    linking: Linking,
    ids: Coded | None,
    n_rows: int,
    apart: Sequence[str],
) -> Sources:
    """Read what links rows; if the user names no copies, rows are compared by all they hold."""
    from ..files.named_columns import leave_out
    from ..links.group_columns import GroupColumn
    from ..links.sources import Sources
    from .linking import read_sources
    from .reading import split_groups

    groups = split_groups(linking.groups, file)
    is_default = not linking.copies
    if is_default and leave_out(file, file.columns, {*apart, *groups}):
        linking = linking._replace(copies=("*",))
    read = read_sources(file, paths, linking, ids=ids, n_rows=n_rows, apart=apart)
    sources = Sources(n_rows, (), ()) if read is None else read
    features: Any = file.read_own_features() if is_default else None
    if features is None:
        return sources
    # A column of groups may be called copies too.
    named, found = sources.columns[: len(groups)], sources.columns[len(groups) :]
    by_columns = [column.code_of_row for column in found if column.name == _COPIES]
    copies = GroupColumn(_COPIES, _number_copies(features, by_columns, n_rows))
    others = [column for column in found if column.name != _COPIES]
    return sources._replace(columns=(*named, copies, *others))


def _drop_vague_copies(
    sources: Sources, n_groups: int, part_of_row: NDArray[np.int64]
) -> tuple[Sources, str]:
    """Drop the copies if what was compared does not tell rows apart, and say how many are equal.

    Then most rows equal another one already in the largest part, such as by age and sex.
    """
    import numpy as np

    named, found = sources.columns[:n_groups], sources.columns[n_groups:]
    in_largest = part_of_row == np.bincount(part_of_row).argmax()
    for column in found:
        codes = column.code_of_row[in_largest]
        codes = codes[codes >= 0]
        _, n_rows = np.unique(codes, return_counts=True)
        n_equal = int(n_rows[n_rows > 1].sum())
        if column.name == _COPIES and 2 * len(n_rows) < len(codes):
            kept = [other for other in found if other is not column]
            vague = f"{n_equal:,} of {len(codes):,} rows of one part"
            return sources._replace(columns=(*named, *kept)), vague
    return sources, ""


def _number_copies(
    features: Any, by_columns: Sequence[NDArray[np.int64]], n_rows: int
) -> NDArray[np.int64]:
    """Number rows by their features and by the numbers that they have by their columns."""
    from ..labels.row_values import number_hashable
    from ..links.copies import number_equal_rows

    numbers = [number_equal_rows(features, n_rows), *by_columns]
    keys = zip(*(own.tolist() for own in numbers), strict=True)
    return number_hashable(None if max(key) < 0 else key for key in keys)[0]


def _number_within_part(parts: Coded) -> Callable[[int], str]:
    """Return a function that numbers rows from the first of their part, which is one file."""
    import numpy as np

    first_row = np.searchsorted(parts.code_of_row, np.arange(len(parts.values)))
    return lambda row: str(row - first_row[parts.code_of_row[row]])
