"""`even` beside iterative-stratification: time and quality on every set."""

from __future__ import annotations

from collections.abc import Mapping

from scipy import sparse

from ..iterstrat import split_by_iterstrat
from ..tables import RecordTable
from .settings import PARTS, Parts, Settings, find_origin, measure_splits, run_splits, warm_up

# The peer needs a dense array, and too much memory or time for these.
TOO_LARGE_FOR_PEER = ("go_sp2014_mf", "wiki10_31k")
# The share of the peer's time that the default should take at most.
GOALS = {
    "chestxray14": 0.2,
    "debtags": 0.2,
    "delicious": 0.2,
    "tmc2007": 0.35,
    "corel5k": 0.35,
    "bibtex": 0.35,
    "scene": 0.5,
    "yeast": 0.5,
}
# A peer that takes less than this needs no faster one.
MIN_PEER_MS = 20.0
FORMATS = {
    "data": "",
    "": "",
    "parts": "",
    "rLD": ".4f",
    "bound": ".4f",
    "excess %": ".2f",
    "labelsets excess %": ".2f",
    "rLD ≥ 50 rows": ".4f",
    "bound ≥ 50 rows": ".4f",
    "rows off": ".1f",
    "ms": ".1f",
    "peer rLD": ".4f",
    "peer rows off": ".0f",
    "peer ms": ".0f",
    "time / peer": ".2f",
}
NOTE = """
One process, in turns, processor time: the minimum of {repeats} runs of a seed, mean of {n_seeds}
seeds. Beyond 1 s, later seeds run once; beyond 3 s, only the first seed runs, once. evenfold gets
the sparse matrix as it is stored, the peer (iterative-stratification) a dense boolean array; making
that array is not counted. 'rows off' is the most rows that a part is off its share."""


def measure_default(settings: Settings) -> list[dict[str, object]]:
    """Measure the default split beside the peer, with the goals of its time."""
    return measure_beside_peer("Default", settings, {}, GOALS)


def measure_order_1(settings: Settings) -> list[dict[str, object]]:
    """Measure splits by labels only beside the peer, and delicious in 50 parts."""
    return measure_beside_peer("Labels only: order=1", settings, {"order": 1}, {})


def measure_beside_peer(
    title: str, settings: Settings, options: Mapping[str, object], goals: Mapping[str, float]
) -> list[dict[str, object]]:
    """Measure the splits with these options beside those of the peer."""
    warm_up()
    table = RecordTable(title, FORMATS | ({"goal": "", "met": ""} if goals else {}))
    for name, y in settings.read_sets():
        cases: dict[str, Parts] = dict(PARTS)
        if name == "delicious" and options:
            cases["50 folds"] = 50
        for shown, parts in cases.items():
            record = measure_case(name, y, parts, options, settings)
            if goals and record.get("peer ms") is not None:
                record |= compare_with_goal(record, goals.get(name, 1.0))
            table.add({"data": name, "": find_origin(name), "parts": shown, **record})
    print(NOTE.format(repeats=settings.repeats, n_seeds=len(settings.seeds)))
    return table.records


def measure_case(
    name: str,
    y: sparse.csr_array,
    parts: Parts,
    options: Mapping[str, object],
    settings: Settings,
) -> dict[str, object]:
    """Return the record of one set and one way to cut it."""
    peer = {}
    if name not in TOO_LARGE_FOR_PEER:
        dense = y.toarray().astype(bool)
        peer["peer"] = lambda seed: split_by_iterstrat(dense, parts, seed)
    runs = run_splits(y, parts, {"evenfold": options}, settings, peer)
    seconds = {title: run.seconds for title, run in runs.items()}
    record = {
        "ms": 1000 * seconds["evenfold"],
        **measure_splits(y, parts, runs["evenfold"].results),
    }
    if "peer" in runs:
        of_peer = measure_splits(y, parts, runs["peer"].results, with_labelsets=False)
        record |= {
            "peer rLD": of_peer["rLD"],
            "peer FLZ": of_peer["FLZ"],
            "peer rows off": of_peer["rows off"],
            "peer ms": 1000 * seconds["peer"],
            "time / peer": seconds["evenfold"] / seconds["peer"],
        }
    return record


def compare_with_goal(record: Mapping[str, object], goal: float) -> dict[str, object]:
    """Return the goal of the time and whether it is met."""
    if record["peer ms"] < MIN_PEER_MS:
        return {"goal": "none", "met": "peer below 20 ms"}
    return {"goal": f"≤ {goal:.2f}", "met": "yes" if record["time / peer"] <= goal else "NO"}
