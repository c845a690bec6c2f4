"""`make reproduce DATA=dir`: published tables and figures, reproduced on one Markdown page.

Each published value is shown beside ours, beside that of `even`, and beside the bound.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import time
from pathlib import Path

from .reproduction import (
    blog,
    bounds,
    downstream,
    estimates,
    even_comparison,
    forest_scores,
    optisplit_paper,
    random_split,
    sechidis,
)
from .reproduction.experiments import Experiments, print_progress
from .reproduction.markdown import to_page, wrap_prose
from .reproduction.split_records import SplitRecords

SECTIONS = {
    "sechidis": sechidis.write_section,
    "forests": forest_scores.write_section,
    "estimates": estimates.write_section,
    "downstream": downstream.write_section,
    "optisplit": optisplit_paper.write_section,
    "randomsplit": random_split.write_section,
    "blog": blog.write_section,
    "even": even_comparison.write_section,
    "bounds": bounds.write_section,
}
PAGE = Path("docs/reproduction.md")

INTRODUCTION = """\
# Published results, reproduced

This page reproduces the tables and figures of four works on splitting multi-label data. Each
published value is shown beside the value found here, the value of evenfold's own method `even` on
the same data and, where there is one, the bound. No split can be below the bound. Smaller is better
for [all measures](reference/measures.md).

This page was made by `make reproduce DATA=dir` with {versions}. `dir` has one folder per data set.
`NAME/labels.npz` has its labels as a SciPy sparse matrix, and `NAME/features.npz` its features, if
there are any. The data are not part of this repository. Runs use the seeds 0, 1, 2, …, so the same
command gives the same page, apart from run times.

Sources of the data:

- scene, emotions, tmc2007, genbase, yeast, medical, bibtex, enron, corel5k and delicious: Mulan
- chd_49, water_quality, eisen and yahoo_education: sets of other authors that are often used
- wiki10_31k: the optisplit repository
- go_sp2014_mf: the Debian package metastudent-data
- chestxray14: the NIH"""


def main() -> None:
    """Write the page, or the selected sections of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of NAME/labels.npz")
    parser.add_argument(
        "--only",
        choices=SECTIONS,
        action="append",
        help="make only this section; can be given several times",
    )
    parser.add_argument(
        "--output",
        type=Path,
        help=f"the page to write; figures go into the folder figures beside it (default: {PAGE})",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="make all splits again, whatever is recorded"
    )
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        parser.error(f"--data {arguments.data} is not a folder")
    if arguments.only and not arguments.output:
        parser.error(
            f"--only makes a part of the page, which would replace {PAGE}. Choose another file "
            "with --output."
        )
    page = arguments.output or PAGE
    records = SplitRecords(is_fresh=arguments.fresh)
    write_page(page, Experiments(arguments.data, records), arguments.only or list(SECTIONS))


def write_page(page: Path, experiments: Experiments, sections: list[str]) -> None:
    """Make the sections, then write them all at once."""
    start = time.perf_counter()
    written = [SECTIONS[name](experiments, page.parent / "figures") for name in sections]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(
        wrap_prose(to_page(INTRODUCTION.format(versions=format_versions()), *written)) + "\n",
        encoding="utf-8",
    )
    print_progress(f"{page} written, {(time.perf_counter() - start) / 60:.1f} minutes")


def format_versions() -> str:
    """Return the versions of the packages in use."""
    packages = [
        f"{name} {importlib.metadata.version(name)}"
        for name in ("evenfold", "numpy", "scipy", "numba")
    ]
    return f"{', '.join(packages)} on Python {platform.python_version()}"


if __name__ == "__main__":
    main()
