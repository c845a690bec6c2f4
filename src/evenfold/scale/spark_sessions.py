"""Sessions of Spark on this machine."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from typing import IO, Any

from ..exceptions import InputError
from .locations import join_path


def start_session(builder: Any, workers: int | None) -> tuple[Any, Callable[[], None]]:
    """Start a session on this machine, whose Python workers run this Python.

    Parameters
    ----------
    builder : SparkSession.Builder
        Makes the session.
    workers : int or None
        The number of tasks that are run at a time. None: one for each core.

    Returns
    -------
    SparkSession
        The session. Java, if it was not running yet, prints nothing on the user's terminal.
    callable
        Stops what was started.

    Raises
    ------
    InputError
        If Java is missing, or does not start.
    """
    from pyspark import SparkConf, SparkContext

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
    master = f"local[{workers or '*'}]"
    gateway = None
    if SparkContext._gateway is None:
        conf = SparkConf().setMaster(master).setAppName("evenfold").setAll(settings.items())
        with tempfile.TemporaryFile() as log:
            gateway = _launch(conf, log)
        SparkContext(conf=conf, gateway=gateway)
    session = builder.master(master).config(map=settings).getOrCreate()

    def stop() -> None:
        session.stop()
        if gateway is not None:
            gateway.shutdown()
            # A later session of the user starts Java anew, and sees what it prints.
            SparkContext._gateway = SparkContext._jvm = None
            # Java ends when its input does.
            gateway.proc.stdin.close()
            gateway.proc.wait()

    return session, stop


def _launch(conf: Any, log: IO[bytes]) -> Any:
    """Start Java, which writes its messages to the log."""
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway

    try:
        return launch_gateway(conf, {"stderr": log})
    except (OSError, PySparkException) as error:
        log.seek(0)
        # Later lines are errors of Spark's scripts.
        said = log.read().decode(errors="replace").strip().splitlines()
        raise InputError(
            f"must be able to start Java, got: {said[0] if said else error}. "
            "Install Java 17 or newer, or set JAVA_HOME.",
            parameter="engine",
        ) from error
