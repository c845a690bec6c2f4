"""Errors as one message in the words of the command line."""

from __future__ import annotations

import re
from typing import Any

import click

from .._checks.values import show_value
from ..exceptions import EvenfoldError
from .options import OPTION_OF_PARAMETER
from .stopping import Unfinished, stop_if_told
from .terminal import fit

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


class DataError(click.ClickException):
    """Something is wrong with the data, or a check has failed: exit code 1."""

    def show(self, file: Any = None) -> None:
        """Print the message."""
        click.echo(fit(f"evenfold: {self.format_message()}"), file=file, err=True)


class Command(click.Command):
    """A command that shows errors of data, files and memory as one message, not a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
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
            if isinstance(error, EOFError) or _is_of_arrow(error):
                data = ctx.params.get("data", "Arrow")
                paths = data if isinstance(data, str) else ", ".join(data)
                raise DataError(f"{paths}: cannot be read or written: {error}") from None
            raise


def _is_of_arrow(error: Exception) -> bool:
    return type(error).__module__.partition(".")[0] == "pyarrow"


def describe(error: OSError) -> str:
    """Say what the system refused, and for which file."""
    if error.strerror is None:
        return str(error)
    return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."


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
