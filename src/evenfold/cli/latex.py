"""Tables as LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

from collections.abc import Sequence

from .._tables.table import Table

_ESCAPED = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "±": r"$\pm$",
        "−": r"$-$",
        "–": "--",
        "…": r"\ldots{}",
    }
)


def to_latex(title: str, tables: Sequence[Table], notes: Sequence[str], call: str) -> str:
    r"""Return tables as floats for `\input`, with the title and the notes as comments.

    Parameters
    ----------
    title : str
        What the tables are about; it is the caption of tables without one.
    tables : sequence of Table
        The tables.
    notes : sequence of str
        Sentences.
    call : str
        The command that made them.

    Returns
    -------
    str
        The text of a file.
    """
    said = [call, title, *notes, r"In the preamble: \usepackage{booktabs}"]
    comments = "\n".join(f"% {' '.join(text.split())}" for text in said)
    return "\n\n".join([comments, *(_to_float(table, title) for table in tables)]) + "\n"


def _to_float(table: Table, title: str) -> str:
    columns = "l" + "r" * (len(table.heading) - 1)
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escape(table.caption or title)}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            _to_line(table.heading),
            r"\midrule",
            *map(_to_line, table.rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _to_line(cells: Sequence[str]) -> str:
    return " & ".join(map(escape, cells)) + r" \\"


def escape(text: str) -> str:
    r"""Return text in which every character stands for itself.

    Examples
    --------
    >>> print(escape("rare_label: 5 % ± 1"))
    rare\_label: 5 \% $\pm$ 1
    """
    return " ".join(text.split()).translate(_ESCAPED)
