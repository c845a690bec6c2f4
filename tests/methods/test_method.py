"""Method: its defaults, its settings, and objects that are not subclasses."""

from dataclasses import dataclass

import numpy as np
import pytest

import evenfold
from evenfold.methods import METHODS, Even, Iterative, Method, OptiSplit, find_method


def place_in_order(self, problem, rng):
    """Fill one part after another."""
    return np.repeat(np.arange(problem.n_parts), problem.sizes)


@dataclass(frozen=True)
class Plain:
    """A method of a user, without the base class."""

    name = "plain"
    improves = True
    order = 2
    shift: int = 3
    place = place_in_order


def test_a_subclass_needs_a_name_and_place_only():
    """What else is asked of a method has a default."""

    class Own(Method):
        name = "own"
        place = place_in_order

    own = find_method(Own())
    assert (own.improves, own.exact_sizes, own.order, own.balances_profiles) == (
        False,
        False,
        1,
        False,
    )
    assert own.count_steps(1, 1, 1, 1) == 0
    assert own.list_settings() == {}
    s = evenfold.split([["a"], ["b"], ["a"]], [1, 2], method=own)
    assert s.part_of_row.tolist() == [0, 1, 1]


def test_a_subclass_without_place_says_so():
    """The message names the class."""

    class Empty(Method):
        name = "empty"

    with pytest.raises(NotImplementedError, match=r"Empty has no method place\(problem, rng\)"):
        evenfold.split([["a"], ["b"]], 2, method=Empty())


def test_an_object_with_name_and_place_is_adapted():
    """It keeps its attributes and settings, in the split and in a comparison."""
    method = find_method(Plain())
    assert isinstance(method, Method)
    assert (method.name, method.improves, method.order) == ("plain", True, 2)
    assert method.list_settings() == {"shift": 3}
    s = evenfold.split([["a"], ["b"], ["a"]], [1, 2], method=Plain(shift=4))
    assert s.origin.parameters["shift"] == 4
    assert s.origin.parameters["order"] == 2
    table = evenfold.compare([["a"], ["b"]] * 5, 2, methods=[Plain(), Plain(4)], repeats=1)
    assert "plain, shift 4" in str(table)


def test_an_object_that_improves_takes_a_start():
    """With the base class or without."""
    s = evenfold.split([["a"], ["b"]] * 5, 2, method=Plain(), start=np.arange(10) % 2)
    assert s.origin.parameters["start"]
    with pytest.raises(ValueError, match="can be used only with a method that improves"):
        evenfold.split([["a"], ["b"]] * 5, 2, method="iterative", start=np.arange(10) % 2)


def test_an_unknown_method_is_answered_with_the_nearest_name():
    """As for every other choice."""
    with pytest.raises(ValueError, match=r"got 'iteratve'\. Did you mean 'iterative'\?"):
        find_method("iteratve")


def test_an_effort_goes_with_even_only():
    """By name and by object; the message names the method."""
    with pytest.raises(ValueError, match="'effort' can be used only with the method 'even', got m"):
        find_method("svd", "fast")
    assert find_method("even", "fast") == Even(effort="fast")


@pytest.mark.parametrize("name", METHODS)
def test_the_registry_gives_methods_by_their_names(name):
    """Each with its default settings."""
    assert find_method(name).name == name
    assert find_method(name).list_settings(changed_only=True) == {}


def test_changed_settings_are_those_that_differ_from_their_defaults():
    """They make the title of a method in a comparison."""
    assert Iterative(order=2).list_settings(changed_only=True) == {"order": 2}
    assert OptiSplit().list_settings() == {
        "measure": "rld",
        "max_epochs": None,
        "published": False,
    }


def test_a_method_that_moves_a_fixed_unit_is_an_error():
    """Rows that the user has fixed, and old rows of `extend`, stay whatever the method does."""
    y = [["a"], ["b"]] * 4
    with pytest.raises(
        evenfold.exceptions.InputError,
        match=r"'method' must leave fixed units in their parts, but 'plain' moved 1, first unit 0 "
        r"from part 1 to 0\. Return problem\.fixed where it is 0 or more\.",
    ):
        evenfold.split(y, 2, method=Plain(), order=1, fixed=[1, *[None] * 7])
    with pytest.raises(evenfold.exceptions.InputError, match=r"'plain' moved 2, first unit 1 from"):
        evenfold.extend([None, 1, None, None, 0, *[None] * 3], y, method=Plain(), order=1)
