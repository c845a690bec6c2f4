"""`make bench`: how fast and how even `iterative` is, beside the package people leave for it, and beside reading the labels once."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy import sparse

import evenfold

from .data import make_zipf, read_groups, read_labels
from .timing import time_python, time_together


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of NAME/labels.npz")
    folder = parser.parse_args().data
    compare_with_peer(folder)
    if folder:
        show_groups(folder)
    compare_with_transposing()
    show_start()


def compare_with_peer(folder: Path | None) -> None:
    """Time `iterative` beside iterative-stratification on the same labels, five folds."""
    from iterstrat.ml_stratifiers import MultilabelStratifiedKFold

    print("## iterative beside iterative-stratification, 5 folds, same run\n")
    print("| data | entries | ours, sparse: times as fast | ours, dense | rLD ours | rLD theirs | bound | ED ours | ED theirs |")
    print("|---|---|---|---|---|---|---|---|---|")
    sets = {"made: Zipf 20,000 × 200": make_zipf(20_000, 200, 5)}
    for name in ("bibtex", "delicious"):
        real = read_labels(folder, name) if folder else None
        if real is not None:
            sets[name] = real
    for name, y in sets.items():
        dense = y.toarray()
        theirs = np.empty(y.shape[0], int)

        def run_theirs(dense: np.ndarray = dense, theirs: np.ndarray = theirs) -> None:
            for fold, (_, test) in enumerate(MultilabelStratifiedKFold(5, shuffle=True, random_state=0).split(dense, dense)):
                theirs[test] = fold

        seconds = time_together(
            {"theirs": run_theirs, "sparse": lambda y=y: evenfold.split(y, 5), "dense": lambda dense=dense: evenfold.split(dense, 5)}, repeats=3
        )
        ours, other = evenfold.split(y, 5).quality, evenfold.measure(y, theirs, 5)
        faster = [seconds["theirs"] / seconds[form] for form in ("sparse", "dense")]
        print(
            f"| {name} | {y.nnz:,} | {faster[0]:.0f} | {faster[1]:.0f} | {ours.rld:.5f} | {other.rld:.5f} | {ours.bound.rld:.5f} "
            f"| {ours.ed:.1f} | {other.ed:.1f} |"
        )


def show_groups(folder: Path) -> None:
    """Show how even `iterative` is when groups stay whole."""
    print("\n## iterative with groups, 5 folds\n")
    print("| data | groups | times tocsc() | rLD | group-aware bound | ED | FLZ | bound |")
    print("|---|---|---|---|---|---|---|---|")
    for name in ("chestxray14", "go_sp2014_mf"):
        y = read_labels(folder, name)
        if y is None:
            continue
        groups = read_groups(folder, name)
        seconds = time_together({"ours": lambda y=y, groups=groups: evenfold.split(y, 5, groups=groups), "tocsc": y.tocsc}, repeats=3)
        s = evenfold.split(y, 5, groups=groups)
        q = s.quality
        ratio = seconds["ours"] / seconds["tocsc"]
        print(f"| {name} | {len(np.unique(groups)):,} | {ratio:.0f} | {q.rld:.5f} | {q.bound.rld:.5f} | {q.ed:.1f} | {q.flz:,} | {q.bound.flz:,} |")


def compare_with_transposing() -> None:
    """Time `iterative` beside scipy's tocsc(), which reads and writes every entry once, at growing size."""
    print("\n## iterative beside scipy's tocsc(), 5 folds, labels drawn by Zipf's law\n")
    print("| rows × labels | entries | times tocsc() | time per entry, first row = 1 | rLD | bound | random's rLD | peak extra memory / CSR |")
    print("|---|---|---|---|---|---|---|---|")
    evenfold.split(make_zipf(20_000, 100, 10), 5)  # compile
    first = None
    for n_rows in (80_000, 160_000, 320_000, 640_000):
        y = make_zipf(n_rows, 11_000, 84)
        seconds = time_together({"tocsc": y.tocsc, "ours": lambda y=y: evenfold.split(y, 5)}, repeats=3)
        per_entry = seconds["ours"] / y.nnz
        first = first or per_entry
        quality, random = evenfold.split(y, 5).quality, evenfold.split(y, 5, method="random").quality
        print(
            f"| {n_rows:,} × 11,000 | {y.nnz:,} | {seconds['ours'] / seconds['tocsc']:.1f} | {per_entry / first:.2f} | "
            f"{quality.rld:.5f} | {quality.bound.rld:.5f} | {random.rld:.5f} | {extra_memory(y):.1f} |"
        )


def extra_memory(y: sparse.csr_array) -> float:
    """Return what a split takes beyond its input, as a multiple of it, measured in a process that does nothing else (Linux)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "y.npz"
        sparse.save_npz(path, y, compressed=False)
        code = (
            "import sys, evenfold; from pathlib import Path; from scipy import sparse\n"
            "def memory(kind):\n"
            "    return next(int(line.split()[1]) for line in open('/proc/self/status') if line.startswith(kind)) * 1024\n"
            "evenfold.split([['a'], ['b']] * 50_000, 2); y = sparse.csr_array(sparse.load_npz(sys.argv[1]))\n"
            "Path('/proc/self/clear_refs').write_text('5'); before = memory('VmRSS')\n"
            "evenfold.split(y, 5); print(memory('VmHWM') - before, y.data.nbytes + y.indices.nbytes + y.indptr.nbytes)"
        )
        out = subprocess.run([sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True).stdout
    extra, own = map(int, out.split())
    return extra / own


def show_start() -> None:
    """Time the first moments: import, help, a small split in a fresh process."""
    print("\n## starting, beside `python -c pass`\n")
    jobs = {
        "python -c pass": time_python("-c", "pass"),
        "import evenfold": time_python("-c", "import evenfold"),
        "import numpy": time_python("-c", "import numpy"),
        "evenfold --help": time_python("-m", "evenfold", "--help"),
        "split 40 rows": time_python("-c", "import evenfold; evenfold.split([['a'], ['b']] * 20, 2)"),
        "split 20,000 rows": time_python("-c", "import evenfold, numpy; evenfold.split(numpy.eye(20_000, 40), 5)"),
    }
    seconds = time_together(jobs, repeats=7)
    bare = seconds.pop("python -c pass")
    print("| what | times bare Python | over bare Python |")
    print("|---|---|---|")
    for name, taken in seconds.items():
        print(f"| {name} | {taken / bare:.1f} | {1000 * (taken - bare):.0f} ms |")


if __name__ == "__main__":
    main()
