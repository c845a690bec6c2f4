"""Time of the compiled kernels beside another revision.

    python -m benchmarks.kernels REV --data DIR

Both revisions run in processes of their own, case by case in turns; the least processor time of
several runs counts. The first call, which compiles, is timed apart, with an empty cache. The splits
are compared too: a faster kernel that places rows elsewhere is another method.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from .data import read_groups, read_labels

ROOT = Path(__file__).resolve().parent.parent
# Data, method, settings of `split`.
CASES: dict[str, tuple[str, str, dict[str, object]]] = {
    "even bibtex": ("bibtex", "even", {}),
    "even delicious": ("delicious", "even", {}),
    "even delicious, labels only": ("delicious", "even", {"order": 1}),
    "even wiki10_31k": ("wiki10_31k", "even", {}),
    "even chestxray14, groups": ("chestxray14", "even", {"groups": True}),
    "iterative delicious": ("delicious", "iterative", {}),
    "iterative wiki10_31k": ("wiki10_31k", "iterative", {}),
    "iterative go_sp2014_mf": ("go_sp2014_mf", "iterative", {}),
    "iterative chestxray14, groups": ("chestxray14", "iterative", {"groups": True}),
    "optisplit bibtex": ("bibtex", "optisplit", {}),
    "optisplit delicious": ("delicious", "optisplit", {}),
}
COLD = ("even bibtex", "iterative bibtex", "optisplit bibtex")


def main() -> None:
    """Print a table of seconds, before and now."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision", nargs="?", default="HEAD")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", help="cases whose name holds this text")
    parser.add_argument("--cold", type=int, default=3, help="runs of the first call")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.data)
        return
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        subprocess.run(
            ["git", "worktree", "add", "--detach", "-q", str(before), options.revision],
            cwd=ROOT,
            check=True,
        )
        try:
            compare(before, options)
        finally:
            subprocess.run(
                ["git", "worktree", "remove", "--force", str(before)], cwd=ROOT, check=True
            )


def compare(before: Path, options: argparse.Namespace) -> None:
    """Run every case in both source trees by turns and print the table."""
    sources = {"before": before / "src", "now": ROOT / "src"}
    print(f"{'case':34}{'before':>9}{'now':>9}{'ratio':>7}  split")
    workers = {title: start(source, options.data) for title, source in sources.items()}
    for case in (case for case in CASES if options.only in case):
        least = dict.fromkeys(workers, float("inf"))
        hashes = {}
        # One run more than counted: the first compiles.
        for number in range(options.repeats + 1):
            for title, worker in workers.items():
                seconds, hashes[title] = ask(worker, case)
                least[title] = min(least[title], seconds) if number else float("inf")
        show(case, least, "same" if len(set(hashes.values())) == 1 else "OTHER")
    for worker in workers.values():
        worker.stdin.close()  # type: ignore[union-attr]
        worker.wait()
    for case in COLD[: len(COLD) if options.cold else 0]:
        least = dict.fromkeys(sources, float("inf"))
        for _ in range(options.cold):
            for title, source in sources.items():
                worker = start(source, options.data)
                least[title] = min(least[title], ask(worker, case)[0])
                worker.stdin.close()  # type: ignore[union-attr]
                worker.wait()
        show(f"{case}, first call", least, "")


def show(case: str, least: dict[str, float], note: str) -> None:
    """Print one line of the table."""
    ratio = least["now"] / least["before"]
    print(f"{case:34}{least['before']:9.3f}{least['now']:9.3f}{ratio:7.2f}  {note}", flush=True)


def start(source: Path, data: Path) -> subprocess.Popen[str]:
    """Start a process that splits by the code in `source`, with an empty cache."""
    cache = tempfile.mkdtemp()
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.kernels", "--serve", "--data", str(data.resolve())],
        env={**os.environ, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": cache},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def ask(worker: subprocess.Popen[str], case: str) -> tuple[float, str]:
    """Return the seconds of one run of a case and the hash of its split."""
    worker.stdin.write(case + "\n")  # type: ignore[union-attr]
    worker.stdin.flush()  # type: ignore[union-attr]
    seconds, digest = json.loads(worker.stdout.readline())  # type: ignore[union-attr]
    return seconds, digest


def serve(data: Path) -> None:
    """Split as the lines of the standard input say, and print seconds and hash of each."""
    import evenfold

    for line in sys.stdin:
        case = line.strip()
        name, method, settings = CASES.get(case) or (case.split()[1], case.split()[0], {})
        y = read_labels(data, name)
        keywords = dict(settings)
        if keywords.pop("groups", False):
            keywords["groups"] = np.unique(read_groups(data, name), return_inverse=True)[1]
        began = time.process_time()
        s = evenfold.split(y, 5, method=method, **keywords)
        seconds = time.process_time() - began
        digest = hashlib.sha256(np.asarray(s.part_of_row, "<i4").tobytes()).hexdigest()[:16]
        print(json.dumps([seconds, digest]), flush=True)


if __name__ == "__main__":
    main()
