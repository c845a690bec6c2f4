"""The `evenfold` command."""

from __future__ import annotations

import io
import os
import signal
import sys
from contextlib import suppress

import click

from .. import __version__
from .._checks.choices import suggest
from .audit import audit
from .check import check
from .compare import compare
from .completion import completion
from .demo import demo
from .errors import describe
from .evaluate import evaluate
from .extend import extend
from .info import info
from .link import link
from .quick_start import start_quickly
from .sample import sample
from .seen_inputs import forget_inputs
from .split import split
from .stopping import Unfinished, end, listen
from .streams import drop_stdout, reopen_closed_streams
from .terminal import fit

COMMANDS = (split, check, audit, link, compare, evaluate, extend, sample, info, demo, completion)
_NOTHING_LEFT = "Nothing was left half-written."


class _InOrder(click.Group):
    """A group that lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, or suggest one for a misspelled name, as click 8.4 does."""
        name = args[0]
        hint = suggest(name, self.commands)
        if name not in self.commands and hint and not ctx.resilient_parsing:
            raise click.UsageError(f"No such command {name!r}. {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_InOrder,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExample:\n  evenfold demo",
)
@click.version_option(__version__, prog_name="evenfold")
def evenfold() -> None:
    """Split multi-label data evenly, and see how close that is to the best possible.

    Exit codes: 0 done, 1 something is wrong with the data or a check has failed, 2 wrong usage,
    130 stopped with Ctrl-C.
    """


for command in COMMANDS:
    evenfold.add_command(command)


def main() -> None:
    """Run the command; every error is one message on stderr."""
    reopen_closed_streams()
    listen()
    forget_inputs()
    start_quickly()
    if hasattr(sys.stdout, "reconfigure"):
        # Characters that the terminal cannot show are escaped.
        sys.stdout.reconfigure(errors="backslashreplace")
    code = _run()
    end()
    try:
        sys.stdout.flush()
    except OSError as error:
        drop_stdout()
        if not code:
            click.echo(f"evenfold: stdout: {describe(error)}", err=True)
            code = 1
    sys.exit(code)


def _show(error: click.ClickException) -> None:
    """Print a message of click's, with long lines broken between words on a terminal."""
    with io.StringIO() as shown:
        error.show(shown)
        text = shown.getvalue()
    if text:
        _say(fit(text.removesuffix("\n")))


def _say(text: str) -> None:
    """Print a message on stderr. If that is full, the exit code still says what has happened."""
    with suppress(OSError):
        click.echo(text, err=True)


def _run() -> int:
    """Run the command and return its exit code."""
    try:
        code = evenfold(prog_name="evenfold", standalone_mode=False)
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        is_unfinished = isinstance(error, Unfinished)
        then = "Run the same command again to go on." if is_unfinished else _NOTHING_LEFT
        _say(f"evenfold: stopped. {then}")
        return 128 + signal.SIGINT
    except OSError as error:  # of the help, which no command prints
        click.echo(f"evenfold: stdout: {describe(error)}", err=True)
        return 1
    except Exception as error:
        if os.environ.get("EVENFOLD_DEBUG"):
            raise
        click.echo(
            f"evenfold: an error of evenfold itself: {type(error).__name__}: {error}. "
            "Please report it, with what EVENFOLD_DEBUG=1 shows.",
            err=True,
        )
        return 1
    return code if isinstance(code, int) else 0
