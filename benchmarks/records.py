"""Records of benchmarks as JSON, and lists of names on their command lines."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path


def choose(
    parser: argparse.ArgumentParser, option: str, given: str | None, known: object
) -> list[str]:
    """Return the names in a list with commas; all that are known if there is none."""
    names = list(known) if given is None else [name for name in given.split(",") if name]
    for name in names:
        if name not in known:
            parser.error(f"{option} {name!r} is not one of {', '.join(known)}")
    return names


def write_records(
    path: Path | None, section: str, records: list[dict[str, object]], packages: Sequence[str]
) -> None:
    """Add the records of a section to the file, with the versions they were made with."""
    if path is None:
        return
    content = json.loads(path.read_text()) if path.exists() else {}
    content.setdefault("sections", {})[section] = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
        "records": records,
    }
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
