"""`python -m evenfold.cli.reference`: the help of every command as one page, docs/commands.md."""

from __future__ import annotations

import click

from .main import evenfold

_WIDTH = 80


def make_reference() -> str:
    """Return the page as Markdown."""
    root = click.Context(
        evenfold, info_name="evenfold", terminal_width=_WIDTH, **evenfold.context_settings
    )
    pages: list[tuple[click.Command, click.Context]] = [(evenfold, root)]
    pages += [
        (command, click.Context(command, root, name, terminal_width=_WIDTH))
        for name, command in evenfold.commands.items()
    ]
    sections = [
        f"## {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n"
        for command, context in pages
    ]
    return "# Commands\n\nMade from the help of the commands by `make reference`.\n\n" + "\n".join(
        sections
    )


if __name__ == "__main__":
    click.echo(make_reference(), nl=False)
