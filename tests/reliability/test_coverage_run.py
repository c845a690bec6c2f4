"""The counts of coverage: packages, their sums, and files of which little is run."""

import json

import pytest
from reliability.coverage_run import SOURCE, make_row, sum_packages, write_coverage

from reliability import coverage_run


def count(lines, run, branches, taken):
    """Return the counts of one file."""
    return dict(zip(coverage_run.FIELDS, (lines, run, branches, taken), strict=True))


def test_packages_have_the_sums_of_their_files():
    """Modules at the top are a package of their own; the last row has all."""
    files = {"a/x.py": count(10, 9, 4, 2), "a/b/y.py": count(5, 5, 0, 0), "z.py": count(5, 5, 2, 2)}
    rows = [make_row(name, own) for name, own in sum_packages(files).items()]
    assert rows == [
        ["a", 15, "93.3", 4, "50.0", "84.2"],
        ["(top)", 5, "100.0", 2, "100.0", "100.0"],
        ["all", 20, "95.0", 6, "66.7", "88.5"],
    ]
    assert make_row("empty", count(0, 0, 0, 0)) == ["empty", 0, "-", 0, "-", "-"]


def test_files_of_which_little_is_run_have_a_reason(monkeypatch, tmp_path):
    """The lowest first; a file without a reason has an empty cell."""
    written = []
    monkeypatch.setattr(coverage_run, "write_record", lambda *given: written.append(given))
    monkeypatch.setattr(coverage_run, "REASONS", tmp_path / "reasons.json")
    (tmp_path / "reasons.json").write_text(json.dumps({"scale/spark.py": "needs Spark"}))
    report = {
        f"{SOURCE}/scale/spark.py": {"summary": count(10, 2, 0, 0)},
        f"{SOURCE}/scale/dask.py": {"summary": count(10, 8, 0, 0)},
        f"{SOURCE}/scale/job.py": {"summary": count(10, 10, 0, 0)},
    }
    write_coverage(report)
    [(name, command, (packages, low), _)] = written
    assert (name, command) == ("coverage", "make coverage")
    assert packages.rows[-1][:3] == ["all", 30, "66.7"]
    assert low.rows == [["scale/spark.py", "20.0", "needs Spark"], ["scale/dask.py", "80.0", ""]]
    with pytest.raises(ValueError, match="is not in the subpath"):
        write_coverage({"/elsewhere/x.py": {"summary": count(1, 1, 0, 0)}})
