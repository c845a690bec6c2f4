"""Peak memory of a job beyond its input, measured in a process of its own (Linux)."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from scipy import sparse

_CODE = """
import sys
from pathlib import Path
from scipy import sparse
{setup}
def memory(kind):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(kind)) * 1024
y = sparse.csr_array(sparse.load_npz(sys.argv[1]))
Path("/proc/self/clear_refs").write_text("5")
before = memory("VmRSS")
{job}
print()
print(memory("VmHWM") - before, y.data.nbytes + y.indices.nbytes + y.indptr.nbytes)
"""


def measure_extra_memory(y: sparse.csr_array, setup: str, job: str) -> tuple[int, int]:
    """Return the bytes that a job needs beyond its input, and the bytes of the input.

    `job` is a statement that uses `y`. `setup` runs before it and is not counted.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "y.npz"
        sparse.save_npz(path, y, compressed=False)
        code = _CODE.format(setup=setup, job=job)
        out = subprocess.run(
            [sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True
        ).stdout
    extra, own = map(int, out.splitlines()[-1].split())
    return extra, own
