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
    "code_links",
    "mathml",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
]
exclude_patterns = ["_*"]
templates_path = ["_templates"]

# Docstrings name types under "Parameters". What is in backticks is a link if there is such a name.
autodoc_typehints = "none"
autosummary_generate = sorted(
    f"reference/api/{path.name}" for path in HERE.glob("reference/api/*.md")
)
numpydoc_show_class_members = False
default_role = "py:obj"
nitpick_ignore_regex = [("py:obj", r"(?!evenfold\.).*")]

# Pages are Markdown that GitHub shows too. Headings have the anchors that GitHub gives them.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

html_math_renderer = "mathml"
# Quotes in messages stay as they are typed, so that a search finds them.
smartquotes = False
html_theme = "furo"
pygments_dark_style = "a11y-high-contrast-dark"
html_title = f"evenfold {release}"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sourcelink = False

# What is copied is what is typed.
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True


def skip_member_of_sklearn(_app, _what, _name, member, skip, _options):
    """Leave out what learners and splitters inherit: its documentation is that of scikit-learn."""
    return skip or (getattr(member, "__module__", None) or "").startswith("sklearn.")


def setup(app):
    """Connect the function above, and let a section have no page: Sphinx has no setting for it."""
    app.connect("autodoc-skip-member", skip_member_of_sklearn)
    logging.getLogger("sphinx.sphinx.directives.other").addFilter(
        lambda record: getattr(record, "subtype", "") != "empty_glob"
    )
