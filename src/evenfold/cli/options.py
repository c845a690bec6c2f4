"""Options that several commands share, and how their values read."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .errors import suggest

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:  # older versions of click do not know brackets here
    ParamType = click.ParamType

Sizes = int | list[float] | list[int] | dict[str, float]


class OneOf(ParamType):
    """One of a few names, which are looked up when one is given: help must not load what knows them."""

    def __init__(self, name: str, find_names: Callable[[], Sequence[str]]) -> None:
        self.name = name
        self._find_names = find_names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the name."""
        names = self._find_names()
        if value not in names:
            self.fail(
                f"{value!r} is not one of {', '.join(names)}.{suggest(str(value), names)}",
                param,
                ctx,
            )
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        """Offer the names."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self._find_names() if name.startswith(incomplete)]


class Effort(OneOf):
    """The name of an effort, or a number of seconds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it."""
        try:
            seconds = float(value)
        except ValueError:
            return super().convert(value, param, ctx)
        if not 0 < seconds < float("inf"):
            self.fail(f"{value!r} is not a number of seconds above 0.", param, ctx)
        return seconds


class Number(ParamType):
    """A number of rows, or a fraction of them."""

    name = "N"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read it; a whole number stays whole."""
        try:
            number = float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number. Try 1000 or 0.1.", param, ctx)
        if number == 1 and isinstance(value, str) and not value.strip().lstrip("+").isdecimal():
            self.fail(
                f"{value!r} is a fraction that leaves no row over. Write 1 for one row, or a fraction below 1.",
                param,
                ctx,
            )
        return int(number) if number.is_integer() else number


class NamesList(ParamType):
    """Names with commas between them."""

    name = "A,B,…"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[str]:
        """Read them."""
        names = (
            [name.strip() for name in value.split(",")] if isinstance(value, str) else list(value)
        )
        if not all(names):
            self.fail(f"{value!r} has an empty name in it.", param, ctx)
        return names


class ListOf(NamesList):
    """Names of one kind with commas between them."""

    def __init__(self, kind: OneOf) -> None:
        self._kind = kind

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[str]:
        """Check each."""
        return [self._kind.convert(name, param, ctx) for name in super().convert(value, param, ctx)]


