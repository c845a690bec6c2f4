"""Measure all sections of `make bench`, each in a process of its own, and record them in one file.

    python -m benchmarks.run [--data DIR] [--only default,order1] [--sets yeast,bibtex]
                             [--seeds 3] [--repeats 2] [--json FILE] [--resume]

Each section prints its tables. With `--json`, a whole run writes a new file beside FILE, section by
section, and replaces FILE when every section is there. If a section fails, the run goes on, ends
with an error, and `--resume` measures what is missing. With `--only`, sections of FILE are
replaced. Each section is recorded with its call, date and revision.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from .amounts import measure_amounts
from .compressed import measure_compressed
from .data import ALL_SETS
from .efforts import measure_efforts
from .evaluation_time import measure_evaluation
from .files import measure_files
from .growth import measure_growth
from .images import measure_images
from .learners import measure_learners
from .one_target import measure_one_target
from .optimum import measure_optimum
from .packages import measure_packages
from .peers import measure_peers
from .populations import measure_populations
from .records import choose, read_content, write_records
from .sections.beside_peer import measure_default, measure_order_1
from .sections.cover import measure_cover
from .sections.groups import measure_groups
from .sections.large import measure_large
from .sections.pairs import measure_pairs
from .sections.settings import Settings
from .sections.tight import measure_tight
from .sections.tolerance import measure_tolerance, measure_tolerance_of_peer
from .startup import measure_startup

N_SEEDS, N_REPEATS = 3, 2
NUMERIC = ("numpy", "scipy", "numba")


class Section(NamedTuple):
    """What makes the records, the packages whose versions count, and whether it needs data."""

    measure: Callable[[Settings], list[dict[str, object]]]
    packages: Sequence[str] = ()
    needs_data: bool = False


SECTIONS = {
    "packages": Section(
        measure_packages,
        ("iterative-stratification", "scikit-multilearn-ng", "scikit-learn"),
        needs_data=True,
    ),
    "default": Section(measure_default, ("iterative-stratification",)),
    "order1": Section(measure_order_1, ("iterative-stratification",)),
    "pairs": Section(measure_pairs),
    "large": Section(measure_large),
    "groups": Section(measure_groups, needs_data=True),
    "tolerance": Section(measure_tolerance, needs_data=True),
    "tolerance-peer": Section(measure_tolerance_of_peer, ("scikit-learn",)),
    "cover": Section(measure_cover),
    "efforts": Section(measure_efforts, needs_data=True),
    "tight": Section(measure_tight, needs_data=True),
    "peers": Section(
        measure_peers, ("iterative-stratification", "scikit-multilearn-ng", "optisplit")
    ),
    "growth": Section(measure_growth),
    "files": Section(measure_files, ("pyarrow",)),
    "compressed": Section(measure_compressed, ("pyarrow",)),
    "images": Section(measure_images),
    "startup": Section(measure_startup, ("pyarrow",)),
    "amounts": Section(measure_amounts),
    "one-target": Section(measure_one_target, ("pandas", "scikit-learn"), needs_data=True),
    "optimum": Section(measure_optimum),
    "populations": Section(measure_populations, ("scikit-learn",)),
    "evaluation": Section(measure_evaluation, ("scikit-learn",)),
    "learners": Section(measure_learners, ("scikit-learn",), needs_data=True),
}


def main() -> None:
    """Measure the sections that are asked for: one here, several in processes of their own."""
    parser = make_parser()
    options = parser.parse_args()
    names = choose(parser, "--only", options.only, SECTIONS)
    sets = choose(parser, "--sets", options.sets, ALL_SETS)
    without_data = [name for name in names if SECTIONS[name].needs_data and not options.data]
    if options.only is None and options.json and without_data:
        parser.error(f"--json needs --data, for the sections {', '.join(without_data)}")
    if options.resume and not (options.json and options.only is None):
        parser.error("--resume needs --json, and no --only")
    if without_data:
        print(f"Not measured, because they need --data: {', '.join(without_data)}")
    names = [name for name in names if name not in without_data]
    if options.only is not None and len(names) == 1:
        seeds = range(options.seeds)
        settings = Settings(options.data, sets, seeds, max(1, options.repeats))
        measure_section(names[0], settings, options.json)
    else:
        measure_sections(names, options)


def measure_section(name: str, settings: Settings, path: Path | None) -> None:
    """Measure a section in this process and record it."""
    section = SECTIONS[name]
    start = time.perf_counter()
    records = section.measure(settings)
    assert records, f"the section {name} has no records"
    write_records(
        path,
        name,
        records,
        [*NUMERIC, *section.packages],
        call=describe_call(sys.argv[1:]),
        seconds=round(time.perf_counter() - start),
        seeds=len(settings.seeds),
        repeats=settings.repeats,
    )


def measure_sections(names: Sequence[str], options: argparse.Namespace) -> None:
    """Measure sections one after another, each in a process of its own."""
    is_whole = options.only is None and options.json is not None
    path = options.json and options.json.with_suffix(".new.json") if is_whole else options.json
    if is_whole and not options.resume:
        path.unlink(missing_ok=True)
    done = read_content(path)["sections"] if is_whole else {}
    failed = []
    for name in names:
        if name in done:
            print(f"\nThe section {name} is of {done[name]['date']}.", flush=True)
        elif subprocess.run(make_command(name, options, path), check=False).returncode:
            print(f"\nThe section {name} failed.", file=sys.stderr, flush=True)
            failed.append(name)
    if failed:
        where = f" The others are in {path}; --resume measures what is missing." if is_whole else ""
        sys.exit(f"Failed: {', '.join(failed)}.{where}")
    if is_whole:
        path.replace(options.json)


def make_command(name: str, options: argparse.Namespace, path: Path | None) -> list[str]:
    """Return the command of one section."""
    given = {
        "--only": name,
        "--data": options.data,
        "--sets": options.sets,
        "--seeds": options.seeds,
        "--repeats": options.repeats,
        "--json": path,
    }
    words = [word for pair in given.items() if pair[1] is not None for word in map(str, pair)]
    return [sys.executable, "-m", "benchmarks.run", *words]


def describe_call(words: Sequence[str]) -> str:
    """Return the call that measured a section, without the folders of this machine."""
    shown = list(words)
    for option in ("--data", "--json"):
        if option in shown:
            at = shown.index(option)
            shown[at : at + 2] = [option, "DIR"] if option == "--data" else []
    return " ".join(["python -m benchmarks.run", *shown])


def make_parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of NAME/labels.npz")
    parser.add_argument("--only", help=f"sections, of {','.join(SECTIONS)}")
    parser.add_argument("--sets", help="data sets, by default all")
    parser.add_argument("--seeds", type=int, default=N_SEEDS, help="number of seeds, from 0")
    parser.add_argument("--repeats", type=int, default=N_REPEATS, help="runs of each seed")
    parser.add_argument("--json", type=Path, help="file of the records")
    parser.add_argument("--resume", action="store_true", help="keep the sections of a stopped run")
    return parser


if __name__ == "__main__":
    main()
