"""Many first starts at once, and starts without a place for compiled code, a home or TMPDIR."""

from __future__ import annotations

import functools
import os
import random
from collections.abc import Callable, Iterator, Mapping

from .commands import find
from .forked import Copy, run_forked
from .permissions import become_nobody, give_to_nobody
from .places import is_same, make_place, measure
from .verdicts import Fault, Verdict, check_end, check_left, judge

N_STARTS = 50
COMMAND = find("split -o file --force")._replace(
    words="split data.csv --labels labels -q --folds 2 --method iterative -o out.csv --force"
)


def list_faults(rng: random.Random) -> Iterator[Fault]:
    """Yield 50 starts at once, and starts in poor environments."""
    del rng
    yield Fault("cold starts at once", f"{N_STARTS} starts, empty cache", start_at_once)
    if os.getuid() == 0:
        for title, variables in POOR.items():
            inject = functools.partial(start_poorly, variables)
            yield Fault("read-only install", title, inject)


def compile_into(folder: str) -> Callable[[], None]:
    """Return what makes a copy of this process compile a kernel, and keep it in a folder."""

    def prepare() -> None:
        import numba

        from evenfold._kernels import iterative

        os.environ["NUMBA_CACHE_DIR"] = folder
        numba.config.reload_config()
        assert (
            iterative.place_iteratively.compiled is not None
        )  # what is loaded is used, however few rows

    return prepare


def start_at_once() -> Verdict:
    """Start many processes that compile the same kernels into one empty folder."""
    with make_place(COMMAND) as place:
        cache = place.folder.parent / "numba"
        cache.mkdir()
        copies = []
        for number in range(N_STARTS):
            words = COMMAND.words.replace("out.csv", f"out{number}.csv").split()
            prepare = compile_into(str(cache))
            copies.append(Copy(words, place.folder, place.variables, prepare))
        all_done = [copy.finish() for copy in copies]
        problems = [problem for done in all_done for problem in check_end(done)]
        problems += [f"{done.code}: {done.stderr[-300:]}" for done in all_done if done.code]
        wanted = measure(COMMAND).outputs["out.csv"]
        for number in range(N_STARTS):
            path = place.folder / f"out{number}.csv"
            if not path.exists() or not is_same(path.read_bytes(), wanted):
                problems.append(f"{path.name} is another split")
            path.unlink(missing_ok=True)
        if not list(cache.rglob("*.nbi")):
            problems.append("nothing was compiled")
        return Verdict("finished", [*problems, *check_left(place)])


POOR: Mapping[str, Mapping[str, str | None]] = {
    "no home": {"HOME": None},
    "a home that does not exist": {"HOME": "/nonexistent"},
    "a home that is read-only": {"HOME": "/"},
    "no TMPDIR": {"HOME": "/nonexistent", "TMPDIR": None},
    "a TMPDIR that does not exist": {"HOME": "/nonexistent", "TMPDIR": "/nonexistent"},
    "a cache folder that is read-only": {"HOME": "/nonexistent", "NUMBA_CACHE_DIR": "/proc"},
}


def start_poorly(others: Mapping[str, str | None]) -> Verdict:
    """Run as a user who may not write into the folder of the package, and compile kernels."""

    def prepare() -> None:
        become_nobody()
        compile_into(os.environ.get("NUMBA_CACHE_DIR", ""))()

    with make_place(COMMAND) as place:
        give_to_nobody(place.folder.parent)
        given = {**place.variables, **others}
        variables = {name: value for name, value in given.items() if value is not None}
        done = run_forked(COMMAND.words.split(), place.folder, variables, prepare)
        return judge(place, done, expected="finished")
