"""A split that exists: read from a column, from one file for each part, or from its record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from ..files.compression import without_codec
from ..files.tables import split_table
from .errors import DataError
from .options import Reading, Sizes
from .seen_inputs import remember_inputs, remember_named

if TYPE_CHECKING:
    from ..files.datafile import DataFile
    from ..labels.labels import Labels
    from ..links.sources import Sources
    from ..quality import Quality
    from ..splits import Split
    from ..splits.certificate import Certificate
    from .link_options import Linking
    from .reading import Coded


class Found(NamedTuple):
    """A split that exists.

    Attributes
    ----------
    labels : Labels or None
        The labels of the rows; None in an audit if it is not clear where they are.
    parts : Coded
        The part of each row.
    sources : Sources or None
        What keeps rows together.
    ids : Coded or None
        The id of each row.
    parts_of_record : bool
        Whether the parts are those of the record of the split, not of the data.
    parts_are_files : bool
        Whether each part is a file of its own.
    """

    labels: Labels | None
    parts: Coded
    sources: Sources | None
    ids: Coded | None
    parts_of_record: bool = False
    parts_are_files: bool = False


def check_parts_usage(
    data: Sequence[str],
    reading: Reading,
    part_column: str | None,
    manifest: Path | None = None,
    other: str = "",
) -> None:
    """Refuse options that do not say what the parts are; `other` says how else to give them."""
    from ..files.registry import may_name_parts

    if len(data) == 1 and part_column is None and manifest is None and not _find_parts(data[0]):
        # If it does not, its reader says so.
        if may_name_parts(data[0], reading.format):
            return
        raise click.UsageError(
            f"Say what the parts are: --part-column COL, or one file for each part{other}."
        )


def expand_patterns(paths: Sequence[str], format_name: str | None) -> list[str]:
    """Return the files that patterns stand for, each of which is a part."""
    from ..files.data_sets import expand_pattern

    return [own for path in paths for own in expand_pattern(path, format_name)]


def _find_parts(data: str) -> dict[str, Path]:
    from ..files.part_folders import find_parts

    return find_parts(Path(data))


def open_split(
    paths: Sequence[str],
    reading: Reading,
    part_column: str | None,
    saved: Split | None = None,
    quiet: bool = True,
) -> DataFile:
    """Open one file, or several; print what was assumed.

    If neither a column nor a record says what the parts are, several files are one part each, and
    a folder that has parts is opened by them. Otherwise several files are one data set.
    """
    from ..files.chain import Chain
    from ..files.registry import open_data
    from .output_checks import list_inputs
    from .reading import open_file, take_items

    names = name_parts(paths)
    if part_column is not None or saved is not None:
        return open_file(paths, reading, quiet)
    if len(paths) == 1:
        parts = _find_parts(paths[0])
        if not parts:
            return open_file(paths, reading, quiet)
        names, paths = list(parts), list(map(str, parts.values()))
    remember_named(paths)
    files = [open_data(path, reading.format, reading.xml) for path in paths]
    for file in files:
        remember_inputs(list_inputs(file, reading))
    return Chain([take_items(file, reading, quiet) for file in files], names)


def read_parts(file: DataFile, part_column: str | None, saved: Split | None = None) -> Coded:
    """Read the part of each row: its file, the value of a column, or what the record says.

    Of several files, labels must have been read, or rows counted.
    """
    import numpy as np

    from ..files.chain import Chain
    from .reading import Coded, order_parts, read_whole_codes

    if isinstance(file, Chain) and file.are_parts:
        part_of_row = np.repeat(np.arange(len(file.files)), file.rows_of_file)
        return Coded(part_of_row, list(file.part_names))
    if part_column is None and saved is None:
        part_column = _find_split_column(file)
    if part_column is not None:
        advice = "Leave out rows that are in no part, or place them with evenfold extend."
        return order_parts(read_whole_codes(file, part_column, "--part-column", advice))
    assert saved is not None
    return Coded(saved.part_of_row.astype("int64"), list(saved.names))


def _find_split_column(file: DataFile) -> str:
    """Return the column in which the data itself names parts; refuse data without one."""
    if file.split_column is None:
        raise DataError(
            f"{file.name}: does not say which rows are in which part. Name two or more parts in "
            "it, or pass one file for each part."
        )
    return file.split_column


def read_split(
    paths: Sequence[str],
    reading: Reading,
    part_column: str | None,
    linking: Linking,
    id_column: str | None,
    saved: Split | None = None,
    optional_column: str | None = None,
    quiet: bool = True,
) -> Found:
    """Read a split to be checked.

    With the record of a split, parts are also read from the `optional_column` if the data has it.
    """
    from .linking import read_sources
    from .reading import read_ids, read_labels_of

    file = open_split(paths, reading, part_column, saved, quiet)
    labels, choice = read_labels_of(file, reading)
    if not file.are_parts and part_column is None and optional_column in file.columns:
        part_column = optional_column
    if reading.long is not None and file.are_parts and id_column is None:
        # An item is in one part, as all its lines are.
        [id_column] = file.files[0].key_columns
    parts = read_parts(file, part_column, saved)
    if len(parts.code_of_row) != labels.n_rows:
        raise DataError(
            f"the record of the split is of {len(parts.code_of_row):,} rows, "
            f"{file.name} has {labels.n_rows:,}. Name the data that was split."
        )
    ids = read_ids(file, id_column)
    apart = [*choice.columns, part_column or file.split_column or "", id_column or ""]
    sources = read_sources(file, paths, linking, ids=ids, n_rows=labels.n_rows, apart=apart)
    of_record = saved is not None and part_column is None
    return Found(labels, parts, sources, ids, of_record)


def name_parts(paths: Sequence[str]) -> list[str]:
    """Name parts after their files, or after their tables."""
    names = [
        without_codec(Path(path)).stem if table is None else table
        for path, table in map(split_table, paths)
    ]
    if len(set(names)) == len(names):
        return names
    # A file that is given twice is two parts, whose rows are in both.
    n_before = [paths[:at].count(path) for at, path in enumerate(paths)]
    return [f"{path} ({n + 1})" if n else path for path, n in zip(paths, n_before, strict=True)]


def measure_found(
    found: Found, parts: Sizes | None, saved: Split | None, bound: Literal["cheap", "tight"]
) -> Quality:
    """Measure against the sizes given, else those of the record, else those that are there."""
    from ..links.group_columns import join_columns
    from ..quality import measure

    assert found.labels is not None
    names = found.parts.values
    if parts is None and saved is not None and set(names) <= set(saved.names):
        parts = dict(zip(saved.names, saved.shares.tolist(), strict=True))
    columns = () if found.sources is None else found.sources.columns
    return measure(
        found.labels,
        found.parts.code_of_row,
        parts,
        join_columns(columns) if columns else None,
        names=names,
        bound=bound,
    )


def certify_found(found: Found, quality: Quality) -> Certificate:
    """Check that nothing that belongs together is in two parts."""
    from ..labels.fingerprints import make_fingerprint
    from ..splits.certificate import certify
    from ..splits.placed import Placed

    assert found.labels is not None
    placement = quality.placement
    parts = placement.parts
    placed = Placed(placement.part_of_row, parts.names, parts, make_fingerprint(found.labels))
    columns: Any = () if found.sources is None else found.sources.columns
    searches: Any = () if found.sources is None else found.sources.searches
    ids = None if found.ids is None else found.ids.to_column("ids")
    return certify(placed, columns, searches, ids, quality, None)
