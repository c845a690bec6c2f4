"""Sessions of Spark on this machine."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any

from ..exceptions import InputError
from .locations import join_path


def start_session(builder: Any, workers: int | None) -> Any:
    """Start a session on this machine, whose Python workers run this Python."""
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=join_path(home, "bin") if home else None) is None:
        raise InputError(
            "must be able to start Java, got 'spark' without a program java. "
            "Install Java 17 or newer, or set JAVA_HOME.",
            parameter="engine",
        )
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.execution.pyspark.python": sys.executable,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    return builder.master(f"local[{workers or '*'}]").config(map=settings).getOrCreate()
