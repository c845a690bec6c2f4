"""Tables of evenfold beside other packages."""

from __future__ import annotations

import textwrap

from .markdown import (
    Record,
    Records,
    find_record,
    format_percent,
    format_rld,
    list_records,
    make_table,
)

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
# The same methods in other packages: package, splitter, what is compared with it.
SAME_METHOD = (
    (
        "scikit-multilearn-ng",
        "scikit-multilearn-ng, order 2",
        "evenfold iterative, order 2",
        "`iterative`, `order=2`",
    ),
    ("optisplit", "optisplit", "evenfold optisplit", "`optisplit`"),
)


def make_summary(records: Records) -> str:
    """Return the table of the README: a row for each package, a column for each data set."""
    own = list_records(records, "packages")
    section = records["results"]["sections"]["packages"]
    sets = list(dict.fromkeys(record["data"] for record in own))
    heading = ["5 folds", *(TITLES.get(name, name) for name in sets)]
    rows = []
    for package in dict.fromkeys(record["package"] for record in own):
        of_package = {record["data"]: record for record in own if record["package"] == package}
        times = [record["time"] for record in of_package.values()]
        rows.append(
            [
                name_package(package, section),
                *(format_rld(of_package[name]["rLD"]) for name in sets),
                f"{max(record['rows off'] for record in of_package.values()):.0f}",
                format_percent(of_package[SET_OF_PATIENTS]["groups cut %"], 0),
                "1" if package == "evenfold" else f"{min(times):.1f}–{max(times):.1f}",
            ]
        )
    exact = {record["data"]: record["bound"] for record in own if record["package"] == "evenfold"}
    least = [format_rld(exact[name]) for name in sets]
    # The sizes of evenfold are exact: no fold can be nearer to its share.
    rows.append(["the least possible", *least, rows[0][-3], "0 %", ""])
    return make_table([*heading, "rows off", "patients in two folds", "time"], rows)


def name_package(package: str, section: Record) -> str:
    """Return the name of a package with its version; evenfold is printed bold."""
    return "**evenfold**" if package == "evenfold" else f"{package} {section[package]}"


def make_packages(records: Records) -> str:
    """Return all records beside other packages."""
    rows = [
        [
            TITLES.get(record["data"], record["data"]),
            record["package"],
            CALLS[record["package"]],
            format_rld(record["rLD"]),
            f"{record['FLZ']:.0f}",
            f"{record['rows off']:.0f}",
            format_percent(record["groups cut %"], 0),
            f"{record['time']:.2f}",
        ]
        for record in list_records(records, "packages")
    ]
    heading = ["data", "package", "call", "rLD", "FLZ", "rows off", "patients in two folds", "time"]
    return make_table(heading, rows)


def make_beside_peer(records: Records, section: str) -> str:
    """Return the records of a section beside iterative-stratification."""
    with_labelsets = section == "default"
    heading = ["data", "parts", "rLD", "bound", "labelsets over bound", "rLD, other", "rows off"]
    heading.append("time")
    rows = [
        [
            record["data"] + ("" if record[""] == "tuned on" else r" \*"),
            record["parts"],
            format_rld(record["rLD"]),
            format_rld(record["bound"]),
            *([format_percent(record["labelsets excess %"])] if with_labelsets else []),
            format_rld(record["peer rLD"]),
            f"{record['peer rows off']:.0f}",
            f"{record['time / peer']:.2f}",
        ]
        for record in list_records(records, section)
        if record["parts"] in SHOWN_PARTS and record.get("peer ms") is not None
    ]
    return make_table([name for name in heading if with_labelsets or "labelsets" not in name], rows)


def make_slower(records: Records) -> str:
    """Return where the default takes longer than iterative-stratification, and how much."""
    cases = [own for own in list_records(records, "default") if own.get("peer ms") is not None]
    slower = [record for record in cases if record["time / peer"] > 1]
    most = max(slower, key=lambda record: record["time / peer"])
    sets = list(dict.fromkeys(record["data"] for record in slower))
    longest = max(record["ms"] for record in slower)
    return (
        f"evenfold takes longer in {len(slower)} of {len(cases)} cases (10 folds included), on "
        f"{len(sets)} sets:\n{textwrap.fill(', '.join(sets), 99)}.\nIt takes up to "
        f"{most['time / peer']:.1f} times as long ({most['data']}, {most['parts']}), and at most "
        f"{longest:.0f} ms in these cases."
    )


def make_same_method(records: Records) -> str:
    """Return the same methods in other packages, on delicious in 5 folds."""
    versions = records["results"]["sections"]["peers"]
    rows = []
    for package, splitter, ours, shown in SAME_METHOD:
        other = find_record(records, "peers", data="delicious", splitter=splitter)
        own = find_record(records, "peers", data="delicious", splitter=ours)
        rows.append(
            [
                splitter.replace(package, f"{package} {versions[package]}"),
                shown,
                f"{other['time']:.0f}",
                format_rld(other["rLD"]),
                format_rld(own["rLD"]),
            ]
        )
    return make_table(["compared", "with", "times as long", "rLD, other", "rLD, evenfold"], rows)
