"""Errors of Spark: what of their many lines a user must know."""

from __future__ import annotations

from ..exceptions import InputError
from .engine import make_engine_error

_TRACEBACK = "Traceback (most recent call last):"
# How errors begin that come from another Python, or from one without the packages.
_OTHER_PYTHON = ("ModuleNotFoundError", "ImportError", "[PYTHON_VERSION_MISMATCH]")


def find_reason(error: Exception) -> str:
    """Return the line that tells most: the error of a Python worker, or the first line."""
    lines = str(getattr(error, "java_exception", error)).strip().splitlines() or [""]
    begins = [at for at, line in enumerate(lines) if line.strip().endswith(_TRACEBACK)]
    if begins:
        for line in lines[begins[-1] + 1 :]:
            if line and not line[0].isspace():
                # Errors of PySpark have the name of their module.
                return line.removeprefix("pyspark.errors.exceptions.base.").rstrip(". ")
    return lines[0].rstrip(". ")


def explain_failure(error: Exception) -> InputError:
    """Return the error of a job that Spark gave up."""
    reason = find_reason(error)
    if any(each in reason for each in _OTHER_PYTHON):
        return InputError(
            f"must have workers with the Python and the packages of this process, got: {reason}. "
            "Set PYSPARK_PYTHON before the session is made, and install evenfold for that Python "
            "on each machine.",
            parameter="engine",
        )
    return make_engine_error(reason)
