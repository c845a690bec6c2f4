"""Tables of splits past memory and of linked rows, from scale.json."""

from __future__ import annotations

import re

from .markdown import Records, format_percent, make_table

DATA = {
    "go_sp2014_mf": "go_sp2014_mf (460,000 rows, 6,800 labels)",
    "made ontology": "made ontology (300,000 rows, 43 labels a row)",
    "wiki10_31k": "Wiki10-31K (20,000 rows, 31,000 labels)",
}
CASES = {
    ("groups", "gather"): "with its groups",
    ("last quarter added", "gather"): "the last quarter added by `extend`",
    ("last quarter added", "in memory"): "the same by `evenfold.extend`",
}
PASSES = {
    "read": "the label columns of the data, once",
    "ladder": "the work folder",
    "stay": "the work folder",
    "place": "the work folder",
    "centre": "gathered rows, on the driver",
    "parts": "the work folder",
    "write": "the data, once",
}
LINKS = {
    "faiss, exact": "faiss, exact, all rows within the threshold",
    "scikit-learn": "scikit-learn, exact",
    "evenfold, exact": "evenfold, exact",
    "faiss, neighbours": "faiss, 10 neighbours in the same cells",
    "evenfold, approximate": "evenfold, approximate",
    "link and split": "evenfold: link, split of 20 labels into 80/10/10 %, certificate",
}


def make_quality(records: Records) -> str:
    """Return how even splits past memory are, beside those in memory."""
    rows, seen = [], set()
    for record in records["scale"]["sections"]["quality"]["records"]:
        title = CASES.get((record["case"], record["scheme"]), "")
        if not title and record["data"] not in seen:
            title = DATA[record["data"]]
        seen.add(record["data"])
        parts = record["case"] if "/" in record["case"] else "5"
        budget = "" if record["budget"] is None else format_percent(100 * record["budget"], 0)
        excess, base = (format_percent(record[name], 2) for name in ("excess %", "in memory %"))
        worst = f"{record['points, worst']:.2f}"
        rows.append([title, parts, record["scheme"], budget, excess, base, worst])
    heading = ["data", "parts", "scheme", "budget", "excess", "in memory"]
    return make_table([*heading, "points above it, worst of 5 seeds"], rows)


def make_large_scale(records: Records) -> str:
    """Return what splits of many rows cost."""
    rows = []
    for record in records["scale"]["sections"]["large"]["records"]:
        is_split = "wall s" in record
        way = {"Dask": "Dask, 2 workers, budget 2 %"}.get(record["way"], record["way"])
        rows.append(
            [
                way if is_split else f"`{way}`",
                f"{record['rows'] / 1e6:.0f} million",
                format_percent(record["excess %"], 3),
                f"{record['wall ns per entry']:.0f}" if is_split else "",
                f"{record['times a tenth']:.2f}" if record.get("times a tenth") else "",
                f"{1e9 * record['CPU s'] / record['n_entries']:.0f}",
                f"{record['PSS GB']:.1f} GB",
                f"{record['disk GB']:.1f} GB" if is_split else "",
            ]
        )
    heading = ["", "rows", "excess", "wall ns an entry", "of a tenth", "CPU ns an entry"]
    return make_table([*heading, "memory, all processes", "disk"], rows)


def make_passes(records: Records) -> str:
    """Return the processor time of each pass, on Dask with the most rows."""
    large = records["scale"]["sections"]["large"]["records"]
    most = max((own for own in large if own["way"] == "Dask"), key=lambda own: own["rows"])
    base = next(own for own in large if own["way"].startswith("evenfold.split"))
    of_base = 1e9 * base["CPU s"] / base["n_entries"]
    rows = []
    for name, reads in PASSES.items():
        own = 1e9 * most["passes"][name]["CPU"] / most["n_entries"]
        rows.append([name, reads, f"{own:.0f}", f"{own / of_base:.2f}"])
    heading = ["pass", "reads", "CPU ns an entry", "times `evenfold.split(order=1)`"]
    return make_table(heading, rows)


def make_links(records: Records) -> str:
    """Return time and memory of searches for similar rows."""
    rows = [
        [
            f"{record['rows']:,}",
            LINKS[record["search"]],
            f"{record['ratio']:.2g}",
            f"{record['MB']:,.0f}",
            # The number of cells, and the sizes of the split, are only in the record.
            re.sub(r" \[\d+ cells.*|, sizes .*", "", record["found"]),
        ]
        for record in records["scale"]["sections"]["links"]["records"]
    ]
    return make_table(["rows", "search", "ratio", "MB", "found"], rows)
