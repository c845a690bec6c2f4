"""How `make docs` builds the pages of this folder with Sphinx. Nothing is fetched."""

import logging
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_extensions"), str(HERE.parent / "src")]

import evenfold  # noqa: E402 - the source of this folder, not an installed one

project = "evenfold"
author = "The evenfold developers"
project_copyright = "the evenfold developers"
release = version = evenfold.__version__

extensions = [
    "myst_parser",
    "sphinx_copybutton",
]
exclude_patterns = ["_*"]

# Pages are Markdown that GitHub shows too. Headings have the anchors that GitHub gives them.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"evenfold {release}"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sourcelink = False

# What is copied is what is typed.
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True


def setup(_app):
    """Let a section have no page of its own yet: Sphinx has no setting for that."""
    logging.getLogger("sphinx.sphinx.directives.other").addFilter(
        lambda record: getattr(record, "subtype", "") != "empty_glob"
    )
