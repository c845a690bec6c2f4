"""evenfold's methods beside the packages it replaces: same labels, same run, in turns."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import sparse

import evenfold
from evenfold.quality import Quality

from .iterstrat import join_folds, split_by_iterstrat
from .memory import measure_extra_memory
from .sections.settings import Settings
from .tables import RecordTable
from .timing import time_in_turns

# A job that takes longer is timed once, and its memory is not measured.
MAX_SECONDS_TO_REPEAT = 20.0
REAL_DATA = ("bibtex", "delicious")
# Left out to save time: no page shows it.
NOT_RUN = {("delicious", "optisplit, dcp")}
FORMATS = {
    "data": "",
    "splitter": "",
    "compared with": "",
    "time": ".3g",
    "ED": ".1f",
    "LD": ".5f",
    "rLD": ".4f",
    "excess %": ".1f",
    "DCP": ".4f",
    "FLZ": ",",
    "FLPZ": ",",
    "rLD pairs": ".4f",
    "rLD labelsets": ".4f",
    "MB": ".0f",
}
NOTE = """
5 folds. All jobs run in one process, in turns. The minimum of several runs counts; a job of more
than {seconds:.0f} s is run once. 'time' is a multiple of that of the method in 'compared with'.
Memory is the peak beyond the input. optisplit uses the name `np.int`, which NumPy no longer has.
The benchmark defines that name and changes nothing else."""

Place = Callable[[sparse.csr_array, np.ndarray], np.ndarray]


class Splitter(NamedTuple):
    """A way to make five folds.

    `place` takes the sparse and the dense labels and returns the part of each row. `compared_with`
    is the title of evenfold's method of the same kind.
    """

    place: Place
    compared_with: str = "evenfold iterative"


def run_skmultilearn(order: int, seed: int | None = None) -> Place:
    """Return a run of scikit-multilearn-ng at this order.

    With a seed, that package shuffles the labels and does not map the folds back.
    """

    def run(_: sparse.csr_array, dense: np.ndarray) -> np.ndarray:
        from skmultilearn.model_selection import IterativeStratification

        splitter = IterativeStratification(n_splits=5, order=order, random_state=seed)
        folds = splitter.split(np.zeros((len(dense), 1)), dense)
        return join_folds(len(dense), (test for _, test in folds))

    return run


def run_optisplit(measure: str) -> Place:
    """Return a run of the package optisplit with its own defaults. Its output is not shown."""

    def run(y: sparse.csr_array, _: np.ndarray) -> np.ndarray:
        from optisplit.cv_balance import optisplit

        np.int = int  # noqa: NPY001 - optisplit needs the old name
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            folds = optisplit(5, sparse.csr_matrix(y.astype(np.int64)), method=measure)
        return join_folds(y.shape[0], (test for _, test in folds))

    return run


def run_evenfold(**options: object) -> Place:
    """Return a run of evenfold on the sparse matrix."""
    return lambda y, _: evenfold.split(y, 5, **options).part_of_row


SPLITTERS = {
    "evenfold even": Splitter(run_evenfold()),
    "evenfold even, order 1": Splitter(run_evenfold(order=1)),
    "evenfold iterative": Splitter(run_evenfold(method="iterative")),
    "iterative-stratification": Splitter(lambda _, dense: split_by_iterstrat(dense, 5)),
    "scikit-multilearn-ng, order 1": Splitter(run_skmultilearn(1)),
    "scikit-multilearn-ng, order 1, seeded": Splitter(run_skmultilearn(1, seed=0)),
    "evenfold iterative, order 2": Splitter(run_evenfold(method="iterative", order=2)),
    "scikit-multilearn-ng, order 2": Splitter(run_skmultilearn(2), "evenfold iterative, order 2"),
    "evenfold optisplit": Splitter(run_evenfold(method="optisplit")),
    "optisplit": Splitter(run_optisplit("rld"), "evenfold optisplit"),
    "evenfold optisplit, dcp": Splitter(run_evenfold(method=evenfold.methods.OptiSplit("dcp"))),
    "optisplit, dcp": Splitter(run_optisplit("dcp"), "evenfold optisplit, dcp"),
}


def measure_peers(settings: Settings) -> list[dict[str, object]]:
    """Return a record for each data set and splitter, and one for the bounds of each set."""
    table = RecordTable("evenfold's methods beside other packages", FORMATS)
    made = evenfold.datasets.make_zipf(4_000, 60, labels_per_row=3, exponent=0.8)
    for name, y in [("made", made), *settings.read_sets(REAL_DATA)]:
        compare(table, name, y)
    print(NOTE.format(seconds=MAX_SECONDS_TO_REPEAT))
    return table.records


def compare(table: RecordTable, name: str, y: sparse.csr_array) -> None:
    """Run every splitter on these labels and add a record for each."""
    seconds, part_of_row = run_all(name, y)
    for title, part in part_of_row.items():
        own = evenfold.measure(y, part, 5)
        peer = SPLITTERS[title].compared_with
        table.add(
            {
                "data": name,
                "splitter": title,
                "compared with": peer,
                "time": seconds[title] / seconds[peer],
                "s": seconds[title],
                **list_measures(own),
                "excess %": 100 * own.excess,
                "MB": measure_memory(y, title, seconds[title]),
            }
        )
    bound = evenfold.measure(y, part_of_row["evenfold even"], 5).bound
    table.add({"data": name, "splitter": "bound", **list_measures(bound)})


def run_all(name: str, y: sparse.csr_array) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """Return the seconds and the part of each row of every splitter."""
    dense = y.toarray()
    part_of_row: dict[str, np.ndarray] = {}

    def make_job(title: str) -> Callable[[], None]:
        def run() -> None:
            part_of_row[title] = SPLITTERS[title].place(y, dense)

        return run

    jobs = {title: make_job(title) for title in SPLITTERS if (name, title) not in NOT_RUN}
    for title, job in jobs.items():
        if title.startswith("evenfold"):
            job()  # compiles and loads the kernels
    seconds = time_in_turns(jobs, repeats=1)
    short = {title: job for title, job in jobs.items() if seconds[title] < MAX_SECONDS_TO_REPEAT}
    again = time_in_turns(short, repeats=3)
    return seconds | {title: min(seconds[title], again[title]) for title in again}, part_of_row


def list_measures(values: Quality) -> dict[str, float]:
    """Return the measures of a quality or of its bounds, by column."""
    return {
        "ED": values.ed,
        "LD": values.ld,
        "rLD": values.rld,
        "DCP": values.dcp,
        "FLZ": values.flz,
        "FLPZ": values.flpz,
        "rLD pairs": values.rld_pairs,
        "rLD labelsets": values.rld_labelsets,
    }


def measure_memory(y: sparse.csr_array, title: str, seconds: float) -> float | None:
    """Return the peak MB of a splitter, with the dense copy of the labels if it needs one.

    None if the splitter takes too long to run it once more.
    """
    if seconds > MAX_SECONDS_TO_REPEAT:
        return None
    # evenfold compiles only for many rows. Compiling must not be counted.
    n_copies = 1000 if title.startswith("evenfold") else 10
    setup = f"""
from benchmarks.peers import SPLITTERS
place = SPLITTERS[{title!r}].place
small = sparse.csr_array(sparse.eye(40, 8, format="csr"))
warm_up = sparse.csr_array(sparse.vstack([small] * {n_copies}))
place(warm_up, warm_up.toarray())
"""
    needs_dense = title.startswith(("iterative-", "scikit-"))
    job = "place(y, y.toarray())" if needs_dense else "place(y, None)"
    extra, _ = measure_extra_memory(y, setup, job)
    return extra / 2**20
