"""check(): whether rows that belong together are in two parts of a split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..exceptions import InputError, InputTypeError, LeakError
from ..labels.fingerprints import make_fingerprint
from ..labels.labels import Labels, make_labels
from ..labels.row_values import check_part_of_row, check_placed
from ..links.group_columns import read_id_column
from ..links.sources import Sources, read_sources
from ..quality import Quality, measure, measure_labels
from .certificate import Certificate, certify, list_not_checked
from .placed import Placed
from .split_result import Split


def check(
    s: Any,
    *,
    y: Any = None,
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
) -> Certificate:
    """Check that no rows that belong together are in two parts of a split.

    The groups that a split was made with are checked, if it has them. Everything else is checked if
    it is given. The certificate also says what could not be checked.

    Parameters
    ----------
    s : Split or array-like of shape (n_rows,)
        The split, or the part of each row by number or name, whatever tool made it.
    y : array-like, sparse matrix, frame or list of labels, default=None
        The labels, if `s` does not have them: the certificate then says how even the split is.
    groups : Links, array-like, mapping or frame, default=None
        Columns whose values must each be in one part, as for `link`.
    copies : array-like, sparse matrix, frame or list of text, default=None
        Equal rows must be in one part, as for `link`.
    files : sequence of paths, default=None
        Files of the same content must be in one part, as for `link`.
    text : sequence of str, default=None
        Similar texts must be in one part, as for `link`.
    images : sequence of paths or images, default=None
        Similar images must be in one part, as for `link`.
    similar : array-like, sparse matrix or frame of shape (n_rows, n_dimensions), default=None
        Rows with similar embeddings must be in one part, as for `link`.
    pairs : array-like or frame of 2 or 3 columns, default=None
        Pairs of rows that must be in one part, as for `link`.
    ids : array-like of shape (n_rows,), default=None
        What identifies rows. No id may be in two parts.
    at : float or mapping, default=None
        The threshold, as for `link`.
    metric : {"cosine", "jaccard", "euclidean", "hamming"}, default="cosine"
        How `similar` is compared, as for `link`.
    exact : bool, default=None
        Whether to compare all pairs, as for `link`.
    recall : float, default=0.99
        The share of pairs that an approximate search must find, as for `link`.

    Returns
    -------
    Certificate
        What was checked and found.

    Raises
    ------
    LeakError
        If something leaks; the error has the certificate, with the leaking pairs.

    Notes
    -----
    Pairs count from the threshold on, within rounding. `link` also joins pairs that are less than
    0.000001 below it.

    Examples
    --------
    >>> s = evenfold.split([["a"], ["b"]] * 2, 2, groups=[1, 1, 2, 2])
    >>> embeddings = [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.1, 0.9]]
    >>> evenfold.check(s, similar=embeddings, at=0.95).passed
    True
    >>> evenfold.check(["train", "test", "train", "train"], similar=embeddings, at=0.95)
    Traceback (most recent call last):
        ...
    evenfold.exceptions.LeakError: the split leaks. similar: 1 pair in two parts with ...
    """
    labels = None if y is None else make_labels(y)
    placed = s._placed if isinstance(s, Split) else place_rows(s, labels)
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
    certificate = certify(
        placed,
        sources.columns,
        sources.searches,
        None if ids is None else read_id_column(ids, n_rows),
        _measure(s, labels, placed),
        s._groups if isinstance(s, Split) else None,
        _list_not_given(s, sources) if isinstance(s, Split) else (),
    )
    if not certificate.passed:
        raise LeakError(certificate.failures, certificate)
    return certificate


def _list_not_given(s: Split, sources: Sources) -> list[str]:
    """Return the columns and searches that a split was made with and that are not given again."""
    given = {column.name for column in sources.columns} | {own.kind for own in sources.searches}
    return [name for name in list_not_checked(s.origin, s._groups) if name not in given]


def place_rows(
    part_of_row: Any,
    labels: Labels | None,
    names: Sequence[str] | None = None,
    parameter: str = "s",
) -> Placed:
    """Read the part of each row, of a split that another tool made."""
    if not hasattr(part_of_row, "__len__"):
        what = "a Split or the part of each row" if parameter == "s" else "the part of each row"
        raise InputTypeError(
            f"must be {what}, got {type(part_of_row).__name__}. Pass a split, a list or a column.",
            parameter=parameter,
        )
    n_rows = len(part_of_row) if labels is None else labels.n_rows
    if n_rows == 0:
        raise InputError("must have at least one row, got none.", parameter=parameter)
    if names is None:
        numbers, names = check_part_of_row(part_of_row, n_rows, parameter)
    else:
        numbers = check_placed(part_of_row, n_rows, names, parameter, free=False)
    if names is None:
        names = [f"part{number}" for number in range(int(numbers.max()) + 1)]
    return Placed(numbers, tuple(names), None, None if labels is None else make_fingerprint(labels))


def _measure(s: Any, labels: Labels | None, placed: Placed) -> Quality | None:
    """Return how even the split is, if the labels are known."""
    if not isinstance(s, Split):
        if labels is None:
            return None
        return measure(labels, placed.part_of_row, names=placed.names)
    if labels is not None and make_fingerprint(labels) != s.fingerprint:
        raise InputError(
            "must hold the labels that the split was made for, got others. "
            "Were rows or labels changed or reordered?",
            parameter="y",
        )
    if s._labels is not None:
        return s.quality
    if labels is None:
        return None
    return measure_labels(labels, s.part_of_row, s._parts, s._group_of_row)
