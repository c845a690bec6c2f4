"""Tests of what memory the machine, or a container, has available."""

import pytest

from evenfold.cli.memory_limit import find_available

MB = 1_000_000
MEMINFO = "MemTotal:  9000000 kB\nMemAvailable:  8000000 kB\n"
AVAILABLE = 8_000_000 * 1024


def make_machine(root, files):
    """Write the files of a machine."""
    for name, text in {"proc/meminfo": MEMINFO, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_a_machine_without_limits_has_what_is_available(tmp_path):
    """A limit that is none is left out."""
    files = {
        "proc/self/cgroup": "4:cpu:/a\n0::/a\n",
        "sys/fs/cgroup/a/memory.max": "max\n",
        "sys/fs/cgroup/a/memory.current": f"{9 * MB}\n",
    }
    assert find_available(make_machine(tmp_path, files)) == AVAILABLE


def test_the_limit_of_a_control_group_counts(tmp_path):
    """Files in memory that can be dropped are available."""
    files = {
        "proc/self/cgroup": "0::/a/b\n",
        "sys/fs/cgroup/a/b/memory.max": f"{90 * MB}\n",
        "sys/fs/cgroup/a/b/memory.current": f"{50 * MB}\n",
        "sys/fs/cgroup/a/b/memory.stat": f"anon 1\ninactive_file {10 * MB}\n",
    }
    assert find_available(make_machine(tmp_path, files)) == 50 * MB


def test_a_limit_of_a_group_above_counts(tmp_path):
    """The lowest limit on the way counts."""
    files = {
        "proc/self/cgroup": "0::/a/b\n",
        "sys/fs/cgroup/a/memory.max": f"{60 * MB}\n",
        "sys/fs/cgroup/a/memory.current": f"{50 * MB}\n",
        "sys/fs/cgroup/a/b/memory.max": f"{90 * MB}\n",
        "sys/fs/cgroup/a/b/memory.current": f"{50 * MB}\n",
    }
    assert find_available(make_machine(tmp_path, files)) == 10 * MB


def test_in_a_container_the_base_has_the_limit(tmp_path):
    """The path may be that of the host."""
    files = {
        "proc/self/cgroup": "0::/docker/0123\n",
        "sys/fs/cgroup/memory.max": f"{90 * MB}\n",
        "sys/fs/cgroup/memory.current": f"{100 * MB}\n",
    }
    assert find_available(make_machine(tmp_path, files)) == 0


def test_limits_of_version_1_count(tmp_path):
    """Their files have other names; other controllers are left out."""
    files = {
        "proc/self/cgroup": "5:cpu,memory:/a\n4:pids:/b\n",
        "sys/fs/cgroup/memory/a/memory.limit_in_bytes": f"{90 * MB}\n",
        "sys/fs/cgroup/memory/a/memory.usage_in_bytes": f"{50 * MB}\n",
        "sys/fs/cgroup/memory/a/memory.stat": f"inactive_file 1\ntotal_inactive_file {5 * MB}\n",
    }
    assert find_available(make_machine(tmp_path, files)) == 45 * MB


def test_a_limit_on_the_address_space_counts(tmp_path, monkeypatch):
    """What the process has of it already is taken off."""
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (70 * MB, 70 * MB))
    files = {"proc/self/statm": "1000 500 100\n"}
    left = 70 * MB - 1000 * resource.getpagesize()
    assert find_available(make_machine(tmp_path, files)) == left


def test_without_such_files_all_memory_is_available(tmp_path):
    """So it is where the system has no such files."""
    available = find_available(tmp_path)
    assert available is None or available > 100 * MB
