"""Clusters on this machine for the slow tests, and whether they can be started."""

import logging
import os
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).parent.parent.parent
HAS_JAVA = shutil.which("java") is not None


@contextmanager
def start_dask(n_workers=2):
    """Give a Dask cluster of processes with one thread each."""
    import dask
    import distributed

    # The cluster would give up a worker that is not there 15 seconds after it was killed, even
    # if it was killed again in the meantime.
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"}),
        distributed.LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
    ):
        yield cluster


@contextmanager
def start_spark(master, folder):
    """Give a Spark session; its files are in the folder. A process has one session at a time."""
    import pyspark
    from pyspark.sql import SparkSession

    # Executors of a local cluster write their logs to the folder `work` of Spark's home.
    home = folder / "spark"
    home.mkdir()
    for path in Path(pyspark.__file__).parent.iterdir():
        (home / path.name).symlink_to(path)
    environment = {
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]),
        "PYTHONWARNINGS": "ignore",
        "SPARK_HOME": str(home),
        # Spark would look up the name of this machine, which may take half a minute.
        "SPARK_LOCAL_HOSTNAME": "localhost",
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": str(folder),
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    with mock.patch.dict(os.environ, environment):
        _end_java_of_others()
        session = SparkSession.builder.master(master).config(map=settings).getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        try:
            _own_gateways.append(session.sparkContext._gateway)
            yield session
        finally:
            session.stop()


# What connects this process to the Java processes that `start_spark` has started.
_own_gateways = []


def _end_java_of_others():
    """End the Java process of another session: its workers would have that one's environment."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is None or gateway in _own_gateways:
        return
    if SparkContext._active_spark_context is not None:
        SparkContext._active_spark_context.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait(timeout=60)
    SparkContext._gateway = SparkContext._jvm = None
