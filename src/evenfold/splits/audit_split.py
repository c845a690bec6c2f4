"""audit(): what is wrong with a split that somebody else made."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from ..labels.labels import Labels, make_labels
from ..links.group_columns import GroupColumn, join_columns, read_id_column
from ..links.sources import Sources, read_sources
from ..problem.labelsets import number_labelsets
from ..quality import Quality, measure
from ..quality.drift import find_drift
from .audit_findings import find_sizes, list_findings
from .audit_result import Audit
from .certificate import Certificate
from .check_split import place_rows
from .leaks import PairsCheck, ValuesCheck, check_pairs, check_values
from .matches import (
    Example,
    Matches,
    PairRecorder,
    find_value_examples,
    labels_differ,
    match_values,
    unite,
)
from .placed import Placed
from .split_result import Split

# Examples kept of each check.
_MAX_EXAMPLES = 20
# Sources whose equal values are equal rows: different labels are then a contradiction.
_COPIES = ("copies", "files")


def audit(
    y: Any,
    part_of_row: Any,
    *,
    groups: Any = None,
    copies: Any = None,
    files: Any = None,
    text: Any = None,
    images: Any = None,
    similar: Any = None,
    pairs: Any = None,
    ids: Any = None,
    at: float | Mapping[str, float] | None = None,
    metric: str = "cosine",
    exact: bool | None = None,
    recall: float = 0.99,
    names: Sequence[str] | None = None,
) -> Audit:
    """Say what is wrong with a split, whatever tool made it.

    Looks for rows that are in two parts, copies and near-duplicates in two parts, copies with
    different labels, labels that a part lacks, and labels whose share differs between parts by more
    than chance allows. What is not given is not checked, and the audit says so.

    Parameters
    ----------
    y : array-like, sparse matrix, frame, list of labels or None
        The labels, in any form that `split` takes; None if they are not known.
    part_of_row : Split or array-like of shape (n_rows,)
        The split, or the part of each row by number or name. What a split was made with, such as
        its groups, is checked only if it is given.
    groups : Links, array-like, mapping or frame, default=None
        Columns whose values should each be in one part, as for `link`.
    copies : array-like, sparse matrix, frame or list of text, default=None
        Equal rows should be in one part, as for `link`.
    files : sequence of paths, default=None
        Files of the same content should be in one part, as for `link`.
    text : sequence of str, default=None
        Similar texts should be in one part, as for `link`.
    images : sequence of paths or images, default=None
        Similar images should be in one part, as for `link`.
    similar : array-like, sparse matrix or frame of shape (n_rows, n_dimensions), default=None
        Rows with similar embeddings should be in one part, as for `link`.
    pairs : array-like or frame of 2 or 3 columns, default=None
        Pairs of rows that should be in one part, as for `link`.
    ids : array-like of shape (n_rows,), default=None
        What identifies rows. No id should be in two parts. Rows are then shown by their ids.
    at : float or mapping, default=None
        The threshold, as for `link`.
    metric : {"cosine", "jaccard", "euclidean", "hamming"}, default="cosine"
        How `similar` is compared, as for `link`.
    exact : bool, default=None
        Whether to compare all pairs, as for `link`.
    recall : float, default=0.99
        The share of pairs that an approximate search must find, as for `link`.
    names : sequence of str, default=None
        The names of the parts that `part_of_row` numbers. None: those of a split, or numbers.

    Returns
    -------
    Audit
        What was found; printed, one page.

    Notes
    -----
    Models are trained on the part whose name begins with "train", also after a prefix as in
    "X_train". If no part or several are named so, it is the one with more than half of the rows. In
    folds there is none: each part is judged by models trained on the others.

    Labels drift if a random split into parts of these sizes would be as far off with a probability
    of at most 0.01, corrected for the number of labels (Holm) and parts (Bonferroni). The
    probability is exact (hypergeometric). With `groups`, random splits draw groups whole, and the
    probability is an upper bound (Bernstein): so rows of one group are no evidence of drift.

    Of random splits, at most 1 in 100 has a label that drifts.

    Examples
    --------
    >>> y = [["cat"], ["dog"], ["cat"], ["dog"], ["cat"], ["dog"]]
    >>> part = ["train", "train", "train", "train", "test", "test"]
    >>> print(evenfold.audit(y, part, groups={"owner": ["a", "b", "c", "d", "a", "e"]}))
    1 problem: owner in two parts.
    6 rows in 2 parts: train 4, test 2
    <BLANKLINE>
    PROBLEM owner: 1 value is in more than one part, first 'a' in train and test; 1
            of 2 rows of test (50.0 %) match train
    ok      labels not in train: 0 of 2
    ...
    """
    labels = None if y is None else make_labels(y)
    if isinstance(part_of_row, Split):
        names = part_of_row.names if names is None else names
        part_of_row = part_of_row.part_of_row
    placed = place_rows(part_of_row, labels, names, "part_of_row")
    n_rows = len(placed.part_of_row)
    sources = read_sources(
        n_rows=n_rows,
        groups=groups,
        copies=copies,
        files=files,
        text=text,
        images=images,
        similar=similar,
        pairs=pairs,
        ids=ids,
        at=at,
        metric=metric,
        exact=exact,
        recall=recall,
    )
    id_column = None if ids is None else read_id_column(ids, n_rows)
    return audit_sources(labels, placed, sources, id_column)


def audit_sources(
    labels: Labels | None,
    placed: Placed,
    sources: Sources,
    ids: GroupColumn | None = None,
    *,
    name_row: Callable[[int], str] = str,
    option: str = "{}=",
) -> Audit:
    """Audit a split by sources that have been read.

    `name_row` returns how a row without an id is shown, `option` is how the caller names an
    argument.
    """
    n_parts = len(placed.names)
    parts = find_sizes(placed.names, np.bincount(placed.part_of_row, minlength=n_parts))
    if (parts.sizes > 0).sum() < 2:
        raise InputError(
            f"must have rows in two parts or more, got {placed.names[parts.sizes.argmax()]} only. "
            "Give the part of every row.",
            parameter="part_of_row",
        )
    labelset_of_row = None if labels is None else _number_labelsets(labels)
    matches: list[Matches] = []
    examples: list[list[Example]] = []
    values: list[ValuesCheck] = []
    pairs: list[PairsCheck] = []
    for column in sources.columns:
        by_copy = labelset_of_row if _is_copy(column) else None
        values.append(check_values(column, placed.part_of_row, placed.names))
        matches.append(match_values(column, placed.part_of_row, n_parts, by_copy))
        examples.append(_find_examples(column, placed, labelset_of_row, by_copy))
    for search in sources.searches:
        recorder = PairRecorder(placed.part_of_row, n_parts, labelset_of_row)
        pairs.append(check_pairs(search, placed.part_of_row, placed.names, recorder))
        matches.append(recorder.collect(search.kind))
        examples.append(_list_examples(pairs[-1], labelset_of_row))
    id_check = None
    if ids is not None:
        id_check = check_values(ids, placed.part_of_row, placed.names)
        matches.append(match_values(ids, placed.part_of_row, n_parts, None))
        examples.append(_find_examples(ids, placed, labelset_of_row, None))
    quality = None if labels is None else _measure(labels, placed, sources)
    certificate = Certificate(placed, values, pairs, id_check, quality)
    drift = None if quality is None else find_drift(quality.placement)
    given = [
        *(column.name if _is_copy(column) else "groups" for column in sources.columns),
        *(search.kind for search in sources.searches),
        *(["ids"] if ids is not None else []),
    ]
    return Audit(
        certificate,
        quality,
        drift,
        matches,
        unite(matches, placed.part_of_row, n_parts),
        _interleave(examples),
        list_findings(certificate, matches, drift, quality, parts, given, option),
        parts,
        name_row if ids is None else _name_by_id(ids, name_row),
    )


def _is_copy(column: GroupColumn) -> bool:
    # A group column of such a name has values.
    return column.name in _COPIES and not len(column.values)


def _number_labelsets(labels: Labels) -> NDArray[np.int64]:
    return number_labelsets(labels.indptr, labels.indices, np.empty(0, np.int64))


def _measure(labels: Labels, placed: Placed, sources: Sources) -> Quality:
    """Measure the split; groups are those of group columns, not of copies."""
    columns = [column for column in sources.columns if not _is_copy(column)]
    groups = join_columns(columns) if columns else None
    return measure(labels, placed.part_of_row, groups=groups, names=placed.names)


def _find_examples(
    column: GroupColumn,
    placed: Placed,
    labelset_of_row: NDArray[np.int64] | None,
    by_copy: NDArray[np.int64] | None,
) -> list[Example]:
    """Return some rows that share a value; labels are compared, but chosen only among copies."""
    found = find_value_examples(
        column, placed.part_of_row, len(placed.names), by_copy, _MAX_EXAMPLES
    )
    return [
        example._replace(
            labels_differ=labels_differ(labelset_of_row, example.first, example.second)
        )
        for example in found
    ]


def _list_examples(check: PairsCheck, labelset_of_row: NDArray[np.int64] | None) -> list[Example]:
    return [
        Example(
            pair.kind,
            pair.first,
            pair.second,
            pair.value,
            labels_differ(labelset_of_row, pair.first, pair.second),
        )
        for pair in check.pairs[:_MAX_EXAMPLES]
    ]


def _interleave(lists: Sequence[Sequence[Example]]) -> list[Example]:
    """Return the first of each list, then the second of each, and so on."""
    rounds = itertools.zip_longest(*lists)
    return [example for one in rounds for example in one if example is not None]


def _name_by_id(ids: GroupColumn, name_row: Callable[[int], str]) -> Callable[[int], str]:
    def name(row: int) -> str:
        code = int(ids.code_of_row[row])
        return name_row(row) if code < 0 else str(ids.values[code])

    return name
