"""A split that exists: read from a column, from one file for each part, or from its record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from .errors import DataError
from .options import Reading, Sizes

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
    labels : Labels
        The labels of the rows.
    parts : Coded
        The part of each row.
    sources : Sources or None
        What keeps rows together.
    ids : Coded or None
        The id of each row.
    """

    labels: Labels
    parts: Coded
    sources: Sources | None
    ids: Coded | None


def read_one(
    path: str,
    reading: Reading,
    part_column: str | None,
    linking: Linking,
    id_column: str | None,
    saved: Split | None,
    optional_column: str | None = None,
) -> Found:
    """Read a file whose parts are in a column, or in the record of a split.

    The parts are also read from the `optional_column` if the file has it.
    """
    from .reading import Coded, order_parts, read_rows, read_whole_codes

    file, labels, label_columns, _ = read_rows(path, reading)
    if part_column is None and optional_column in file.columns:
        part_column = optional_column
    if part_column is not None:
        advice = "Leave out rows that are in no part, or place them with evenfold extend."
        parts = order_parts(read_whole_codes(file, part_column, "--part-column", advice))
    else:
        assert saved is not None
        if len(saved.part_of_row) != labels.n_rows:
            raise DataError(
                f"the record of the split is of {len(saved.part_of_row):,} rows, "
                f"{path} has {labels.n_rows:,}."
            )
        parts = Coded(saved.part_of_row.astype("int64"), list(saved.names))
    apart = [*label_columns, part_column or ""]
    return Found(labels, parts, *_read_sources(file, [path], labels, linking, id_column, apart))


def read_each(
    paths: Sequence[str], reading: Reading, linking: Linking, id_column: str | None
) -> Found:
    """Read one file for each part, named after it."""
    import numpy as np

    from ..files.chain import Chain
    from ..files.registry import open_data
    from .reading import Coded, read_labels_of

    chain = Chain([open_data(path, reading.format, reading.xml) for path in paths])
    labels, choice = read_labels_of(chain, reading)
    part_of_row = np.repeat(np.arange(len(paths)), chain.rows_of_file)
    return Found(
        labels,
        Coded(part_of_row, name_parts(paths)),
        *_read_sources(chain, paths, labels, linking, id_column, choice.columns),
    )


def name_parts(paths: Sequence[str]) -> list[str]:
    """Name parts after their files."""
    names = [Path(path).stem for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def _read_sources(
    file: DataFile,
    paths: Sequence[str],
    labels: Labels,
    linking: Linking,
    id_column: str | None,
    apart: Sequence[str],
) -> tuple[Sources | None, Coded | None]:
    from .linking import read_sources
    from .reading import read_ids

    ids = read_ids(file, id_column)
    apart = [*apart, id_column or ""]
    return read_sources(file, paths, linking, ids=ids, n_rows=labels.n_rows, apart=apart), ids


def measure_found(
    found: Found, parts: Sizes | None, saved: Split | None, bound: Literal["cheap", "tight"]
) -> Quality:
    """Measure against the sizes given, else those of the record, else those that are there."""
    from ..links.group_columns import join_columns
    from ..quality import measure

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
    from ..links.group_columns import GroupColumn
    from ..splits.certificate import Placed, certify

    placement = quality.placement
    parts = placement.parts
    placed = Placed(placement.part_of_row, parts.names, parts, make_fingerprint(found.labels))
    columns: Any = () if found.sources is None else found.sources.columns
    searches: Any = () if found.sources is None else found.sources.searches
    ids = None
    if found.ids is not None:
        ids = GroupColumn("ids", found.ids.code_of_row, found.ids.values)
    return certify(placed, columns, searches, ids, quality, None)
