"""Warnings of learners: each is printed once, with how often it was given."""

from __future__ import annotations

import textwrap
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from .._tables.numbers import show_count
from ..exceptions import CacheWarning
from .messages import say

_LONGEST = 200


@contextmanager
def gather_warnings(quiet: bool) -> Iterator[None]:
    """Print each warning once, when the work is done or has failed, instead of at every fit.

    Those of other processes (--jobs) are printed there.
    """
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            for each in given:
                if each.category is CacheWarning:
                    say(str(each.message), quiet)
            n_times = Counter(
                f"{each.category.__name__}: {each.message}"
                for each in given
                if each.category is not CacheWarning
            )
            for text, number in n_times.items():
                shown = textwrap.shorten(text, _LONGEST, placeholder=" …")
                say(f"{show_count(number, 'warning')} of learners, {shown}", quiet)
