"""Tables of evenfold alone: growth, files, start, tolerances, groups, numbers, estimates."""

from __future__ import annotations

from itertools import groupby

from .markdown import (
    Records,
    find_record,
    format_percent,
    format_rld,
    list_records,
    make_table,
)

POPULATION_ROWS = (
    ("MAP", "MAP, mean over folds"),
    ("MAP", "MAP, pooled"),
    ("macro-F1", "macro-F1, pooled"),
    ("micro-AP", "micro-AP, pooled"),
    ("micro-AUC", "micro-AUC, pooled"),
    ("macro-AUC", "macro-AUC, pooled"),
)
SPLITTERS = {
    "KFold": "scikit-learn `KFold`",
    "StratifiedKFold on 5 bins": "scikit-learn `StratifiedKFold` on 5 bins of `pd.qcut`",
    "StratifiedKFold on 10 bins": "scikit-learn `StratifiedKFold` on 10 bins of `pd.qcut`",
    "evenfold": "evenfold `StratifiedKFold`",
}
STARTS = {
    "import evenfold": "`import evenfold`",
    "split 40 rows": "`evenfold.split` of 40 rows",
    "split 1,000 × 20": "`evenfold.split` of 1,000 rows, 20 labels",
    "evenfold split of 3,000 movies (csv)": "`evenfold split` of a csv file of 3,000 rows",
}


def make_runs(records: Records) -> str:
    """Return when, of which revision and where the sections were measured."""
    sections = records["results"]["sections"]
    runs: dict[tuple[str, ...], list[str]] = {}
    for name, section in sections.items():
        day = section["date"].partition(" ")[0]
        source = section["tree of src/evenfold"]
        machine = section["machine"]
        key = (day, section["revision"], source, machine, section["python"], section["numpy"])
        runs.setdefault(key, []).append(f"`{name}`")
    rows = [
        [*key, f"all {len(names)}" if len(runs) == 1 else ", ".join(names)]
        for key, names in runs.items()
    ]
    seconds = sum(section["seconds"] for section in sections.values())
    heading = ["date", "revision", "tree of src/evenfold", "machine", "Python", "NumPy"]
    table = make_table([*heading, "sections"], rows)
    return f"{table}\n\nThey took {seconds / 60:.0f} minutes."


def make_large(records: Records) -> str:
    """Return how long the largest set takes, beside a pass over its entries."""
    rows = [
        [
            record["parts"],
            f"`{record['order']}`" if "=" in record["order"] else record["order"],
            f"{record['times tocsc()']:.0f}",
        ]
        for record in list_records(records, "large")
        if record["data"] == "go_sp2014_mf"
    ]
    return make_table(["parts", "kept even", "times as long as `tocsc()`"], rows)


def make_growth(records: Records) -> str:
    """Return time and memory of generated labels by their number."""
    rows = [
        [
            f"{record['rows']:,}",
            f"{record['entries'] / 1e6:.1f}",
            f"{record['even / tocsc']:.0f}",
            f"{record['even per entry, first = 1']:.2f}",
            f"{record['extra memory / CSR']:.1f}",
        ]
        for record in list_records(records, "growth")
    ]
    heading = ["rows", "million entries", "times `tocsc()`", "time of an entry, first = 1"]
    return make_table([*heading, "memory, of the matrix"], rows)


def make_files(records: Records) -> str:
    """Return how long five million rows of parquet take, beside reading the label column."""
    own = list_records(records, "files")
    rows = [
        [record["labels"], record["split"], f"{record['times reading']:.1f}"]
        for record in own
        if record["split"] != "reading alone"
    ]
    memory = max(record["peak MB"] for record in own if record["split"] != "reading alone")
    table = make_table(["labels", "split", "times as long as reading the label column"], rows)
    return f"{table}\n\nThe most memory was {memory / 1000:.1f} GB."


def make_startup(records: Records) -> str:
    """Return how long new processes take."""
    rows = [
        [title, f"{find_record(records, 'startup', process=process, step='all')['ms']:.0f}"]
        for process, title in STARTS.items()
    ]
    alone = find_record(records, "startup", process="import numpy", step="all")["ms"]
    return make_table(["new process", "ms"], [["`import numpy`", f"{alone:.0f}"], *rows])


def make_tolerance(records: Records) -> str:
    """Return rLD with sizes that may be off, for each set and each way to cut it."""
    rows = []
    own = list_records(records, "tolerance")
    for (data, groups, parts), cells in groupby(
        own, key=lambda record: (record["data"], record["groups"], record["parts"])
    ):
        values = [
            format_rld(cell["rLD"])
            + ("" if cell["tolerance %"] is None else f" at {cell['sizes off %']:.1f} %")
            for cell in cells
        ]
        rows.append([f"{data}, {groups}, {parts}", *values])
    return make_table(["data", "none", "1 %", "5 %", "10 %"], rows)


def make_tolerance_peer(records: Records) -> str:
    """Return folds of made data beside those of StratifiedGroupKFold."""
    rows = [
        [
            f"{record['rows']:,}, {record['groups']:,}, {record['labels']}"
            + (" classes" if record["classes"] == "yes" else ""),
            *(
                f"{format_rld(record[f'{title} rLD'])} at {record[f'{title} off %']:.1f} %"
                for title in ("StratifiedGroupKFold", "exact", "tolerance")
            ),
        ]
        for record in list_records(records, "tolerance-peer")
    ]
    heading = ["rows, groups, labels", "`StratifiedGroupKFold`", "`even`, exact sizes"]
    return make_table([*heading, "`even`, same tolerance"], rows)


def make_groups(records: Records) -> str:
    """Return the default split of sets with groups, all columns of groups kept whole."""
    all_columns = {"debtags": "source package and maintainer"}
    rows = [
        [
            record["data"],
            record["groups by"],
            record["parts"],
            format_rld(record["rLD"]),
            format_rld(record["bound"]),
            "exact" if record["rows off"] < 1 else f"{record['rows off']:.0f} rows off",
        ]
        for record in list_records(records, "groups")
        if record["split"] == "default"
        and record["groups by"] == all_columns.get(record["data"], record["groups by"])
    ]
    return make_table(["data", "groups by", "parts", "rLD", "bound", "sizes"], rows)


def make_one_target(records: Records) -> str:
    """Return how far folds of one number are off."""
    rows = [
        [
            SPLITTERS[record["splitter"]],
            f"{record['mean']:.5f}",
            f"{record['deciles']:.3f}",
            f"{record['distribution']:.3f}",
            f"{record['ms']:.0f}",
        ]
        for record in list_records(records, "one-target")
    ]
    return make_table(["splitter", "mean", "deciles", "distribution", "ms"], rows)


def make_populations(records: Records) -> str:
    """Return bias and error of pooled estimates, of the learner fitted on the whole sample."""
    learners = {"k-NN": "k-NN", "logistic": "logistic regression", "ridge": "ridge"}
    rows = []
    for metric, title in POPULATION_ROWS:
        cells = []
        for learner in learners:
            own = find_record(records, "populations", learner=learner, metric=metric)
            if title.endswith("mean over folds"):
                cells.append(format_bias(own["refitted: bias of mean %"]))
            else:
                bias = format_bias(own["refitted: bias of pooled %"])
                cells.append(f"{bias}, {own['refitted: error ratio']:.2f}")
        rows.append([title, *cells])
    heading = "bias, and error of pooled / mean over folds"
    return make_table([heading, *learners.values()], rows)


def format_bias(value: float) -> str:
    """Return a percentage with its sign; zero has none."""
    return f"{value:+.1f} %" if round(value, 1) else format_percent(0.0)
