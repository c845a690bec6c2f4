"""Errors as one message in the words of the command line."""

from __future__ import annotations

import re
from typing import Any

import click

from .._checks.values import show_value
from ..exceptions import EvenfoldError, _shorten_message
from ..files.memory import limit_memory
from .memory_limit import find_limit
from .options import OPTION_OF_PARAMETER
from .stopping import Unfinished, stop_if_told
from .terminal import fit
from .unfinished import finish_unfinished

_QUOTE = "'"
# What messages of the library say to do, and what that is on the command line.
_WORDS = {
    "Pass ids.": "Name a column of ids with --id.",
    "or pass ids.": "or name a column of ids with --id.",
    "not in 'ids'": "not in --id",
    "with 'ids'": "with --id",
    "rows of 'y'": "rows of the labels",
    "must sum to 1 or to the": "must sum to 1, to 100 (percent) or to the",
    "Give the sizes wanted as 'parts'.": "Give the sizes wanted with --parts.",
    "the threshold 'at'": "the threshold --at",
    "Give them titles of their own: a mapping from title to learner.": "Name each once.",
    "Give them titles of their own: a mapping from title to method.": "Name each once.",
}
# The same, if each file is a part.
_PART_OF_ROW = "Give the part of every row."
_FILE_OF_PART = "Name a file with rows for each part."
_THRESHOLDS = re.compile(r"\bat=\{(.+?)\}")
# An argument as messages write it: max_group, max_group=9, metric='cosine'.
_ARGUMENT = re.compile(r"(?<![\w'-])(?P<name>[a-z]+(?:_[a-z]+)*)\b(?:=(?P<value>'\w*'|[\w.]*\w))?")

# What the system says when it cannot load a library.
_NO_MEMORY = re.compile("failed to map segment|[Cc]annot allocate memory")


class DataError(click.ClickException):
    """Something is wrong with the data, or a check has failed: exit code 1."""

    def show(self, file: Any = None) -> None:
        """Print the message, without characters that would control a terminal."""
        text = "".join(
            own if own.isprintable() or own == "\n" else ascii(own)[1:-1]
            for own in self.format_message()
        )
        click.echo(fit(f"evenfold: {text}"), file=file, err=file is None)


class Command(click.Command):
    """A command that shows errors of data, files and memory as one message, not a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            finish_unfinished(ctx.params)
            with limit_memory(find_limit(ctx)):
                return super().invoke(ctx)
        except EvenfoldError as error:
            raise DataError(_in_options(error, ctx.params)) from None
        except (BrokenPipeError, Unfinished):
            raise  # the reader of our output has closed it, and click ends quietly; or Ctrl-C
        except OSError as error:
            raise DataError(describe(error)) from None
        except MemoryError as error:
            detail = f" ({error})" if error.args else ""
            raise DataError(
                f"there is not enough memory for this{detail}. "
                "Try --order 1, fewer columns, or a part of the data."
            ) from None
        except UnicodeEncodeError as error:
            raise DataError(
                f"{show_value(error.object)} has characters that are no valid Unicode. "
                "Choose another name."
            ) from None
        except Exception as error:
            stop_if_told()
            # Arrow's errors are recognised by their module, because importing it takes time. Of an
            # EOFError, click would say that the user has stopped the command.
            if said := _describe_shortage(error):
                raise DataError(said) from None
            if isinstance(error, EOFError) or _is_of_arrow(error):
                data = ctx.params.get("data", "Arrow")
                paths = data if isinstance(data, str) else ", ".join(data)
                raise DataError(f"{paths}: cannot be read or written: {error}") from None
            raise


def _describe_shortage(error: Exception) -> str | None:
    """Say what the system lacks, if the error is about memory, a thread or a process."""
    from concurrent.futures import BrokenExecutor  # importing it takes time

    if isinstance(error, BrokenExecutor):
        return (
            "a process that --jobs has started was killed, perhaps because there was too little "
            "memory. Use fewer --jobs; finished runs are in --cache, if that is given."
        )
    if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
        return (
            "the system allows no more threads. There is too little memory, or there are too many "
            "processes."
        )
    if isinstance(error, ImportError) and _NO_MEMORY.search(str(error)):
        return f"there is not enough memory to load a package: {error}."
    return None


def _is_of_arrow(error: Exception) -> bool:
    return type(error).__module__.partition(".")[0] == "pyarrow"


def describe(error: OSError) -> str:
    """Say what the system refused, and for which file."""
    if error.strerror is None:
        return _shorten_message(str(error))
    path = f"{error.filename}: " if error.filename else ""
    return _shorten_message(f"{path}{error.strerror}.")


def _in_options(error: EvenfoldError, given: dict[str, Any]) -> str:
    """Name the option, or the file, that a parameter of the library came from."""
    message = str(error)
    said = _replace_arguments(error.message, given)
    if error.parameter is not None:
        option = OPTION_OF_PARAMETER.get(error.parameter)
        if error.parameter == "parts" and not given.get("parts"):
            # The default of commands without --parts is a number of folds.
            option = "--folds"
        elif error.parameter == "fixed" and given.get("fixed"):
            option = "--fixed"
        elif option is None and error.parameter in given:
            option = f"--{error.parameter.replace('_', '-')}"
        elif option == "--part-column" and given.get("part_column") is None:
            option, said = "DATA", said.replace(_PART_OF_ROW, _FILE_OF_PART)
        return message if option is None else f"{option} {said}"
    return said


def _replace_arguments(message: str, given: dict[str, Any]) -> str:
    """Write arguments of the library as options: `max_group=9` as `--max-group 9`."""

    def to_option(found: re.Match[str]) -> str:
        name, value = found["name"], found["value"]
        before = message[: found.start()]
        if before.count("<") > before.count(">"):  # a type: dictionary<values=string, indices=int8>
            return found[0]
        if name not in given or (value is None and "_" not in name):
            return found[0]
        if name == "exact":
            return "--exact" if value == "True" else "--approximate"
        option = f"--{name.replace('_', '-')}"
        return option if value in (None, "True") else f"{option} {value.strip(_QUOTE)}"

    for words, own in _WORDS.items():
        message = message.replace(words, own)
    message = _THRESHOLDS.sub(_to_thresholds, message)
    return _ARGUMENT.sub(to_option, message)


def _to_thresholds(found: re.Match[str]) -> str:
    """Write `at={'text': 0.8, 'similar': 0.9}` as `--at text=0.8,similar=0.9`."""
    return "--at " + found[1].replace(_QUOTE, "").replace(": ", "=").replace(", ", ",")
