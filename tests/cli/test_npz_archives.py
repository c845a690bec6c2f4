"""npz archives with groups, ids and names of labels of their own, in every command."""

import json

import numpy as np
import pytest
from scipy import sparse

import evenfold

N_ROWS = 60
NAMES = ["cat", "dog", "eel", "fox"]


def make_arrays():
    """Return labels and what belongs to their rows."""
    rng = np.random.default_rng(3)
    return {
        "y": (rng.random((N_ROWS, 4)) < 0.3).astype(np.int8),
        "patient": np.array([f"p{at}" for at in rng.integers(0, 25, N_ROWS)]),
        "id": np.arange(N_ROWS) + 1000,
        "age": rng.integers(20, 80, N_ROWS),
        "X": rng.random((N_ROWS, 3)),
        "label_names": np.array(NAMES),
    }


def save(path, is_sparse, **changes):
    """Write an archive of these arrays, with a sparse or a dense matrix of labels."""
    arrays = make_arrays() | changes
    if is_sparse:
        sparse.save_npz(path, sparse.csr_array(arrays.pop("y")))
        with np.load(path) as archive:
            arrays = {**archive, **arrays}
    np.savez_compressed(path, **arrays)


@pytest.fixture(params=[True, False], ids=["sparse", "dense"])
def folder(tmp_path, request):
    """A folder with one archive, data.npz."""
    save(tmp_path / "data.npz", request.param)
    return tmp_path


def test_the_split_of_an_archive_is_that_of_python(folder, command):
    """Groups, balance and ids are taken by name; parts keep all arrays."""
    done = command(
        "split data.npz --groups patient --balance age --id id --parts 0.7,0.3 -o out/ "
        "--indices rows.json --manifest m.json --seed 5"
    )
    assert done.code == 0, done.stderr
    own = make_arrays()
    split = evenfold.split(
        own["y"], [0.7, 0.3], groups=own["patient"], balance={"age": own["age"]}, random_state=5
    )
    ids = json.loads((folder / "rows.json").read_text())
    for name in split.names:
        rows = split[name]
        assert ids[name] == own["id"][rows].tolist()
        with np.load(folder / "out" / f"{name}.npz") as part:
            for array in ("patient", "id", "age", "X"):
                assert part[array].tolist() == own[array][rows].tolist()
            assert part["label_names"].tolist() == NAMES
    assert command("check data.npz --manifest m.json").code == 0
    checked = command("check out/train.npz out/test.npz --groups patient --id id --json")
    assert checked.code == 0, checked.stderr


def test_groups_are_taken_only_when_asked(folder, command):
    """Without --groups rows are split one by one, as in all formats."""
    assert command("split data.npz --folds 3 --indices rows.npy").code == 0
    own = evenfold.split(make_arrays()["y"], 3)
    assert np.load(folder / "rows.npy").tolist() == own.part_of_row.tolist()


def test_info_has_names_and_groups(folder, command):
    """Labels are called by their names."""
    record = json.loads(command("info data.npz --groups patient --json").stdout)
    assert record["columns"] == ["patient", "id", "age"]
    assert {entry["label"] for entry in record["commonest"]} == set(NAMES)


def test_a_column_of_parts_is_checked_extended_and_linked(folder, command):
    """`-o out.npz` has one more array, which every command then reads."""
    assert command("split data.npz --groups patient --folds 3 --column fold -o folds.npz").code == 0
    checked = command("check folds.npz --part-column fold --groups patient --id id")
    assert checked.code == 0, checked.stderr
    linked = command("link folds.npz --groups patient --copies X -o linked.npz")
    assert linked.code == 1
    assert "--copies 'X' is not a column of folds.npz. Columns: patient, id, age, fold" in (
        linked.stderr
    )
    assert command("link folds.npz --groups patient -o linked.npz").code == 0
    with np.load(folder / "folds.npz") as archive, np.load(folder / "linked.npz") as again:
        arrays, groups = dict(archive), again["group"]
    patient = arrays["patient"]
    assert ((groups[:, None] == groups) == (patient[:, None] == patient)).all()
    arrays["fold"][:20] = ""
    np.savez(folder / "new.npz", **arrays)
    done = command("extend new.npz --part-column fold --groups patient --column all -o all.npz")
    assert done.code == 0, done.stderr
    with np.load(folder / "all.npz") as archive:
        assert archive["all"][20:].tolist() == arrays["fold"][20:].tolist()
        assert set(archive["all"].tolist()) == {"fold0", "fold1", "fold2"}


def test_a_sample_keeps_all_arrays(folder, command):
    """And the names of the labels."""
    assert command("sample data.npz -n 20 -o few.npz").code == 0
    with np.load(folder / "few.npz") as archive:
        assert len(archive["patient"]) == len(archive["X"]) == 20
        assert archive["label_names"].tolist() == NAMES


def test_an_audit_compares_features_and_columns(tmp_path, command):
    """Rows with equal columns but other features are no copies; ids are not compared."""
    own = make_arrays()
    parts = np.where(np.arange(N_ROWS) < 40, "train", "test")
    same = {"patient": np.repeat("p", N_ROWS), "age": np.ones(N_ROWS), "part": parts}
    save(tmp_path / "data.npz", is_sparse=False, **same)
    line = "audit data.npz --part-column part --groups patient"
    assert "copies: 60 values; each value is in one part" in command(line).stdout
    features = own["X"].copy()
    features[50] = features[3]
    save(tmp_path / "data.npz", is_sparse=False, **same, X=features)
    for options in ("", ",age"):
        matches = json.loads(command(f"{line}{options} --json").stdout)["matches"]
        assert {own["by"]["copies"] for own in matches} == {1}


def test_an_evaluation_learns_from_the_features_of_the_archive(folder, command):
    """Other columns are not learned from."""
    done = command(
        "evaluate data.npz --learner br:tree --method random --folds 2 --repeats 1 --groups patient"
    )
    assert done.code == 0, done.stderr
    assert "--features" not in done.stderr


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"label_names": np.array(["a", "b"])}, "array 'label_names' has 2 entries, and must have"),
        ({"label_names": np.array(["a", "a", "b", "c"])}, "name 'a', which is repeated"),
        ({"label_names": np.arange(4)}, "array 'label_names' must hold text"),
        ({"label_names": np.array(["a", None, 1, 2], object)}, "holds pickled Python objects"),
        ({"patient": np.array(["a", "b"])}, "array 'patient' has 2 rows"),
        ({"id": np.zeros((N_ROWS, 2))}, "--id 'id' is not a column of data.npz"),
    ],
)
@pytest.mark.parametrize("is_sparse", [True, False])
def test_wrong_archives_are_refused(tmp_path, command, is_sparse, changes, message):
    """One message, and nothing is written."""
    save(tmp_path / "data.npz", is_sparse, **changes)
    done = command("split data.npz --id id --groups patient --folds 2 -o out/ --manifest m.json")
    assert (done.code, done.stdout) == (1, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["data.npz"]
