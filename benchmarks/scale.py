"""Splits past memory: evenness, arrangements of rows, 500 million entries, a recount; links.

    python -m benchmarks.scale [--data DIR] [--work DIR] [--only quality,order]
                               [--seeds 5] [--share 1] [--json FILE]

Each section prints a table. `--json` adds the records of the sections that ran to a file. The large
set takes 1.74 GB in the folder `--work`, by default a temporary one; its splits are written beside
it, and the table tells how much disk each one takes at its peak. Files of the set that are there
are kept. `--share 0.001` makes a thousandth of its rows, in as many files, and of those that are
searched for similar ones. Other programs should be idle. `make bench-scale` runs all.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from .links import measure_links
from .records import choose, write_records
from .sections.scale_large import print_large
from .sections.scale_order import print_order
from .sections.scale_quality import print_quality
from .sections.scale_recount import print_recount
from .sections.scale_settings import ScaleSettings

SECTIONS: dict[str, Callable[[ScaleSettings], list[dict[str, object]]]] = {
    "quality": print_quality,
    "order": print_order,
    "large": print_large,
    "recount": print_recount,
    "links": measure_links,
}
PACKAGES = ("numpy", "scipy", "numba", "pyarrow", "dask", "duckdb", "faiss-cpu")


def main() -> None:
    """Print the sections that are asked for."""
    options = parse_options()
    with tempfile.TemporaryDirectory() as temporary:
        work = options.work or Path(temporary)
        settings = ScaleSettings(options.data, work, range(options.seeds), options.share)
        for name in options.only:
            start = time.perf_counter()
            records = SECTIONS[name](settings)
            seconds = round(time.perf_counter() - start)
            call = "python -m benchmarks.scale --data DIR --only " + name
            write_records(options.json, name, records, PACKAGES, call=call, seconds=seconds)


def parse_options() -> argparse.Namespace:
    """Return the options of the command line, with a list of known sections."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of NAME/labels.npz")
    parser.add_argument("--work", type=Path, help="folder of the large set and its splits")
    parser.add_argument("--only", help=f"sections, of {','.join(SECTIONS)}")
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds, from 0")
    parser.add_argument("--share", type=float, default=1.0, help="share of the large set")
    parser.add_argument("--json", type=Path, help="file that the records are added to")
    options = parser.parse_args()
    options.only = choose(parser, "--only", options.only, SECTIONS)
    return options


if __name__ == "__main__":
    main()
