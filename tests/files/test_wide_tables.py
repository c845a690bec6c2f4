"""Tests of tables with very many columns: work grows with their number, not with its square."""

import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.chain import Chain
from evenfold.files.label_columns import choose_label_columns
from evenfold.files.named_columns import in_file_order, leave_out
from evenfold.files.same_schema import find_other_names
from evenfold.files.struct_fields import Field, read_with_fields

from .memory_file import Columns

N_COLUMNS = 300
# A square would look at 90,000 names, a pass over them at 300.
MOST_LOOKS = 40 * N_COLUMNS


class CountedName(str):
    """A name that counts how often any such name is compared or looked up."""

    __slots__ = ()
    n_looks = 0

    def __eq__(self, other):
        CountedName.n_looks += 1
        return str.__eq__(self, other)

    def __hash__(self):
        CountedName.n_looks += 1
        return str.__hash__(self)


@pytest.fixture
def count_looks():
    """Count from here."""
    CountedName.n_looks = 0
    return lambda: CountedName.n_looks


def make_names(first="c"):
    """Return names that no other list has as the same objects."""
    return [CountedName(f"{first}{number}") for number in range(N_COLUMNS)]


class Wide(Columns):
    """A file of many columns, the names of which are counted."""

    def __init__(self, cells):
        names = make_names()
        super().__init__(dict(zip(map(str, names), cells, strict=True)))
        self.columns = names


def make_cells(kinds):
    """Return cells of columns of several kinds, in turn."""
    return [pa.array(kinds[at % len(kinds)]) for at in range(N_COLUMNS)]


def test_unclear_labels_are_refused_in_linear_time(count_looks):
    """The message about columns that may all be labels looks at each name a few times."""
    file = Wide(make_cells([["0", "1"], ["a|b", "b|c"], ["x", "y"]]))
    count_looks()
    with pytest.raises(InputError, match="which columns are labels is not clear"):
        choose_label_columns(file, None)
    assert count_looks() < MOST_LOOKS


def test_columns_apart_are_left_out_in_linear_time(count_looks):
    """Columns of other roles, however many, are left out of all columns."""
    file = Wide(make_cells([["0", "1"]]))
    assert leave_out(file, file.columns, make_names()[1:]) == {"c0"}
    assert count_looks() < MOST_LOOKS


def test_fields_are_ordered_in_linear_time(count_looks):
    """Fields that are chosen besides columns are put in the order of the file."""
    file = Wide(make_cells([["0", "1"]]))
    file.fields = {f"c0.{number}": Field(("c0", str(number))) for number in range(N_COLUMNS)}
    chosen = {*make_names(), *file.fields}
    assert in_file_order(file, chosen) == [*file.columns, *file.fields]
    assert count_looks() < MOST_LOOKS


def test_other_columns_are_found_in_linear_time(count_looks):
    """The message about files of other columns compares each name a few times."""
    said = find_other_names(make_names("c"), make_names("d"))
    assert said.startswith("it has not the same columns ('d0', ")
    assert count_looks() < MOST_LOOKS


def test_a_chain_finds_its_columns_in_linear_time(count_looks):
    """Files that are parts are compared by their columns once."""
    files = [Wide(make_cells([["0", "1"]])) for _ in range(3)]
    chain = Chain(files, ["a", "b", "c"])
    assert list(chain.columns) == [f"c{number}" for number in range(N_COLUMNS)]
    assert count_looks() < MOST_LOOKS


def test_columns_are_read_in_linear_time(count_looks):
    """Names of columns and of fields are told apart once."""
    file = Wide(make_cells([["0", "1"]]))
    batches = read_with_fields(file.read_batches, make_names(), file.columns, {})
    assert next(iter(batches)).num_columns == N_COLUMNS
    assert count_looks() < MOST_LOOKS
