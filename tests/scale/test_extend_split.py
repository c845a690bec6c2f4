"""New files join a split that is known by its counts; old files are neither read nor written."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evenfold
from evenfold.exceptions import EvenfoldError
from evenfold.scale import extend, load, sections, split

from .made_files import check_split, cut, hash_files, make_table, read_output, write_files

THREE = {"train": 0.7, "val": 0.2, "test": 0.1}
# Where new rows are placed: all in memory, one file after the other, or by quotas.
WAYS = {"memory": {}, "stream": {"memory": 0}, "gather": {"memory": 0, "engine": "sync"}}


@pytest.fixture(scope="module")
def table():
    """Return rows of which the last have labels that the others lack."""
    n_rows = 3000
    table = make_table(n_rows, 30, price=np.random.default_rng(6).lognormal(size=n_rows))
    labels = table["labels"].to_pylist()
    for row in range(2000, n_rows, 7):
        labels[row] = [*labels[row], "new"]
    return table.set_column(1, "labels", pa.array(labels))


@pytest.fixture
def days(table, tmp_path, monkeypatch):
    """Return folders of files of three days."""
    monkeypatch.setattr(sections, "ENTRIES_OF_SECTION", 500)
    return [
        write_files(tmp_path / f"day{day}", cut(table.slice(1000 * day, 1000), 3))
        for day in range(3)
    ]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("parts", [5, THREE])
def test_new_rows_make_all_rows_even(way, parts, days, table, tmp_path):
    """Sizes are exact and labels even over old and new rows, also of labels that are new."""
    out = tmp_path / "out"
    split(days[0], parts, labels="labels", output=out, memory=0)
    before = hash_files(out)
    del before["_manifest.json"]
    for day in (1, 2):
        s = extend(out, days[day], **WAYS[way])
        check_split(s, table.slice(0, 1000 * (day + 1)))
        after = hash_files(out)
        assert {name: after[name] for name in before} == before
        assert len(after) == len(s.manifest.files) + 1 == 3 * (day + 1) + 1
        before = {name: own for name, own in after.items() if name != "_manifest.json"}
        assert load(out) == s
    assert "new" in s.labels
    at_random = evenfold.split(table["labels"].to_pylist(), parts, method="random")
    assert s.excess < 0.05 * at_random.quality.excess


def test_new_rows_in_memory_are_as_even_as_by_evenfold_extend(days, table, tmp_path):
    """All new rows are placed in one place, from counts alone, and reach the same evenness."""
    out = tmp_path / "out"
    split(days[0], 5, labels="labels", output=out)
    s = extend(out, days[1])
    labels = table["labels"].to_pylist()[:2000]
    first = evenfold.split(labels[:1000], 5)
    expected = evenfold.extend(first, labels)
    assert s.excess <= expected.quality.excess + 0.002


def test_old_data_is_not_needed(days, tmp_path, monkeypatch):
    """Old files are not opened, and old input may be gone."""
    out = tmp_path / "out"
    split(days[0], 3, labels="labels", output=out)
    for path in [*days[0].iterdir(), *out.glob("*.parquet")]:
        path.write_bytes(b"")
    s = extend(out, days[1])
    assert s.n_rows == 2000
    assert [len(pq.read_table(path)) for path in s.files[3:]] == [
        len(pq.read_table(path)) for path in sorted(days[1].iterdir())
    ]


def test_extension_depends_on_the_seed_alone(days, tmp_path):
    """The same split extended by the same files is the same, whatever listed them."""
    found = []
    for name, new, seed in [
        ("a", days[1], None),
        ("b", f"{days[1]}/*.parquet", None),
        ("c", days[1], 9),
    ]:
        split(days[0], 3, labels="labels", output=tmp_path / name)
        found.append(extend(tmp_path / name, new, random_state=seed, memory=0, engine="sync"))
    assert found[0] == found[1] != found[2]


def test_balanced_columns_of_new_rows_are_even(days, table, tmp_path):
    """The new rows have their share of a balanced column in every part."""
    out = tmp_path / "out"
    split(days[0], 4, labels="labels", balance="price", output=out)
    s = extend(out, days[1])
    check_split(s, table.slice(0, 2000))
    written = read_output(s).slice(1000)
    parts = np.array(written["part"].to_pylist())
    price = np.array(written["price"].to_pylist())
    sums = [price[parts == name].sum() for name in s.names]
    at_random = [
        np.ptp(np.bincount(np.random.default_rng(seed).permutation(1000) % 4, price))
        for seed in range(10)
    ]
    assert np.ptp(sums) < 0.3 * np.mean(at_random)


def test_parts_that_are_too_large_get_no_new_rows(days, table, tmp_path):
    """Sizes of all rows are as near to the shares as old rows allow."""
    out = tmp_path / "out"
    fixed = table.slice(0, 100).append_column("kept", pa.array(["train"] * 70 + ["val"] * 30))
    data = write_files(tmp_path / "data", [fixed])
    split(data, {"train": 0.7, "val": 0.3}, labels="labels", fixed="kept", output=out)
    new = write_files(
        tmp_path / "new", [table.slice(100, 20).append_column("kept", pa.array([""] * 20))]
    )
    s = extend(out, new)
    assert s.sizes.tolist() == [84, 36]


def test_interrupted_extension_goes_on(days, tmp_path, monkeypatch):
    """After an interruption the earlier split is as it was, and a second run ends the first."""
    out = tmp_path / "out"
    for name in ("out", "other"):
        first = split(days[0], 3, labels="labels", output=tmp_path / name)
    expected = extend(tmp_path / "other", days[1], memory=0)

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr("evenfold.scale.scaled_split.write_manifest", stop)
        with pytest.raises(KeyboardInterrupt):
            extend(out, days[1], memory=0)
    assert load(out) == first
    assert extend(out, days[1], memory=0) == expected
    assert not list(out.glob(".evenfold*"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table: table.drop_columns("labels"), "has no column 'labels'"),
        (lambda table: table.append_column("part", table["id"]), "'column' must be a new column"),
        (lambda table: table.set_column(1, "labels", pa.array(range(1000))), "form of the split"),
        (lambda table: table.slice(0, 0), "rows"),
    ],
)
def test_wrong_new_files_are_refused(change, message, days, table, tmp_path):
    """The earlier split stays as it was."""
    out = tmp_path / "out"
    split(days[0], 3, labels="labels", output=out)
    before = hash_files(out)
    new = write_files(tmp_path / "new", [change(table.slice(1000, 1000))])
    with pytest.raises(EvenfoldError, match=message):
        extend(out, new)
    assert hash_files(out) == before
    assert [path.name for path in out.glob(".*")] == []


def test_split_with_groups_is_refused(table, tmp_path):
    """The manifest does not say where each group is."""
    rows = table.slice(0, 90).append_column("patient", pa.array(np.arange(90) // 3))
    data = write_files(tmp_path / "data", [rows])
    split(data, 3, labels="labels", groups="patient", output=tmp_path / "out")
    with pytest.raises(EvenfoldError, match="'folder' must be a split without groups"):
        extend(tmp_path / "out", data)


def test_folder_without_a_split_is_refused(days, tmp_path):
    """Nothing is written into a folder that has no manifest."""
    with pytest.raises(EvenfoldError, match="must be the output folder of a finished split"):
        extend(tmp_path / "none", days[0])
    assert not (tmp_path / "none").exists()


FORMS = {
    "text": (lambda rows: {"labels": [";".join(own) for own in rows]}, "labels"),
    "classes": (lambda rows: {"labels": [len(own) for own in rows]}, "labels"),
    "numbers": (lambda rows: {"labels": [[int(x[5:]) for x in own] for own in rows]}, "labels"),
    "flags": (
        lambda rows: {
            name: [int(name in own) for own in rows] for name in ("label00", "label01", "label07")
        },
        ["label0*"],
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_labels_of_any_form_are_split_and_extended(form, table, tmp_path, monkeypatch):
    """Text, classes, lists of numbers and columns of 0 and 1 are read as by evenfold.split."""
    monkeypatch.setattr(sections, "ENTRIES_OF_SECTION", 500)
    make_columns, labels = FORMS[form]
    rows = table["labels"].to_pylist()[:1200]
    rows[:30] = rows[1170:] = [["label00", "label01"], ["label07"], ["label01"]] * 10
    tables = [pa.table(make_columns(own)) for own in (rows[:400], rows[400:800], rows[800:])]
    first = write_files(tmp_path / "first", tables[:2])
    s = split(first, 4, labels=labels, output=tmp_path / "out", memory=0, engine="sync")
    s = extend(tmp_path / "out", write_files(tmp_path / "new", tables[2:]))
    assert s.sizes.tolist() == [300] * 4
    parts = np.array(read_output(s)["part"].to_pylist())
    columns = make_columns(rows)
    for number, label in enumerate(s.labels):
        if form == "flags":
            has = np.array(columns[label], bool)
        elif form == "classes":
            has = np.array(columns["labels"]) == label
        else:
            cells = columns["labels"]
            has = np.array([label in (own.split(";") if form == "text" else own) for own in cells])
        assert [int(has[parts == name].sum()) for name in s.names] == s.counts[:, number].tolist()
