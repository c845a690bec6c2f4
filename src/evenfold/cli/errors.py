"""What the user reads when something is wrong: one message, in the words of the command line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

import click

from ..exceptions import EvenfoldError
from .stopping import stop_if_told

# What the library calls otherwise.
_OPTION_OF = {
    "X": "--features",
    "fixed": "--part-column",
    "n": "-n",
    "parents": "--propagate",
    "part_of_row": "--part-column",
    "random_state": "--seed",
    "y": "the labels",
}


class DataError(click.ClickException):
    """Something is wrong with the data, or a check has failed: exit 1."""

    def show(self, file: Any = None) -> None:
        """Print the message."""
        click.echo(f"evenfold: {self.format_message()}", file=file, err=True)


class Command(click.Command):
    """A command whose errors in data, files and memory are one message, never a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run it."""
        try:
            return super().invoke(ctx)
        except EvenfoldError as error:
            raise DataError(_in_options(error, ctx.params)) from None
        except BrokenPipeError:
            raise  # whoever reads our output has enough; click ends quietly
        except OSError as error:
            raise DataError(describe(error)) from None
        except MemoryError as error:
            about = f" ({error})" if str(error) else ""
            raise DataError(
                f"there is not enough memory for this{about}. Try --order 1, fewer columns, or a part of the data."
            ) from None
        except Exception as error:
            stop_if_told()
            # Arrow's errors are of several kinds, and looking at them must not load it.
            if type(error).__module__.partition(".")[0] == "pyarrow":
                data = ctx.params.get("data", "Arrow")
                raise DataError(
                    f"{data if isinstance(data, str) else ', '.join(data)}: cannot be read or written: {error}"
                ) from None
            raise


def describe(error: OSError) -> str:
    """Say what the system would not do, and with which file."""
    if error.strerror is None:
        return str(error)
    return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."


def suggest(name: str, names: Iterable[str]) -> str:
    """Return a question that ends a message, where a name is near enough to the one that was meant."""
    near = difflib.get_close_matches(name, list(names), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


def _in_options(error: EvenfoldError, given: dict[str, Any]) -> str:
    """Name the option, or the file, that a parameter of the library came from."""
    message = str(error)
    if error.parameter is not None:
        option = _OPTION_OF.get(error.parameter)
        if error.parameter == "parts" and given.get("folds"):
            option = "--folds"
        elif option is None and error.parameter in given:
            option = f"--{error.parameter}"
        message = message if option is None else f"{option} {error.message}"
    return message
