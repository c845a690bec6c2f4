"""Tables, figures and numbers as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NOTHING = "–"


def to_table(
    heading: Sequence[str], rows: Iterable[Sequence[object]], n_text_columns: int = 1
) -> str:
    """Render a table; the first columns read from the left, numbers line up at the right."""
    alignment = ["---" if at < n_text_columns else "---:" for at in range(len(heading))]
    lines = [heading, alignment, *rows]
    if len({len(line) for line in lines}) > 1:
        raise ValueError(
            f"'rows' must have as many cells as the heading, {len(heading)}, got {sorted({len(line) for line in lines})}."
        )
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines
    )


def to_figure(name: str, caption: str) -> str:
    """Render a figure that lies in the folder `figures` beside the page."""
    return f"![{caption}](figures/{name})\n\n*{caption}*"


def to_page(*blocks: str) -> str:
    """Join blocks by empty lines."""
    return "\n\n".join(block for block in blocks if block)


def show(value: float | None, digits: int) -> str:
    """Show a number with so many digits after the point, thousands apart; what is not there as a dash."""
    return NOTHING if value is None else f"{value:,.{digits}f}"


def show_against(ours: float, published: float, digits: int) -> str:
    """Show a figure as published where ours rounds to it, halves either way; else ours, marked, and the published one."""
    same = abs(ours - published) <= 0.5 * 10.0**-digits + 1e-9
    return (
        show(published, digits)
        if same
        else f"**{show(ours, digits)}** (published: {show(published, digits)})"
    )


def show_list(items: Iterable[str]) -> str:
    """Show items as a sentence does: a, b and c."""
    items = list(items)
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else ""
