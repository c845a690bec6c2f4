"""Which labels a column holds: the one set of rules, for Python and for files.

One column: a list, a 1-D array, a column of pandas, polars or Arrow, the only column of a frame,
the only label column of a file.

=============================================  ====================================================
Cells                                          Labels
=============================================  ====================================================
lists or sets                                  what the lists hold; a 0/1 matrix where all lists
                                               have one length and hold only 0, 1 and missing
                                               values; error if only a few values are others and
                                               some list holds 0 or 1 twice
text such as ``["a", "b"]``, ``['a' 'b']``     what the lists hold, with a warning
text with a sure separator (``a|b``)           the pieces of each cell, with a warning
text with a likely separator                   error that names both readings
other text                                     one class per cell, with a warning if cells hold a
                                               separator
numbers, also -1 among 0 and 1                 one class per value, in a frame or file with a
                                               warning if most are 0 and 1; fractions are an error
0 and 1 only (``true``, ``1.0``, ``"0"``, …)   in a frame or file one label, named as the column;
                                               otherwise two classes, as in scikit-learn
=============================================  ====================================================

Several columns: a matrix, a frame of several columns, several label columns of a file.

=============================================  ====================================================
Cells                                          Labels
=============================================  ====================================================
0 and 1 (number, boolean, text, categories)    one label, named as the column; missing is unknown
another value in a column of 0 and 1           error that names value, row and column
other numbers, as number or text               error that names value, row and column
other categories                               one label per value, named ``column=value``; cells
                                               with a separator are not cut, with a warning
other text                                     the same if no column holds 0 and 1, else error that
                                               names column and value
lists                                          error
=============================================  ====================================================

A matrix of one column is read as several columns are, but its text is cut as in one column.
A cell is missing if it is None, NaN, NaT, NA or blank text. Bytes are read as UTF-8 text.
Categories (pandas, polars, Arrow dictionaries) follow the rules for their values, except that
several columns may hold any: a column is a label only if all its values stand for 0 and 1.
Text stands for 0 if it is ``0``, ``0.0`` or ``false``, for 1 if it is ``1``, ``1.0`` or ``true``,
in upper or lower case; ``yes`` and ``no`` are two classes. A column of text is one of 0 and 1 if
more than half of its cells are, or if all of them are numbers.
What a column of text holds is decided from its first 10,000 rows.
A warning is an `AssumptionWarning` in Python, and a line on stderr from the command line.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
import warnings
from collections import Counter
from collections.abc import Collection, Iterable
from enum import Enum
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_value

# What a column of text holds is decided from this many rows, in Python and in files.
HEAD_ROWS = 10_000
# A column is nearly unique if it has at least this many values for each cell, groups if they are at
# least this many for each row. Chosen by judgement.
NEARLY_ALL = 0.9
# Separators that are rare in names of classes, and those that are frequent there.
RARE_SEPARATORS = ("|", ";")
SEPARATORS = (*RARE_SEPARATORS, ",")
# Separators that are so common in names of classes that cells are never cut at them unasked.
_COMMON_SEPARATORS = ("\t", "/", "+", " ")
# Longer pieces are taken for prose. Chosen by judgement, not tuned on data.
_LONGEST_LABEL = 50
# The smallest share of repeated pieces that must occur at different places. In simulated sorted
# lists of up to 5,000 labels enough do, from 50 rows on; in names of people too few do, even if a
# fifth of the first names are surnames too.
_MIN_CHANGING_SHARE = 1 / 4

UNKNOWN, WRONG = -1, 2
_FLAG_OF_WORD = {"0": 0, "0.0": 0, "false": 0, "1": 1, "1.0": 1, "true": 1, "": UNKNOWN}
# Two texts of a list may be without a comma between them only where this matches.
_NEIGHBOURS = re.compile(r"""['"](?:\s|\\|#.*\n)*[bfru]{0,2}['"]""", re.IGNORECASE)
_LAYOUT = {tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.ENDMARKER}
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


