"""What the commands print: results, warnings, and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from .._checks.values import show_some
from .._tables.numbers import show_count
from .._tables.table import shorten
from .terminal import fit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..links import Links
    from ..links.group_columns import Groups
    from ..problem.parts import Parts
    from ..quality import Quality
    from ..splits import Split
    from ..splits.leaks import ValuesCheck
    from .reading import Coded

_MAX_NAMES_SHOWN = 5


def print_json(record: dict[str, Any]) -> None:
    """Print plain data on stdout."""
    click.echo(json.dumps(record))


def say(text: str, quiet: bool) -> None:
    """Print on stderr what is not data."""
    if not quiet:
        click.echo(fit(text), err=True)


def say_all(remarks: Sequence[str], quiet: bool) -> None:
    """Print sentences on stderr, one per line."""
    for remark in remarks:
        say(remark, quiet)


def make_split_record(
    split: Split, warnings: Sequence[str], written: Sequence[str]
) -> dict[str, Any]:
    """Return a split as plain data, without the rows."""
    return {
        "names": list(split.names),
        "sizes": split.sizes.tolist(),
        "method": split.method,
        "seed": split.origin.random_state,
        "parameters": dict(split.origin.parameters),
        "fingerprint": split.fingerprint,
        "quality": split.quality.to_dict(),
        "warnings": [*split.quality.remarks(), *split.remarks(), *warnings],
        "written": list(written),
    }


def print_split(
    split: Split,
    warnings: Sequence[str],
    written: Sequence[str],
    quiet: bool,
    as_json: bool,
    more: Mapping[str, Any] | None = None,
) -> None:
    """Print how even the split is, the warnings, and where it was written; `more` is for JSON."""
    if not quiet:
        lines = [f"{split}\n", *warnings]
        if written:
            lines.append(f"Written: {', '.join(written)}")
        elif not as_json:
            lines.append("Nothing was written: add -o, --indices, --manifest or --report.")
        say("\n".join(lines), quiet)
    if as_json:
        print_json({**make_split_record(split, warnings, written), **(more or {})})


def print_links(links: Links, written: Sequence[str], quiet: bool, as_json: bool) -> None:
    """Print what links rows, and where the groups were written."""
    if not quiet:
        lines = [f"{links}\n"]
        if written:
            lines.append(f"Written: {', '.join(written)}")
        elif not as_json:
            lines.append("Nothing was written: add -o, --indices or --json.")
        say("\n".join(lines), quiet)
    if as_json:
        print_json({**links.to_dict(), "written": list(written)})


def print_sample(
    rows: NDArray[np.int64],
    seed: int,
    quality: Quality,
    written: Sequence[str],
    quiet: bool,
    as_json: bool,
) -> None:
    """Print how even the sample is, and where it was written."""
    n_rows = int(quality.per_part.rows.sum())
    lines = [
        f"A sample of {len(rows):,} of {n_rows:,} rows, seed {seed}\n",
        str(quality),
        *([f"\nWritten: {', '.join(written)}"] if written else []),
    ]
    say("\n".join(lines), quiet)
    if as_json:
        print_json(
            {
                "rows": rows.tolist(),
                "seed": seed,
                "quality": quality.to_dict(),
                "written": list(written),
            }
        )


def say_written(written: Sequence[str], quiet: bool) -> None:
    """Print which files were written."""
    if written:
        say(f"Written: {', '.join(written)}", quiet)


def say_groups(groups: Groups | None, quiet: bool) -> None:
    """Print which columns of groups have empty cells, and which keep no rows together."""
    from ..links.group_columns import describe_column
    from .remarks import remark_groups

    if groups is None:
        return
    missing = [f"{describe_column(own)}." for own in groups.columns if own.n_missing]
    say_all([*missing, *remark_groups(groups.columns, len(groups.group_of_row))], quiet)


def warn_of_single_groups(links: Links | None) -> list[str]:
    """Return which columns of groups keep no rows together, or hardly any."""
    from .remarks import remark_groups

    if links is None:
        return []
    # Columns of copies and of equal files have no values that could be named.
    columns = [column for column in links.columns if len(column.values)]
    return remark_groups(columns, len(links.group_of_row))


def warn_of_groups(
    groups: Groups | Links | None, parts: Parts, sizes: NDArray[np.int64] | None = None
) -> list[str]:
    """Return a warning if a group is larger than the smallest part; `sizes` are those of a split.

    A part may have grown to the size of a group, because no other sizes were possible.
    """
    import numpy as np

    if groups is None:
        return []
    n_largest = int(np.bincount(groups.group_of_row).max())
    wanted = len(groups.group_of_row) * parts.shares
    smallest = int(wanted.argmin())
    if n_largest <= wanted[smallest] or (sizes is not None and n_largest <= sizes[smallest]):
        return []
    return [
        f"The largest group has {n_largest:,} rows, more than the size of "
        f"'{parts.names[smallest]}' ({wanted[smallest]:,.0f}), so it can only be in a larger part."
    ]


def warn_of_others(names: Sequence[str], folder: str | None) -> list[str]:
    """Return a warning if the folder holds what looks like parts of this split."""
    if not names:
        return []
    return [
        f"{folder} also holds {show_count(len(names), 'part')} of another split: {name_some(names)}"
    ]


def describe_leaking(what: str, check: ValuesCheck, of: str = "") -> str:
    """Return a sentence if some groups or ids are in more than one part; `of` says of what."""
    return f"{check.describe_leaking(what, of)}." if check.n_leaking else ""


def warn_of_ids(ids: Coded | None, split: Split) -> list[str]:
    """Return a warning if some ids are in more than one part."""
    from ..splits.leaks import check_values

    if ids is None:
        return []
    check = check_values(ids.to_column("ids"), split.part_of_row, split.names)
    warning = describe_leaking("id", check)
    return [warning] if warning else []


def name_some(names: Sequence[Any], most: int = _MAX_NAMES_SHOWN) -> str:
    """Return the first names with commas between them, and … if there are more."""
    return show_some(map(shorten, names), most)
