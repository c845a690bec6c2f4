"""Types of options: how a text on the command line is read and checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from .._checks.choices import suggest
from .new_names import check_unicode

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:  # in older versions of click the class takes no brackets
    ParamType = click.ParamType


class OneOf(ParamType):
    """One of a few names. They are looked up only when needed, so that help stays fast."""

    # What else is allowed, for the message of an error.
    also = ""

    def __init__(self, name: str, find_names: Callable[[], Sequence[str]]) -> None:
        self.name = name
        self._find_names = find_names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the name."""
        names = self._find_names()
        if value not in names:
            hint = suggest(str(value), names, "Take one of these.")
            allowed = ", ".join(names) + self.also
            self.fail(f"{value!r} is not one of {allowed}. {hint}", param, ctx)
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        """Offer the names that begin with what was typed."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self._find_names() if name.startswith(incomplete)]


class ColumnNames(ParamType):
    """Names of columns of DATA, which the shell can complete if DATA stands before the option."""

    name = "COLS"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        """Offer the columns that begin with what was typed after the last comma or colon.

        Names with blanks are left out, because bash would cut them. Errors are not shown.
        """
        from click.shell_completion import CompletionItem

        # Click does not parse arguments before an option without its value.
        data = ctx.params.get("data") or ctx.args
        start = 1 + max(incomplete.rfind(","), incomplete.rfind(":"))
        before, typed = incomplete[:start], incomplete[start:]
        return [
            CompletionItem(before + name)
            for name in _read_columns(data)
            if name.startswith(typed) and not any(map(str.isspace, name))
        ]


def _read_columns(data: Sequence[str]) -> Sequence[str]:
    """Return the columns of the first file; none if it cannot be read, or is a stream."""
    from pathlib import Path

    if not data or not Path(data[0].partition("::")[0]).exists() or Path(data[0]).is_fifo():
        return ()
    with suppress(Exception):
        from ..files.registry import open_data

        return open_data(data[0]).columns
    return ()


class Effort(OneOf):
    """The name of an effort, or a number of seconds."""

    also = ", nor a number of seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name, or the seconds as a float."""
        try:
            seconds = float(value)
        except ValueError:
            return super().convert(value, param, ctx)
        if not 0 < seconds < math.inf:
            self.fail(f"{value!r} is not a number of seconds above 0. Try 10, or fast.", param, ctx)
        return seconds


class Cover(ParamType):
    """A number of rows of each label in every part."""

    name = "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        try:
            number = int(value)
        except ValueError:
            number = -1
        if number < 0:
            self.fail(
                f"{value!r} is not a number of rows. Write 1 for a row of each label in every "
                "part, or 0 for no rule.",
                param,
                ctx,
            )
        return number


class Tolerance(ParamType):
    """A number of rows, or a share of a part: 50, 0.05 or 5%."""

    name = "N"
    counted = "rows"
    example = "50"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return a number as an int, a share as a float."""
        text = str(value).strip()
        try:
            number = float(text.removesuffix("%"))
        except ValueError:
            number = math.nan
        is_share = text.endswith("%")
        number = number / 100 if is_share else number
        is_count = not is_share and number >= 1 and number.is_integer()
        if not 0 <= number < 1 and not is_count:
            self.fail(
                f"{value!r} is neither a number of {self.counted} nor a share below 1. "
                f"Try {self.example}, 0.05 or 5%.",
                param,
                ctx,
            )
        return int(number) if is_count else number


class Budget(Tolerance):
    """A number of label entries, or a share of all: 1000000, 0.05 or 5%."""

    counted = "label entries"
    example = "1000000"


class MemorySize(ParamType):
    """A number of bytes: 4GB, 512MB or 8G, and 0 where nothing at all is a choice."""

    name = "SIZE"

    def __init__(self, least: int = 1) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes."""
        from ..exceptions import InputError
        from ..scale.limits import check_memory

        try:
            n_bytes = check_memory(value)
        except InputError:
            n_bytes = -1
        if n_bytes < self.least:
            size = "a size above 0" if self.least else "a size"
            self.fail(f"{value!r} is not {size}. Try 4GB or 512MB.", param, ctx)
        return n_bytes


