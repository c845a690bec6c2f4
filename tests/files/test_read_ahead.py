"""Reading ahead: the same items, the same errors, and only a few items in advance."""

import threading

import pytest

from evenfold.files.read_ahead import read_ahead


def test_items_come_in_order():
    """All of them, each once."""
    assert list(read_ahead(iter(range(100)))) == list(range(100))
    assert list(read_ahead(iter([]))) == []


def test_an_error_comes_after_the_items_before_it():
    """As without reading ahead."""

    def make():
        yield from (1, 2, 3)
        raise ValueError("torn")

    items = read_ahead(make())
    assert [next(items) for _ in range(3)] == [1, 2, 3]
    with pytest.raises(ValueError, match="torn"):
        next(items)


def test_only_a_few_items_are_made_in_advance():
    """In another thread, a bounded number, and none after the end."""
    made, threads, is_third_made = [], set(), threading.Event()

    def make():
        for number in range(1000):
            made.append(number)
            threads.add(threading.current_thread())
            if number == 2:
                is_third_made.set()
            yield number

    items = read_ahead(make())
    assert next(items) == 0
    assert is_third_made.wait(timeout=60)
    items.close()  # waits for the thread
    assert 3 <= len(made) <= 4
    assert threading.main_thread() not in threads
