"""Time and quality of `even`: the default, labels only, pairs, groups, cover, another revision.

    python -m benchmarks.default [--data DIR] [--only default,order1] [--sets yeast,bibtex]
                                 [--json FILE] [--against REV]

Each section prints a table. `--json` adds the records of the sections that ran to a file. Part of
`make bench`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from .data import ALL_SETS
from .records import choose, write_records
from .revisions import AMOUNTS
from .sections.against import print_against
from .sections.beside_peer import print_default, print_order_1
from .sections.cover import print_cover
from .sections.groups import print_groups
from .sections.large import print_large
from .sections.pairs import print_pairs
from .sections.settings import Settings, warm_up

SECTIONS: dict[str, Callable[[Settings], list[dict[str, object]]]] = {
    "default": print_default,
    "order1": print_order_1,
    "pairs": print_pairs,
    "large": print_large,
    "groups": print_groups,
    "cover": print_cover,
}
PACKAGES = ("numpy", "scipy", "numba", "iterative-stratification")


def main() -> None:
    """Print the sections that are asked for."""
    options = parse_options()
    settings = Settings(options.data, options.sets, range(options.seeds), max(1, options.repeats))
    warm_up()
    for name in options.only:
        write_records(options.json, name, SECTIONS[name](settings), PACKAGES)
    if options.against:
        records = print_against(settings, options.against)
        write_records(options.json, "against", records, PACKAGES)


def parse_options() -> argparse.Namespace:
    """Return the options of the command line, with lists of known names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of NAME/labels.npz")
    parser.add_argument("--only", help=f"sections, of {','.join(SECTIONS)}; '' for none")
    parser.add_argument("--sets", help="data sets, by default all")
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds, from 0")
    parser.add_argument("--repeats", type=int, default=2, help="runs of each seed")
    parser.add_argument("--json", type=Path, help="file that the records are added to")
    parser.add_argument("--against", metavar="REV", help="also compare with this revision")
    options = parser.parse_args()
    options.only = choose(parser, "--only", options.only, SECTIONS)
    options.sets = choose(parser, "--sets", options.sets, (*ALL_SETS, AMOUNTS))
    return options


if __name__ == "__main__":
    main()
