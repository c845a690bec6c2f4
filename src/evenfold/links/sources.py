"""Sources: everything that can link rows, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .._checks.choices import check_choice
from .._checks.numbers import check_number
from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from .group_columns import GroupColumn, read_group_columns
from .linked_rows import Links
from .pair_lists import has_scores, make_pair_search
from .pairs import PairSearch

# The arguments of `link` that need a threshold.
_WITH_THRESHOLD = ("text", "images", "similar", "pairs")


class Sources(NamedTuple):
    """What links rows: columns of equal values, and searches for pairs."""

    n_rows: int
    columns: tuple[GroupColumn, ...]
    searches: tuple[PairSearch, ...]


def read_sources(
    *,
    n_rows: int | None = None,
    groups: Any = None,
    copies: Any = None,
    files: Any = None,
    text: Any = None,
    images: Any = None,
    similar: Any = None,
    pairs: Any = None,
    ids: Any = None,
    at: Any = None,
    metric: str = "cosine",
    exact: bool | None = None,
    recall: float = 0.99,
) -> Sources:
    """Read the arguments of `evenfold.link`; all must have the same number of rows."""
    from .scores import METRICS

    metric = check_choice(metric, "metric", METRICS)
    exact = _check_exact(exact)
    recall = check_number(recall, "recall", "Try recall=0.99.", most=1.0, above=True)
    given = {"text": text, "images": images, "similar": similar, "pairs": pairs}
    threshold_of = _read_thresholds(at, [kind for kind in given if given[kind] is not None], pairs)
    by_row = {
        "groups": groups, "copies": copies, "files": files, "text": text, "images": images,
        "similar": similar, "ids": ids,
    }  # fmt: skip
    if n_rows is None:
        n_rows = _count_rows(by_row, pairs)
    if n_rows == 0:
        raise InputError("the data must have at least one row, got none.")
    columns: list[GroupColumn] = []
    searches: list[PairSearch] = []
    if isinstance(groups, Links):
        groups.check_rows(n_rows, "groups")
        linked, cut = groups.list_sources()
        columns.extend(linked)
        searches.extend(cut)
    elif groups is not None:
        columns.extend(read_group_columns(groups, n_rows, "groups"))
    if copies is not None:
        from .copies import number_equal_rows

        columns.append(GroupColumn("copies", number_equal_rows(copies, n_rows)))
    if files is not None:
        from .copies import number_equal_files

        columns.append(GroupColumn("files", number_equal_files(files, n_rows)))
    if text is not None:
        from .texts import make_text_search

        searches.append(make_text_search(text, threshold_of["text"], n_rows, exact, recall))
    if images is not None:
        from .images import make_image_search

        searches.append(make_image_search(images, threshold_of["images"], n_rows))
    if similar is not None:
        from .embeddings import make_similar_search

        searches.append(
            make_similar_search(similar, metric, threshold_of["similar"], n_rows, exact, recall)
        )
    if pairs is not None:
        searches.append(make_pair_search(pairs, ids, threshold_of["pairs"], n_rows))
    return Sources(n_rows, tuple(columns), tuple(searches))


def find_compared(given: list[str], pairs_have_scores: bool = False) -> list[str]:
    """Return the sources that a single threshold can be for; pairs only if they have scores.

    Pairs alone are one in any case.
    """
    return [kind for kind in given if kind != "pairs" or pairs_have_scores] or given


def _check_exact(exact: Any) -> bool | None:
    if exact is None or isinstance(exact, bool | np.bool_):
        return None if exact is None else bool(exact)
    raise InputTypeError(
        f"must be True, False or None, got {show_value(exact)}. Try exact=True.",
        parameter="exact",
    )


def _read_thresholds(at: Any, given: list[str], pairs: Any) -> dict[str, float | None]:
    """Return the threshold of each source; None for its default."""
    if at is None:
        return dict.fromkeys(given)
    if isinstance(at, Mapping):
        unknown = [kind for kind in at if kind not in given]
        if unknown:
            raise InputError(
                f"must name sources that are given, got {show_value(unknown[0])}. "
                f"Given with a threshold: {', '.join(given) or 'none'}.",
                parameter="at",
            )
        return {kind: at.get(kind) for kind in given}
    scored = find_compared(given, pairs is not None and has_scores(pairs))
    if not scored:
        raise InputError(
            f"must be left out, because nothing given has a threshold, got {show_value(at)}. "
            f"Thresholds are those of {', '.join(_WITH_THRESHOLD)}.",
            parameter="at",
        )
    if len(scored) > 1:
        raise InputError(
            f"must name the threshold of each source, got {show_value(at)} for "
            f"{' and '.join(scored)}. Try at={{{', '.join(f'{kind!r}: …' for kind in scored)}}}.",
            parameter="at",
        )
    return {**dict.fromkeys(given), scored[0]: at}


def _count_rows(by_row: Mapping[str, Any], pairs: Any) -> int:
    """Return the number of rows of the first source that is given."""
    for parameter, values in by_row.items():
        if values is None:
            continue
        if isinstance(values, Mapping):
            if not values:
                raise InputError("must have at least one column, got none.", parameter=parameter)
            values = next(iter(values.values()))
        shape = getattr(values, "shape", None)
        if shape:
            return int(shape[0])
        if hasattr(values, "__len__"):
            return len(values)
        raise InputTypeError(
            f"must have one entry per row, got {type(values).__name__}. Pass an array or a list.",
            parameter=parameter,
        )
    if all(values is None for values in (*by_row.values(), pairs)):
        raise InputError(
            "link() needs a source: groups, copies, files, text, images, similar or pairs."
        )
    raise InputError(
        "must be given with 'ids', or another source that has one entry per row: pairs alone do "
        "not say how many rows there are.",
        parameter="pairs",
    )
