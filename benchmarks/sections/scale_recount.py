"""A recount with DuckDB of the splits that the section `large` has written."""

from __future__ import annotations

import time

from ..recount import recount
from ..scale_data import N_FILES, ROWS_PER_FILE, make_files
from ..tables import RecordTable
from .scale_large import WAYS, find_output
from .scale_settings import ScaleSettings

FORMATS = {"way": "", "rows": ",", "counted": "", "different": "", "s": ".0f"}


def print_recount(settings: ScaleSettings) -> list[dict[str, object]]:
    """Print whether the counts of each split equal its manifest."""
    rows_per_file = max(1, round(ROWS_PER_FILE * settings.share))
    paths = make_files(settings.work / f"rows-{rows_per_file}", N_FILES, rows_per_file)
    table = RecordTable("Recount of the written files with DuckDB", FORMATS)
    for way in WAYS:
        for n_files in (N_FILES // 10, N_FILES):
            output = find_output(settings, way, n_files, rows_per_file)
            if not output.exists():
                print(f"{output} is not there: run the section large with the same --work")
                continue
            start = time.perf_counter()
            findings = recount(output, paths[:n_files])
            different = [finding.name for finding in findings if not finding.is_equal]
            table.add(
                {
                    "way": way,
                    "rows": n_files * rows_per_file,
                    "counted": ", ".join(finding.name for finding in findings),
                    "different": ", ".join(different) or "none",
                    "s": time.perf_counter() - start,
                }
            )
    return table.records
