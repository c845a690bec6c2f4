"""`evenfold link`: which rows belong together."""

import json

import numpy as np
import pytest
from scipy import sparse

import evenfold

from ..files.made_files import write_arff, write_huggingface, write_npz, write_parquet
from .leaky_data import (
    N_ROWS,
    PATIENT,
    STUDY,
    join_twins,
    make_embeddings,
    make_texts,
    write_embedding_parquet,
    write_files,
    write_leaky,
    write_pairs,
)
from .read_back import read_parts

ALONE = list(range(N_ROWS))


@pytest.fixture
def data(tmp_path):
    """A csv file with twins, and all that finds them beside it."""
    np.save(tmp_path / "emb.npy", make_embeddings())
    np.savez(tmp_path / "emb.npz", X=make_embeddings())
    sparse.save_npz(tmp_path / "sparse.npz", sparse.csr_array(make_embeddings()))
    write_embedding_parquet(tmp_path / "emb.parquet")
    write_files(tmp_path)
    write_pairs(tmp_path / "pairs.csv")
    return write_leaky(tmp_path / "data.csv")


@pytest.mark.parametrize(
    "options",
    [
        "--text body",
        "--text body --at 0.9 --approximate",
        "--copies body",
        "--files path",
        "--similar emb.npy",
        "--similar emb.npz --at 0.99",
        "--similar sparse.npz",
        "--similar emb.parquet --exact",
        "--similar 'e?'",
        "--similar e0,e1,e2 --similar e3,e4,e5,e6,e7",
        "--similar emb.npy --metric cosine --at similar=0.99",
        "--pairs pairs.csv --id id --at 0.5",
        "--text body --similar emb.npy --at text=0.7,similar=0.99",
    ],
)
def test_every_source_finds_the_twins(options, data, command):
    """The new column has the number of each row's group."""
    done = command(f"link data.csv {options} -o out.csv")
    assert done.code == 0, done.stderr
    assert list(map(int, read_parts(data.parent / "out.csv", "group"))) == join_twins(ALONE)
    assert done.stderr.endswith("Written: out.csv\n")
    assert done.stderr.startswith("60 rows in 57 groups; the largest has 3 rows\n")


