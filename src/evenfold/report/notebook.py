"""A split as a notebook shows it: the verdict, one small figure, the parts, then the tables."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from .._tables.table import Table
from ..quality import Quality
from ..splits.origin import Origin
from .gauge import draw_gauge
from .summary import make_summary
from .tables import make_part_table
from .verdict import BADGES

# Entries and rows up to which the verdict is made: a few seconds.
_MAX_WORK = 3_000_000


def show_in_notebook(
    title: str, quality: Quality, origin: Origin, notes: Sequence[str], tables: Sequence[Table]
) -> str:
    """Return the HTML that a notebook shows; all text in it is escaped.

    Parameters
    ----------
    title : str
        What was split, and how.
    quality : Quality
        The measured split.
    origin : Origin
        How it was made.
    notes : sequence of str
        Sentences to show below the verdict.
    tables : sequence of Table
        What is shown on demand.

    Returns
    -------
    str
        The HTML, without styles, which some notebooks remove.
    """
    n_rows, n_entries = (int(own.rows.sum()) for own in (quality.per_part, quality.per_label))
    more = "".join(table.to_html() for table in tables)
    if n_rows + n_entries > _MAX_WORK:
        hint = "The verdict takes a while on data of this size: report('split.html') writes it."
        return f"<p>{escape(title)}</p><p>{hint}</p>{_list(notes)}{more}"
    summary = make_summary(quality, "", origin=origin)
    verdict: dict[str, Any] = summary["verdict"]
    return "".join(
        [
            f"<p><strong>{BADGES[verdict['level']]} {escape(verdict['headline'])}</strong><br>",
            f"{escape(verdict['sentence'])}</p>",
            draw_gauge(summary, width=340),
            _list([*verdict["remarks"], *notes]),
            make_part_table(summary).to_html(),
            f"<details><summary>Measures and labels</summary><p>{escape(title)}</p>{more}",
            "</details>",
        ]
    )


def _list(sentences: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f"<ul>{items}</ul>" if items else ""
