"""Tables of the pages "Coming from", from the records in coming_from.json."""

from __future__ import annotations

from collections.abc import Callable

from .markdown import Records, make_table

# Pages with such a table.
PAGES = ("iterative-stratification", "scikit-multilearn", "scikit-learn", "optisplit", "datasail")
# Calls of evenfold that the pages "Coming from" show beside those of other packages.
DEFAULT_CALL = "split(Y, 5)"
RANDOM_CALL = 'split(Y, 5, method="random")'
OPTISPLIT_CALL = 'split(Y, 5, method="optisplit-published")'
SHUFFLE_SPLIT = "MultilabelStratifiedShuffleSplit"


def make_coming_from(records: Records, package: str, *calls: str) -> str:
    """Return all calls of a package, and some of evenfold, on the data of the page."""
    section = records["coming_from"]["sections"]["coming_from"]
    shown = [
        (f"{package} {section[package]}", record["call"], record)
        for record in section["records"]
        if record["package"] == package
    ]
    by_call = {own["call"]: own for own in section["records"] if own["package"] == "evenfold"}
    shown += [("evenfold", call, by_call[call]) for call in calls]
    rows = []
    for name, call, record in shown:
        least, most = record["least"], record["most"]
        size = str(least) if least == most else f"{least} to {most}"
        own_call, comma, remark = call.partition(", with")
        rows.append(
            [
                name,
                f"`{own_call}`{comma}{remark}",
                f"{record['rLD']:.4f}",
                f"{record['bound']:.4f}",
                size,
            ]
        )
    return make_table(["package", "call", "rLD", "bound", "rows of a fold or test part"], rows)


def make_datasail(records: Records) -> str:
    """Return splits of DataSAIL and of evenfold on rows in clusters."""
    section = records["coming_from"]["sections"]["datasail"]
    rows = []
    for record in section["records"]:
        is_ours = record["package"] == "evenfold"
        name = "evenfold" if is_ours else f"DataSAIL {section['datasail']}"
        row = [name, f"`{record['call']}`" if is_ours else record["call"]]
        if "rLD" in record:
            row += [
                f"{record['rLD']:.3f}",
                str(record["least test rows"]),
                f"{record['similarity between parts %']:.1f} %",
                str(record["similar pairs in two parts"]),
            ]
        else:
            row += ["no split found", "", "", ""]
        rows.append(row)
    heading = ["package", "call", "rLD", "test rows", "similarity between parts"]
    return make_table([*heading, "similar pairs in two parts"], rows)


MAKERS: dict[str, Callable[[Records], str]] = {
    "from-iterative-stratification": lambda records: make_coming_from(
        records, "iterative-stratification", DEFAULT_CALL, SHUFFLE_SPLIT, RANDOM_CALL
    ),
    "from-scikit-multilearn": lambda records: make_coming_from(
        records, "scikit-multilearn-ng", DEFAULT_CALL, SHUFFLE_SPLIT, RANDOM_CALL
    ),
    "from-scikit-learn": lambda records: make_coming_from(
        records, "scikit-learn", DEFAULT_CALL, RANDOM_CALL
    ),
    "from-optisplit": lambda records: make_coming_from(
        records, "optisplit", DEFAULT_CALL, OPTISPLIT_CALL, RANDOM_CALL
    ),
    "from-datasail": make_datasail,
}
