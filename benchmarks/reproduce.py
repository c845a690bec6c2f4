"""`make reproduce DATA=dir`: the tables and figures of the papers made again, as one Markdown page: published, ours, `even`, and the bound."""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import time
from pathlib import Path

from .reproduction import blog, bounds, estimates, first, optisplit_paper, random_split, sechidis
from .reproduction.markdown import to_page
from .reproduction.runs import Workbench, tell

SECTIONS = {
    "sechidis": sechidis.write,
    "estimates": estimates.write,
    "optisplit": optisplit_paper.write,
    "randomsplit": random_split.write,
    "blog": blog.write,
    "first": first.write,
    "bounds": bounds.write,
}
PAGE = Path("docs/reproduction.md")

INTRODUCTION = """\
# The papers made again

The tables and figures of four works on splitting multi-label data, made again with evenfold: beside each published figure the one found
here, what evenfold's own method `even` reaches on the same data, and, where there is one, the bound, which no split can be below. All
measures are smaller when better; the README says what they are.

Made by `make reproduce DATA=dir` with {versions}. Here `dir` holds one folder per data set with its labels as a SciPy sparse matrix,
`NAME/labels.npz`, and its features, where it has any, as `NAME/features.npz`; they are not part of this repository.
scene, emotions, tmc2007, genbase, yeast, medical, bibtex, enron, corel5k and
delicious are from Mulan, wiki10_31k is from the optisplit repository, go_sp2014_mf from the Debian package metastudent-data, chestxray14
from the NIH. Runs are seeds 0, 1, 2, …: the same command gives the same page. How long the methods take is measured by `make bench`."""


def main() -> None:
    """Write the page, or the sections asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of NAME/labels.npz")
    parser.add_argument(
        "--only",
        choices=SECTIONS,
        action="append",
        help="make this section only; may be given several times",
    )
    parser.add_argument(
        "--output",
        type=Path,
        help=f"the page to write; figures go into the folder figures beside it (default: {PAGE})",
    )
    asked = parser.parse_args()
    if not asked.data.is_dir():
        parser.error(f"--data {asked.data} is not a folder")
    if asked.only and not asked.output:
        parser.error(
            f"--only makes a part of the page, which would replace {PAGE}. Say where it should go with --output."
        )
    page = asked.output or PAGE
    write_page(page, Workbench(asked.data), asked.only or list(SECTIONS))


def write_page(page: Path, bench: Workbench, sections: list[str]) -> None:
    """Make the sections, and write them when all are there."""
    start = time.perf_counter()
    written = [SECTIONS[name](bench, page.parent / "figures") for name in sections]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(
        to_page(INTRODUCTION.format(versions=show_versions()), *written) + "\n", encoding="utf-8"
    )
    tell(f"{page} written, {(time.perf_counter() - start) / 60:.1f} minutes")


def show_versions() -> str:
    """Show what the figures were made with."""
    packages = [
        f"{name} {importlib.metadata.version(name)}"
        for name in ("evenfold", "numpy", "scipy", "numba")
    ]
    return f"{', '.join(packages)} on Python {platform.python_version()}"


if __name__ == "__main__":
    main()
