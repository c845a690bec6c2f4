"""Errors as one message in the words of the command line."""

from __future__ import annotations

from typing import Any

import click

from ..exceptions import EvenfoldError
from .options import OPTION_OF_PARAMETER
from .stopping import stop_if_told


class DataError(click.ClickException):
    """Something is wrong with the data, or a check has failed: exit code 1."""

    def show(self, file: Any = None) -> None:
        """Print the message."""
        click.echo(f"evenfold: {self.format_message()}", file=file, err=True)


class Command(click.Command):
    """A command that shows errors of data, files and memory as one message, not a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except EvenfoldError as error:
            raise DataError(_in_options(error, ctx.params)) from None
        except BrokenPipeError:
            raise  # the reader of our output has closed it; click ends quietly
        except OSError as error:
            raise DataError(describe(error)) from None
        except MemoryError as error:
            detail = f" ({error})" if error.args else ""
            raise DataError(
                f"there is not enough memory for this{detail}. "
                "Try --order 1, fewer columns, or a part of the data."
            ) from None
        except Exception as error:
            stop_if_told()
            # Arrow's errors are recognised by their module, because importing it takes time.
            if type(error).__module__.partition(".")[0] == "pyarrow":
                data = ctx.params.get("data", "Arrow")
                paths = data if isinstance(data, str) else ", ".join(data)
                raise DataError(f"{paths}: cannot be read or written: {error}") from None
            raise


def describe(error: OSError) -> str:
    """Say what the system refused, and for which file."""
    if error.strerror is None:
        return str(error)
    return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."


def _in_options(error: EvenfoldError, given: dict[str, Any]) -> str:
    """Name the option, or the file, that a parameter of the library came from."""
    message = str(error)
    if error.parameter is not None:
        option = OPTION_OF_PARAMETER.get(error.parameter)
        if error.parameter == "parts" and given.get("folds"):
            option = "--folds"
        elif option is None and error.parameter in given:
            option = f"--{error.parameter}"
        message = message if option is None else f"{option} {error.message}"
    return message
