"""Links between pages: the file is there, and so is the heading."""

import pytest
from release.links import find_broken

from .blocks import ROOT, list_pages

PAGES = [*list_pages().values(), ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]


@pytest.mark.parametrize("name", [path.relative_to(ROOT).as_posix() for path in PAGES])
def test_the_links_of_a_page_lead_somewhere(name):
    """Pages, figures and headings; `make release-check` also looks at other texts."""
    assert find_broken([name], ROOT) == []
