"""Values in error messages."""

from evenfold._checks.values import shorten


def test_a_value_is_one_short_line():
    """Line breaks become blanks, and a long text ends with three dots."""
    assert shorten("a") == "'a'"
    assert shorten([1, "b\nc"]) == "[1, 'b\\nc']"
    long = shorten(list(range(100)), width=10)
    assert len(long) == 10
    assert long.endswith("…")
