"""Splits on a Dask cluster whose processes are killed."""

import pytest

from .clusters import start_dask
from .killed_passes import check_killed_passes, write_files

distributed = pytest.importorskip("distributed", reason="dask is not installed")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client():
    """Return the client of two processes."""
    with start_dask(2) as cluster, distributed.Client(cluster, set_as_default=False) as client:
        yield client


@pytest.mark.parametrize("groups", [False, True])
def test_worker_killed_in_each_pass_changes_nothing(client, tmp_path, groups):
    """The processes are gone, their tasks ran again, and the files are those of one process."""
    check_killed_passes(write_files(tmp_path / "data"), tmp_path / "split", client, groups)
