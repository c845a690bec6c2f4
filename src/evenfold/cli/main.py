"""The `evenfold` command."""

from __future__ import annotations

import sys

import click

from .. import __version__
from ..exceptions import EvenfoldError
from .demo import demo


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="evenfold")
def evenfold() -> None:
    """Split multi-label data evenly, and see how close that is to the best possible.

    Start with: evenfold demo
    """


evenfold.add_command(demo)


def main() -> None:
    """Run the command; an error in data or settings is one line on stderr and exit 1, wrong usage exit 2."""
    try:
        evenfold(prog_name="evenfold")
    except (EvenfoldError, OSError) as error:
        click.echo(f"evenfold: {error}", err=True)
        sys.exit(1)
