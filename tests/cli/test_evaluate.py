"""`evenfold evaluate`: the same as from Python, from files that hold features."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from scipy import sparse

import evenfold

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)).round(3)
Y = (X + 0.5 * RNG.normal(size=(60, 3)) > 0.3).astype(int)
GROUP = np.arange(60) // 3
OPTIONS = (
    "--learner",
    "br:knn",
    "--method",
    "random,even",
    "--folds",
    3,
    "--repeats",
    2,
    "--seed",
    4,
    "--json",
)


def make_table():
    """Return a text, the features, a group and the labels."""
    columns = {
        "text": [f"row {at}" for at in range(60)],
        **{f"x{at}": X[:, at] for at in range(3)},
        "group": GROUP,
    }
    return pa.table({**columns, **{f"tag_{at}": Y[:, at] for at in range(3)}})


def write_csv(path):
    """Write all columns as text."""
    table = make_table().to_pydict()
    lines = [
        ",".join(table),
        *(",".join(map(str, row)) for row in zip(*table.values(), strict=True)),
    ]
    path.write_text("\n".join(lines) + "\n")


def write_arff(path, is_sparse=False):
    """Write features and labels, as MEKA does."""
    head = [
        "@relation 'made: -C -3'",
        *(f"@attribute x{at} numeric" for at in range(3)),
        *(f"@attribute tag_{at} {{0,1}}" for at in range(3)),
        "@data",
    ]
    rows = [[*map(str, features), *map(str, labels)] for features, labels in zip(X, Y, strict=True)]
    if is_sparse:
        rows = [
            [
                "{"
                + ",".join(f"{at} {cell}" for at, cell in enumerate(row) if float(cell) != 0)
                + "}"
            ]
            for row in rows
        ]
    path.write_text("\n".join([*head, *map(",".join, rows)]) + "\n")


def write_svmlight(path):
    """Write labels and features from 0 on."""
    path.write_text(
        "".join(
            ",".join(map(str, np.flatnonzero(labels)))
            + "".join(f" {at}:{cell}" for at, cell in enumerate(row))
            + "\n"
            for row, labels in zip(X, Y, strict=True)
        )
    )


WRITERS = {
    "data.csv": write_csv,
    "data.parquet": lambda path: pa.parquet.write_table(make_table(), path),
    "data.feather": lambda path: pa.feather.write_feather(make_table(), path),
    "dense.arff": write_arff,
    "sparse.arff": lambda path: write_arff(path, is_sparse=True),
    "data.svm": write_svmlight,
    "data.npz": lambda path: np.savez(path, X=X, y=Y, group=GROUP),
}


def expected(**keywords):
    """Return the result in Python for the same options."""
    return evenfold.evaluate(
        ["br:knn"], X, Y, 3, methods=["random", "even"], repeats=2, random_state=4, **keywords
    ).to_dict()


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_with_features_gives_what_python_gives(name, command, tmp_path):
    """Labels and features found or named, from text, binary and sparse files."""
    WRITERS[name](tmp_path / name)
    named = name in ("data.csv", "data.parquet", "data.feather")
    done = command(
        f"evaluate {name}",
        *(("--labels", "tag_*", "--features", "x0,x[12]") if named else ()),
        *OPTIONS,
    )
    assert done.code == 0, done.stderr
    found, wanted = json.loads(done.stdout), expected()
    assert found["features"] == 3
    for own, other in zip(found["estimates"], wanted["estimates"], strict=True):
        for figure in ("mean", "std", "rank"):
            assert own[figure] == pytest.approx(other[figure], abs=1e-12)


def test_groups_are_kept_whole_and_are_no_features(command, tmp_path):
    """The columns taken for features are printed on stderr, unless with --quiet."""
    write_csv(tmp_path / "data.csv")
    done = command("evaluate data.csv --labels 'tag_*' --groups group", *OPTIONS)
    assert "No --features given: 3 columns of numbers are read: x0, x1, x2." in done.stderr
    assert json.loads(done.stdout)["estimates"] == expected(groups=GROUP)["estimates"]
    assert command("evaluate data.csv --labels 'tag_*' --groups group -q", *OPTIONS).stderr == ""


def test_features_of_another_file(command, tmp_path):
    """In the form that SciPy saves."""
    sparse.save_npz(tmp_path / "labels.npz", sparse.csr_array(Y))
    sparse.save_npz(tmp_path / "features.npz", sparse.csr_array(X))
    done = command("evaluate labels.npz --features features.npz", *OPTIONS)
    assert [own["mean"] for own in json.loads(done.stdout)["estimates"]] == pytest.approx(
        [own["mean"] for own in expected()["estimates"]]
    )


def test_tables_metrics_undefined_and_several_learners(command, tmp_path):
    """It is printed on stdout within 80 columns."""
    np.savez(tmp_path / "data.npz", X=X, y=np.column_stack((Y, np.arange(60) == 0)))
    words = (
        "evaluate",
        "data.npz",
        "--learner",
        "br:knn",
        "--learner",
        "mlknn",
        "--folds",
        2,
        "--repeats",
        1,
        "--metrics",
        "f1_macro,one_error",
    )
    done = command(*words)
    assert done.code == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "mlknn, to compare splits: mean ± std over folds" in done.stdout
    assert "br:knn, even: no f1_macro on 1 of 2 folds." in done.stdout
    assert "no f1_macro" not in command(*words, "--undefined", "skip").stdout
    assert "no f1_macro" not in command(*words, "--undefined", "0").stdout


def test_started_again_with_a_cache_it_fits_nothing(command, tmp_path, monkeypatch):
    """The second run gives the result of the first."""
    write_svmlight(tmp_path / "data.svm")
    first = command("evaluate data.svm --cache kept", *OPTIONS)
    assert len(list((tmp_path / "kept").iterdir())) == 4
    monkeypatch.setattr("evenfold.evaluation.evaluate_learners.score_fold", None)
    assert command("evaluate data.svm --cache kept", *OPTIONS) == first


def test_a_damaged_file_of_the_cache_is_named(command, tmp_path):
    """The result is the same."""
    write_svmlight(tmp_path / "data.svm")
    first = command("evaluate data.svm --cache kept", *OPTIONS)
    file = sorted((tmp_path / "kept").iterdir())[0]
    file.write_bytes(file.read_bytes()[:100])
    again = command("evaluate data.svm --cache kept", *OPTIONS)
    assert again.stdout == first.stdout
    assert f"{file.relative_to(tmp_path)} in the cache is damaged (File is not" in again.stderr


def test_jobs_change_nothing(command, tmp_path):
    """Two folds at once give the same result as one after the other."""
    write_svmlight(tmp_path / "data.svm")
    assert (
        command("evaluate data.svm", *OPTIONS, "--jobs", 2).stdout
        == command("evaluate data.svm", *OPTIONS).stdout
    )


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--learner", "br:forest"], 2, "the base learner of --learner must be one of tree, "),
        (["--learner", "br:forest"], 2, "got 'forest'. Did you mean 'random-forest'?"),
        (
            ["--learner", "rakle"],
            2,
            "--learner must be one of br, cc, lp, clr, rakel, ecc, mlknn, tuned, got 'rakle'. "
            "Did you mean 'rakel'?",
        ),
        (["--metrics", "haming_loss"], 2, "Did you mean 'hamming_loss'?"),
        (["--method", "evem"], 2, "Did you mean 'even'?"),
        (["--undefined", "drop"], 2, "'drop' is neither nan, skip nor a number."),
        (
            ["--folds", "100"],
            1,
            "--folds must be at most the number of rows, got 100 parts for 60 rows.",
        ),
        (["--features", "few.npz"], 1, "--features must have the 60 rows of the labels, got 5."),
        (["--cache", "data.npz"], 2, "Directory 'data.npz' is a file."),
    ],
)
def test_wrong_arguments_are_one_message(words, code, message, command, tmp_path):
    """The message names the option."""
    np.savez(tmp_path / "data.npz", X=X, y=Y)
    np.savez(tmp_path / "few.npz", X=X[:5])
    done = command("evaluate data.npz", *words)
    assert (done.code, done.stdout) == (code, "")
    assert message in done.stderr
