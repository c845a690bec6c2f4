"""Records of the proofs, which docs/reliability.md shows: reliability/records/NAME.json."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "records"
PACKAGES = ("numpy", "scipy", "numba", "pyarrow", "scikit-learn")


@dataclass(frozen=True)
class Table:
    """A table of the page: what was tried, how often, and what came of it."""

    heading: Sequence[str]
    rows: Sequence[Sequence[object]]
    caption: str = ""


def write_record(
    name: str, command: str, tables: Sequence[Table], packages: Sequence[str] = ()
) -> None:
    """Write what a proof found, with the command that repeats it and the versions it had."""
    record = {
        "command": command,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "versions": {
            "Python": platform.python_version(),
            **{package: version(package) for package in (*PACKAGES, *packages)},
        },
        "tables": [asdict(table) for table in tables],
    }
    text = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
    (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


def read_record(name: str) -> dict[str, Any]:
    """Return the last record of a proof."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
