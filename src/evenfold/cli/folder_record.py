"""FolderRecord: what a folder says of the split past memory that is in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .options import Reading

if TYPE_CHECKING:
    from ..quality import Quality
    from .manifest import Recorded


class FolderRecord(NamedTuple):
    """The columns and the sizes of a split past memory.

    Attributes
    ----------
    columns : Recorded
        The columns that were read, and that of the parts.
    share_of_part : dict of str to float
        The share of the rows that each part was to have.
    rows_of_part : dict of str to int
        The rows that each part got.
    """

    columns: Recorded
    share_of_part: dict[str, float]
    rows_of_part: dict[str, int]


def read_folder_record(
    data: Sequence[str], part_column: str | None, manifest: Path | None
) -> FolderRecord | None:
    """Read the manifest of a split past memory, if the data is one folder that has it.

    It is not read if a column of parts or another manifest is given.
    """
    if len(data) != 1 or part_column is not None or manifest is not None:
        return None
    # The name is that of `evenfold.scale`, whose import takes time.
    if not Path(data[0], "_manifest.json").is_file():
        return None
    from .. import scale
    from .link_options import Linking
    from .manifest import Recorded

    split = scale.load(data[0])
    columns = split.manifest.columns
    groups = columns.get("groups")
    reading = Reading(None, tuple(columns["labels"]), columns["separator"], None, None)
    return FolderRecord(
        Recorded(
            reading,
            Linking(groups=() if groups is None else (groups,)),
            str(split.manifest.parameters.get("column", "part")),
            columns.get("key"),
            tuple(columns.get("balance") or ()),
            None,
        ),
        dict(zip(split.names, split.shares.tolist(), strict=True)),
        dict(zip(split.names, split.sizes.tolist(), strict=True)),
    )


def find_shares(record: FolderRecord | None, names: Sequence[str]) -> dict[str, float] | None:
    """Return the recorded share of each part, or None if there is none or other parts are found."""
    if record is None or not set(names) <= set(record.share_of_part):
        return None
    return record.share_of_part


def compare_sizes(record: FolderRecord | None, quality: Quality) -> list[str]:
    """Return the parts whose number of rows is not the recorded one."""
    if record is None:
        return []
    then, now = record.rows_of_part, {part.part: part.rows for part in quality.per_part}
    return [
        f"{name} has {now.get(name, 0):,} rows, the manifest of the folder says "
        f"{then.get(name, 0):,}."
        for name in dict.fromkeys([*then, *now])
        if now.get(name, 0) != then.get(name, 0)
    ]
