"""Options that several commands share, and the records in which commands get their values."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click

from ..files.registry import FORMATS
from .memory_limit import max_memory_option
from .new_names import NewName
from .number_types import WholeNumber
from .option_types import (
    ColumnNames,
    Cover,
    Effort,
    LearnerName,
    ListOf,
    NumberOfRows,
    OneOf,
    OutputPath,
    SizesList,
    Tolerance,
)

Sizes = int | list[float] | list[int] | dict[str, float]

# Parameters of the library whose options have other names; error messages name the option.
OPTION_OF_PARAMETER = {
    "X": "--features",
    "base": "the base learner of --learner",
    "data": "DATA",
    "fixed": "--part-column",
    "folder": "DATA",
    "ids": "--id",
    "key": "--id",
    "learners": "--learner",
    "n": "-n",
    "parents": "--propagate",
    "part_of_row": "--part-column",
    "random_state": "--seed",
    "s": "--part-column",
    "size_tolerance": "--size-tolerance",
    "y": "the labels",
    "y_all": "the labels",
}


def _find_methods() -> list[str]:
    from ..methods import METHODS

    return list(METHODS)


def _find_efforts() -> list[str]:
    from ..methods.even.tuning import EFFORTS

    return list(EFFORTS)


def _find_metrics() -> list[str]:
    from ..metrics import METRICS

    return list(METRICS)


METHOD = OneOf("METHOD", _find_methods)
METHODS_LIST = ListOf(METHOD)
LEARNER = LearnerName()
LEARNERS_LIST = ListOf(LEARNER)
METRICS_LIST = ListOf(OneOf("METRIC", _find_metrics))
COLUMNS = ColumnNames()
SIZES = SizesList()
FILE_OUT = OutputPath(path_type=Path, dir_okay=False)
FOLDER_OUT = OutputPath(readable=False)
# What may be stdout; a file named so is ./-
PATH_OUT = OutputPath(readable=False, allow_dash=True)
# A path, a pattern or -. Whether it exists is checked when it is opened.
PATH_IN = click.Path(readable=False)
FILE_IN = click.Path(path_type=Path, dir_okay=False, exists=True)


class Reading(NamedTuple):
    """How data is read."""

    format: str | None
    labels: tuple[str, ...]
    separator: str | None
    propagate: Path | None
    xml: Path | None
    long: str | None = None

    @property
    def paths(self) -> list[Path]:
        """The files that are read besides the data."""
        return [path for path in (self.propagate, self.xml) if path is not None]


class Cut(NamedTuple):
    """Into which parts the rows are cut."""

    parts: Sizes | None
    folds: int | None

    def sizes(self, default: int | None = None) -> Sizes:
        """Return the argument `parts` of `evenfold.split`."""
        if self.parts is not None and self.folds is not None:
            raise click.UsageError("--parts and --folds both say how to cut. Give one of them.")
        sizes = next(
            (given for given in (self.parts, self.folds, default) if given is not None), None
        )
        if sizes is None:
            raise click.UsageError("Say how to cut the data: --parts 0.8,0.1,0.1 or --folds 5.")
        return sizes


class Placing(NamedTuple):
    """How rows are placed."""

    method: str
    order: str | None
    cover: int | None
    size_tolerance: float | None
    effort: str | float | None

    def keywords(self, progress: Callable[[float], object] | None) -> dict[str, Any]:
        """Return the arguments of `evenfold.split` that say how rows are placed.

        Of the methods, only `even` reports its progress.
        """
        from ..methods import Even

        keywords = {
            "order": read_order(self.order),
            "cover": self.cover,
            "size_tolerance": self.size_tolerance,
        }
        if self.method != Even.name:
            return {"method": self.method, "effort": self.effort, **keywords}
        effort = "normal" if self.effort is None else self.effort
        return {"method": Even(effort, progress=progress), **keywords}


class Target(NamedTuple):
    """Where a split is written."""

    output: str | None
    column: str | None
    hive: bool
    mirror: bool
    indices: Path | None
    manifest: Path | None
    report: Path | None
    with_images: str | None
    force: bool


def read_order(order: str | None) -> Any:
    """Return the argument `order` of `evenfold.split`."""
    return int(order) if order in ("1", "2") else order


def bundle(record: type[Any], name: str, *options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Add options to a command, which gets their values as one argument, a record."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def call(**values: Any) -> Any:
            own = {field: values.pop(field) for field in record._fields}
            return command(**values, **{name: record(**own)})

        return functools.reduce(lambda made, option: option(made), reversed(options), call)

    return decorate


data_argument = click.argument("data", metavar="DATA...", type=PATH_IN, nargs=-1, required=True)
format_option = click.option(
    "--format",
    type=OneOf("FORMAT", lambda: list(FORMATS)),
    help=f"The format of DATA: {', '.join(FORMATS)}. Default: the format of its suffix.",
)
reading_options = bundle(
    Reading,
    "reading",
    click.option(
        "--labels",
        type=COLUMNS,
        metavar="COLS",
        multiple=True,
        help="Label columns: names, patterns such as 'genre_*', or ranges such as 'first:last', "
        "with commas between them; or one column of lists, of classes, or of text with a "
        "separator. Patterns leave out columns that other options name; '*' also leaves out ids, "
        "paths, and text of which nearly every cell differs. Repeatable. Default: the "
        "labels that the format marks; else, if no other column looks like labels, the only "
        "column of lists, the only column of texts of which most have '|' or ';', or all columns "
        "of 0 and 1 if there is at most one other column that no option names.",
    ),
    click.option(
        "--separator",
        metavar="TEXT",
        help="The text between the labels in one column, such as '|'; '' if each cell is one "
        "label.",
    ),
    click.option(
        "--long",
        type=COLUMNS,
        metavar="ITEM,LABEL",
        help="For data with one line for each item and label: the column of the items and that of "
        "the labels. Rows are then the items; lines of an item stay together.",
    ),
    click.option(
        "--propagate",
        type=FILE_IN,
        metavar="FILE",
        help="A hierarchy: csv with the columns label and parent, or .obo. A row with a label "
        "then has all ancestors of the label too.",
    ),
    click.option(
        "--xml",
        type=FILE_IN,
        metavar="FILE",
        help="For ARFF: Mulan's list of the labels. Default: the file of the same name that ends "
        "in .xml.",
    ),
    format_option,
    max_memory_option,
)
cut_options = bundle(
    Cut,
    "cut",
    click.option(
        "--parts",
        type=SIZES,
        help="Fractions that sum to 1, percent that sum to 100, or numbers of rows: 0.8,0.1,0.1 or "
        "80,10,10 or train=0.8,test=0.2.",
    ),
    click.option("--folds", type=WholeNumber(min=2), metavar="K", help="Cut into K equal folds."),
)
effort_option = click.option(
    "--effort",
    type=Effort("EFFORT", _find_efforts),
    help="How long the method even searches: fast, normal or best; or a number of seconds: "
    "results then depend on the machine's speed. Default: normal.",
)
order_option = click.option(
    "--order",
    type=OneOf("ORDER", lambda: ["auto", "1", "2"]),
    help="What is kept even. 1: labels only. auto: also labelsets, labels per row and rarity. "
    "2: also label pairs. Default: auto for the method even, 1 for the others.",
)
holdout_option = click.option(
    "--holdout",
    type=NumberOfRows(),
    metavar="SIZE",
    help="A fraction or number of rows for a part 'test'; the other rows are cut into the parts.",
)
placing_options = bundle(
    Placing,
    "placing",
    click.option(
        "--method", type=METHOD, default="even", show_default=True, help="How rows are placed."
    ),
    order_option,
    click.option(
        "--cover",
        type=Cover(),
        help="How many rows of each label every part should hold, before labels are made even; "
        "with the method even. Default: a row where the part's share is more than half a row, if "
        "the label has enough. 0: no such rule.",
    ),
    click.option(
        "--size-tolerance",
        type=Tolerance(),
        help="By how much sizes may be off where groups make labels uneven: 50 rows, 0.05 or 5% of "
        "each part. A group larger than any part is then no error. Takes several times as long.",
    ),
    effort_option,
)
bound_option = click.option(
    "--bound",
    type=OneOf("BOUND", lambda: ["cheap", "tight"]),
    default="cheap",
    show_default=True,
    help="tight: also show a higher bound of rLD, which considers all labels together. It takes up "
    "to some seconds.",
)
balance_option = click.option(
    "--balance",
    type=COLUMNS,
    metavar="COL",
    multiple=True,
    help="A column to keep even besides labels. For images with boxes also n_boxes and box_area, "
    "the total area of the boxes as a share of the image. Repeatable.",
)
seed_option = click.option(
    "--seed",
    type=WholeNumber(min=0),
    metavar="N",
    default=0,
    show_default=True,
    help="The same number gives the same result.",
)
force_option = click.option("--force", is_flag=True, help="Overwrite outputs that exist.")
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Print only errors.")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print the result as one JSON object on stdout."
)
report_option = click.option(
    "--report",
    type=FILE_OUT,
    metavar="FILE",
    help="Write a report for people: how even the split is, and where it is not. Ends in .html "
    "(one page), .md or .json.",
)
target_options = bundle(
    Target,
    "target",
    click.option(
        "-o",
        "--output",
        type=PATH_OUT,
        metavar="PATH",
        help="A file: DATA with one more column that names the part; a table is converted if the "
        "file has the suffix of another format. A path without a suffix: a folder with one file "
        "for each part. -: stdout.",
    ),
    click.option(
        "--column",
        type=NewName(),
        metavar="NAME",
        help="The name of the new column. Default: part.",
    ),
    click.option(
        "--hive",
        is_flag=True,
        help="With a folder as -o: one folder for each part, such as part=train, with one file. "
        "Spark, Dask, DuckDB and pyarrow read them as one table with the column part, or the name "
        "that --column gives.",
    ),
    click.option(
        "--mirror",
        is_flag=True,
        help="With a folder as -o: one folder for each part, with the same files and folders as "
        "DATA. Otherwise, several files become one for each part.",
    ),
    click.option(
        "--indices",
        type=FILE_OUT,
        metavar="FILE",
        help="Row numbers of each part, from 0 (.json); or the part number of each row (.npy).",
    ),
    click.option(
        "--manifest",
        type=FILE_OUT,
        metavar="FILE",
        help="Is written: the record of the split (.json), with parts, settings and a fingerprint "
        "of the labels.",
    ),
    report_option,
    click.option(
        "--with-images",
        type=OneOf("HOW", lambda: ["copy", "link"]),
        help="For folders of images: the folder of -o gets the images and their annotations too, "
        "as copies (copy) or as hard links, which take no space (link). Default: only lists.",
    ),
    force_option,
)


def example(*lines: str) -> str:
    """Return the end of a help text: a command that works after `evenfold demo -o movies.csv`."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)
