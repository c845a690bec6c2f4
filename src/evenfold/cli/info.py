"""`evenfold info`: what is in a file, and what a split of it can and cannot achieve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .errors import Command
from .options import (
    Cut,
    Reading,
    cut_options,
    data_argument,
    example,
    groups_option,
    json_option,
    quiet_option,
    reading_options,
)

if TYPE_CHECKING:
    from ..labels.labels import Labels
    from ..problem.parts import Parts
    from .reading import Coded


_FOLDS = 5


@click.command(
    cls=Command,
    epilog=example("evenfold info movies.csv --labels genres --groups director --folds 5"),
)
@data_argument
@reading_options
@cut_options
@groups_option
@quiet_option
@json_option
def info(
    data: str, reading: Reading, cut: Cut, groups: str | None, quiet: bool, as_json: bool
) -> None:
    """Say what is in DATA: rows, labels, groups, and how even a split of it could be. Nothing is written.

    Without --parts and --folds, of a split into 5 folds, or as many as there are rows.
    """
    sizes = cut.sizes(default=_FOLDS)

    from ..problem.parts import check_parts
    from .reading import read_groups, read_rows
    from .texts import info_text, print_json

    file, labels, _ = read_rows(data, reading, quiet)
    grouped = read_groups(file, groups)
    if cut.parts is None and cut.folds is None:
        sizes = min(_FOLDS, labels.n_rows)
    record = {
        "path": data,
        "format": file.format,
        "columns": list(file.columns),
        **describe_labels(labels),
        "groups": None if grouped is None else describe_groups(grouped),
        "split": None
        if sizes == 1
        else describe_prospect(labels, check_parts(sizes, labels.n_rows), grouped),
    }
    if as_json:
        print_json(record)
    else:
        click.echo(info_text(record))


def describe_labels(labels: Labels) -> dict[str, Any]:
    """Return the figures by which multi-label data is known, those of Tsoumakas et al. among them."""
    import numpy as np

    from ..problem.labelsets import number_labelsets

    count, n_labels_of_row = labels.count_of_label, np.diff(labels.indptr)
    rows_of_labelset = np.bincount(
        number_labelsets(labels.indptr, labels.indices, np.empty(0, np.int64))
    )
    by_count = np.argsort(count, kind="stable")
    return {
        "rows": labels.n_rows,
        "labels": labels.n_labels,
        "entries": len(labels.indices),
        "unknown_entries": 0 if labels.unknown is None else len(labels.unknown[1]),
        "cardinality": float(n_labels_of_row.mean()),
        "density": float(n_labels_of_row.mean() / labels.n_labels) if labels.n_labels else 0.0,
        "most_labels_in_a_row": int(n_labels_of_row.max()),
        "rows_without_labels": int((n_labels_of_row == 0).sum()),
        "labels_without_rows": int((count == 0).sum()),
        "labelsets": len(rows_of_labelset),
        "labelsets_of_one_row": int((rows_of_labelset == 1).sum()),
        "rarest": [
            {"label": labels.names[label], "rows": int(count[label])}
            for label in by_count[count[by_count] > 0][:5]
        ],
        "commonest": [
            {"label": labels.names[label], "rows": int(count[label])}
            for label in by_count[::-1][:5]
            if count[label]
        ],
    }


def describe_groups(groups: Coded) -> dict[str, Any]:
    """Return how many groups there are, and how large."""
    import numpy as np

    rows_of_group = np.bincount(groups.code_of_row)
    largest = int(rows_of_group.argmax())
    return {
        "number": int((rows_of_group > 0).sum()),
        "largest": groups.values[largest],
        "rows_of_largest": int(rows_of_group[largest]),
    }


def describe_prospect(labels: Labels, parts: Parts, groups: Coded | None) -> dict[str, Any]:
    """Return what the best split there could be would be like."""
    import numpy as np

    from ..quality.label_bounds import foresee_labels
    from .texts import warn_of_groups

    foreseen = foresee_labels(labels, parts, None if groups is None else groups.code_of_row)
    lacking = foreseen[foreseen.flz_bound > 0]
    bound = foreseen.rld_bound[foreseen.rows > 0]
    return {
        "names": list(parts.names),
        "wanted": [float(size) for size in labels.n_rows * parts.shares],
        "best_rld": float(bound.mean()) if len(bound) else None,
        "labels_not_in_every_part": lacking.label[np.argsort(lacking.rows, kind="stable")].tolist(),
        "least_flz": int(foreseen.flz_bound.sum()),
        "warnings": warn_of_groups(groups, parts),
    }
