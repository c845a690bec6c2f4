"""Errors of Spark, of which one line is shown; Spark is not needed."""

import pytest

from evenfold.exceptions import EngineError
from evenfold.scale.spark_errors import explain_failure, find_reason

WORKER = """An exception was thrown from the Python worker:
Traceback (most recent call last):
  File "worker.py", line 3, in <module>
    import pyarrow as pa
ModuleNotFoundError: No module named 'pyarrow'

\tat org.apache.spark.api.python.BasePythonRunner
"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (WORKER, "ModuleNotFoundError: No module named 'pyarrow'"),
        (f"{WORKER}\nThe above ...\n\nTraceback (most recent call last):\n  x\nE: 2.", "E: 2"),
        ("Job aborted.\nDriver stacktrace:", "Job aborted"),
        ("Traceback (most recent call last):", "Traceback (most recent call last):"),
        ("", ""),
    ],
)
def test_reason_is_the_error_of_the_worker(text, reason):
    """Otherwise the first line."""
    assert find_reason(RuntimeError(text)) == reason


def test_missing_package_is_no_loss_of_the_engine():
    """The same call would fail again, and memory does not help."""
    error = explain_failure(RuntimeError(WORKER))
    assert not isinstance(error, EngineError)
    assert str(error) == (
        "'engine' must have workers with the Python and the packages of this process, got: "
        "ModuleNotFoundError: No module named 'pyarrow'. Set PYSPARK_PYTHON before the session is "
        "made, and install evenfold for that Python on each machine."
    )
    assert isinstance(explain_failure(RuntimeError("Job aborted.")), EngineError)
