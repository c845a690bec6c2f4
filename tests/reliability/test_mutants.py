"""The proof by mutants: what is changed, and how killed ones are told from survivors."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray")

from reliability.mutants_code import replace_code
from reliability.mutants_report import count_results, list_survivors
from reliability.mutants_sites import Mutation, draw_sample, list_sites, share_out
from reliability.mutants_tests import find_lines

ROOT = Path(__file__).parent.parent.parent

SOURCE = """\
from functools import cache
LIMIT = 3
__all__ = ["add" * 1]
@cache
def add(a: int | None, b=1) -> "int | 4":
    if a is None:
        raise ValueError(f"{1 + 1} is missing")
    return a + b
def keep(a):
    return a + 0
def count(n):
    while n > 0:
        n = n - 1
    return n
def is_small(n):
    return n < LIMIT
"""

# In the copy: a test for each function, of which one cannot see that 0 is subtracted.
TESTS = """\
from evenfold.problem.toy import add, count, is_small, keep
def test_add():
    assert add(2, 3) == 5
def test_keep():
    assert keep(2) == 2
def test_count():
    assert count(3) == 0
def test_limit():
    assert is_small(2) and not is_small(3)
"""

SCRIPT = """\
import json, sys
from pathlib import Path
from reliability.mutants_runs import Runs
from reliability.mutants_sites import list_sites
folder = Path(sys.argv[1])
path = "src/evenfold/problem/toy.py"
source = (folder / "tree" / path).read_text(encoding="utf-8")
wanted = ["a + b", "a + 0", "n - 1", "LIMIT = 3"]
chosen = []
for text in wanted:
    line = next(i for i, one in enumerate(source.splitlines(), 1) if text in one)
    sites = [site for site in list_sites(path, source) if site[0].start[0] == line]
    swaps = [m for site in sites for m in site if m.operator.endswith(("Add_Sub", "Sub_Add"))]
    chosen.append((swaps or sites[0])[0])
runs = Runs(folder / "tree", folder, ["pytest", "hypothesis", "coverage"], least_seconds=1.0)
runs.measure(["tests/problem/test_toy.py"])
outcomes = [outcome.result for outcome in runs.try_mutations(path, chosen)]
(folder / "outcomes.json").write_text(json.dumps(outcomes), encoding="utf-8")
assert (folder / "tree" / path).read_text(encoding="utf-8") == source
"""


def list_texts(path="toy.py", source=SOURCE):
    """Return the lines that can be changed, with the kind of each change."""
    lines = source.splitlines()
    return {
        (lines[site[0].start[0] - 1].strip(), site[0].kind) for site in list_sites(path, source)
    }


def test_what_has_no_behaviour_is_not_changed():
    """Annotations, decorators, `__all__` and messages; a default and a constant are changed."""
    assert list_texts() == {
        ("LIMIT = 3", "NumberReplacer"),
        ('def add(a: int | None, b=1) -> "int | 4":', "NumberReplacer"),
        ("if a is None:", "ReplaceComparisonOperator"),
        ("if a is None:", "AddNot"),
        ("return a + b", "ReplaceBinaryOperator"),
        ("return a + 0", "ReplaceBinaryOperator"),
        ("return a + 0", "NumberReplacer"),
        ("while n > 0:", "ReplaceComparisonOperator"),
        ("while n > 0:", "NumberReplacer"),
        ("while n > 0:", "AddNot"),
        ("n = n - 1", "ReplaceBinaryOperator"),
        ("n = n - 1", "NumberReplacer"),
        ("return n < LIMIT", "ReplaceComparisonOperator"),
    }


def test_a_sample_is_seeded_and_in_proportion():
    """The same seed draws the same changes, no site twice; larger files have more of them."""
    sources = {"large.py": SOURCE * 3, "small.py": SOURCE}
    sample = draw_sample(sources, 12, 1)
    assert draw_sample(sources, 12, 1) == sample
    assert draw_sample(sources, 12, 2) != sample
    assert [mutation.path for mutation in sample] == ["large.py"] * 9 + ["small.py"] * 3
    places = {(mutation.path, mutation.start, mutation.kind) for mutation in sample}
    assert len(places) == len(sample)


def test_shares_are_whole_and_in_proportion():
    """By largest remainders."""
    assert share_out(10, [1, 1, 8]) == [1, 1, 8]
    assert share_out(3, [5, 3, 2]) == [1, 1, 1]


def test_a_head_stands_for_its_body():
    """Its default value is used by the tests that run the body; a constant by none of its own."""
    assert find_lines(SOURCE, 5) == range(6, 9)
    assert find_lines(SOURCE, 8) == range(8, 9)
    assert find_lines(SOURCE, 12) == range(12, 13)
    assert find_lines(SOURCE, 2) is None


def test_code_of_loaded_functions_is_replaced(tmp_path, monkeypatch):
    """A function gets the changed code; what runs at import cannot be replaced."""
    file = tmp_path / "toy_module_of_mutants.py"
    file.write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import toy_module_of_mutants as toy

    assert replace_code(file, SOURCE, SOURCE.replace("a + b", "a - b"))
    assert toy.add(2, 3) == -1
    assert not replace_code(file, SOURCE, SOURCE.replace("LIMIT = 3", "LIMIT = 4"))
    assert not replace_code(file, SOURCE, SOURCE.replace("b=1", "b=2"))
    assert toy.add(1) == 0


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
def test_killed_ones_are_told_from_survivors(tmp_path):
    """One that a test sees, one that none can see, one without an end, one at import."""
    files = {
        "src/evenfold/__init__.py": "",
        "src/evenfold/_kernels/__init__.py": "",
        "src/evenfold/_kernels/compiler.py": "",
        "src/evenfold/problem/__init__.py": "",
        "src/evenfold/problem/toy.py": SOURCE,
        "tests/__init__.py": "",
        "tests/conftest.py": "import hypothesis\n"
        'hypothesis.settings.register_profile("evenfold", deadline=None)\n',
        "tests/problem/__init__.py": "",
        "tests/problem/test_toy.py": TESTS,
    }
    for path, text in files.items():
        file = tmp_path / "tree" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, tmp_path],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    outcomes = json.loads((tmp_path / "outcomes.json").read_text(encoding="utf-8"))
    assert outcomes == ["killed", "survived", "timeout", "killed"]


def test_the_record_counts_what_was_stopped_as_killed():
    """And says how many; survivors have the reason that is kept for their change."""
    path = "src/evenfold/problem/toy.py"
    changes = {"killed": "`a` → `b`", "timeout": "`c` → `d`", "survived": "`e + 1` → `e - 1`"}
    results = [
        {"change": f"problem/toy.py:{line}:4 {changed}", "path": path, "result": result}
        for line, (result, changed) in enumerate(changes.items(), 1)
    ]
    reasons = {"cannot be seen": {"`e + 1` → `e - 1`": "e is 0"}, "not noticed": {}}
    assert count_results("one", results, reasons) == [
        ["one", name, 3, 2, 1, 1, 0, "66.7", "100.0"] for name in ("problem", "all")
    ]
    assert list_survivors(results, reasons) == [
        ["problem/toy.py:3", "`e + 1`", "`e - 1`", "cannot be seen: e is 0"]
    ]
    assert Mutation(path, "core/AddNot", 0, (1, 0), (1, 1)).kind == "AddNot"
