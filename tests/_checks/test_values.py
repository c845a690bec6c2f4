"""Values in error messages."""

from evenfold._checks.values import show_value


def test_a_value_is_one_short_line():
    """Line breaks become blanks, and a long text ends with three dots."""
    assert show_value("a") == "'a'"
    assert show_value([1, "b\nc"]) == "[1, 'b\\nc']"
    long = show_value(list(range(100)), width=10)
    assert len(long) == 10
    assert long.endswith("…")
