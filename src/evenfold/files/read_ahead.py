"""Reading ahead: the next items are made while the last ones are used."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")

_AT_MOST = 3


def read_ahead(items: Iterator[Item]) -> Iterator[Item]:
    """Yield the items, made in a thread of their own, a few before they are asked for; their errors come where they would have."""
    waiting: deque[Future[list[Item]]] = deque()
    with ThreadPoolExecutor(1) as reader:
        try:
            while True:
                while len(waiting) < _AT_MOST:
                    waiting.append(reader.submit(_take, items))
                found = waiting.popleft().result()
                if not found:
                    return
                yield found[0]
        finally:
            for future in waiting:
                future.cancel()


def _take(items: Iterator[Item]) -> list[Item]:
    """Return the next item alone, or nothing at the end: a StopIteration does not pass through a future."""
    return list(islice(items, 1))
