"""The process that reads fuzzed files: one command after the other, within limits of memory.

Each line of stdin is a case as JSON: the folder to run in and the words of the command. The answer
is a line on stdout. What the command prints is in two files beside the folder.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import resource
import signal
import sys
import time
import warnings
from pathlib import Path
from typing import Any

OUT, ERR = "stdout", "stderr"
# Address space beyond that of the packages. Threads and DuckDB reserve more than they use.
EXTRA_BYTES = 6 << 30
_FIRST = (
    "numpy", "pyarrow.csv", "pyarrow.parquet", "pyarrow.feather", "scipy.sparse", "duckdb",
    "sklearn.ensemble", "python_calamine", "yaml", "msgspec", "evenfold.cli.main",
    "evenfold.cli.split_writer",
)  # fmt: skip


def main() -> None:
    """Answer until stdin ends."""
    cases, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for name in _FIRST:
        importlib.import_module(name)
    # The command's own handlers and settings would stay for all later cases.
    signal.signal = lambda *_: None  # type: ignore[assignment,misc]
    importlib.import_module("evenfold.cli.main").start_quickly = lambda: None
    warnings.simplefilter("always", RuntimeWarning)
    warnings.simplefilter("always", UserWarning)
    limit = _read_status("VmSize") + EXTRA_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in cases:
        answers.write(json.dumps(run(**json.loads(line))) + "\n")
        answers.flush()


def run(folder: str, words: list[str]) -> dict[str, Any]:
    """Run a command in a folder; return its exit code, bytes of memory and seconds of the CPU."""
    os.chdir(folder)
    for number, name in ((1, OUT), (2, ERR)):
        file = os.open(f"{folder}.{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(file, number)
        os.close(file)
    before = _read_status("VmRSS")
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    sys.argv = ["evenfold", *words]
    start = time.process_time()
    code: Any = 0
    try:
        importlib.import_module("evenfold.cli.main").main()
    except SystemExit as ended:
        code = ended.code
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os.chdir("/")
    return {
        "code": code,
        "memory": max(0, _read_status("VmHWM") - before),
        "seconds": round(time.process_time() - start, 1),
    }


def _read_status(field: str) -> int:
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+)", status)[1]) * 1024  # type: ignore[index]


if __name__ == "__main__":
    main()
