"""Searches for similar rows beside plain neighbour searches of faiss: time and peak memory.

Rows are made: clusters of 64 numbers, and a twentieth of the rows are near copies of others. The
approximate search includes its check of 10,000 rows. faiss has the same number of cells and of
probes, trains on as many rows, and searches 10 neighbours of each row. The exact search is compared
with faiss's exact search of all rows within the threshold, and with that of scikit-learn for a
tenth of the rows, times 10. Each job runs in a process of its own; its time is processor time.
Memory is what it needs beyond the rows. "link and split" is the whole: `evenfold.link`, a split of
20 labels into 80, 10 and 10 %, and its certificate.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .sections.scale_settings import ScaleSettings
from .tables import RecordTable

N_ROWS, N_EXACT_ROWS = 1_000_000, 50_000
N_COLUMNS = 64
FORMATS = {"rows": ",", "search": "", "s": ".1f", "ratio": ".2f", "MB": ",.0f", "found": ""}
AT = 0.95
_CODE = """
import sys, time
from pathlib import Path
import numpy as np
{setup}
def memory(kind):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(kind)) * 1024
rows = np.load(sys.argv[1])
Path("/proc/self/clear_refs").write_text("5")
before = memory("VmRSS")
began = time.process_time()
{job}
print()
print(time.process_time() - began, memory("VmHWM") - before, said)
"""
_SEARCH_SETUP = "from evenfold.links.embeddings import make_similar_search"
_SEARCH = """
search = make_similar_search(rows, at={at}, exact={exact})
n_pairs = sum(len(pairs.first) for pairs in search.find_pairs())
cells = search._cells
said = f"{{n_pairs:,}} pairs"
if cells is not None:
    said += f", recall {{search.recall.share:.4f}} of {{search.recall.n_pairs:,}}"
    said += f" [{{cells.n_cells}} cells, {{cells.probes.shape[1]}} probes]"
