"""Reading ahead: the same items, the same errors, no more than a few before they are asked for."""

import threading
import time

import pytest

from evenfold.files.read_ahead import read_ahead


def test_items_come_in_order():
    """All of them, and none twice."""
    assert list(read_ahead(iter(range(100)))) == list(range(100))
    assert list(read_ahead(iter([]))) == []


def test_an_error_comes_where_it_was():
    """After the items before it."""

    def make():
        yield from (1, 2, 3)
        raise ValueError("torn")

    items = read_ahead(make())
    assert [next(items) for _ in range(3)] == [1, 2, 3]
    with pytest.raises(ValueError, match="torn"):
        next(items)


def test_only_a_few_are_made_ahead():
    """In another thread, a bounded number, and none once nobody asks for more."""
    made, threads = [], set()

    def make():
        for number in range(1000):
            made.append(number)
            threads.add(threading.current_thread())
            yield number

    items = read_ahead(make())
    assert next(items) == 0
    time.sleep(0.05)
    assert 1 < len(made) <= 4
    items.close()
    n_made = len(made)
    time.sleep(0.05)
    assert len(made) == n_made
    assert threading.main_thread() not in threads
