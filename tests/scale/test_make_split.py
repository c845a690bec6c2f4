"""Splits of data past memory, by quotas and in sequence: exact sizes, even labels, no row lost."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import evenfold
from evenfold.exceptions import ImpossibleSplit
from evenfold.scale import load, sections, split

from .made_files import (
    check_split,
    cut,
    find_part_of_row,
    make_table,
    read_output,
    write_files,
)

N_ROWS = 2000
SCHEMES = {"stream": None, "gather": "sync"}
THREE = {"train": 0.7, "val": 0.2, "test": 0.1}


def make_rows(n_rows):
    """Return labels with columns for groups, balance and fixed rows."""
    rng = np.random.default_rng(2)
    price = rng.lognormal(size=n_rows)
    price[::50] = np.nan
    site = np.array(["Bonn", "Lima", "Oslo"], object)[rng.integers(0, 3, n_rows)]
    site[::40] = None
    patient = [None if at % 30 == 0 else f"p{at // 4}" for at in rng.permutation(n_rows)]
    return make_table(
        n_rows,
        price=pa.array(price, from_pandas=True),
        site=pa.array(site.tolist(), pa.string()),
        patient=pa.array(patient),
        fixed=pa.array(["val" if at % 12 == 0 else None for at in range(n_rows)]),
    )


@pytest.fixture(scope="module")
def table():
    """Return a table of all columns."""
    return make_rows(N_ROWS)


@pytest.fixture(scope="module")
def data(table, tmp_path_factory):
    """Return a folder of five files of different sizes."""
    return write_files(tmp_path_factory.mktemp("scale") / "data", cut(table))


@pytest.fixture(params=SCHEMES)
def make(request, data, tmp_path, monkeypatch):
    """Return a function that splits data past memory in one of the schemes."""
    monkeypatch.setattr(sections, "ENTRIES_OF_SECTION", 1000)

    def make_split(parts, out="out", given=data, **settings):
        settings = {"labels": "labels", "memory": 0} | settings
        engine = SCHEMES[request.param]
        s = split(given, parts, engine=engine, output=tmp_path / out, **settings)
        assert s.scheme.startswith(request.param)
        return s

    return make_split


@pytest.mark.parametrize("parts", [2, 5, THREE, [1500, 500], 30])
def test_every_row_is_in_one_part_of_its_size(make, table, parts):
    """Rows keep their order and content, sizes are exact, and the manifest counts what is there."""
    s = make(parts)
    check_split(s, table)
    assert load(s.folder) == s


def test_labels_are_much_evener_than_at_random(make, table):
    """The deviation over the bound is a small share of that of a random split."""
    s = make(5)
    at_random = evenfold.split(table["labels"].to_pylist(), 5, method="random")
    assert s.excess < 0.05 * at_random.quality.excess


def test_measures_are_those_of_the_rows(make, table):
    """Measures, bounds and tables from counts equal those of evenfold.measure on the rows."""
    s = make(THREE)
    expected = evenfold.measure(
        table["labels"].to_pylist(), find_part_of_row(s), parts=THREE, names=list(THREE)
    )
    for name in ("ed", "ld", "rld", "dcp", "fz", "flz", "kl"):
        assert getattr(s.quality, name) == pytest.approx(getattr(expected, name), abs=1e-12)
    assert s.excess == pytest.approx(expected.excess)


def test_a_second_run_or_another_listing_gives_the_same_split(make, data):
    """The split depends on rows, files and seed, not on how the files are named."""
    s = make(3)
    assert make(3, "again") == s
    assert make(3, "pattern", f"{data}/*.parquet") == s
    assert make(3, "list", [data / f"{number:03d}.parquet" for number in range(5)]) == s
    assert make(3, "seed", random_state=1) != s


def test_groups_stay_whole(make, table):
    """Rows of a group are in one part, whichever files they are in."""
    s = make(THREE, groups="patient")
    check_split(s, table, exact=False)
    part_of = {}
    for patient, part in zip(table["patient"].to_pylist(), find_part_of_row(s), strict=True):
        if patient is not None:
            assert part_of.setdefault(patient, part) == part
    assert (np.abs(s.sizes - N_ROWS * s.shares) < 4).all()
    n_alone = table["patient"].null_count
    assert s.manifest.groups.n_groups == len(part_of) + n_alone
    assert s.manifest.groups.n_missing == n_alone
    assert s.certificate().passed


def test_measures_of_groups_are_those_of_the_rows(make, table):
    """The bound with groups equals that of evenfold.measure."""
    s = make(3, groups="patient")
    groups = {"patient": table["patient"].to_pandas()}
    expected = evenfold.measure(table["labels"].to_pylist(), find_part_of_row(s), groups=groups)
    assert s.quality.rld == pytest.approx(expected.rld)
    assert s.excess == pytest.approx(expected.excess)


def test_fixed_rows_stay(make, table):
    """Rows with a part keep it, and sizes and labels are even with them."""
    s = make(THREE, fixed="fixed")
    check_split(s, table)
    written = read_output(s)
    for part, fixed in zip(written["part"].to_pylist(), written["fixed"].to_pylist(), strict=True):
        assert fixed in (None, part)
    at_random = evenfold.split(table["labels"].to_pylist(), THREE, method="random")
    assert s.excess < 0.1 * at_random.quality.excess


def test_groups_of_fixed_rows_follow_them(make, table, tmp_path):
    """A group with a fixed row is in its part; with rows fixed in two parts it is refused."""
    fixed = ["val" if own in ("p1", "p7") else None for own in table["patient"].to_pylist()]
    at = fixed.index("val")
    fixed = [name if row == at else None for row, name in enumerate(fixed)]
    own = table.set_column(5, "fixed", pa.array(fixed, pa.string()))
    s = make(THREE, given=write_files(tmp_path / "own", cut(own)), groups="patient", fixed="fixed")
    name = own["patient"][at].as_py()
    rows = [at for at, patient in enumerate(own["patient"].to_pylist()) if patient == name]
    assert len(rows) > 1
    assert {s.names[part] for part in find_part_of_row(s)[rows]} == {"val"}
    fixed[rows[-1] if rows[-1] != at else rows[0]] = "test"
    own = table.set_column(5, "fixed", pa.array(fixed, pa.string()))
    given = write_files(tmp_path / "cut", cut(own))
    with pytest.raises(ImpossibleSplit, match="one group in"):
        make(THREE, "no", given, groups="patient", fixed="fixed")
    assert not (tmp_path / "no").exists()


def test_every_part_has_the_rows_of_each_label_that_cover_asks_for(make, tmp_path):
    """With cover, no part lacks a label that has enough rows; without, small parts do."""
    table = make_table(4000, 150)
    data = write_files(tmp_path / "data", cut(table))
    parts = {"train": 0.9, "val": 0.05, "test": 0.05}
    lacking = []
    for cover in (0, 1):
        s = make(parts, f"out{cover}", data, cover=cover)
        check_split(s, table)
        enough = s.counts.sum(axis=0) >= 3
        lacking.append(int((s.counts[:, enough] < 1).sum()))
    assert lacking[0] > 5
    assert lacking[1] == 0


def test_balanced_columns_are_evener_than_at_random(make, tmp_path):
    """Categories, their missing values, totals and quantiles of numbers are even."""
    # Of fewer rows, too few are gathered to correct what the quotas leave.
    table = make_rows(8000)
    s = make(4, given=write_files(tmp_path / "data", cut(table, 3)), balance=["price", "site"])
    check_split(s, table)
    found = measure_balance(table, find_part_of_row(s))
    at_random = [
        measure_balance(table, np.random.default_rng(seed).permutation(8000) % 4)
        for seed in range(10)
    ]
    ratio = found / np.mean(at_random, axis=0)
    assert (ratio < 0.8).all()
    assert ratio.mean() < 0.6


def measure_balance(table, parts):
    """Return the spread over the parts of the column site, of bins of price and of its total."""
    price = table["price"].to_pandas()
    sums = np.bincount(parts, price.fillna(price.mean()))
    columns = [table[name].to_pylist() for name in ("site", "price")]
    return np.array([*(measure_spread(own, parts) for own in columns), np.ptp(sums)])


def measure_spread(values, parts):
    """Return the mean range over the parts of the rows of categories, or of quantile bins."""
    if any(isinstance(value, float) for value in values):
        numbers = np.array(values, float)
        edges = np.nanquantile(numbers, [0.25, 0.5, 0.75])
        values = [None if np.isnan(own) else int(np.searchsorted(edges, own)) for own in numbers]
    counts = [
        np.bincount(parts[[own == value for own in values]], minlength=4) for value in set(values)
    ]
    return np.mean([np.ptp(own) for own in counts])


def test_order_auto_makes_labelsets_evener(make, table):
    """Labelsets and cardinality deviate less than with order=1, and the notes say how many."""
    y = table["labels"].to_pylist()
    plain, auto = make(4, "plain", order=1), make(4, "auto", order="auto")
    check_split(auto, table)
    sets = [tuple(own) for own in y]
    spreads = [measure_spread(sets, find_part_of_row(s)) for s in (plain, auto)]
    assert spreads[1] < 0.95 * spreads[0]
    lengths = [[len(own) for own in y]] * 2
    spreads = [
        measure_spread(own, find_part_of_row(s))
        for own, s in zip(lengths, (plain, auto), strict=True)
    ]
    assert spreads[1] < 0.5 * spreads[0]
    assert "left to chance" in plain.notes[0]
    n_rows = [n for n in Counter(sets).values() if n >= 4]
    assert f"The {len(n_rows)} commonest labelsets" in auto.notes[0]
    assert f"of {100 * sum(n_rows) / N_ROWS:.1f} % of the rows" in auto.notes[0]


def test_budget_changes_what_is_gathered(data, table, tmp_path):
    """All rows gathered in one place are as even as in memory; none gathered are less even."""
    excess = []
    for budget in (0, "10%", 1.0):
        s = split(
            data,
            5,
            labels="labels",
            engine="sync",
            memory=0,
            budget=budget,
            output=tmp_path / f"out{budget}",
        )
        check_split(s, table)
        excess.append(s.excess)
    assert s.budget == sum(map(len, table["labels"].to_pylist()))
    assert excess[2] <= excess[1] <= excess[0]
    assert excess[2] < 0.001


def test_progress_goes_through_all_passes(make, table):
    """Progress is told for each pass, and ends with all tasks."""
    seen = []
    make(3, progress=lambda *about: seen.append(about))
    assert [name for name, n_done, n_all in seen if n_done == n_all][-2:] == ["parts", "write"]
    assert ("write", 5, 5) in seen
