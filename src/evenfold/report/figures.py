"""The figures of a report as SVG inside the page.

They take the colours of the page, have no styles of their own, and are the same bytes every time.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from ..plots import drawing
from ..quality.measures import MEASURES_OF_EACH_LABEL

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Small, so that the text of a figure that is as wide as a phone can be read.
SIZE = (4.8, 3.4)
# Space is left below an axis for names of at most this many columns.
_MAX_WIDTH_OF_NAME = 20
# Text and axes are drawn in this colour, which is then replaced by the colour of the page's text.
_TEXT = "#010203"
_SETTINGS: Any = {
    "axes.edgecolor": _TEXT,
    "axes.labelcolor": _TEXT,
    "axes.labelsize": 9.5,
    "axes.titlecolor": _TEXT,
    "axes.titlesize": 10.5,
    "font.size": 9,
    "legend.fontsize": 9,
    "legend.handletextpad": 0.4,
    "svg.fonttype": "none",
    "text.color": _TEXT,
    # A name with dollar signs is not a formula.
    "text.parse_math": False,
    "xtick.color": _TEXT,
    "ytick.color": _TEXT,
}
_DRAW: dict[str, Callable[[dict[str, Any], Axes], Axes]] = {
    **{measure.name: drawing.draw_evenness for measure in MEASURES_OF_EACH_LABEL},
    "distribution": drawing.draw_distribution,
    "cardinality": drawing.draw_cardinality,
}
_NAMESPACE = "{http://www.w3.org/2000/svg}"
# Coordinates are cut to a hundredth of a point, which no screen can show.
_FRACTION = re.compile(r"(\.\d\d)\d+")
_LINK = "{http://www.w3.org/1999/xlink}href"
# These style rules become attributes, which a strict Content-Security-Policy allows. Fonts are
# those of the page.
_ATTRIBUTES = {
    "fill",
    "fill-opacity",
    "fill-rule",
    "font-size",
    "opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
}


@contextmanager
def use_page_style(key: str) -> Iterator[None]:
    """Draw as reports do; `key` is different for each figure of a page.

    A report looks the same whatever the user has set. Letters that matplotlib's font lacks are
    drawn by the browser.
    """
    import matplotlib as mpl

    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph|Matplotlib currently does not support")
        mpl.rcdefaults()
        # Element ids are made from the key: different in each figure, the same every time.
        mpl.rcParams.update({**_SETTINGS, "svg.hashsalt": key})
        yield


def draw_figures(figures: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return the SVG of each figure of a summary."""
    from matplotlib.figure import Figure

    drawn = {}
    for key, figure in figures.items():
        with use_page_style(key):
            canvas = Figure(figsize=SIZE)
            # Numbers are written level, names at an angle.
            names = figure["data"].get("names", ())
            if figure["data"].get("is_number") or drawing.is_level(names):
                names = ()
            longest = max((len(name) * (1 if name.isascii() else 2) for name in names), default=0)
            canvas.subplots_adjust(
                # Values of single labels may be small numbers of many digits.
                left=0.2 if "measure" in figure["data"] else 0.13,
                right=0.98,
                top=0.91,
                bottom=0.15 + 0.015 * min(longest, _MAX_WIDTH_OF_NAME),
            )
            draw = drawing.draw_balance if key.startswith("balance") else _DRAW[key]
            draw(figure["data"], canvas.subplots())
            drawn[key] = to_inline(canvas, figure["text"])
    return drawn


def to_inline(canvas: Figure, text: str) -> str:
    """Return a figure as an element of the page, with a description in words."""
    written = io.BytesIO()
    canvas.savefig(
        written, format="svg", transparent=True, metadata={"Date": None, "Creator": None}
    )
    return _to_element(written.getvalue(), text)


def _to_element(svg: bytes, text: str) -> str:
    """Turn an SVG file into an element of the page.

    It gets the colours of the page and a description, and keeps only ids that are linked to.
    """
    root = ElementTree.fromstring(svg)  # noqa: S314 - matplotlib has just written it
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{_NAMESPACE}metadata", f"{_NAMESPACE}style"):
                parent.remove(child)
    linked = {element.get(_LINK, "")[1:] for element in root.iter()} | {
        element.get("clip-path", "")[5:-1] for element in root.iter()
    }
    for element in root.iter():
        _make_plain(element, linked)
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.attrib |= {"role": "img", "aria-label": text}
    return ElementTree.tostring(root, encoding="unicode")


def _make_plain(element: ElementTree.Element, linked: set[str]) -> None:
    """Replace styles by attributes, cut coordinates, and drop ids that nothing links to."""
    element.tag = element.tag.removeprefix(_NAMESPACE)
    element.text, element.tail = (element.text if element.tag in ("text", "tspan") else None), None
    for rule in filter(None, element.attrib.pop("style", "").split(";")):
        name, value = (side.strip() for side in rule.split(":", 1))
        if name in _ATTRIBUTES:
            element.set(name, "currentColor" if value == _TEXT else value)
    if element.tag == "text" and "fill" not in element.attrib:
        element.set("fill", "currentColor")
    if element.get("id") not in linked:
        element.attrib.pop("id", None)
    if _LINK in element.attrib:
        element.set("href", element.attrib.pop(_LINK))
    for name in element.attrib.keys() & {"d", "transform", "x", "y"}:
        element.set(name, _FRACTION.sub(r"\1", " ".join(element.attrib[name].split())))