class SizesList(NamesList):
    """Sizes of parts with commas between them, each with or without a name: 0.8,0.2 or 800,200 or train=0.8,test=0.2."""

    name = "SIZES"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read them; whole numbers stay whole."""
        if not isinstance(value, str):
            return value
        pairs = [piece.rpartition("=")[::2] for piece in super().convert(value, param, ctx)]
        sizes = [self._read(size.strip(), param, ctx) for _, size in pairs]
        names = [name.strip() for name, _ in pairs]
        if not any(names):
            return sizes
        if not all(names) or len(set(names)) < len(names):
            self.fail(
                f"{value!r} does not name each part once. Try train=0.8,test=0.2.", param, ctx
            )
        return dict(zip(names, sizes, strict=True))

    def _read(self, size: str, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            return int(size) if size.lstrip("+-").isdecimal() else float(size)
        except ValueError:
            self.fail(f"{size!r} is not a number. Try 0.8,0.1,0.1 or 800,100,100.", param, ctx)


class OutPath(click.Path):
    """A path to write to; an empty one, as of a variable that is not set, would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check it."""
        if value == "":
            self.fail("'' is no path. Name a file or folder.", param, ctx)
        return super().convert(value, param, ctx)


def _find_methods() -> list[str]:
    from ..methods import METHODS

    return list(METHODS)


def _find_efforts() -> list[str]:
    from ..methods.even.tuning import EFFORTS

    return list(EFFORTS)


def _find_formats() -> list[str]:
    from ..files.registry import FORMATS

    return list(FORMATS)


def _find_metrics() -> list[str]:
    from ..metrics import METRICS

    return list(METRICS)


METHOD = OneOf("METHOD", _find_methods)
METRIC = OneOf("METRIC", _find_metrics)
FILE_OUT = OutPath(path_type=Path, dir_okay=False)
PATH_OUT = OutPath(readable=False)
# A path, a pattern or -: whether it is there is seen when it is opened.
PATH_IN = click.Path(readable=False)
FILE_IN = click.Path(path_type=Path, dir_okay=False, exists=True)


class Reading(NamedTuple):
    """How data is read."""

    format: str | None
    labels: tuple[str, ...]
    separator: str | None
    propagate: Path | None
    xml: Path | None

    @property
    def paths(self) -> list[Path]:
        """What is read besides the data."""
        return [path for path in (self.propagate, self.xml) if path is not None]


class Cut(NamedTuple):
    """How the rows are to be cut."""

    parts: Sizes | None
    folds: int | None

    def sizes(self, default: int | None = None) -> Sizes:
        """Return what `evenfold.split` takes as `parts`."""
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
    effort: str | float | None

    def keywords(self, progress: Callable[[float], object] | None) -> dict[str, Any]:
        """Return what `evenfold.split` takes as `method`, `effort` and `order`; the method even tells how far it is."""
        from ..methods import Even

        order = int(self.order) if self.order in ("1", "2") else self.order
        if self.method != Even.name:
            return {"method": self.method, "effort": self.effort, "order": order}
        return {
            "method": Even("normal" if self.effort is None else self.effort, progress=progress),
            "order": order,
        }


def bundle(record: type[Any], name: str, *options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Add options to a command, and hand it their values as one record, under one name."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def call(**values: Any) -> Any:
            own = {field: values.pop(field) for field in record._fields}
            return command(**values, **{name: record(**own)})

        return functools.reduce(lambda made, option: option(made), reversed(options), call)

    return decorate


data_argument = click.argument("data", metavar="DATA", type=PATH_IN)
reading_options = bundle(
    Reading,
    "reading",
    click.option(
        "--labels",
        metavar="COLS",
        multiple=True,
        help="Label columns: names or patterns with commas between them, such as 'genre_*'; or one "
        "column of lists, of classes, or of text with a separator. Repeatable. Default: what is plainly labels.",
    ),
    click.option(
        "--separator",
        metavar="TEXT",
        help="What stands between labels in one column, such as '|'; '' where each cell is one label.",
    ),
    click.option(
        "--propagate",
        type=FILE_IN,
        metavar="FILE",
        help="A hierarchy, csv with columns label and parent or .obo: a row with a label has all its ancestors too.",
    ),
    click.option(
        "--xml",
        type=FILE_IN,
        metavar="FILE",
        help="ARFF: Mulan's list of the labels. Default: the file of the same name that ends in .xml.",
    ),
    click.option(
        "--format",
        type=OneOf("FORMAT", _find_formats),
        help="The format of DATA. Default: what its suffix says.",
    ),
)
cut_options = bundle(
    Cut,
    "cut",
    click.option(
        "--parts",
        type=SizesList(),
        help="Fractions that sum to 1 or numbers of rows: 0.8,0.1,0.1 or train=0.8,test=0.2.",
    ),
    click.option(
        "--folds", type=click.IntRange(min=2), metavar="K", help="Cut into K equal folds."
    ),
)
effort_option = click.option(
    "--effort",
    type=Effort("EFFORT", _find_efforts),
    help="fast, normal or best, or a number of seconds, for the method even.",
)
placing_options = bundle(
    Placing,
    "placing",
    click.option(
        "--method", type=METHOD, default="even", show_default=True, help="How rows are placed."
    ),
    click.option(
        "--order",
        type=OneOf("ORDER", lambda: ["auto", "1", "2"]),
        help="What is kept even: 1 labels only; auto also labelsets, labels per row and rarity; 2 also label pairs. Default: what suits the method.",
    ),
    effort_option,
)
groups_option = click.option(
    "--groups",
    metavar="COL",
    help="Rows with the same value here stay together: a patient, a document.",
)
balance_option = click.option(
    "--balance",
    metavar="COL",
    multiple=True,
    help="A column to keep even besides labels. Repeatable.",
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    default=0,
    show_default=True,
    help="Another number, another split.",
)
force_option = click.option("--force", is_flag=True, help="Overwrite outputs that exist.")
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Say nothing but errors.")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print the result as one JSON object on stdout."
)


def example(*lines: str) -> str:
    """Return the end of a help text: a command that runs on the movies of `evenfold demo -o movies.csv`."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)
