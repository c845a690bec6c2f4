"""Write the results of docs/reliability.md from the records of the proofs.

    python -m reliability.page

What is between `<!-- proof: NAME -->` and `<!-- end of proof -->` is written anew from
reliability/records/NAME.json; a test compares the page with the records.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from benchmarks.page_tables.markdown import make_table

from .records import read_record

PAGE = Path(__file__).parent.parent / "docs" / "reliability.md"
PROOF = re.compile(r"<!-- proof: ([\w-]+) -->\n.*?<!-- end of proof -->", re.DOTALL)


def main() -> None:
    """Write the page."""
    PAGE.write_text(fill(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def fill(page: str) -> str:
    """Return a page with what the records hold."""
    return PROOF.sub(write_proof, page)


def write_proof(found: re.Match[str]) -> str:
    """Return one proof: its command, when and with what it ran last, and its tables."""
    record = read_record(found[1])
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    head = f"`{record['command']}`, last run on {record['date']} ({record['machine']}; {versions}):"
    lines = [textwrap.fill(head, 100, break_long_words=False, break_on_hyphens=False)]
    for table in record["tables"]:
        lines += [table["caption"]] if table["caption"] else []
        lines.append(make_table(table["heading"], table["rows"]))
    text = "\n\n".join(lines)
    return f"<!-- proof: {found[1]} -->\n\n{text}\n\n<!-- end of proof -->"


if __name__ == "__main__":
    main()