"""
_LINK_SETUP = "import evenfold"
# Labels of 20 frequencies, from a third of the rows to one in a thousand.
_LINK = """
frequency = np.geomspace(1 / 3, 1e-3, 20)
y = np.random.default_rng(0).random((len(rows), 20)) < frequency
began = time.process_time()
links = evenfold.link(similar=rows, at={at})
linked = time.process_time()
s = evenfold.split(y.astype(np.int8), [0.8, 0.1, 0.1], groups=links)
split_in = time.process_time() - linked
certificate = s.certificate()
said = f"{{links.n_groups:,}} groups, split in {{split_in:.1f}} s, sizes {{s.sizes.tolist()}}"
said += f", rLD {{s.quality.rld:.5f}} of {{s.quality.bound.rld:.5f}}"
said += f", leaking pairs found {{certificate.pairs[0].n_leaking}}"
"""
_FAISS_SETUP = "import faiss"
_FAISS_CELLS = """
rows /= np.linalg.norm(rows, axis=1, keepdims=True)
index = faiss.index_factory(rows.shape[1], "IVF{n_cells},Flat", faiss.METRIC_INNER_PRODUCT)
index.cp.niter, index.cp.max_points_per_centroid, index.cp.min_points_per_centroid = {training}
index.train(rows)
index.add(rows)
index.nprobe = {n_probes}
index.search(rows, 10)
said = "10 neighbours"
"""
_FAISS_EXACT = """
rows /= np.linalg.norm(rows, axis=1, keepdims=True)
index = faiss.IndexFlatIP(rows.shape[1])
index.add(rows)
n_found = sum(
    len(index.range_search(rows[start : start + 10_000], {at})[1])
    for start in range(0, len(rows), 10_000)
)
said = f"{{(n_found - len(rows)) // 2:,}} pairs"
"""
_SKLEARN_SETUP = "from sklearn.neighbors import NearestNeighbors"
_SKLEARN = """
neighbours = NearestNeighbors(radius=1 - {at}, metric="cosine", algorithm="brute").fit(rows)
neighbours.radius_neighbors(rows[: len(rows) // 10], return_distance=False)
began -= 9 * (time.process_time() - began)
said = "a tenth, times 10"
"""


class Job(NamedTuple):
    """The seconds of a job, the bytes it needs beyond the rows, and what it found."""

    seconds: float
    memory: int
    said: str


def make_rows(n_rows: int, n_columns: int = N_COLUMNS, seed: int = 0) -> np.ndarray:
    """Return clusters of about 50 rows, a twentieth of them near copies of other rows.

    The cosine similarity of near copies is from 0.9 to nearly 1.
    """
    rng = np.random.default_rng(seed)
    n_clusters = max(1, n_rows // 50)
    rows = rng.standard_normal((n_clusters, n_columns), np.float32)
    rows = rows[rng.integers(0, n_clusters, n_rows)]
    rows += rng.standard_normal(rows.shape, np.float32) * np.float32(0.7)
    n_copies = n_rows // 20
    noise = rng.choice(np.array([0.01, 0.1, 0.3, 0.5], np.float32), (n_copies, 1))
    rows[:n_copies] = rows[rng.integers(n_copies, n_rows, n_copies)]
    rows[:n_copies] += rng.standard_normal((n_copies, n_columns), np.float32) * noise
    return rows[rng.permutation(n_rows)]


def run_job(path: Path, setup: str, job: str) -> Job:
    """Run statements that use `rows` and set `said`, in a process of its own (Linux)."""
    code = _CODE.format(setup=setup, job=job)
    out = subprocess.run(
        [sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True
    ).stdout
    seconds, memory, said = out.splitlines()[-1].split(maxsplit=2)
    return Job(float(seconds), int(memory), said)


def measure_links(settings: ScaleSettings) -> list[dict[str, object]]:
    """Measure both searches."""
    table = RecordTable("Searches for similar rows", FORMATS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.npy"
        for n_rows, measure in ((N_EXACT_ROWS, measure_exact), (N_ROWS, measure_approximate)):
            n_rows = max(1000, round(n_rows * settings.share))
            np.save(path, make_rows(n_rows))
            measure(table, path, n_rows)
    return table.records


def add_job(table: RecordTable, n_rows: int, name: str, job: Job, base: Job) -> None:
    """Add a record; times are also given as ratios to another job."""
    table.add(
        {
            "rows": n_rows,
            "search": name,
            "s": job.seconds,
            "ratio": job.seconds / base.seconds,
            "MB": job.memory / 1e6,
            "found": job.said,
        }
    )


def measure_approximate(table: RecordTable, path: Path, n_rows: int) -> None:
    """Compare the approximate search with 10 neighbours of faiss in the same cells."""
    from evenfold.links import cells

    search = run_job(path, _SEARCH_SETUP, _SEARCH.format(at=AT, exact=False))
    n_cells, n_probes = (word for word in search.said.split("[")[1].split() if word.isdigit())
    training = (cells.ROUNDS, cells.TRAINING_ROWS_PER_CELL, 1)
    job = _FAISS_CELLS.format(n_cells=n_cells, n_probes=n_probes, training=training)
    plain = run_job(path, _FAISS_SETUP, job)
    add_job(table, n_rows, "faiss, neighbours", plain, plain)
    add_job(table, n_rows, "evenfold, approximate", search, plain)
    linked = run_job(path, _LINK_SETUP, _LINK.format(at=AT))
    add_job(table, n_rows, "link and split", linked, plain)


def measure_exact(table: RecordTable, path: Path, n_rows: int) -> None:
    """Compare the exact search with those of faiss and scikit-learn."""
    plain = run_job(path, _FAISS_SETUP, _FAISS_EXACT.format(at=AT))
    add_job(table, n_rows, "faiss, exact", plain, plain)
    add_job(
        table, n_rows, "scikit-learn", run_job(path, _SKLEARN_SETUP, _SKLEARN.format(at=AT)), plain
    )
    search = run_job(path, _SEARCH_SETUP, _SEARCH.format(at=AT, exact=True))
    add_job(table, n_rows, "evenfold, exact", search, plain)
