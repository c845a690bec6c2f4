"""How long a new process takes to split little data, and where that time goes.

All times are processor time. The machine code of the kernels is in Numba's cache.
"""

from __future__ import annotations

import json
import tempfile

from .sections.settings import Settings
from .tables import RecordTable
from .timing import make_python_job, read_children_seconds, time_in_turns

N_REPEATS = 9
FORMATS = {"process": "", "step": "", "ms": ".0f"}
MAKE_LABELS = "import numpy; y = numpy.random.default_rng(0).random((1000, 20)) < 0.15"
SPLIT_LABELS = "import evenfold; evenfold.split(y, 5)"
SPLIT_FILE = ["split", "movies.csv", "--labels", "genres", "--folds", "5"]
RUN_COMMAND = f"""
from evenfold.cli.main import evenfold
evenfold({SPLIT_FILE}, standalone_mode=False)
"""
# The steps of a process, each timed. What a step imports, later ones find in memory.
STEPS_OF_SPLIT = {
    "import numpy": MAKE_LABELS,
    "import evenfold's modules, and scipy without its subpackages": "import evenfold.splits",
    "import numba": "import numba",
    "load the machine code, and split": SPLIT_LABELS,
    "once more: the split alone": SPLIT_LABELS,
}
STEPS_OF_COMMAND = {
    "import click and evenfold.cli": (
        "from evenfold.cli.quick_start import start_quickly; start_quickly()\n"
        "import evenfold.cli.main"
    ),
    "import numpy": "import numpy, numpy.random",
    "import pyarrow": "import pyarrow, pyarrow.compute",
    "import evenfold's modules, and scipy without its subpackages": (
        "import evenfold.splits, evenfold.files.label_columns, evenfold.files.formats.delimited"
    ),
    "import numba": "import numba",
    "load the machine code, read, split, measure and print": RUN_COMMAND,
    "once more: read, split, measure and print alone": RUN_COMMAND,
}
TIMED_STEPS = """
import json, sys, time
seconds = []
for code in json.loads(sys.argv[1]):
    start = time.process_time()
    exec(code)
    seconds.append(time.process_time() - start)
print("\\n" + json.dumps(seconds))
"""


def measure_startup(_: Settings) -> list[dict[str, object]]:
    """Return a record for each process, and for each step of two of them."""
    with tempfile.TemporaryDirectory() as folder:
        make_python_job("-m", "evenfold", "demo", "-o", "movies.csv", folder=folder)()
        return [
            *measure_processes(folder),
            *measure_steps("evenfold.split of 1,000 × 20", STEPS_OF_SPLIT, folder),
            *measure_steps("evenfold split of 3,000 movies", STEPS_OF_COMMAND, folder),
        ]


def measure_processes(folder: str) -> list[dict[str, object]]:
    """Return how long whole processes take."""
    jobs = {
        "python -c pass": ["-c", "pass"],
        "import numpy": ["-c", "import numpy"],
        "import evenfold": ["-c", "import evenfold"],
        "evenfold --help": ["-m", "evenfold", "--help"],
        "split 40 rows": ["-c", "import evenfold; evenfold.split([['a'], ['b']] * 20, 2)"],
        "split 1,000 × 20": ["-c", f"{MAKE_LABELS}\n{SPLIT_LABELS}"],
        "evenfold split of 3,000 movies (csv)": ["-m", "evenfold", *SPLIT_FILE],
    }
    seconds = time_in_turns(
        {name: make_python_job(*words, folder=folder) for name, words in jobs.items()},
        N_REPEATS,
        clock=read_children_seconds,
    )
    table = RecordTable(f"Start of a new process, minimum of {N_REPEATS}", FORMATS)
    for name, taken in seconds.items():
        table.add({"process": name, "step": "all", "ms": 1000 * taken})
    return table.records


def measure_steps(title: str, steps: dict[str, str], folder: str) -> list[dict[str, object]]:
    """Return how long each step of a process takes, the minimum of each."""
    job = make_python_job("-c", TIMED_STEPS, json.dumps(list(steps.values())), folder=folder)
    runs = [json.loads(job().stdout.splitlines()[-1]) for _ in range(N_REPEATS)]
    table = RecordTable(f"Start: where the time goes, {title}", FORMATS)
    for name, *seconds in zip(steps, *runs, strict=True):
        table.add({"process": title, "step": name, "ms": 1000 * min(seconds)})
    return table.records