def test_paths_are_relative_to_the_data(data, command, tmp_path, monkeypatch):
    """Also if the command runs in another folder."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    done = command("link ../data.csv --files path --indices groups.json")
    assert json.loads((tmp_path / "elsewhere" / "groups.json").read_text()) == join_twins(ALONE)
    assert done.code == 0


def test_images_are_paths_too(command, tmp_path):
    """Equal images are linked, whatever the format of their files."""
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("imagehash")
    rng = np.random.default_rng(0)
    (tmp_path / "data.csv").write_text("img,id\na.png,1\nb.png,2\nc.bmp,3\n,4\n")
    for name in ("a.png", "b.png"):
        image.fromarray(rng.integers(0, 255, (32, 32), np.uint8)).save(tmp_path / name)
        image.open(tmp_path / "a.png").save(tmp_path / "c.bmp")
    done = command("link data.csv --images img --at 2 --json -q")
    assert json.loads(done.stdout)["searches"][0]["pairs"] == 1
    assert json.loads(done.stdout)["groups"] == 3


def test_groups_of_several_columns_are_joined_as_in_python(data, command):
    """Columns with commas between them, or the option several times; empty cells join nothing."""
    expected = evenfold.link(groups={"patient": PATIENT, "study": STUDY})
    for options in ("--groups patient,study", "--groups patient --groups study"):
        done = command(f"link data.csv {options} --indices g.npy --force")
        assert np.load("g.npy").tolist() == expected.group_of_row.tolist()
        assert done.stderr.startswith(f"{expected}\n")
        assert "6 rows have no value" in done.stderr


def test_a_column_name_with_a_comma_is_one_column(command, tmp_path):
    """As for labels."""
    (tmp_path / "data.csv").write_text('"a,b",a,b\n1,1,1\n1,2,1\n2,3,1\n')
    done = command("link data.csv --groups a,b --json -q")
    assert json.loads(done.stdout)["columns"] == [{"name": "a,b", "values": 2, "missing": 0}]


def test_the_output_can_be_split_by_the_new_column(data, command):
    """It is a column of groups like any other."""
    assert command("link data.csv --text body --column cluster -o out.csv").code == 0
    done = command("split out.csv --labels tags --folds 2 --groups cluster --indices part.npy")
    assert done.code == 0
    part = np.load("part.npy")
    assert part[3] == part[30] == part[45]
    assert part[8] == part[50]


def test_groups_are_linked_on_top_of_the_columns(data, command):
    """Rows of one patient and twins of them are one group; JSON says what links them."""
    done = command("link data.csv --groups patient --similar emb.npy --at 0.95 --json -q")
    found = json.loads(done.stdout)
    expected = evenfold.link(groups={"patient": PATIENT}, similar=make_embeddings(), at=0.95)
    assert found == {**json.loads(json.dumps(expected.to_dict())), "written": []}


def test_max_group_cuts_the_weakest_links(data, command):
    """The printed result says how many pairs are in two groups."""
    done = command("link data.csv --similar emb.npy --max-group 2 --indices g.npy")
    assert np.bincount(np.load("g.npy")).max() == 2
    assert "were cut: 2 pairs at the threshold are in two groups" in " ".join(done.stderr.split())


def test_a_pattern_of_copies_leaves_out_ids_and_groups(command, tmp_path):
    """A column that is named is compared in any case."""
    (tmp_path / "data.csv").write_text("id,who,x,y\n1,a,5,6\n2,b,5,6\n3,b,7,8\n")
    done = command("link data.csv --copies '*' --id id --indices g.json -q")
    assert done.code == 0
    assert json.loads((tmp_path / "g.json").read_text()) == [0, 1, 2]
    command("link data.csv --copies '*' --id id --groups who --indices g.json -q --force")
    assert command("link data.csv --copies x,y --json -q").code == 0
    assert json.loads(command("link data.csv --copies x --json -q").stdout)["groups"] == 2
    done = command("link data.csv --copies 'i*' --id id --json -q")
    assert done.stderr == (
        "evenfold: data.csv: --copies 'i*' leaves no column to compare besides those of labels, "
        "parts, groups and ids. Name columns.\n"
    )


def test_stdin_and_stdout_are_files_too(data, command):
    """Rows keep their bytes."""
    content = data.read_bytes()
    done = command("link - --text body -o - -q", stdin=content)
    assert done.code == 0
    lines = done.stdout.splitlines()
    assert [line.rpartition(",")[0] for line in lines] == content.decode().splitlines()


@pytest.mark.parametrize(
    ("write", "name", "output"),
    [
        (write_parquet, "data.parquet", "out.parquet"),
        (write_huggingface, "folder", "out"),
    ],
)
def test_every_format_with_columns_gets_the_column(write, name, output, command, tmp_path):
    """Read back, it keeps the same rows together."""
    write(tmp_path / name)
    assert command(f"link {name} --groups patient -o {output}").code == 0
    done = command(f"link {output} --groups group,patient --json -q")
    assert json.loads(done.stdout)["groups"] == 10


def test_rows_are_counted_where_no_column_is_read(command, tmp_path):
    """Files of labels alone can be linked by embeddings."""
    write_npz(tmp_path / "data.npz")
    vectors = np.random.default_rng(0).normal(size=(40, 8))
    vectors[7] = vectors[0]
    np.save(tmp_path / "emb.npy", vectors)
    done = command("link data.npz --similar emb.npy --indices g.npy")
    assert (done.code, len(np.unique(np.load("g.npy")))) == (0, 39)
    write_arff(tmp_path / "data.arff")
    assert command("link data.arff --similar emb.npy --indices g.npy --force -q").code == 0
    assert len(np.unique(np.load("g.npy"))) == 39


def test_text_is_that_of_python(data, command):
    """The same texts give the same groups."""
    done = command("link data.csv --text body --at 0.3 --indices g.npy -q")
    assert done.code == 0
    expected = evenfold.link(text=make_texts(), at=0.3)
    assert np.load("g.npy").tolist() == expected.group_of_row.tolist()


def test_nothing_is_written_without_an_output(data, command):
    """The result says so; quiet says nothing."""
    before = sorted(data.parent.iterdir())
    done = command("link data.csv --text body")
    assert (done.code, done.stdout) == (0, "")
    assert done.stderr.endswith("Nothing was written: add -o, --indices or --json.\n")
    assert command("link data.csv --text body -q") == (0, "", "")
    assert sorted(data.parent.iterdir()) == before


def test_recall_is_what_an_approximate_search_must_find(data, command, monkeypatch):
    """If it does not, the message names options."""
    monkeypatch.setattr("evenfold.links.minhash._N_PERMUTATIONS", (2,))
    words = "link data.csv --text body --at 0.1 --approximate --max-group 9 --json -q"
    done = command(f"{words} --recall 0.1")
    assert 0.1 <= json.loads(done.stdout)["searches"][0]["recall"]["share"] < 0.99
    done = command(words)
    assert (done.code, done.stdout) == (1, "")
    assert done.stderr.startswith("evenfold: --recall must be at most 0.")
    assert done.stderr.endswith("got 0.99. Lower it, or pass --exact.\n")
