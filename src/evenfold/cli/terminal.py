"""Sentences for a terminal: broken between words, not within them."""

from __future__ import annotations

import shutil
import sys
import textwrap


def fit(text: str, *, is_data: bool = False, indent: int = 0) -> str:
    """Return text for stderr, whose long lines are broken at blanks if it is a terminal.

    Tables are not wider than 80 columns. What is not read by people stays one line each. With
    `is_data`, the text is for stdout. Continued lines are indented by `indent`.
    """
    if not (sys.stdout if is_data else sys.stderr).isatty():
        return text
    width = max(40, shutil.get_terminal_size().columns)
    return "\n".join(
        line
        if len(line) <= width
        else textwrap.fill(
            line,
            width,
            subsequent_indent=" " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.split("\n")
    )
