"""Reading ahead: a thread prepares the next items while the current one is used."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")

# Items are batches of up to 32 MB; more than a few would take memory without saving time.
_MAX_WAITING = 3


def read_ahead(items: Iterator[Item]) -> Iterator[Item]:
    """Yield the items, computed in a thread, a few of them in advance.

    An error in `items` is raised after the items before it, as without the thread.
    """
    waiting: deque[Future[list[Item]]] = deque()
    with ThreadPoolExecutor(1) as reader:
        try:
            while True:
                while len(waiting) < _MAX_WAITING:
                    # A thread does not know the limit on memory of the one that starts it.
                    waiting.append(reader.submit(copy_context().run, _take_next, items))
                found = waiting.popleft().result()
                if not found:
                    return
                yield found[0]
        finally:
            for future in waiting:
                future.cancel()


def _take_next(items: Iterator[Item]) -> list[Item]:
    """Return the next item in a list, empty at the end: a future cannot raise StopIteration."""
    return list(islice(items, 1))
