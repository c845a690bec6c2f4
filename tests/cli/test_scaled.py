"""Data past memory is split and extended from the command line."""

import json

import fsspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evenfold
from evenfold.cli import scaled
from evenfold.cli.options import Reading
from evenfold.scale.in_memory import BYTES_OF_ENTRY, BYTES_OF_ROW

from .refusals import check_refusal, read_all

N_ROWS = 1200
N_FILES = 4


def make_table(seed=0):
    """Return rows with lists of labels, ids, groups and embeddings."""
    rng = np.random.default_rng(seed)
    n_labels = rng.integers(1, 4, N_ROWS)
    labels = [
        [f"label{at:02d}" for at in sorted(set((rng.random(own) ** 3 * 40).astype(int).tolist()))]
        for own in n_labels
    ]
    vectors = pa.array([[0.5] * 8] * N_ROWS)
    ids = np.arange(N_ROWS) + seed * N_ROWS
    return pa.table({"id": ids, "labels": labels, "who": ids // 3, "vector": vectors})


def write_folder(folder, table):
    """Write a table as several files."""
    folder.mkdir()
    n_rows = N_ROWS // N_FILES
    for at in range(N_FILES):
        pq.write_table(table[at * n_rows : (at + 1) * n_rows], folder / f"{at}.parquet")


@pytest.fixture
def data(tmp_path):
    """Return the table that is in the folder data."""
    write_folder(tmp_path / "data", make_table())
    return make_table()


def read_parts(folder):
    """Return the table of the parquet files of a folder and below, in the order of their paths."""
    return pa.concat_tables(map(pq.read_table, sorted(folder.rglob("*.parquet"))))


def list_names(folder):
    """Return the names of everything in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_files_are_split_where_they_are(command, tmp_path, data):
    """Each file is written with one more column; what was done is printed."""
    before = read_all(tmp_path / "data")
    done = command("split 'data/*.parquet' --labels labels --folds 3 --engine sync -o out")
    assert done.code == 0, done.stderr
    assert done.stdout == ""
    assert f"3 parts of {N_ROWS:,} rows, " in done.stderr
    assert "Scheme " in done.stderr
    assert "% over its bound." in done.stderr
    assert "Written: 4 files in out, out/_manifest.json" in done.stderr
    assert max(map(len, done.stderr.splitlines())) <= 80
    assert read_all(tmp_path / "data") == before
    assert list_names(tmp_path / "out") == [*list_names(tmp_path / "data"), "_manifest.json"]
    written = read_parts(tmp_path / "out")
    assert written.drop_columns("part").equals(data)
    sizes = written["part"].value_counts().to_pylist()
    assert sorted(each["counts"] for each in sizes) == [400, 400, 400]


def test_a_second_run_gives_the_same_split(command, tmp_path, data):
    """The split that is there is printed again, and no file is touched."""
    words = "split data --labels labels --folds 3 --engine sync --budget 10% -o out --json"
    first = command(words)
    assert first.code == 0, first.stderr
    before = read_all(tmp_path / "out")
    second = command(words)
    assert second.stdout == first.stdout
    assert read_all(tmp_path / "out") == before
    other = command(f"{words} --seed 4")
    check_refusal(other, 1, "--output must be a folder without other files, got")
    assert "or replace the split in it with --force." in other.stderr
    assert read_all(tmp_path / "out") == before
    forced = json.loads(command(f"{words} --seed 4 --force").stdout)
    assert forced["digest"] != json.loads(first.stdout)["digest"]
    assert evenfold.scale.load(tmp_path / "out").digest == forced["digest"]


def test_labels_that_fit_are_split_in_memory(command, tmp_path, data):
    """The split is that of `evenfold.split`, to the row."""
    done = command("split data --labels labels --parts 0.7,0.3 --order 1 --memory 4GB -o out -q")
    assert (done.code, done.stdout, done.stderr) == (0, "", "")
    found = evenfold.scale.load(tmp_path / "out")
    assert found.scheme == "memory"
    expected = evenfold.split(data["labels"].to_pylist(), [0.7, 0.3], order=1)
    part_of_row = [
        found.names.index(name) for name in read_parts(tmp_path / "out")["part"].to_pylist()
    ]
    assert part_of_row == expected.part_of_row.tolist()


def test_the_result_is_one_json_object(command, tmp_path, data):
    """With the excess, the notes, the files and what was written."""
    words = "split data --labels labels --groups who --id id --folds 3 --engine sync --seed 2"
    done = command(f"{words} -o out --column fold --report r.html --json --quiet")
    assert (done.code, done.stderr) == (0, "")
    record = json.loads(done.stdout)
    split = evenfold.scale.load(tmp_path / "out")
    assert record["digest"] == split.digest
    assert record["excess"] == split.excess
    assert record["seed"] == 2
    assert record["columns"]["groups"] == "who"
    assert record["files"] == [f"out/{at}.parquet" for at in range(N_FILES)]
    assert record["written"] == [*record["files"], "out/_manifest.json", "r.html"]
    assert "over its bound" in (tmp_path / "r.html").read_text()
    written = read_parts(tmp_path / "out")
    parts_of = {}
    for who, part in zip(written["who"].to_pylist(), written["fold"].to_pylist(), strict=True):
        parts_of.setdefault(who, set()).add(part)
    assert all(len(parts) == 1 for parts in parts_of.values())


def test_files_that_fit_are_split_as_before(command, tmp_path, data):
    """Without an option for large data, a pattern is one table, and parts are files."""
    assert command("split 'data/*.parquet' --labels labels --folds 2 -o out").code == 0
    assert list_names(tmp_path / "out") == ["fold0.parquet", "fold1.parquet"]


def test_large_data_is_split_at_scale(command, tmp_path, data, monkeypatch):
    """Without an option, if its labels take too much memory; unless an option needs all rows."""
    monkeypatch.setattr(scaled, "_DEFAULT_MEMORY", 1000)
    done = command("split data --labels labels --folds 2 -o out")
    assert done.code == 0, done.stderr
    assert "The labels may take more than 4 GB, so DATA was split as with --mem" in done.stderr
    assert list_names(tmp_path / "out") == [*list_names(tmp_path / "data"), "_manifest.json"]
    for other in ("", "--indices parts.npy"):
        assert "method even" in command(f"split data --labels labels --folds 2 {other}").stderr
    assert command("split data --labels labels --folds 2 -o out.parquet").code == 0
    assert len(pq.read_table(tmp_path / "out.parquet")) == N_ROWS


def test_entries_are_counted_in_the_footers(tmp_path, data, monkeypatch):
    """The values of the named columns count; without names, all but lists of real numbers."""
    n_entries = sum(map(len, data["labels"].to_pylist()))
    n_bytes = BYTES_OF_ENTRY * n_entries + BYTES_OF_ROW * N_ROWS

    def is_too_large(*labels, data="data", form=None):
        return scaled.is_too_large([str(tmp_path / data)], Reading(form, labels, None, None, None))

    monkeypatch.setattr(scaled, "_DEFAULT_MEMORY", n_bytes)
    assert not is_too_large("labels")
    assert not is_too_large()
    assert is_too_large("vector")
    monkeypatch.setattr(scaled, "_DEFAULT_MEMORY", n_bytes - 1)
    assert is_too_large("labels")
    assert is_too_large("id,lab*")
    assert is_too_large()
    assert is_too_large(data="data/*.parquet")
    assert not is_too_large("id")
    assert not is_too_large("labels", form="csv")
    assert not is_too_large("labels", data="data/0.parquet")
    assert not is_too_large("labels", data="none/*.parquet")
    (tmp_path / "data" / "0.parquet").write_bytes(b"PAR1")
    assert not is_too_large("labels")


def test_an_object_store_is_read_and_written(command, data):
    """A URL is split at scale without an option; its output is a URL too."""
    store = fsspec.filesystem("memory")
    with store.open("/commands/data/a.parquet", "wb") as file:
        pq.write_table(data, file)
    done = command(
        "split memory://commands/data --labels labels --folds 2 -o memory://commands/out"
    )
    assert done.code == 0, done.stderr
    assert "Written: 1 file in memory://commands/out" in done.stderr
    with store.open("/commands/out/a.parquet") as file:
        assert pq.read_table(file).drop_columns("part").equals(data)
    store.rm("/commands", recursive=True)


def test_several_group_columns_are_refused(command, tmp_path, data):
    """At scale, rows are brought together by one column."""
    done = command("split data --labels labels --groups who,id --folds 2 --engine sync -o out")
    check_refusal(done, 2, "--groups names 2 columns, and only one goes with --engine.")


def test_fixed_rows_stay_in_their_parts(command, tmp_path, data):
    """The others are placed around them; a value that is no part is refused."""
    old = ["b" if at % 5 == 0 else None for at in range(N_ROWS)]
    write_folder(tmp_path / "more", data.append_column("old", pa.array(old)))
    words = "split more --labels labels --engine sync --fixed old -o out"
    done = command(f"{words} --parts a=0.5,c=0.5")
    check_refusal(done, 1, "--fixed must")
    assert command(f"{words} --parts a=0.5,b=0.5").code == 0
    written = read_parts(tmp_path / "out")["part"].to_pylist()
    assert {part for part, own in zip(written, old, strict=True) if own} == {"b"}
    assert written.count("a") == N_ROWS // 2


def test_files_without_rows_are_said_to_have_none(command, tmp_path, data):
    """Fewer parts would not help."""
    (tmp_path / "empty").mkdir()
    pq.write_table(data[:0], tmp_path / "empty" / "0.parquet")
    done = command("split empty --labels labels --folds 3 --engine sync -o out")
    check_refusal(done, 1, "got 3 parts for 0 rows. The data has no rows.")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("split data --labels lables --folds 3 --engine sync -o out", "Did you mean 'labels'?"),
        ("split 'no/*.parquet' --folds 3 --engine sync -o out", "DATA must name files that are"),
        (
            "split data --labels labels --folds 3 --engine sync -o data/out",
            "--output must be outside the data",
        ),
        (
            "split data --labels labels --folds 3 --column id --engine sync -o out",
            "--column must be",
        ),
        ("extend data --new 'no/*.parquet'", "DATA must be the output folder of a finished split"),
    ],
)
def test_wrong_data_is_refused(command, tmp_path, data, words, message):
    """Exit code 1, one message, and nothing is written."""
    before = read_all(tmp_path)
    check_refusal(command(words), 1, message)
    assert read_all(tmp_path) == before


def test_a_size_that_is_none_is_refused(command, tmp_path, data):
    """Before anything is read."""
    done = command("split data --labels labels --folds 3 --memory much -o out")
    check_refusal(done, 2, "'--memory': 'much' is not a size. Try 4GB or 512MB.")


def test_new_files_join_a_split(command, tmp_path, data):
    """They are written beside the old ones, which are not read."""
    assert command("split data --labels labels --folds 3 --engine sync -o out").code == 0
    before = read_all(tmp_path / "out")
    write_folder(tmp_path / "new", make_table(seed=1))
    for path in (tmp_path / "data").iterdir():
        path.unlink()
    done = command("extend out --new 'new/*.parquet' --report r.md")
    assert done.code == 0, done.stderr
    assert f"{N_ROWS:,} new rows placed, {N_ROWS:,} left where they were." in done.stderr
    assert "% over its bound." in done.stderr
    assert "Written: 4 files in out, out/_manifest.json, r.md" in done.stderr
    split = evenfold.scale.load(tmp_path / "out")
    assert split.n_rows == 2 * N_ROWS
    assert max(split.sizes) - min(split.sizes) <= 1
    assert len(read_parts(tmp_path / "out")) == 2 * N_ROWS
    after = read_all(tmp_path / "out")
    assert all(after[path] == before[path] for path in before if path.suffix == ".parquet")


def test_files_that_are_in_a_split_are_not_added_again(command, tmp_path, data):
    """A command that is repeated changes nothing and says so."""
    assert command("split data --labels labels --folds 3 --engine sync -o out").code == 0
    write_folder(tmp_path / "new", make_table(seed=1))
    assert command("extend out --new new").code == 0
    before = read_all(tmp_path / "out")
    done = command("extend out --new new")
    assert done.code == 0, done.stderr
    assert "so nothing was added." in done.stderr
    assert f"0 new rows placed, {2 * N_ROWS:,} left where they were." in done.stderr
    assert read_all(tmp_path / "out") == before
    write_folder(tmp_path / "more", make_table(seed=2))
    check_refusal(command("extend out --new new --new more"), 1, "--new must name files that are")


def test_all_files_of_an_extended_split_are_read(command, tmp_path, data):
    """Also those that extend wrote into a folder of their own."""
    assert command("split data --labels labels --folds 3 --memory 4GB -o out -q").code == 0
    (tmp_path / "more").mkdir()
    write_folder(tmp_path / "more" / "data", make_table(1))
    assert command("extend out --new more/data -q").code == 0
    assert len(list((tmp_path / "out").glob("*.parquet"))) == N_FILES
    found = json.loads(command("info out --labels labels --json").stdout)
    assert found["rows"] == 2 * N_ROWS
    checked = json.loads(command("check out --part-column part --labels labels --json").stdout)
    assert sum(part["rows"] for part in checked["quality"]["per_part"]) == 2 * N_ROWS


@pytest.mark.parametrize("groups", ["", " --groups who"])
def test_the_folder_of_a_split_is_checked_by_its_own_manifest(command, tmp_path, data, groups):
    """The columns need not be named, and the rows must be those of the manifest."""
    words = f"split data --labels labels --parts a=0.7,b=0.3 --engine sync --id id -o out{groups}"
    assert command(f"{words} --column fold --budget 10%").code == 0
    done = command("check out --json")
    assert done.code == 0, done.stderr
    found = json.loads(done.stdout)
    expected = evenfold.scale.load(tmp_path / "out").quality
    assert found["quality"]["rld"] == pytest.approx(expected.rld)
    assert found["quality"]["excess"] == pytest.approx(expected.excess)
    rows = pq.read_table(tmp_path / "out" / "1.parquet")
    part = pa.array(["b"] * len(rows))
    pq.write_table(
        rows.drop_columns("fold").append_column("fold", part), tmp_path / "out/1.parquet"
    )
    done = command("check out")
    assert done.code == 1
    assert "evenfold: a has " in done.stderr
    assert " rows, the manifest of the folder says 840." in done.stderr
    check_refusal(
        command("check data --manifest out/_manifest.json"),
        1,
        "got the manifest of a split past memory.",
    )


def test_passes_are_drawn_on_a_terminal(monkeypatch, capsys):
    """One bar for each pass, with the partitions that are done."""
    import sys

    from evenfold.cli.progress import show_passes

    with show_passes(quiet=False) as draw:
        assert draw is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with show_passes(quiet=True) as draw:
        assert draw is None
    monkeypatch.setenv("FORCE_COLOR", "1")
    with show_passes(quiet=False) as draw:
        draw("read", 0, 4)
        draw("read", 4, 4)
        draw("write", 2, 4)
    shown = capsys.readouterr().err
    assert "read" in shown
    assert "4/4 partitions" in shown
    assert "2/4 partitions" in shown
