"""Check properties on drawn cases until there are enough, and write the record.

python -m reliability.properties --cases 100000
python -m reliability.properties --case 17
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

from ..records import Table, write_record
from .counts import Counts
from .digests import compare_settings
from .named import REMARKS, TESTS
from .registry import Outcome, run_case
from .statements import list_statements
from .subjects import SUBJECTS, list_shown

# The cases of another first seed begin so much later.
CASES_OF_SEED = 10_000_000
# Cases that a process checks before it reports.
CHUNK = 50


def main() -> int:
    """Run one case or many; return 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=100_000, help="property cases to check")
    parser.add_argument("--seed", type=int, default=0, help="another seed draws other cases")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--case", type=int, help="check one case, as printed with a failure")
    given = parser.parse_args()
    warnings.simplefilter("error")
    if given.case is not None:
        return _repeat(given.case)
    began = time.monotonic()
    with ThreadPoolExecutor(1) as beside:
        # These cases run in processes of their own.
        digests = beside.submit(compare_settings, n_jobs=max(1, given.jobs // 2))
        counts = Counts()
        for seed, outcome in run_cases(given.cases, given.seed, given.jobs):
            n_before = len(counts.failures)
            counts.add(seed, outcome)
            print(*counts.failures[n_before:], sep="\n", end="\n" if outcome.failed else "")
            if counts.examples.total() % 500 == 0:
                print(f"{counts.n_cases:,} after {time.monotonic() - began:,.0f} s", flush=True)
            if counts.n_cases >= given.cases:
                break
        compared = digests.result()
    tables = [*counts.make_tables(SUBJECTS), compared.make_table(), _count_statements()]
    write_record("properties", f"make properties CASES={given.cases}", tables)
    n_failed = len(counts.failures) + compared.n_failed
    print(f"{counts.n_cases:,} property cases, {n_failed} failures")
    return int(n_failed > 0)


def run_cases(n_cases: int, seed: int, n_jobs: int) -> Iterator[tuple[int, Outcome]]:
    """Yield the outcomes of cases in their order, without an end."""
    first = seed * CASES_OF_SEED
    chunks = range(first, first + CASES_OF_SEED, CHUNK)
    if n_jobs == 1:
        for start in chunks:
            yield from _run_chunk(start)
        return
    pool = ProcessPoolExecutor(n_jobs)
    try:
        # A few chunks ahead of what is counted.
        running = [pool.submit(_run_chunk, start) for start in chunks[: 2 * n_jobs]]
        for start in chunks[2 * n_jobs :]:
            yield from running.pop(0).result()
            running.append(pool.submit(_run_chunk, start))
    finally:
        pool.shutdown(cancel_futures=True)


def _run_chunk(start: int) -> list[tuple[int, Outcome]]:
    warnings.simplefilter("error")
    return [(seed, run_case(SUBJECTS, seed)) for seed in range(start, start + CHUNK)]


def _repeat(seed: int) -> int:
    outcome = run_case(SUBJECTS, seed)
    print(f"{outcome.subject}: {dict(outcome.described)}")
    for name in outcome.checked:
        print(f"{name}: {outcome.failed.get(name, 'holds')}")
    return int(bool(outcome.failed))


def _count_statements() -> Table:
    statements, shown = set(list_statements()), list_shown()
    rows = [
        ["shown on drawn cases", len(statements & shown)],
        ["shown by a test with cases of its own", len(statements & set(TESTS) - shown)],
        ["remarks that promise nothing", len(statements & set(REMARKS))],
        ["without a property", len(statements - shown - set(TESTS) - set(REMARKS))],
    ]
    caption = "Sentences in the Notes of public docstrings:"
    return Table(["", "sentences"], rows, caption)


if __name__ == "__main__":
    sys.exit(main())
