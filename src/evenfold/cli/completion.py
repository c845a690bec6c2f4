"""`evenfold completion`: let the shell complete commands and options."""

from __future__ import annotations

import click

from .errors import Command
from .option_types import OneOf


@click.command(
    cls=Command, epilog="\b\nExample:\n  evenfold completion bash > evenfold-completion.bash"
)
@click.argument(
    "shell", type=OneOf("SHELL", lambda: ["bash", "zsh", "fish"]), metavar="bash|zsh|fish"
)
def completion(shell: str) -> None:
    """Print a script that completes evenfold's commands and options.

    Load it where your shell starts: for bash, source the file in ~/.bashrc; for zsh, in ~/.zshrc;
    for fish, write it to ~/.config/fish/completions/evenfold.fish.
    """
    from click.shell_completion import get_completion_class

    command = click.get_current_context().find_root().command
    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(command, {}, "evenfold", "_EVENFOLD_COMPLETE").source())
