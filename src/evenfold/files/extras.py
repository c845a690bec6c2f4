"""Packages that only some formats need."""

from __future__ import annotations

import importlib
from types import ModuleType

from ..exceptions import InputError


def import_extra(module: str, name: str, extra: str) -> ModuleType:
    """Import a package that an extra of evenfold installs.

    Parameters
    ----------
    module : str
        The package.
    name : str
        The file that needs it, for the message.
    extra : str
        The extra.

    Returns
    -------
    module
        The package.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise InputError(
            f"{name}: needs the package {error.name}, which is not installed. "
            f"Run: pip install 'evenfold[{extra}]'"
        ) from None
