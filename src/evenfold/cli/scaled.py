"""Splits of data past memory: when they are made, and what is printed of them."""

from __future__ import annotations

import glob
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .._tables.numbers import show_count
from ..exceptions import AssumptionWarning, EvenfoldError
from ..files.folder_formats import find_folder_format
from ..files.named_columns import match_names
from ..files.parquet_folders import list_parquet_files
from ..files.registry import find_format
from ..files.struct_fields import NO_FIELDS
from .messages import print_json, say
from .output_checks import STDOUT
from .progress import show_passes
from .quick_start import show_pandas
from .reading import split_names
from .report_writer import ReportWriter
from .stopping import can_go_on

if TYPE_CHECKING:
    import pyarrow.parquet as pq

    from ..scale.scaled_split import ScaledSplit
    from .options import Reading, Target
    from .scale_options import Scaling

_DEFAULT_MEMORY = 4_000_000_000
_SUFFIX = ".parquet"
# Why data is split at scale although no option says so.
TOO_LARGE = "labels of more than 4 GB"
Progress = Callable[[str, int, int], None] | None


def is_too_large(data: Sequence[str], reading: Reading) -> bool:
    """Tell whether several parquet files have more labels than fit in memory.

    Only the footers are read. A file that cannot be read is left to the reader, which names it.
    """
    paths = [own for path in data for own in _list_files(path)]
    if len(paths) < 2 or reading.format not in (None, "parquet"):
        return False
    from ..files.formats.parquet import read_footer
    from ..scale.limits import fits_in_memory

    try:
        footers = [read_footer(path, path)[0] for path in paths]
    except (EvenfoldError, OSError):
        return False
    n_rows = sum(footer.num_rows for footer in footers)
    n_entries = sum(_count_entries(footer, reading.labels) for footer in footers)
    return not fits_in_memory(n_rows, n_entries, _DEFAULT_MEMORY)


def _list_files(data: str) -> list[str]:
    if Path(data).is_file():
        return [data] if data.endswith(_SUFFIX) else []
    if Path(data).is_dir():
        if find_folder_format(Path(data)) != "parquet":
            return []
        return [str(path) for path in list_parquet_files(Path(data))]
    if not glob.has_magic(data):
        return []
    found = glob.glob(data, recursive=True)  # noqa: PTH207 - Path.glob takes no absolute pattern
    return found if all(path.endswith(_SUFFIX) for path in found) else []


def _count_entries(metadata: pq.FileMetaData, labels: Sequence[str]) -> int:
    """Return the most values that a column of labels has, by the footer of a file."""
    patterns = [name.strip() for given in labels for name in given.split(",")]
    names = list(dict.fromkeys(_find_column(metadata, at) for at in range(metadata.num_columns)))
    chosen = {name for pattern in patterns for name in match_names(names, NO_FIELDS, pattern)}
    n_values: dict[str, int] = {}
    for at in range(metadata.num_row_groups):
        group = metadata.row_group(at)
        for number in range(metadata.num_columns):
            column = group.column(number)
            name = _find_column(metadata, number)
            if patterns:
                is_label = name in chosen
            else:  # lists of other numbers are embeddings
                is_label = column.physical_type not in ("FLOAT", "DOUBLE")
            if is_label:
                n_values[name] = n_values.get(name, 0) + column.num_values
    return max(n_values.values(), default=0)


def _find_column(metadata: pq.FileMetaData, number: int) -> str:
    """Return the name of the column that a column of values belongs to."""
    path: str = metadata.schema.column(number).path
    return path.partition(".")[0]


def is_data_file(output: str) -> bool:
    """Tell whether an output is stdout or a file of data, and so no folder of files."""
    if output.endswith("/") or Path(output).is_dir():
        return False
    return output == STDOUT or find_format(Path(output)) is not None


def check_folder(output: str | None, because: str) -> None:
    """Refuse an output that is no folder, or none."""
    if output is None:
        raise click.UsageError(f"Say where the split goes: {because} needs -o FOLDER.")
    if is_data_file(output):
        raise click.UsageError(
            f"-o {output}: must be a folder with {because}, which gets one file for each file of "
            "the data. Name a folder."
        )


