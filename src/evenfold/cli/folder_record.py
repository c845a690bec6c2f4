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

    def find_shares(self, names: Sequence[str]) -> dict[str, float] | None:
        """Return the share of each part, or None if other parts were found."""
        return self.share_of_part if set(names) <= set(self.share_of_part) else None

    def compare_sizes(self, quality: Quality) -> list[str]:
        """Return the parts whose number of rows is not the recorded one."""
        found = {part.part: part.rows for part in quality.per_part}
        return [
            f"{name} has {found.get(name, 0):,} rows, the manifest of the folder says "
            f"{self.rows_of_part.get(name, 0):,}."
            for name in dict.fromkeys([*self.rows_of_part, *found])
            if found.get(name, 0) != self.rows_of_part.get(name, 0)
        ]


def read_folder_record(data: Sequence[str]) -> FolderRecord | None:
    """Read the manifest of a split past memory, if the data is one folder that has it."""
    # The name is that of `evenfold.scale`, whose import takes time.
    if len(data) != 1 or not Path(data[0], "_manifest.json").is_file():
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
            str(split.manifest.parameters["column"]),
            columns.get("key"),
            tuple(columns.get("balance") or ()),
            None,
        ),
        dict(zip(split.names, split.shares.tolist(), strict=True)),
        dict(zip(split.names, split.sizes.tolist(), strict=True)),
    )
