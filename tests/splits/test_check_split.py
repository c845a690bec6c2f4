"""`check` finds what a slow count finds, and gives a certificate of what it found."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold
from evenfold.exceptions import LeakError
from evenfold.links import link_rows
from evenfold.links.sources import Sources
from evenfold.splits.certificate import Placed, certify
from tests.links.fixed_search import FixedSearch

N_ROWS = 10
NAMES = ("train", "val", "test")


@st.composite
def placed_pairs(draw):
    """Return the part of each row, and pairs with similarities around the threshold 0.5."""
    part_of_row = np.array(draw(st.lists(st.integers(0, 2), min_size=N_ROWS, max_size=N_ROWS)))
    ends = st.tuples(st.integers(0, N_ROWS - 1), st.integers(0, N_ROWS - 1))
    chosen = draw(st.sets(ends.filter(lambda pair: pair[0] < pair[1]), max_size=20))
    similarity = st.sampled_from([0.5 - 1e-7, 0.5, 0.75, 1.0])
    return part_of_row, [(a, b, draw(similarity)) for a, b in sorted(chosen)]


@settings(deadline=None)
@given(placed_pairs())
def test_pairs_in_two_parts_are_counted(case):
    """Exactly the pairs at the threshold that are in two parts leak, the most alike first."""
    part_of_row, pairs = case
    placed = Placed(part_of_row, NAMES, None, None)
    certificate = certify(placed, (), [FixedSearch(pairs, N_ROWS)], None, None, None)
    expected = sorted(
        (-v, a, b) for a, b, v in pairs if v >= 0.5 and part_of_row[a] != part_of_row[b]
    )
    assert certificate.pairs[0].n_leaking == len(expected)
    found = [(-pair.value, pair.first, pair.second) for pair in certificate.leaking_pairs]
    assert found == expected
    assert certificate.passed == (not expected)


def test_certificate_of_a_split_has_all_that_was_checked():
    """Groups, ids, sizes, evenness, fingerprints and versions are in the record."""
    y = [["a"], ["b"], ["a", "b"], []] * 10
    groups = {"patient": np.arange(40) // 2, "study": [None, *(np.arange(39) // 3)]}
    s = evenfold.split(y, [0.5, 0.5], groups=groups)
    record = s.certificate(ids=range(40)).to_dict()
    assert record["passed"]
    assert [(g["column"], g["values"], g["missing"], g["in_two_parts"]) for g in record["groups"]]
    assert record["groups"][0]["column"] == "patient"
    assert record["groups"][1] | {"fingerprint": ""} == {
        "column": "study",
        "values": 13,
        "missing": 1,
        "in_two_parts": 0,
        "fingerprint": "",
    }
    assert record["ids"] == {"values": 40, "repeated": 0, "missing": 0, "in_two_parts": 0}
    assert record["parts"] == [
        {"name": "train", "rows": int(s.sizes[0]), "wanted": 20.0},
        {"name": "test", "rows": int(s.sizes[1]), "wanted": 20.0},
    ]
    assert record["evenness"]["rld"] == s.quality.rld
    assert record["evenness"]["bound"] == s.quality.bound.rld
    assert record["fingerprints"]["labels"] == s.fingerprint
    assert record["versions"]["evenfold"] == evenfold.__version__


def test_saved_split_has_the_certificate(tmp_path):
    """The record of a split carries its certificate."""
    s = evenfold.split([["a"], ["b"]] * 6, 2, groups={"patient": np.arange(12) // 2})
    s.save(tmp_path / "split.json")
    saved = json.loads((tmp_path / "split.json").read_text())
    assert saved["certificate"] == s.certificate().to_dict()
    assert evenfold.load_split(tmp_path / "split.json") == s


def test_values_in_two_parts_raise_with_the_value():
    """The error names the column, the value and the parts."""
    with pytest.raises(LeakError, match="patient: 1 value is in more than one part, first 'p' in"):
        evenfold.check(["train", "test", "test"], groups={"patient": ["p", "p", "q"]})


def test_ids_in_two_parts_raise():
    """An id in two parts is a leak; an id twice in one part is not."""
    assert evenfold.check([0, 0, 1], ids=[7, 7, 8]).passed
    with pytest.raises(LeakError, match="ids: 1 value is in more than one part, first 7 in"):
        evenfold.check([0, 1, 1], ids=[7, 7, 8])


def test_error_can_be_pickled():
    """Workers can hand the error over."""
    with pytest.raises(LeakError) as raised:
        evenfold.check([0, 1], groups=["p", "p"])
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value)
    assert again.certificate.failures == raised.value.certificate.failures


def test_labels_given_with_an_array_are_measured():
    """With labels, the certificate of a split of another tool says how even it is."""
    y = [["a"], ["b"], ["a"], ["b"]]
    certificate = evenfold.check(["train", "train", "test", "test"], y=y)
    assert certificate.to_dict()["evenness"]["rld"] == 0
    assert "evenness: rLD 0, bound 0" in str(certificate)


@pytest.mark.parametrize("wrong", [None, 5], ids=["None", "a number"])
def test_wrong_split_is_refused(wrong):
    """A split is a Split or one part per row."""
    with pytest.raises(TypeError, match="'s' must be a Split or the part of each row"):
        evenfold.check(wrong)


def test_cut_pairs_are_counted_after_the_split():
    """With `max_group`, the certificate says how many cut pairs the split has in two parts."""
    chain = [(row, row + 1, 0.9 - row / 100) for row in range(19)]
    sources = Sources(20, (), (FixedSearch(chain, 20),))
    links = link_rows.link_sources(sources, max_group=4)
    assert links.sizes.max() <= 4
    s = evenfold.split([["a"]] * 20, 5, groups=links)
    n_across = sum(s.part_of_row[a] != s.part_of_row[b] for a, b, _ in chain)
    certificate = s.certificate()
    assert certificate.pairs[0].n_leaking == n_across > 0
    assert not certificate.passed
    assert f"Of the pairs that max_group cut, {n_across} are in two parts." in str(s)


def test_everything_in_one_group_is_refused():
    """The error names the threshold to exceed."""
    chain = [(row, row + 1, 0.9 - row / 100) for row in range(9)]
    with pytest.raises(ValueError, match=r"'at' links all 10 rows into one group.*than 0\.82"):
        link_rows.link_sources(Sources(10, (), (FixedSearch(chain, 10),)))


def test_max_group_below_shared_values_is_refused():
    """Values of groups are never cut, so a smaller limit cannot be kept."""
    with pytest.raises(ValueError, match="'max_group' must be at least 3, the rows that share"):
        evenfold.link(groups={"patient": [1, 1, 1, 2]}, max_group=2)