def split_at_scale(
    data: Sequence[str],
    reading: Reading,
    given: dict[str, Any],
    scaling: Scaling,
    target: Target,
    because: str,
    quiet: bool,
    as_json: bool,
) -> None:
    """Split parquet files without holding all labels in memory.

    Parameters
    ----------
    data : sequence of str
        Files, folders, patterns or URLs.
    reading : Reading
        Where the labels are.
    given : dict
        Other arguments of `evenfold.scale.split`; `groups` are the values of the option.
    scaling : Scaling
        How the split is made.
    target : Target
        Where it is written.
    because : str
        The option or the kind of data by which it is split at scale.
    quiet : bool
        Whether nothing but errors is printed.
    as_json : bool
        Whether the result is printed as JSON.
    """
    check_folder(target.output, because)
    if reading.format not in (None, "parquet"):
        raise click.UsageError(
            f"--format {reading.format} does not go with {because}, which reads parquet files. "
            "Write the data as parquet first."
        )
    from .. import scale
    from ..scale.locations import list_files
    from ..scale.partitions import read_schemas

    columns = read_schemas(list_files(list(data))[:1])[0].names
    groups = split_names(given["groups"], columns)
    if len(groups) > 1:
        raise click.UsageError(
            f"--groups names {len(groups)} columns, and only one goes with {because}. "
            "Join them with evenfold link first, and name its column."
        )
    keywords = given | {
        "labels": split_names(reading.labels, columns) or None,
        "separator": reading.separator,
        "groups": groups[0] if groups else None,
        "output": target.output,
        "column": target.column or "part",
        "force": target.force,
        **scaling.keywords(),
    }
    source = data[0] if len(data) == 1 else list(data)
    why = [
        "The labels may take more than 4 GB, so DATA was split as with --memory 4GB: "
        "each file is written with one more column."
    ]
    run_scaled(
        lambda progress: scale.split(source, **keywords, progress=progress),
        data,
        target,
        why if because == TOO_LARGE else [],
        quiet,
        as_json,
    )


def extend_at_scale(
    folder: str,
    new: Sequence[str],
    seed: int | None,
    scaling: Scaling,
    target: Target,
    quiet: bool,
    as_json: bool,
) -> None:
    """Place the rows of new files in the parts of a split past memory.

    Parameters
    ----------
    folder : str
        The folder of the split.
    new : sequence of str
        Files, folders, patterns or URLs.
    seed : int or None
        The seed; None: that of the split.
    scaling : Scaling
        How the rows are placed.
    target : Target
        The report.
    quiet : bool
        Whether nothing but errors is printed.
    as_json : bool
        Whether the result is printed as JSON.
    """
    from .. import scale

    keywords: dict[str, Any] = {"random_state": seed, **scaling.keywords()}
    remarks: list[str] = []
    old_files: list[str] = []

    def make(progress: Progress) -> ScaledSplit:
        old = scale.load(folder)
        old_files.extend(old.files)
        split = scale.extend(folder, list(new), **keywords, progress=progress)
        n_new = split.n_rows - old.n_rows
        remarks.append(f"{n_new:,} new rows placed, {old.n_rows:,} left where they were.")
        return split

    run_scaled(make, [folder, *new], target, remarks, quiet, as_json, old_files)


def run_scaled(
    make: Callable[[Progress], ScaledSplit],
    inputs: Sequence[str],
    target: Target,
    remarks: Sequence[str],
    quiet: bool,
    as_json: bool,
    old_files: Sequence[str] = (),
) -> None:
    """Make a split at scale, write its report, and print what was done.

    Parameters
    ----------
    make : callable
        Makes the split; it gets a function that draws the progress, or None.
    inputs : sequence of str
        The data, which a report may not replace.
    target : Target
        The report, and whether one that exists may be replaced.
    remarks : sequence of str
        What to print after the result besides its own remarks; `make` may add some.
    quiet : bool
        Whether nothing but errors is printed.
    as_json : bool
        Whether the result is printed as JSON.
    old_files : sequence of str, default=()
        The files of the split that were there before, which are not written; `make` may add some.
    """
    from .remarks import remark_groups

    # Dask and Spark need it.
    show_pandas()
    writer = None
    if target.report is not None:
        writer = ReportWriter(target.report, target.force, inputs)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", AssumptionWarning)
        with can_go_on(), show_passes(quiet) as progress:
            split = make(progress)
    assumed = [str(each.message) for each in caught if issubclass(each.category, AssumptionWarning)]
    groups = split.certificate().values
    remarks = [*remarks, *remark_groups([own.column for own in groups], split.n_rows)]
    beside = [str(split.path)]
    if writer is not None:
        writer.write(split.quality, None, split.remarks(), split.certificate())
        beside.append(str(target.report))
    written = [path for path in split.files if path not in set(old_files)]
    shown = [f"{show_count(len(written), 'file')} in {split.folder}", *beside]
    say("\n".join([*assumed, f"{split}\n", *remarks, f"Written: {', '.join(shown)}"]), quiet)
    if as_json:
        said = [*assumed, *split.quality.remarks(), *split.notes, *remarks]
        print_json(split.to_dict() | {"warnings": said, "written": [*written, *beside]})
