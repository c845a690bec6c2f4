"""The one normalisation of text, so that copies which only look different are equal."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Literal

from .._checks.values import show_value
from ..exceptions import InputTypeError
from ..labels.column_rules import is_missing
from ..labels.row_values import list_values

# Characters that are not drawn: soft hyphens, zero-width blanks, joiners, marks of direction and
# of byte order.
_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def normalise_text(text: str) -> str:
    r"""Return text without differences that readers do not see.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The text in Unicode's form NFKC and without case (its compatibility caseless match), without
        invisible characters, with one blank for each run of blanks, and none at the ends.

    Notes
    -----
    Punctuation and accents are kept, because "C" and "C++" are not the same, and in texts of a few
    words a sign is much. Texts that differ in them only are found as near-copies.

    Examples
    --------
    >>> normalise_text(" A\u00a0\ufb01ne  DAY\n")
    'a fine day'
    """
    if text.isascii():
        return " ".join(text.lower().split())
    text = _fold(_fold(_INVISIBLE.sub("", text), "NFD"), "NFKC")
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _fold(text: str, form: Literal["NFD", "NFKC"]) -> str:
    return unicodedata.normalize(form, text).casefold()


def read_texts(text: Any, n_rows: int | None, parameter: str) -> list[str]:
    """Return the normalised text of each row, empty where it is missing.

    Parameters
    ----------
    text : list, array or column
        (n_rows,) strings; None and NaN are missing.
    n_rows : int or None
        The number of rows; None if the texts tell it.
    parameter : str
        The name of the argument, for errors.

    Returns
    -------
    list of str
        The texts.
    """
    texts = []
    for row, value in enumerate(list_values(text, n_rows, parameter)):
        if isinstance(value, str):
            texts.append(normalise_text(value))
        elif is_missing(value):
            texts.append("")
        else:
            raise InputTypeError(
                f"must hold text, got {show_value(value)} at row {row}, "
                f"a {type(value).__name__}. Pass a list of strings or a column of text.",
                parameter=parameter,
            )
    return texts
