"""The pages "Coming from": what they say of the recorded figures, and measuring them again."""

import inspect
import re

import numpy as np
import pytest
from benchmarks.coming_from import make_labels, measure_all
from benchmarks.page_tables.coming_from import DEFAULT_CALL, RANDOM_CALL, SHUFFLE_SPLIT
from benchmarks.pages import read_records
from scipy import sparse

from .blocks import DOCS, read_blocks

SECTIONS = read_records()["coming_from"]["sections"]
RECORDS = {(own["package"], own["call"]): own for own in SECTIONS["coming_from"]["records"]}
OURS, RANDOM = RECORDS["evenfold", DEFAULT_CALL], RECORDS["evenfold", RANDOM_CALL]
OTHERS = ("iterative-stratification", "scikit-learn", "scikit-multilearn", "optisplit")


def read(name):
    """Return a page on one line."""
    return " ".join((DOCS / "coming-from" / f"{name}.md").read_text(encoding="utf-8").split())


def test_evenfold_is_at_its_bound_with_exact_sizes():
    """And no call of another package is as even."""
    assert OURS["rLD"] == pytest.approx(OURS["bound"], rel=1e-9)
    assert (OURS["least"], OURS["most"]) == (200, 200)
    part = RECORDS["evenfold", SHUFFLE_SPLIT]
    assert (part["least"], part["most"]) == (200, 200)
    for (package, call), record in RECORDS.items():
        if package != "evenfold":
            is_part = call in (SHUFFLE_SPLIT, "iterative_train_test_split")
            assert record["rLD"] > (part if is_part else OURS)["rLD"]


def test_what_is_said_of_seeds_and_labelsets_holds():
    """Some of the folds of other packages are nearly as uneven as random ones."""
    assert "about as uneven as random ones" in read("scikit-multilearn")
    seeded = RECORDS["scikit-multilearn-ng", "IterativeStratification, with random_state"]
    assert seeded["rLD"] == pytest.approx(RANDOM["rLD"], rel=0.1)
    assert "not much more even than random ones" in read("scikit-learn")
    [labelsets] = (own for (package, _), own in RECORDS.items() if package == "scikit-learn")
    assert 0.75 * RANDOM["rLD"] < labelsets["rLD"] < RANDOM["rLD"]


@pytest.mark.parametrize("name", OTHERS)
def test_pages_make_the_data_that_was_measured(name):
    """Their own block makes the labels of the table."""
    blocks = [own.code for own in read_blocks((DOCS / "coming-from" / f"{name}.md").read_text())]
    [call] = set(re.findall(r"evenfold\.datasets\.make_zipf\(.*?\)", "".join(blocks)))
    assert call in inspect.getsource(make_labels)


def test_what_is_said_of_datasail_holds():
    """The bound of the sizes, the default that found no split, and who is better at which aim."""
    text = read("datasail")
    records = {own["call"]: own for own in SECTIONS["datasail"]["records"]}
    ours = records.pop("split(Y, parts, groups=links)")
    assert f"below {ours['bound']:.3f}" in text
    assert ours["similar pairs in two parts"] == 0
    theirs = [own for own in records.values() if own["package"] == "datasail"]
    assert [own["call"] for own in theirs if "rLD" not in own] == ["C1e, delta=0.05"]
    found = [own for own in theirs if "rLD" in own]
    assert min(own["rLD"] for own in found) > 2 * ours["rLD"]
    share = "similarity between parts %"
    assert min(own[share] for own in found) < ours[share]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_figures_are_measured_again():
    """Other packages give the same folds for the same seeds."""
    for package in ("iterstrat", "skmultilearn", "optisplit"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    for record in measure_all():
        recorded = RECORDS.pop((record["package"], record["call"]))
        assert record == recorded | {
            name: pytest.approx(recorded[name], rel=1e-6) for name in ("rLD", "bound")
        }
    assert RECORDS == {}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_seed_of_optisplit_changes_nothing(monkeypatch):
    """Its random start has a seed of its own."""
    package = pytest.importorskip("optisplit.cv_balance", reason="optisplit is not installed")
    monkeypatch.setattr(np, "int", int, raising=False)
    y = sparse.csr_matrix(make_labels().astype(np.int64))
    folds = [package.optisplit(5, y.copy(), max_epochs=1, seed=seed) for seed in (0, 42)]
    for (_, first), (_, other) in zip(*folds, strict=True):
        assert (first == other).all()
