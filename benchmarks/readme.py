"""Print the tables of the README from the records of `benchmarks.default --json FILE`.

python -m benchmarks.readme FILE
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

from .tables import print_heading, print_row

TITLES = {"default": "The default", "order1": "Labels only: `order=1`"}
# The README has these parts of each data set; the file has all.
SHOWN_PARTS = ("5 folds", "80/10/10")
COLUMNS = (
    "data",
    "parts",
    "rLD",
    "bound",
    "labelsets over bound",
    "rLD, peer",
    "its sizes off by",
    "time / peer",
)


def main() -> None:
    """Print one table for each section that the file has."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    sections = json.loads(parser.parse_args().file.read_text())["sections"]
    for name, title in TITLES.items():
        if name in sections:
            print(f"\n{title}\n")
            print_heading(COLUMNS)
            for record in sections[name]["records"]:
                if record["parts"] in SHOWN_PARTS and record.get("peer ms") is not None:
                    print_row(format_cells(record))


def format_cells(record: Mapping[str, float]) -> list[str]:
    """Return the cells of one record."""
    return [
        f"{record['data']}{'' if record[''] == 'tuned on' else ' *'}",
        record["parts"],
        f"{record['rLD']:.4f}",
        f"{record['bound']:.4f}",
        f"{record['labelsets excess %']:.1f} %",
        f"{record['peer rLD']:.4f}",
        f"{record['peer rows off']:.0f} rows",
        f"{record['ms'] / record['peer ms']:.2f}",
    ]


if __name__ == "__main__":
    main()