def is_missing(value: Any) -> bool:
    """Tell whether a value is None, NaN, NaT or pandas' NA, without importing pandas."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(value != value)


def find_fractions(numbers: NDArray[Any]) -> NDArray[np.int64]:
    """Return the rows whose number cannot be a class: not whole, not finite, or not exact."""
    with np.errstate(invalid="ignore"):
        is_whole = (numbers == np.floor(numbers)) & (np.abs(numbers) <= 2.0**53)
    return np.flatnonzero(~is_whole & ~np.isnan(numbers))


def flag_of_word(word: str) -> int:
    """Return 0 or 1 where text stands for it, UNKNOWN where it is blank, else WRONG."""
    return _FLAG_OF_WORD.get(word.strip().lower(), WRONG)


def holds_only_flags(words: Iterable[str]) -> bool:
    """Tell whether every cell that is not blank stands for 0 or 1, and there is such a cell."""
    flags = {flag_of_word(word) for word in words}
    return WRONG not in flags and not flags <= {UNKNOWN}


def is_flag_column(count_of_word: Counter[str]) -> bool:
    """Tell whether a column of text must hold 0 and 1: most cells do, or all are numbers."""
    known = {word: count for word, count in count_of_word.items() if word.strip()}
    n_flags = sum(count for word, count in known.items() if flag_of_word(word) != WRONG)
    return bool(known) and (
        2 * n_flags > sum(known.values())
        or all(_NUMBER.fullmatch(word.strip()) is not None for word in known)
    )


def explain_text_among_flags(name: Any, example: Any) -> str:
    """Return the message about a column of text among columns of 0 and 1, such as one of ids."""
    return (
        f"column {name!r} holds text such as {show_value(example)}, and other label columns hold "
        "0 and 1. Leave it out of the labels; if each of its values is a label, make it a column "
        "of categories (pandas, polars, Arrow)."
    )


class Certainty(Enum):
    """How sure it is that a separator stands between the labels of a cell."""

    SURE = "cells are cut at it"
    UNSURE = "the user is asked"
    WHOLE = "cells are classes, and the user is told"


class Separator(NamedTuple):
    """A separator found in text.

    Attributes
    ----------
    text : str
        The separator.
    certainty : Certainty
        Whether it stands between labels.
    example : str
        A cell that holds it.
    """

    text: str
    certainty: Certainty
    example: str


def find_separator(texts: Iterable[str]) -> Separator | None:
    """Find what separates labels within cells of text; None where cells hold no separator.

    Labels of a list change places: `war` comes first in one cell and second in another. Parts of
    a name do not: in `Smith, John` and in `male|white` each has its place.

    Parameters
    ----------
    texts : iterable of str
        The cells; repeated and blank ones do not count.

    Returns
    -------
    Separator or None
        The separator and its certainty:

        - `|` and `;`: SURE if labels change places; UNSURE if a piece is in several cells, or if
          most cells are cut; otherwise WHOLE.
        - `,`: SURE if labels change places and are fewer than the different cells; UNSURE if
          labels change places; WHOLE if the pieces are fewer than the different cells, or if most
          cells are cut; otherwise None.
        - blank, tab, `/` and `+`, only if cells hold none of the others: WHOLE if labels are first
          in one cell and last in another and are fewer than the different cells; otherwise None.

        If many pieces are as long as prose, SURE becomes UNSURE and UNSURE becomes WHOLE.
    """
    cells = sorted({text.strip() for text in texts} - {""})
    found = [own for separator in SEPARATORS if (own := _judge(separator, cells)) is not None]
    rank = list(Certainty)
    if not found:
        return _find_common_separator(cells)
    # Choose the most certain separator, then a rare one, then the one in the most cells.
    return min(
        found,
        key=lambda own: (
            rank.index(own.certainty),
            own.text not in RARE_SEPARATORS,
            -sum(own.text in cell for cell in cells),
        ),
    )


def _find_common_separator(cells: Collection[str]) -> Separator | None:
    """Find a separator that is common in names, if labels clearly change places.

    Only cells of several pieces count: `red` and `dark red` are names.
    """
    for separator in _COMMON_SEPARATORS:
        cut = [cell for cell in cells if len(cut_text(cell, separator)) > 1]
        pieces_of_cell = [cut_text(cell, separator) for cell in cut]
        n_cells_of = Counter(piece for pieces in pieces_of_cell for piece in set(pieces))
        again = {piece for piece, n_cells in n_cells_of.items() if n_cells > 1}
        changing = {pieces[0] for pieces in pieces_of_cell} & {
            pieces[-1] for pieces in pieces_of_cell
        }
        n_changing = len(changing & again)
        pieces = {piece for cell in cells for piece in cut_text(cell, separator)}
        if (
            n_changing > 1
            and n_changing >= _MIN_CHANGING_SHARE * len(again)
            and len(pieces) < len(cells)
        ):
            return Separator(separator, Certainty.WHOLE, cut[0])
    return None


def _judge(separator: str, cells: Collection[str]) -> Separator | None:
    cut = [cell for cell in cells if separator in cell]
    if not cut:
        return None
    places_of: dict[str, set[int]] = {}
    n_cells_of: Counter[str] = Counter()
    for cell in cells:
        pieces = cut_text(cell, separator)
        n_cells_of.update(set(pieces))
        for place, piece in enumerate(pieces):
            places_of.setdefault(piece, set()).add(place)
    # A tenth of the labels may be long.
    is_short = 10 * sum(len(piece) > _LONGEST_LABEL for piece in places_of) <= len(places_of)
    again = [piece for piece, n_cells in n_cells_of.items() if n_cells > 1]
    n_changing = sum(len(places_of[piece]) > 1 for piece in again)
    changes = n_changing > 0 and n_changing >= _MIN_CHANGING_SHARE * len(again)
    is_fewer = len(places_of) < len(cells)
    is_mostly_cut = 2 * len(cut) > len(cells)
    if separator in RARE_SEPARATORS:
        comes_again = any(n_cells_of[own] > 1 for cell in cut for own in cut_text(cell, separator))
        sure, unsure, said = changes, comes_again or is_mostly_cut, True
    else:
        sure, unsure, said = changes and is_fewer, changes, is_fewer or is_mostly_cut
    if sure and is_short:
        return Separator(separator, Certainty.SURE, cut[0])
    if sure or (unsure and is_short):
        return Separator(separator, Certainty.UNSURE, cut[0])
    return Separator(separator, Certainty.WHOLE, cut[0]) if said else None


def cut_text(text: str, separator: str) -> list[str]:
    """Cut text at a separator; blanks around a piece and empty pieces do not count."""
    return [own for piece in text.split(separator) if (own := piece.strip())]


def holds_list_text(texts: Iterable[str]) -> bool:
    """Tell whether every cell that is not blank is the text of a list, such as ["a", "b"]."""
    known = [own for text in texts if (own := text.strip())]
    return bool(known) and all(text.startswith("[") and text.endswith("]") for text in known)


def parse_list(cell: str) -> list[Any] | None:
    """Read a list as JSON, Python or NumPy writes it; blank text is an empty one, None no list."""
    if not cell.strip():
        return []
    if not holds_list_text([cell]):
        return None
    wrong = (ValueError, SyntaxError, TypeError, RecursionError, MemoryError)
    try:
        return list(json.loads(cell.strip()))
    except wrong:
        pass
    try:
        with warnings.catch_warnings():
            # Python warns of a backslash in text that it evaluates.
            warnings.simplefilter("ignore")
            return list(ast.literal_eval(_separate_texts(cell.strip())))
    except wrong:
        return None


def _separate_texts(cell: str) -> str:
    """Put commas between the texts of a list that has none, such as NumPy's ['a' 'b'].

    Python would read these as the one text 'ab'. If it is not certain that they are two labels,
    because other items have commas or because no blank is between them, a ValueError is raised.
    """
    if _NEIGHBOURS.search(cell) is None:
        return cell
    try:
        tokens = [
            token
            for token in tokenize.generate_tokens(io.StringIO(cell).readline)
            if token.type not in _LAYOUT
        ]
    except tokenize.TokenError as error:
        raise ValueError from error
    is_text = [token.type == tokenize.STRING for token in tokens]
    if not any(map(all, pairwise(is_text))):
        return cell
    texts = tokens[1:-1]
    touching = any(one.end == other.start for one, other in pairwise(texts))
    if touching or not all(is_text[1:-1]):
        raise ValueError
    return f"[{', '.join(token.string for token in texts)}]"
