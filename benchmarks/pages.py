"""Write the figures of the README and of the page of benchmarks from the recorded ones.

    python -m benchmarks.pages

The records are in benchmarks/default.json and benchmarks/results.json. What is between
`<!-- figures: NAME -->` and `<!-- end of figures -->` is written anew; a test compares the pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", ROOT / "docs" / "reference" / "benchmarks.md")
FIGURES = re.compile(r"<!-- figures: ([\w-]+) -->\n.*?<!-- end of figures -->", re.DOTALL)
# The page has these parts of each data set; the file has all.
SHOWN_PARTS = ("5 folds", "80/10/10")
SET_OF_PATIENTS = "chestxray14, patients"
TITLES = {SET_OF_PATIENTS: "ChestX-ray14 by patient"}
CALLS = {
    "evenfold": "`evenfold.split`",
    "iterative-stratification": "`MultilabelStratifiedKFold`",
    "scikit-multilearn-ng": "`IterativeStratification`",
    "scikit-learn": "`StratifiedKFold`, `StratifiedGroupKFold`",
}

Record = Mapping[str, Any]


def main() -> None:
    """Write the figures of all pages."""
    records = read_records()
    for page in PAGES:
        page.write_text(fill(page.read_text(encoding="utf-8"), records), encoding="utf-8")


def read_records() -> dict[str, Any]:
    """Return what both files hold."""
    folder = ROOT / "benchmarks"
    return {
        name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("default", "results")
    }


def fill(page: str, records: Mapping[str, Any]) -> str:
    """Return a page with the figures of the records."""

    def write(found: re.Match[str]) -> str:
        figures = MAKERS[found[1]](records)
        return f"<!-- figures: {found[1]} -->\n\n{figures}\n\n<!-- end of figures -->"

    return FIGURES.sub(write, page)


def make_summary(records: Mapping[str, Any]) -> str:
    """Return the table of the README: a row for each package, a column for each data set."""
    section = records["default"]["sections"]["packages"]
    own = section["records"]
    sets = list(dict.fromkeys(record["data"] for record in own))
    heading = ["5 folds", *(TITLES.get(name, name) for name in sets)]
    rows = []
    for package in dict.fromkeys(record["package"] for record in own):
        of_package = {record["data"]: record for record in own if record["package"] == package}
        cut = of_package[SET_OF_PATIENTS]["groups cut %"]
        times = [record["time"] for record in of_package.values()]
        rows.append(
            [
                name_package(package, section),
                *(f"{of_package[name]['rLD']:.4f}" for name in sets),
                f"{max(record['rows off'] for record in of_package.values()):.0f}",
                f"{cut:.0f} %",
                "1" if package == "evenfold" else f"{min(times):.1f}–{max(times):.1f}",
            ]
        )
    exact = {record["data"]: record["bound"] for record in own if record["package"] == "evenfold"}
    least = [f"{exact[name]:.4f}" for name in sets]
    # The sizes of evenfold are exact: no fold can be nearer to its share.
    rows.append(["the least possible", *least, rows[0][-3], "0 %", ""])
    return make_table([*heading, "rows off", "patients in two folds", "time"], rows)


def name_package(package: str, section: Record) -> str:
    """Return the name of a package with its version; evenfold is printed bold."""
    return "**evenfold**" if package == "evenfold" else f"{package} {section[package]}"


def make_packages(records: Mapping[str, Any]) -> str:
    """Return all records beside other packages."""
    rows = [
        [
            TITLES.get(record["data"], record["data"]),
            record["package"],
            CALLS[record["package"]],
            f"{record['rLD']:.4f}",
            f"{record['FLZ']:.0f}",
            f"{record['rows off']:.0f}",
            "" if record["groups cut %"] is None else f"{record['groups cut %']:.0f} %",
            f"{record['time']:.2f}",
        ]
        for record in records["default"]["sections"]["packages"]["records"]
    ]
    heading = ["data", "package", "call", "rLD", "FLZ", "rows off", "patients in two folds", "time"]
    return make_table(heading, rows)


def make_beside_peer(records: Mapping[str, Any], section: str) -> str:
    """Return the records of a section beside iterative-stratification."""
    with_labelsets = section == "default"
    heading = ["data", "parts", "rLD", "bound", "labelsets over bound", "rLD, other", "rows off"]
    heading.append("time")
    rows = [
        [
            record["data"] + ("" if record[""] == "tuned on" else r" \*"),
            record["parts"],
            f"{record['rLD']:.4f}",
            f"{record['bound']:.4f}",
            *([f"{record['labelsets excess %']:.1f} %"] if with_labelsets else []),
            f"{record['peer rLD']:.4f}",
            f"{record['peer rows off']:.0f}",
            f"{record['ms'] / record['peer ms']:.2f}",
        ]
        for record in records["default"]["sections"][section]["records"]
        if record["parts"] in SHOWN_PARTS and record.get("peer ms") is not None
    ]
    return make_table([name for name in heading if with_labelsets or "labelsets" not in name], rows)


def make_same_method(records: Mapping[str, Any]) -> str:
    """Return the same methods in other packages, on delicious in 5 folds."""
    results = records["results"]
    times = results["delicious_5_folds_times_as_long_as_the_same_method_of_evenfold"]
    rld, versions = results["delicious_5_folds_rld"], results["peers"]
    pairs = (
        (
            "scikit-multilearn-ng, order 2",
            "scikit-multilearn-ng",
            "`iterative`, `order=2`",
            "iterative, order 2",
        ),
        ("optisplit", "optisplit", "`optisplit`", "evenfold optisplit"),
    )
    rows = [
        [
            title.replace(package, f"{package} {versions[package]}"),
            own,
            times[title],
            f"{rld[title]:.4f}",
            f"{rld[key]:.4f}",
        ]
        for title, package, own, key in pairs
    ]
    heading = ["compared", "with", "times as long", "rLD, other", "rLD, evenfold"]
    return make_table(heading, rows)


def make_growth(records: Mapping[str, Any]) -> str:
    """Return how long the largest set takes, beside a pass over its entries."""
    rows = [
        [
            record["parts"],
            f"`{record['order']}`" if "=" in record["order"] else record["order"],
            f"{record['times tocsc()']:.0f}",
        ]
        for record in records["default"]["sections"]["large"]["records"]
        if record["data"] == "go_sp2014_mf"
    ]
    return make_table(["parts", "kept even", "times as long as `tocsc()`"], rows)


def make_files(records: Mapping[str, Any]) -> str:
    """Return how long five million rows of parquet take, beside reading the label column."""
    times = dict(records["results"]["parquet_5_million_rows_times_reading_the_label_column"])
    memory = times.pop("peak_memory_mb")
    rows = [[what, f"{ratio:.1f}"] for what, ratio in times.items()]
    table = make_table(["split", "times as long as reading the label column"], rows)
    return f"{table}\n\nThe most memory was {memory / 1000:.1f} GB."


def make_table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


MAKERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "summary": make_summary,
    "packages": make_packages,
    "default": lambda records: make_beside_peer(records, "default"),
    "order1": lambda records: make_beside_peer(records, "order1"),
    "same-method": make_same_method,
    "growth": make_growth,
    "files": make_files,
}


if __name__ == "__main__":
    main()
