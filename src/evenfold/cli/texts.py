"""Results in words, and as plain data for --json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from .._tables.table import Table, shorten

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..problem.parts import Parts
    from ..quality import Quality
    from ..splits import Split
    from .reading import Coded

_N_SHOWN = 5
_MOST_COLUMNS = 12
_FIGURES = {
    "rows": "rows",
    "labels": "labels",
    "cardinality": "labels per row (cardinality)",
    "density": "share of all labels in a row (density)",
    "most_labels_in_a_row": "most labels in a row",
    "rows_without_labels": "rows without labels",
    "labels_without_rows": "labels without rows",
    "unknown_entries": "unknown entries",
    "labelsets": "distinct labelsets",
    "labelsets_of_one_row": "labelsets of one row",
}


def print_json(record: dict[str, Any]) -> None:
    """Print plain data on stdout."""
    click.echo(json.dumps(record))


def say(text: str, quiet: bool) -> None:
    """Print what is not data, on stderr."""
    if not quiet:
        click.echo(text, err=True)


def split_record(split: Split, warnings: Sequence[str], written: Sequence[str]) -> dict[str, Any]:
    """Return a split as plain data, without the rows."""
    return {
        "names": list(split.names),
        "sizes": split.sizes.tolist(),
        "method": split.method,
        "seed": split.origin.random_state,
        "parameters": dict(split.origin.parameters),
        "fingerprint": split.fingerprint,
        "quality": split.quality.to_dict(),
        "warnings": [*split.quality.remarks(), *warnings],
        "written": list(written),
    }


def report_split(
    split: Split, warnings: Sequence[str], written: Sequence[str], quiet: bool, as_json: bool
) -> None:
    """Say how even the split is, what to mind, and where it is."""
    if not quiet:
        whereabouts = (
            f"Written: {', '.join(written)}"
            if written
            else "Nothing was written: -o, --indices, --manifest or --report say where to."
        )
        say(
            "\n".join(
                [f"{split}\n", *warnings, *([] if as_json and not written else [whereabouts])]
            ),
            quiet,
        )
    if as_json:
        print_json(split_record(split, warnings, written))


def report_sample(
    rows: NDArray[np.int64],
    seed: int,
    quality: Quality,
    written: Sequence[str],
    quiet: bool,
    as_json: bool,
) -> None:
    """Say how even the sample is, and where it is."""
    n_rows = int(quality.per_part.rows.sum())
    lines = [
        f"A sample of {len(rows):,} of {n_rows:,} rows, seed {seed}\n",
        str(quality),
        *([f"Written: {', '.join(written)}"] if written else []),
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


def warn_of_groups(groups: Coded | None, parts: Parts) -> list[str]:
    """Say if a group is larger than a part."""
    import numpy as np

    if groups is None:
        return []
    largest, smallest = (
        int(np.bincount(groups.code_of_row).max()),
        len(groups.code_of_row) * parts.shares,
    )
    at = int(smallest.argmin())
    if largest <= smallest[at]:
        return []
    return [
        f"The largest group has {largest:,} rows, more than '{parts.names[at]}' wants ({smallest[at]:,.0f}): such groups go to larger parts only."
    ]


def warn_of_others(names: Sequence[str], folder: str | None) -> list[str]:
    """Say if the folder of the parts holds what is easily taken for one of them."""
    return (
        [
            f"{folder} holds {len(names):,} more beside these parts, not of this split: {_name_some(names, _N_SHOWN)}"
        ]
        if names
        else []
    )


def _find_repeated(coded: Coded, part_of_row: NDArray[Any], n_parts: int) -> NDArray[np.int64]:
    """Return the codes of the values that are in more than one part."""
    import numpy as np

    pairs = np.unique(coded.code_of_row * n_parts + part_of_row)
    return np.flatnonzero(np.bincount(pairs // n_parts) > 1)


def say_repeated(
    what: str, coded: Coded | None, part_of_row: NDArray[Any], names: Sequence[str]
) -> list[str]:
    """Say which groups or ids are in more than one part, if any are."""
    import numpy as np

    if coded is None:
        return []
    codes = _find_repeated(coded, part_of_row, len(names))
    if not len(codes):
        return []
    parts = [names[part] for part in np.unique(part_of_row[coded.code_of_row == codes[0]])]
    first = f"{shorten(coded.values[codes[0]])!r} in {' and '.join(map(shorten, parts[:_N_SHOWN]))}"
    number = f"1 {what} is" if len(codes) == 1 else f"{len(codes):,} {what}s are"
    return [f"{number} in more than one part, first {first}."]


def info_text(record: dict[str, Any]) -> str:
    """Return what `evenfold info` prints."""
    figures = [
        [title, _show(record[name])]
        for name, title in _FIGURES.items()
        if record[name] or name in ("rows", "labels")
    ]
    blocks = [
        f"{record['path']}: {record['format']}",
        Table(["", ""], figures).to_text().lstrip("\n"),
    ]
    for name in ("commonest", "rarest"):
        if record[name]:
            blocks.append(
                Table(
                    [f"{name} labels", "rows"],
                    [[shorten(own["label"], 40), f"{own['rows']:,}"] for own in record[name]],
                ).to_text()
            )
    if record["groups"] is not None:
        groups = record["groups"]
        blocks.append(
            f"{groups['number']:,} groups, the largest {shorten(groups['largest'])!r} of {groups['rows_of_largest']:,} rows"
        )
    if record["split"] is not None:
        blocks.append(_prospect_text(record["split"], record["labels"]))
    if record["columns"]:
        blocks.append(f"columns: {_name_some(record['columns'], _MOST_COLUMNS)}")
    return "\n\n".join(blocks)


def _prospect_text(prospect: dict[str, Any], n_labels: int) -> str:
    lacking = prospect["labels_not_in_every_part"]
    lines = [
        f"a split into {len(prospect['names'])} parts of {_name_some([f'{size:,.0f}' for size in prospect['wanted']], _MOST_COLUMNS)} rows"
    ]
    if lacking:
        lines.append(
            f"{len(lacking):,} of {n_labels:,} labels cannot be in every part: {_name_some(lacking, _N_SHOWN)}"
        )
    elif n_labels:
        lines.append("every label can be in every part")
    if prospect["best_rld"] is not None:
        lines.append(
            f"rLD cannot be below {prospect['best_rld']:.5f}, nor FLZ below {prospect['least_flz']:,}"
        )
    return "\n".join([*lines, *prospect["warnings"]])


def _name_some(names: Sequence[Any], most: int) -> str:
    return ", ".join(map(shorten, names[:most])) + (", …" if len(names) > most else "")


def _show(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
