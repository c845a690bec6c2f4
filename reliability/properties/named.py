"""Statements that are shown by a test with cases of its own, or that promise nothing.

named.json has them: for each statement the tests, below the folder of tests, or the reason.
"""

from __future__ import annotations

import json
from pathlib import Path

_READ = json.loads(Path(__file__).with_name("named.json").read_text(encoding="utf-8"))
# The tests of each statement.
TESTS: dict[str, list[str]] = _READ["tests"]
# Why a statement is no promise.
REMARKS: dict[str, str] = _READ["remarks"]
