"""Write the figures of the README and of the documentation from the recorded ones.

    python -m benchmarks.pages

The records are in results.json, scale.json, coming_from.json and audits.json of this folder. What
is between `<!-- figures: NAME -->` and `<!-- end of figures -->` is written anew; a test compares
the pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from .page_tables import audits, beside, coming_from, own, scaled
from .page_tables.markdown import Records

ROOT = Path(__file__).parent.parent
PAGES = tuple(
    ROOT / name
    for name in (
        "README.md",
        "docs/reference/benchmarks.md",
        "docs/methods.md",
        "docs/audit.md",
        "docs/evaluation.md",
        "docs/leaks.md",
        "docs/scale.md",
        "docs/how-to/scikit-learn.md",
        *(f"docs/coming-from/{name}.md" for name in coming_from.PAGES),
    )
)
FIGURES = re.compile(r"<!-- figures: ([\w-]+) -->\n.*?<!-- end of figures -->", re.DOTALL)
MAKERS: dict[str, Callable[[Records], str]] = {
    "summary": beside.make_summary,
    "packages": beside.make_packages,
    "default": lambda records: beside.make_beside_peer(records, "default"),
    "slower": beside.make_slower,
    "order1": lambda records: beside.make_beside_peer(records, "order1"),
    "same-method": beside.make_same_method,
    "runs": own.make_runs,
    "large": own.make_large,
    "growth": own.make_growth,
    "files": own.make_files,
    "startup": own.make_startup,
    "tolerance": own.make_tolerance,
    "tolerance-peer": own.make_tolerance_peer,
    "groups": own.make_groups,
    "one-target": own.make_one_target,
    "populations": own.make_populations,
    "scale-quality": scaled.make_quality,
    "scale-large": scaled.make_large_scale,
    "scale-passes": scaled.make_passes,
    "links": scaled.make_links,
    "audits": audits.make_audits,
    **coming_from.MAKERS,
}


def main() -> None:
    """Write the figures of all pages."""
    records = read_records()
    for page in PAGES:
        page.write_text(fill(page.read_text(encoding="utf-8"), records), encoding="utf-8")


def read_records() -> Records:
    """Return what each file holds."""
    folder = ROOT / "benchmarks"
    return {
        name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("results", "scale", "coming_from", "audits")
    }


def fill(page: str, records: Records) -> str:
    """Return a page with the figures of the records."""

    def write(found: re.Match[str]) -> str:
        figures = MAKERS[found[1]](records)
        return f"<!-- figures: {found[1]} -->\n\n{figures}\n\n<!-- end of figures -->"

    return FIGURES.sub(write, page)


if __name__ == "__main__":
    main()
