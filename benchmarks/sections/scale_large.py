"""The large set: evenness, time and memory of both schemes, of it and of a tenth of it."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..processes import Watched, run_watched
from ..scale_data import N_FILES, ROWS_PER_FILE, make_files
from ..tables import RecordTable
from .scale_settings import MEMORY, ScaleSettings

N_FOLDS = 5
BUDGET = 0.02
N_WORKERS = 2
WAYS: dict[str, dict[str, object]] = {
    "Dask": {"engine": "dask", "workers": N_WORKERS, "budget": BUDGET},
    "stream": {},
}
IN_MEMORY = "evenfold.split(order=1)"
FORMATS = {
    "rows": ",",
    "way": "",
    "excess %": ".3f",
    "rows off": ".1f",
    "wall s": ".0f",
    "CPU s": ".0f",
    "wall ns per entry": ".0f",
    "times a tenth": ".2f",
    "PSS GB": ".2f",
    "RSS GB": ".2f",
    "disk GB": ".2f",
    "goal": "",
}
PASS_FORMATS = {
    "rows": ",",
    "way": "",
    "pass": "",
    "wall s": ".1f",
    "CPU s": ".1f",
    "CPU ns per entry": ".1f",
    "times in memory": ".2f",
}
GOALS = {
    "Dask": "excess ≤ 0.1, time ≤ 1.5 × a tenth, ≤ 6 GB",
    "stream": "≤ 2 GB in its process",
}


class Run(NamedTuple):
    """A split in a process of its own: what it printed, and the memory of its processes."""

    way: str
    result: dict[str, object]
    watched: Watched


def print_large(settings: ScaleSettings) -> list[dict[str, object]]:
    """Print a table of the splits, then one of their passes."""
    rows_per_file = max(1, round(ROWS_PER_FILE * settings.share))
    paths = make_files(settings.work / f"rows-{rows_per_file}", N_FILES, rows_per_file)
    n_bytes = sum(path.stat().st_size for path in paths)
    print(f"\n{len(paths)} files of {rows_per_file:,} rows, {n_bytes / 1e9:.2f} GB", flush=True)
    tenth = paths[: N_FILES // 10]
    in_memory = run_job(IN_MEMORY, {"in_memory": True, **find_job(tenth)})
    table = RecordTable("The large set and a tenth of it", FORMATS)
    table.add(make_memory_record(in_memory, len(tenth) * rows_per_file))
    for way, options in WAYS.items():
        wall_of_tenth = None
        for own in (tenth, paths):
            output = find_output(settings, way, len(own), rows_per_file)
            shutil.rmtree(output, ignore_errors=True)
            job = {**find_job(own), "labels": "labels", "output": str(output), "memory": MEMORY}
            run = run_job(way, {**job, **options}, output)
            record = make_record(run, wall_of_tenth)
            wall_of_tenth = wall_of_tenth or record["wall ns per entry"]
            table.add(record)
    print_passes(table.records)
    return table.records


def find_output(settings: ScaleSettings, way: str, n_files: int, rows_per_file: int) -> Path:
    """Return the folder of the output of a split."""
    return settings.work / f"output-{way.lower()}-{n_files}-{rows_per_file}"


def find_job(paths: Sequence[Path]) -> dict[str, object]:
    """Return what all jobs of some files have."""
    return {"data": list(map(str, paths)), "parts": N_FOLDS}


def run_job(way: str, arguments: dict[str, object], output: Path | None = None) -> Run:
    """Run a job in a process of its own, which writes into a folder."""
    command = [sys.executable, "-m", "benchmarks.scale_job", json.dumps(arguments)]
    watched = run_watched(command, Path(__file__).parents[2], output)
    return Run(way, json.loads(watched.output.splitlines()[-1]), watched)


def make_memory_record(run: Run, n_rows: int) -> dict[str, object]:
    """Return what is printed of the split in memory."""
    result = run.result
    return {
        "rows": n_rows,
        "way": run.way,
        "excess %": 100 * result["excess"],
        "CPU s": result["CPU"],
        "n_entries": result["n_entries"],
        "passes": {"all": {"CPU": result["CPU"]}},
        **find_memory(run),
    }


def make_record(run: Run, wall_of_tenth: float | None) -> dict[str, object]:
    """Return what is printed of a split of files; times also as ratios to a tenth of the files."""
    result = run.result
    wall = 1e9 * result["wall"] / result["n_entries"]
    return {
        "rows": result["n_rows"],
        "way": run.way,
        "scheme": result["scheme"],
        "excess %": 100 * result["excess"],
        "rows off": result["rows_off"],
        "wall s": result["wall"],
        "CPU s": sum(own["CPU"] for own in result["passes"].values()),
        "wall ns per entry": wall,
        "times a tenth": None if wall_of_tenth is None else wall / wall_of_tenth,
        "goal": None if wall_of_tenth is None else GOALS[run.way],
        "n_entries": result["n_entries"],
        "digest": result["digest"],
        "disk GB": run.watched.disk / 1e9,
        "passes": result["passes"],
        **find_memory(run),
    }


def find_memory(run: Run) -> dict[str, float]:
    """Return the peak memory in GB: of all processes, and of the largest if there is only one.

    A process knows its own peak exactly, so that it may be over the sampled one.
    """
    peaks = {"PSS GB": run.watched.shared_out / 1e9, "RSS GB": run.watched.resident / 1e9}
    return peaks | {"RSS GB": max(peaks["RSS GB"], run.result["peak"] / 1e9)}


def print_passes(records: Sequence[dict[str, object]]) -> None:
    """Print the time of each pass, beside the split in memory of a tenth of the rows."""
    table = RecordTable("Passes of the large set", PASS_FORMATS)
    in_memory = records[0]["CPU s"] / records[0]["n_entries"]
    for record in records:
        for name, own in record["passes"].items():
            per_entry = own["CPU"] / record["n_entries"]
            table.add(
                {
                    "rows": record["rows"],
                    "way": record["way"],
                    "pass": name,
                    "wall s": own.get("wall"),
                    "CPU s": own["CPU"],
                    "CPU ns per entry": 1e9 * per_entry,
                    "times in memory": per_entry / in_memory,
                }
            )
