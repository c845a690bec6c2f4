"""`check` finds what a slow count finds, and gives a certificate of what it found."""

import json
import pickle
from importlib import metadata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import evenfold
from evenfold.exceptions import LeakError
from evenfold.links import link_rows
from evenfold.links.pairs import Recall
from evenfold.links.sources import Sources
from evenfold.splits.certificate import certify
from evenfold.splits.placed import Placed
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
    ids = {"values": 40, "repeated": 0, "missing": 0, "in_two_parts": 0, "fingerprint": ""}
    assert record["ids"] | {"fingerprint": ""} == ids
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
    assert f"Of the pairs whose links were cut, {n_across} are in two parts." in str(s)


def test_everything_in_one_group_is_refused():
    """The error names the threshold to exceed."""
    chain = [(row, row + 1, 0.9 - row / 100) for row in range(9)]
    with pytest.raises(ValueError, match=r"'at' links all 10 rows into one group.*than 0\.82"):
        link_rows.link_sources(Sources(10, (), (FixedSearch(chain, 10),)))


def test_max_group_below_shared_values_is_refused():
    """Values of groups are never cut, so a smaller limit cannot be kept."""
    with pytest.raises(ValueError, match="'max_group' must be at least 3, the rows that share"):
        evenfold.link(groups={"patient": [1, 1, 1, 2]}, max_group=2)


def make_cut_links():
    """Return links of a chain of 20 rows, of which `max_group` cut some, and the chain."""
    chain = [(row, row + 1, 0.9 - row / 100) for row in range(19)]
    return link_rows.link_sources(Sources(20, (), (FixedSearch(chain, 20),)), max_group=4), chain


def test_cut_pairs_of_links_given_as_groups_are_checked():
    """Pairs that `max_group` cut leak, also if the links come as groups of another split."""
    links, _ = make_cut_links()
    part_of_row = evenfold.split([["a"]] * 20, 5, groups=links).part_of_row
    with pytest.raises(LeakError, match="similar: 4 pairs in two parts"):
        evenfold.check(part_of_row, groups=links)
    assert not evenfold.audit(None, part_of_row, groups=links).certificate.passed


def test_groups_of_a_loaded_split_are_checked_without_labels(tmp_path):
    """Groups that are given when a split is loaded are checked; those that are not are named."""
    s = evenfold.split([["a"], ["b"]] * 6, 2, groups={"patient": np.arange(12) // 2})
    s.save(tmp_path / "split.json")
    with pytest.raises(LeakError, match="study"):
        evenfold.check(evenfold.load_split(tmp_path / "split.json", groups={"study": [1] * 12}))
    certificate = evenfold.check(evenfold.load_split(tmp_path / "split.json"))
    assert certificate.not_checked == ("patient",)
    assert "-      patient: not given, so not checked" in str(certificate)
    assert certificate.to_dict()["not_checked"] == ["patient"]


def test_labels_given_with_a_split_must_be_its_own(tmp_path):
    """Other labels are refused; the right ones are measured if the split has none."""
    y = [["a"], ["b"]] * 6
    s = evenfold.split(y, 2)
    s.save(tmp_path / "split.json")
    loaded = evenfold.load_split(tmp_path / "split.json")
    assert evenfold.check(loaded, y=y).to_dict()["evenness"]["rld"] == s.quality.rld
    with pytest.raises(ValueError, match="'y' must hold the labels that the split was made for"):
        evenfold.check(s, y=[["b"], ["a"]] * 5 + [["a"], ["a"]])


def test_no_rows_are_refused():
    """There is nothing to check in no rows."""
    with pytest.raises(ValueError, match="'s' must have at least one row, got none"):
        evenfold.check([])


def test_parallel_rows_are_pairs_at_a_similarity_of_one():
    """Rounding of the last digits does not hide a pair."""
    half = np.random.default_rng(0).normal(size=(100, 33)).astype(np.float32)
    rows = np.concatenate((half, 3 * half))
    links = evenfold.link(similar=rows, at=1.0)
    assert (links.n_groups, links.n_pairs) == (100, [100])
    with pytest.raises(LeakError) as raised:
        evenfold.check(np.arange(200) // 100, similar=rows, at=1.0)
    assert len(raised.value.pairs) == 100


def test_ids_that_are_not_unique_are_named():
    """An id twice in one part is no leak, but it is said."""
    certificate = evenfold.check([0, 0, 1, 1], ids=["a", "a", "b", "c"])
    assert certificate.passed
    assert "ids: not unique, repeated in 1 row" in str(certificate)
    assert certificate.to_dict()["ids"]["repeated"] == 1


def test_split_says_that_a_search_was_approximate():
    """With the share of pairs that it found."""
    chain = [(row, row + 1, 0.9) for row in range(3)]
    search = FixedSearch(chain, 20)
    search.recall = Recall(0.995, 10, 7)
    links = link_rows.link_sources(Sources(20, (), (search,)))
    s = evenfold.split([["a"]] * 20, 2, groups=links)
    said = "approximate search, recall 0.9950 on 10 rows checked exactly"
    for shown in (str(links), str(s), str(s.certificate())):
        assert said in " ".join(shown.split())
    assert s.origin.parameters["links"]["searches"][0]["recall"]["share"] == 0.995


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        ({"copies": ["x", "X"]}, "'copies' join all 2 rows into one group"),
        ({"text": ["a text", "A text"]}, "'text' links all 2 rows .* the rows are equal"),
        ({"groups": {}}, "'groups' must have at least one column, got none"),
    ],
)
def test_error_names_the_source(sources, message):
    """What joined all rows is named, with advice that can be followed."""
    with pytest.raises(ValueError, match=message):
        evenfold.link(**sources)


@pytest.mark.parametrize(
    ("sources", "package"),
    [
        ({"similar": np.eye(4), "exact": False}, "faiss-cpu"),
        ({"text": ["a b c d", "e f g h", "i j k l", "m n o p"], "exact": False}, "datasketch"),
        ({"images": [Image.new("L", (9, 9), 60 * n) for n in range(4)], "at": 0}, "imagehash"),
    ],
    ids=["similar", "text", "images"],
)
def test_certificate_has_the_versions_of_what_searched(sources, package):
    """Another version of these packages may find other pairs; exact searches need none."""
    versions = evenfold.check([0, 0, 0, 0], **sources).to_dict()["versions"]
    assert versions[package] == metadata.version(package)
    exact = evenfold.check([0, 0, 0, 0], similar=np.eye(4)).to_dict()["versions"]
    assert package not in exact


def test_a_group_column_is_checked_or_not_given_but_not_both(tmp_path):
    """A loaded split does not know its groups; given again, they are checked."""
    groups = np.arange(40) // 2
    evenfold.split([["a"], ["b"]] * 20, 2, groups={"patient": groups}).save(tmp_path / "s.json")
    s = evenfold.load_split(tmp_path / "s.json")
    assert "-      patient: not given" in str(evenfold.check(s))
    given = str(evenfold.check(s, groups={"patient": groups}))
    assert "ok     patient: 20 values; each value is in one part" in given
    assert "not given" not in given
    # Other groups say nothing of those that the split was made with.
    assert "-      patient: not given" in str(evenfold.check(s, groups={"site": groups}))