class NumberOfRows(ParamType):
    """A number of rows, or a fraction of all rows."""

    name = "N"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return a whole number as an int."""
        try:
            number = float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number. Try 1000 or 0.1.", param, ctx)
        if not 0 < number < math.inf or (number > 1 and not number.is_integer()):
            self.fail(
                f"{value!r} is neither a number of rows nor a fraction of them. Try 1000 or 0.1.",
                param,
                ctx,
            )
        if number == 1 and isinstance(value, str) and not value.strip().lstrip("+").isdecimal():
            self.fail(
                f"{value!r} is a fraction that leaves no row over. "
                "Write 1 for one row, or a fraction below 1.",
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
        """Split at the commas."""
        names = (
            [name.strip() for name in check_unicode(self, value, param, ctx).split(",")]
            if isinstance(value, str)
            else list(value)
        )
        if not all(names):
            self.fail(
                f"{value!r} has an empty name in it. Leave out the comma, or name it.", param, ctx
            )
        return names


class LearnerName(ParamType):
    """The name of a learner."""

    name = "NAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the name; whether its package is installed is seen when it is made."""
        from ..exceptions import InputError
        from ..learn import make_learner

        try:
            make_learner(value)
        except InputError as error:
            of_base = "the base learner of " if error.parameter == "base" else ""
            if error.parameter in ("base", "learner"):
                raise click.UsageError(f"{of_base}{_name_option(param)} {error.message}") from None
        return str(value)


def _name_option(param: click.Parameter | None) -> str:
    return "the value" if param is None else max(param.opts, key=len)


class ListOf(NamesList):
    """Names of one kind with commas between them."""

    def __init__(self, kind: OneOf | LearnerName) -> None:
        self._kind = kind

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[str]:
        """Split at the commas and check each name."""
        return [self._kind.convert(name, param, ctx) for name in super().convert(value, param, ctx)]


class SizesList(NamesList):
    """Sizes of parts: 0.8,0.2 or 800,200 or 80%,20% or with names train=0.8,test=0.2."""

    name = "SIZES"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a list of sizes, or a mapping from name to size; whole numbers as ints."""
        if not isinstance(value, str):
            return value
        pairs = [piece.rpartition("=")[::2] for piece in super().convert(value, param, ctx)]
        texts = [size.strip() for _, size in pairs]
        sizes = [self._read(text.removesuffix("%").rstrip(), param, ctx) for text in texts]
        n_percent = sum(text.endswith("%") for text in texts)
        if n_percent:
            is_whole = n_percent == len(texts) and math.isclose(sum(sizes), 100, abs_tol=1e-6)
            if not is_whole:
                self.fail(f"{value!r} is not percent that sum to 100. Try 80%,10%,10%.", param, ctx)
            sizes = [size / 100 for size in sizes]
        wrong = next((size for size in sizes if not 0 < size < math.inf), None)
        if wrong is not None:
            raise click.UsageError(
                f"{_name_option(param)} must hold sizes above 0, got {wrong}. Try 0.8,0.1,0.1."
            )
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


class Thresholds(NamesList):
    """One threshold, or one for each of several sources: 0.8 or text=0.8,similar=0.95."""

    def __init__(self, name: str, sources: Sequence[str]) -> None:
        self.name = name
        self._source = OneOf("SOURCE", lambda: sources)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a number, or a mapping from source to number; whole numbers as ints."""
        if not isinstance(value, str):
            return value
        if "=" not in value:
            return self._read(value, param, ctx)
        pairs = [piece.partition("=")[::2] for piece in super().convert(value, param, ctx)]
        names = [self._source.convert(name.strip(), param, ctx) for name, _ in pairs]
        if len(set(names)) < len(names):
            self.fail(f"{value!r} names a source twice. Name each once.", param, ctx)
        numbers = [self._read(number, param, ctx) for _, number in pairs]
        return dict(zip(names, numbers, strict=True))

    def _read(self, text: str, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = int(text) if text.strip().isdecimal() else float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            self.fail(f"{text!r} is not a number. Try 0.8, or text=0.8,similar=0.95.", param, ctx)
        if number < 0:
            self.fail(f"{text!r} is below 0. Try 0.8, or text=0.8,similar=0.95.", param, ctx)
        return number


class Undefined(ParamType):
    """What counts for an undefined value: nan, skip, or a number."""

    name = "nan|skip|NUMBER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return skip as it is, everything else as a float."""
        try:
            return value if value == "skip" else float(value)
        except ValueError:
            self.fail(f"{value!r} is neither nan, skip nor a number. Try skip, or 0.", param, ctx)


class OutputPath(click.Path):
    """A path to write to. An empty one, as from an unset variable, would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse an empty path."""
        if value == "":
            self.fail("'' is no path. Name a file or folder.", param, ctx)
        if value == "-" and not self.allow_dash:
            self.fail("'-' is stdout, which this cannot go to. Name a file or folder.", param, ctx)
        return super().convert(value, param, ctx)
