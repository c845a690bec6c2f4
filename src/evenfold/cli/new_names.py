"""Names that a user gives: the check of them, and NewName, the name of a new column."""

from __future__ import annotations

from typing import Any

import click


def check_unicode(
    kind: click.ParamType[Any],
    value: str,
    param: click.Parameter | None,
    ctx: click.Context | None,
) -> str:
    """Refuse bytes that are no valid characters; Python has read them as surrogates."""
    if any("\ud800" <= character <= "\udfff" for character in value):
        kind.fail(
            f"{value!r} has characters that are no valid Unicode. Choose another name.", param, ctx
        )
    return value


class NewName(click.types.StringParamType):
    """The name of a new column. An empty one, as from an unset variable, would be its name."""

    name = "NAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse an empty name, and one that no file of text can hold."""
        name: str = super().convert(value, param, ctx)
        if not name:
            self.fail(f"{value!r} is no name. Name the column.", param, ctx)
        return check_unicode(self, name, param, ctx)
