"""One fuzzed file: made from a seed, read by a command in a worker, and judged."""

from __future__ import annotations

import json
import re
import select
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .fuzz_bytes import mutate, read_others
from .fuzz_readers import READERS, Seed
from .fuzz_worker import ERR, OUT

# The machine may be busy, so a command is stopped late, and judged by the time of the CPU.
SECONDS = 300
MOST_SECONDS = 10
# A worker is then started again, because libraries keep memory.
MOST_RUNS = 300
MOST_MEMORY = 1 << 30
# A message may show five long names.
MOST_CHARACTERS = 2500
_WARNING = re.compile(r"\.py:\d+: \w*Warning")
_WORKER = [sys.executable, "-m", "reliability.fuzz_worker"]


class Result(NamedTuple):
    """What came of a file: "read", "refused", or what is wrong."""

    outcome: str
    command: str
    message: str

    @property
    def is_failure(self) -> bool:
        """Tell whether it is neither read nor refused."""
        return self.outcome not in ("read", "refused")


class Worker:
    """A process that runs commands, started again when it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._n_runs = 0

    def run(self, folder: Path, words: Sequence[str]) -> dict[str, Any]:
        """Run a command; the answer has the exit code, or how the process died."""
        self._n_runs += 1
        if self._n_runs % MOST_RUNS == 0:
            self.stop()
        if self._process is None:
            self._process = subprocess.Popen(
                _WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"folder": str(folder), "words": words}).encode() + b"\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], SECONDS)
        line = process.stdout.readline() if ready else b""
        if line:
            return json.loads(line)
        self.stop()
        died = "hangs" if not ready else f"dies ({process.returncode})"
        return {"code": None, "memory": 0, "seconds": 0, "died": died}

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            if self._process.poll() is None:
                try:
                    self._process.wait(0.2)
                except subprocess.TimeoutExpired:
                    self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process = None


class Fuzzer:
    """Makes and judges files, in a temporary folder."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._seed = folder, seed
        self._worker = Worker()

    def run(self, reader: str, number: int) -> Result:
        """Make file `number` of a reader and read it; its folder is `case`."""
        rng = np.random.default_rng([self._seed, zlib.crc32(reader.encode()), number])
        seeds = READERS[reader]
        at = int(rng.integers(len(seeds)))
        seed, case = seeds[at], self.case
        for old in self._folder.glob("case*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        # Links would let a command change a seed.
        shutil.copytree(self._make_seed(reader, at), case / "in")
        command = seed.commands[int(rng.integers(len(seed.commands)))]
        self._change_file(reader, seed, rng)
        before = read_files(case / "in", seed.may_change)
        answer = self._worker.run(case, split_words(command))
        return self._judge(command, answer, before, seed.may_change)

    @property
    def case(self) -> Path:
        """The folder of the last file."""
        return self._folder / "case"

    def stop(self) -> None:
        """End the worker."""
        self._worker.stop()

    def _make_seed(self, reader: str, at: int) -> Path:
        folder = self._folder / f"seed-{reader}-{at}"
        if not folder.exists():
            folder.mkdir()
            READERS[reader][at].write(folder)
        return folder

    def _change_file(self, reader: str, seed: Seed, rng: np.random.Generator) -> None:
        paths = list_files(self.case / "in", seed.changed)
        path = paths[int(rng.integers(len(paths)))]
        others = [
            own
            for at, other in enumerate(READERS[reader])
            for own in list_files(self._make_seed(reader, at), other.changed)
        ][:20]
        content = mutate(path.read_bytes(), path.suffix, read_others(others), rng)
        path.write_bytes(content)

    def _judge(
        self, command: str, answer: dict[str, Any], before: dict[str, bytes], may_change: str
    ) -> Result:
        printed, said = (
            self._folder.joinpath(f"case.{name}").read_text("utf-8", "replace")
            for name in (OUT, ERR)
        )
        left = sorted(path.name for path in self.case.iterdir() if path.name != "in")
        has_failed = any(line.startswith("FAILED: ") for line in (printed + said).splitlines())
        errors = [line for line in said.splitlines() if line.startswith(("evenfold: ", "Error: "))]
        wrong = {
            answer.get("died", ""): "died" in answer,
            "traceback": "Traceback" in said or "Exception ignored" in said,
            "an error of evenfold itself": "an error of evenfold itself" in said,
            "a warning of Python": bool(_WARNING.search(said)),
            "input changed": read_files(self.case / "in", may_change) != before,
            f"{answer['memory'] >> 20:,} MB": answer["memory"] > MOST_MEMORY,
            f"{answer['seconds']} s": answer["seconds"] > MOST_SECONDS,
            f"exit code {answer['code']}": answer["code"] not in (0, 1, 2, None),
            "no message": answer["code"] in (1, 2) and not has_failed and len(errors) != 1,
            "a long message": any(len(line) > MOST_CHARACTERS for line in errors),
            f"leaves {', '.join(left)}": answer["code"] in (1, 2)
            and bool(left)
            and not (has_failed and command.startswith("check")),
            "no output": answer["code"] == 0 and " -o out" in command and not left,
        }
        found = [what for what, holds in wrong.items() if holds]
        refused = "read" if answer["code"] == 0 or has_failed else "refused"
        return Result("; ".join(found) or refused, command, said.strip()[-3000:])


@contextmanager
def start_fuzzer(folder: Path, seed: int) -> Iterator[Fuzzer]:
    """Start a fuzzer, and end its worker."""
    fuzzer = Fuzzer(folder, seed)
    try:
        yield fuzzer
    finally:
        fuzzer.stop()


def list_files(folder: Path, pattern: str) -> list[Path]:
    """Return the files that match a pattern, in order."""
    return sorted(path for path in folder.glob(pattern) if path.is_file())


def read_files(folder: Path, may_change: str = "-") -> dict[str, bytes]:
    """Return all files of a folder but those that a command may write to."""
    paths = ((path, path.relative_to(folder).as_posix()) for path in folder.rglob("*"))
    return {
        name: path.read_bytes()
        for path, name in paths
        if path.is_file() and not name.startswith(may_change)
    }


def split_words(command: str) -> list[str]:
    """Return the words of a command; a name of a table may hold a blank and a quote."""
    return [word.replace("\0", " ") for word in command.replace('a "b', 'a\0"b').split(" ") if word]
