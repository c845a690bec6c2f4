"""Split: what it gives and how it shows itself."""

import numpy as np
import pytest

import evenfold

Y = np.random.default_rng(0).random((40, 6)) < [0.5, 0.3, 0.2, 0.1, 0.05, 0.05]


def test_parts_by_name_by_number_and_in_turn():
    """All ways to ask agree; indices are sorted."""
    s = evenfold.split(Y, [0.6, 0.2, 0.2])
    assert len(s) == 3
    assert np.array_equal(s["val"], s[1])
    assert np.array_equal(s["test"], s[-1])
    assert [part.tolist() for part in s] == [s[name].tolist() for name in s.names]
    assert (np.diff(s["train"]) > 0).all()


def test_names_can_be_given():
    """Any names, in the order of the parts."""
    s = evenfold.split(Y, 2, names=["left", "right"])
    assert s.names == ("left", "right")
    assert len(s["left"]) == s.sizes[0]


def test_folds_pair_each_part_with_the_rest():
    """Each row is tested once."""
    s = evenfold.split(Y, 4)
    tested = []
    for train, test in s.folds():
        assert np.array_equal(np.sort(np.concatenate((train, test))), np.arange(40))
        tested += test.tolist()
    assert sorted(tested) == list(range(40))


def test_quality_is_that_of_measure():
    """One implementation, two doors."""
    groups = np.arange(40) // 2
    s = evenfold.split(Y, [0.5, 0.5], groups=groups)
    assert s.quality.to_dict()["rld"] == evenfold.measure(Y, s.part_of_row, [0.5, 0.5], groups).rld
    assert s.quality.bound.rld == evenfold.measure(Y, s.part_of_row, [0.5, 0.5], groups).bound.rld


@pytest.mark.parametrize("parts", [2, 5, 40])
def test_print_fits_a_terminal(parts):
    """Title, sizes, measures beside bounds, worst labels, in 80 columns."""
    labels = [[f"a label with a long name, number {i}" for i in np.flatnonzero(row)] for row in Y]
    text = str(evenfold.split(labels, parts, method="random"))
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith(f"{parts} parts of 40 rows, 6 labels, method random")
    assert ("least even labels" in text) == (parts < 40)  # one row a part is as even as can be
    assert "rLD" in text


def test_print_says_when_labels_are_rarer_than_parts():
    """A line, not a warning."""
    assert "1 of 2 labels with fewer rows than parts: some part must lack them." in str(
        evenfold.split([["a"]] * 9 + [["b"]], 5)
    )
    grouped = evenfold.split([["a"]] * 8 + [["b"]] * 4, 3, groups=[*range(8), 8, 8, 9, 9])
    assert "1 of 2 labels in fewer groups than parts: some part must lack them." in str(grouped)


def test_repr_is_one_line():
    """For the prompt."""
    assert (
        repr(evenfold.split(Y, [0.5, 0.5], method="random"))
        == "<Split train: 20, test: 20; method random>"
    )
    assert "…" in repr(evenfold.split(Y, 8))


def test_html_shows_names_as_text():
    """Labels and parts are data, never markup."""
    s = evenfold.split(
        [["<script>alert(1)</script>"], []] * 4 + [["x"]] * 3,
        2,
        names=["<i>a</i>", "b"],
        method="random",
    )
    html = s._repr_html_()
    assert "<script>" not in html
    assert "<i>" not in html
    assert "&lt;i&gt;a" in html


def test_a_method_can_be_an_object():
    """One's own too."""

    class First:
        name = "first come"

        def place(self, problem, rng):
            return np.repeat(np.arange(problem.n_parts), problem.sizes)

    s = evenfold.split(Y, [10, 30], method=First())
    assert s["train"].tolist() == list(range(10))
    assert s.method == "first come"
