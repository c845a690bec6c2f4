"""Splits on Spark whose Python workers and executors are killed."""

import pytest

from .clusters import HAS_JAVA, start_spark
from .killed_passes import check_killed_passes, write_files

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not HAS_JAVA, reason="Java is not installed"),
]


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """Return the session of two executors with one Python worker each."""
    with start_spark("local-cluster[2,1,1024]", tmp_path_factory.mktemp("spark")) as session:
        yield session


@pytest.mark.parametrize("victim", ["worker", "executor"])
def test_process_killed_in_each_pass_changes_nothing(session, tmp_path, victim):
    """The processes are gone, their tasks ran again, and the files are those of one process.

    A split with groups has all passes.
    """
    data = write_files(tmp_path / "data")
    check_killed_passes(data, tmp_path / "split", session, True, victim)
