"""link(): groups of rows that must not be in two parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import check_whole
from ..exceptions import ImpossibleSplit, InputError
from .chains import describe_largest
from .group_columns import join_columns
from .joining import join_rows
from .linked_rows import Links
from .sources import Sources, read_sources


def link(
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
    max_group: int | None = None,
    exact: bool | None = None,
    recall: float = 0.99,
) -> Links:
    """Join rows that must not be in two parts: of one patient, copies, near-duplicates.

    Rows are one group if a chain of links leads from one to the other. Give at least one source.

    Parameters
    ----------
    groups : array-like, mapping or frame, default=None
        One or several columns. Rows that share a value of any column are linked. Missing values
        (None, NaN, blank text) link nothing.
    copies : array-like, sparse matrix, frame or list of text, default=None
        Equal rows are linked; text is compared after normalising.
    files : sequence of paths, default=None
        One file per row. Rows whose files have the same content are linked.
    text : sequence of str, default=None
        One text per row. Texts are linked whose sets of shingles have a Jaccard similarity of at
        least `at`, by default 0.8.
    images : sequence of paths or images, default=None
        One image per row. Images are linked whose perceptual hashes of 64 bits differ in at most
        `at` bits, by default 4. Needs the extra `images`.
    similar : array-like, sparse matrix or frame of shape (n_rows, n_dimensions), default=None
        An embedding of each row. Rows are linked whose similarity is at least `at`, by default
        0.95; with a metric that is a distance, rows within this distance.
    pairs : array-like or frame of 2 or 3 columns, default=None
        Linked pairs from another program: two rows, numbered from 0 or named as in `ids`, and
        optionally a score. Pairs with a score below `at` are left out.
    ids : array-like of shape (n_rows,), default=None
        The id of each row, if `pairs` names rows by id.
    at : float or mapping, default=None
        The threshold; a mapping such as `{"text": 0.8, "similar": 0.95}` if there are several.
    metric : {"cosine", "jaccard", "euclidean", "hamming"}, default="cosine"
        How `similar` is compared. The first two are similarities, the others distances. Jaccard
        and Hamming are for rows of 0 and 1; the Hamming distance is the number of columns that
        differ.
    max_group : int, default=None
        Links that would make a group of more rows are cut, the weakest first. Values of `groups`,
        `copies` and `files` are never cut.
    exact : bool, default=None
        Whether to compare all pairs of `text` and `similar`. By default up to 200,000 rows; beyond
        that the search is approximate, which needs the extra `similar` for embeddings.
    recall : float, default=0.99
        The share of pairs that an approximate search must find, of 10,000 rows checked exactly.

    Returns
    -------
    Links
        The groups, for `groups=` of `split` and all other functions; printed, what links rows, and
        what holds the largest group together.

    Raises
    ------
    InputError
        If a source cannot be read, or a threshold is out of range.
    ImpossibleSplit
        If all rows are one group.

    Notes
    -----
    Rows that share a value, and pairs at the threshold, are in one group unless `max_group` cuts
    their link.
    No group that links made has more than `max_group` rows.
    The result does not depend on the order in which pairs are found.

    Examples
    --------
    >>> embeddings = [[1.0, 0.0], [0.99, 0.01], [0.0, 1.0], [0.5, 0.5]]
    >>> links = evenfold.link(groups=["p1", "p2", "p3", "p3"], similar=embeddings, at=0.95)
    >>> links.group_of_row.tolist()
    [0, 0, 1, 1]
    >>> evenfold.split([["a"], ["b"], ["a"], ["b"]], parts=2, groups=links).sizes.tolist()
    [2, 2]
    """
    sources = read_sources(
        groups=groups.group_of_row if isinstance(groups, Links) else groups,
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
    return link_sources(sources, max_group)


def link_sources(sources: Sources, max_group: int | None = None) -> Links:
    """Link rows by sources that have been read."""
    if max_group is not None:
        max_group = check_whole(max_group, "max_group", "Try max_group=100.")
    n_rows = sources.n_rows
    base = join_columns(sources.columns) if sources.columns else np.arange(n_rows)
    largest = int(np.bincount(base).max())
    if max_group is not None and largest > max_group:
        raise InputError(
            f"must be at least {largest:,}, the rows that share values of "
            f"{_list_names(sources)}, got {max_group:,}. Such links are never cut: leave out a "
            f"column. {describe_largest(sources.columns, base)}".rstrip(),
            parameter="max_group",
        )
    links = Links(
        sources.columns, sources.searches, join_rows(base, sources.searches, max_group), max_group
    )
    if n_rows > 1 and links.n_groups == 1:
        raise _one_group(links, base)
    return links


def _one_group(links: Links, base: NDArray[np.int64]) -> ImpossibleSplit:
    """Return the error that all rows are in one group, with what to change."""
    in_one = f"{len(links):,} rows into one group, which cannot be split"
    if base.max() == 0:
        chain = describe_largest(links.columns, base)
        name = links.columns[0].name
        return ImpossibleSplit(
            f"join all {in_one}. Leave out a column. {chain}".rstrip(),
            parameter=name if len(links.columns) == 1 and name in ("copies", "files") else "groups",
        )
    (weakest,) = links.find_weakest(1)
    search = next(search for search in links.searches if search.kind == weakest.kind)
    if search.find_strength(np.array([weakest.value]))[0] >= 1:
        return ImpossibleSplit(
            f"links all {in_one}: the rows are equal, so no threshold parts them. Leave it out.",
            parameter=weakest.kind,
        )
    return ImpossibleSplit(
        f"links all {in_one}. Choose a stricter threshold than {weakest.value:.4g} "
        f"({weakest.kind}), which the weakest of the links has, or set max_group.",
        parameter="at",
    )


def _list_names(sources: Sources) -> str:
    return " and ".join(column.name for column in sources.columns)
