"""The progress bar on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def show_progress(what: str, quiet: bool) -> Iterator[Callable[[float], None] | None]:
    """Give a function that draws the share done as a bar on stderr; None if it is no terminal."""
    with _open_bar(quiet) as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task(what, total=1.0)

        def draw(share: float) -> None:
            bar.update(task, completed=share)

        yield draw


@contextmanager
def show_passes(quiet: bool) -> Iterator[Callable[[str, int, int], None] | None]:
    """Give a function that draws the partitions done of each pass; None if it is no terminal."""
    with _open_bar(quiet, "{task.completed:,}/{task.total:,} partitions") as bar:
        if bar is None:
            yield None
            return
        tasks: dict[str, Any] = {}

        def draw(name: str, n_done: int, n_all: int) -> None:
            if name not in tasks:
                tasks[name] = bar.add_task(name, total=n_all)
            bar.update(tasks[name], completed=n_done, total=n_all)

        yield draw


@contextmanager
def _open_bar(quiet: bool, numbers: str = "") -> Iterator[Progress | None]:
    if quiet or not _can_redraw():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(numbers) if numbers else TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield bar


def _can_redraw() -> bool:
    """Return whether what is drawn on stderr can be drawn over.

    A command of a notebook (!evenfold) has a terminal, but its cell keeps everything written there.
    """
    in_notebook = "JPY_PARENT_PID" in os.environ
    return sys.stderr.isatty() and not in_notebook and os.environ.get("TERM") != "dumb"
