"""The Markdown of the page of reproduced tables."""

import pytest
from benchmarks.reproduction.markdown import (
    format_beside_published,
    format_list,
    format_number,
    to_page,
    to_table,
    wrap_prose,
)


def test_tables_align_numbers_right():
    """Text columns are aligned left, and a bar inside a cell is escaped."""
    assert (
        to_table(["data", "LD"], [["a|b", "0.1"]])
        == "| data | LD |\n| --- | ---: |\n| a\\|b | 0.1 |"
    )
    assert to_table(["a", "b"], [], n_text_columns=2) == "| a | b |\n| --- | --- |"


def test_prose_is_wrapped_and_tables_are_not():
    """List items have an indent, and a table row keeps its line."""
    row = "| " + "cell | " * 30
    page = wrap_prose(f"# Title\n\n{'word ' * 30}\n\n- {'item ' * 30}\n- two\n\n{row}")
    title, prose, items, table = page.split("\n\n")
    assert (title, table) == ("# Title", row)
    assert [len(line) for line in prose.split("\n")] == [99, 49]
    assert [line[:4] for line in items.split("\n")] == ["- it", "  it", "- tw"]


def test_a_row_of_other_length_than_the_heading_is_refused():
    """A missing cell would move the values after it under the wrong heading."""
    with pytest.raises(ValueError, match=r"as many cells as the heading, 2, got \[1, 2\]"):
        to_table(["data", "LD"], [["a"]])


def test_numbers_have_the_given_digits():
    """Thousands have commas, and None is a dash."""
    assert [
        format_number(1234.5678, 2),
        format_number(0.00052, 5),
        format_number(7, 0),
        format_number(None, 4),
    ] == [
        "1,234.57",
        "0.00052",
        "7",
        "–",
    ]
    assert [format_list([]), format_list(["a"]), format_list(["a", "b", "c"])] == [
        "",
        "a",
        "a, b and c",
    ]
    assert to_page("a", "", "b") == "a\n\nb"


def test_a_value_that_rounds_to_the_published_one_is_shown_as_published():
    """One paper prints 731.5 as 731, the other 129.5 as 130."""
    assert format_beside_published(731.5, 731, 0) == "731"
    assert format_beside_published(129.5, 130, 0) == "130"
    assert format_beside_published(16105, 16015, 0) == "**16,105** (published: 16,015)"
