"""--difficulty: the rows that are hard to predict are kept even, as by `learn.difficulty`."""

import json

import numpy as np
import pytest
from scipy import sparse

import evenfold
from evenfold.learn import difficulty

RNG = np.random.default_rng(0)
N_ROWS = 60
X = RNG.normal(size=(N_ROWS, 3)).round(3)
Y = (X + 0.8 * RNG.normal(size=(N_ROWS, 3)) > 0.3).astype(int)
AGE = RNG.integers(20, 80, N_ROWS)
GROUP = np.arange(N_ROWS) // 3
NAMES = ["difficulty (squared error)", "difficulty (ranking loss)"]


@pytest.fixture
def data(tmp_path):
    """Write text, an id, a group, an age, three features and three labels."""
    columns = {
        "text": [f"row {at}" for at in range(N_ROWS)],
        "number": np.arange(N_ROWS)[::-1],
        "group": GROUP,
        "age": AGE,
        **{f"x{at}": X[:, at] for at in range(3)},
        **{f"tag_{at}": Y[:, at] for at in range(3)},
    }
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path = tmp_path / "data.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def balance_with(found):
    """Return the age and the difficulty under the names of the command line."""
    shown = {f"difficulty ({name})": column for name, column in found.items()}
    return {"age": AGE.astype(float), **shown}


@pytest.mark.parametrize("learner", [None, "br:tree"])
def test_a_split_is_that_of_python(data, command, learner):
    """Groups, seed and learner reach `difficulty`; columns of the options are no features."""
    options = [] if learner is None else ["--difficulty-learner", learner]
    done = command(
        f"split {data.name} --labels 'tag_*' --groups group --balance age --id number --folds 3",
        *("--seed", 5, "--difficulty", *options, "--json", "--indices", "parts.npy"),
    )
    assert done.code == 0, done.stderr
    assert "No --features given: 3 columns of numbers are read: x0, x1, x2." in done.stderr
    by = "the 10 nearest rows" if learner is None else learner
    assert f"Difficulty: errors of predictions by {by}, from 3 features." in done.stderr
    found = difficulty(X, Y, learner, groups=GROUP, random_state=5)
    s = evenfold.split(Y, 3, groups=GROUP, balance=balance_with(found), random_state=5)
    assert np.load(data.parent / "parts.npy").tolist() == s.part_of_row.tolist()
    record = json.loads(done.stdout)
    assert record["parameters"]["balance"] == ["age", *NAMES]
    assert record["difficulty"] == {
        "learner": learner,
        "features": ["x0", "x1", "x2"],
        "columns": NAMES,
    }
    shown = [own["criterion"] for own in record["quality"]["per_balance"]]
    assert f"{NAMES[0]}: total" in shown
    assert f"{NAMES[0]}: total" in done.stderr


def test_the_learner_alone_is_enough(data, command):
    """It says what is wanted; decisions of a learner have a ranking loss only."""
    words = f"split {data.name} --labels 'tag_*' --folds 3 --features 'x*' --json"
    both = command(f"{words} --difficulty --difficulty-learner br:linear-svm")
    alone = command(f"{words} --difficulty-learner br:linear-svm -q")
    assert alone.stdout == both.stdout
    assert alone.stderr == ""
    assert json.loads(alone.stdout)["difficulty"]["columns"] == NAMES[1:]


def test_the_manifest_records_it_and_a_check_passes(data, command):
    """Like columns of --balance, it is recorded and not measured again."""
    done = command(
        f"split {data.name} --labels 'tag_*' --folds 3 --features 'x?' --difficulty "
        "-o out.csv --manifest split.json --report split.md"
    )
    assert done.code == 0, done.stderr
    parameters = json.loads((data.parent / "split.json").read_text())["parameters"]
    assert parameters["balance"] == NAMES
    assert parameters["columns"]["balance"] == []
    assert parameters["columns"]["difficulty"] == {
        "learner": None,
        "features": ["x0", "x1", "x2"],
        "columns": NAMES,
    }
    report = (data.parent / "split.md").read_text()
    assert "difficulty (squared error)" in report
    assert "--difficulty" in report
    path = data.parent / "out.csv"
    path.write_text(path.read_text().replace(",0.", ",1."))
    done = command("check out.csv --manifest split.json")
    assert (done.code, done.stderr) == (0, "")
    assert evenfold.load_split(data.parent / "split.json", Y).method == "even"


def test_without_it_nothing_is_recorded(data, command):
    """Neither in JSON nor in the manifest."""
    done = command(f"split {data.name} --labels 'tag_*' --folds 3 --json --manifest split.json")
    assert "difficulty" not in done.stdout
    assert "difficulty" not in (data.parent / "split.json").read_text()


def test_a_comparison_is_that_of_python(data, command):
    """The columns are named in the printed and in the plain result."""
    words = (
        f"compare {data.name} --labels 'tag_*' --groups group --balance age --folds 3 --seed 2 "
        "--methods even,iterative --features 'x?' --difficulty"
    )
    found = difficulty(X, Y, groups=GROUP)
    expected = evenfold.compare(
        Y,
        3,
        methods=["even", "iterative"],
        repeats=1,
        groups=GROUP,
        balance=balance_with(found),
        random_state=2,
    )
    done = command(words)
    assert f"Balanced besides labels: age, {', '.join(NAMES)}." in done.stdout
    record = json.loads(command(f"{words} --json").stdout)
    assert record["balance"] == ["age", *NAMES]
    assert record["difficulty"]["columns"] == NAMES
    for own, other in zip(record["methods"], expected.to_dict()["methods"], strict=True):
        assert own["rld"] == other["rld"]
        assert own["residual"] == other["residual"]


def test_an_evaluation_is_that_of_python(data, command):
    """Learners and difficulty have the same features, without the columns of --balance."""
    words = (
        f"evaluate {data.name} --labels 'tag_*' --groups group --balance age --balance number "
        "--folds 3 --method even --learner br:knn --repeats 2 --difficulty"
    )
    numbers = {"number": np.arange(N_ROWS)[::-1].astype(float)}
    own = balance_with(difficulty(X, Y, groups=GROUP))
    balance = {"age": own.pop("age"), **numbers, **own}
    expected = evenfold.evaluate(
        ["br:knn"], X, Y, 3, methods=["even"], repeats=2, groups=GROUP, balance=balance
    )
    done = command(words)
    assert "3 columns of numbers are read: x0, x1, x2." in done.stderr
    assert f"Balanced besides labels: age, number, {', '.join(NAMES)}." in done.stdout
    record = json.loads(command(f"{words} --json").stdout)
    assert record["balance"] == ["age", "number", *NAMES]
    assert record["difficulty"]["features"] == ["x0", "x1", "x2"]
    assert record["estimates"] == expected.to_dict()["estimates"]


def test_features_of_the_format_and_of_another_file(command, tmp_path):
    """Formats without columns keep features beside labels; another npz file may have them."""
    lines = [
        ",".join(map(str, np.flatnonzero(labels)))
        + "".join(f" {at}:{cell}" for at, cell in enumerate(row))
        for row, labels in zip(X, Y, strict=True)
    ]
    (tmp_path / "data.svm").write_text("\n".join(lines) + "\n")
    np.savez(tmp_path / "data.npz", X=X, y=Y)
    sparse.save_npz(tmp_path / "labels.npz", sparse.csr_array(Y))
    found = difficulty(X, Y)
    own = evenfold.split(Y, 3, balance=found).part_of_row.tolist()
    for words in ("data.svm", "data.npz", "labels.npz --features data.npz"):
        done = command(f"split {words} --folds 3 --difficulty --json --indices p.npy --force")
        assert done.code == 0, done.stderr
        assert json.loads(done.stdout)["difficulty"]["features"] == []
        assert np.load(tmp_path / "p.npy").tolist() == own


WRONG = {
    "data past memory": (
        "split data.csv --labels tag_0 --folds 2 --difficulty --engine sync -o out",
        2,
        "--difficulty does not go with --engine. Leave it out, or leave out --engine if the data "
        "fits in memory.",
    ),
    "data past memory, by a learner": (
        "split data.csv --folds 2 --difficulty-learner mlknn --features x --memory 1GB -o out",
        2,
        "--difficulty-learner, --features do not go with --memory. Leave them out",
    ),
    "features for nothing": (
        "split data.csv --labels 'tag_*' --folds 2 --features x0",
        2,
        "--features is for --difficulty. Leave it out, or add --difficulty.",
    ),
    "features for nothing in a comparison": (
        "compare data.csv --labels 'tag_*' --features x0",
        2,
        "--features is for --difficulty. Leave it out, or add --difficulty.",
    ),
    "amounts": (
        "split data.csv --folds 2 --amounts --difficulty",
        2,
        "--amounts and --difficulty do not go together. Leave out one of them.",
    ),
    "no features": (
        "split words.csv --labels tags --folds 2 --difficulty",
        1,
        "words.csv: holds no features: no column of numbers besides the labels. Say with "
        "--features where they are: columns, or an npz file.",
    ),
    "only features that other options name": (
        "split data.csv --labels 'tag_*' --groups group --folds 2 --difficulty --features 'g*'",
        1,
        "data.csv: --features 'g*' leaves no column besides those of labels, groups and the like. "
        "Name columns.",
    ),
    "another number of rows": (
        "split data.csv --labels 'tag_*' --folds 2 --difficulty --features few.npz",
        1,
        "--features must have the 60 rows of the labels, got 5.",
    ),
    "a gap": (
        "split gap.csv --labels tag --folds 2 --difficulty",
        1,
        "gap.csv: column 'b' has no finite number at row 1 (from 0), which --difficulty needs. "
        "Fill it, or name other columns with --features.",
    ),
    "a gap in a sparse matrix": (
        "split labels.npz --folds 2 --difficulty --features sparse.npz",
        1,
        "labels.npz: feature 2 has no finite number at row 4 (from 0), which --difficulty needs.",
    ),
    "unknown labels": (
        "split unknown.csv --labels 'tag_*' --folds 2 --difficulty",
        1,
        "the labels must be known throughout, got 1 unknown entries (NaN).",
    ),
    "one group": (
        "compare one.csv --labels tag --groups g --folds 2 --difficulty",
        1,
        "--groups must put rows into at least two groups, got one.",
    ),
    "a column of the same name": (
        "compare same.csv --labels tag --features x --balance 'difficulty (ranking loss)' "
        "--difficulty",
        1,
        "--balance 'difficulty (ranking loss)' has the name of a column of --difficulty. "
        "Rename it, or leave out one of both.",
    ),
    "no such learner": (
        "evaluate data.csv --labels 'tag_*' --difficulty-learner rakle",
        2,
        "--difficulty-learner must be one of br, cc, lp, clr, rakel, ecc, mlknn, tuned, got "
        "'rakle'. Did you mean 'rakel'?",
    ),
    "no such base learner": (
        "split data.csv --labels 'tag_*' --folds 2 --difficulty-learner br:forest",
        2,
        "the base learner of --difficulty-learner must be one of tree, ",
    ),
    "a learner that fails": (
        "split labels.npz --folds 2 --features numbers.npz "
        "--difficulty-learner br:hist-gradient-boosting",
        1,
        "--difficulty-learner br:hist-gradient-boosting failed: TypeError: Sparse data was passed",
    ),
}


@pytest.mark.parametrize(("line", "code", "message"), WRONG.values(), ids=WRONG)
def test_wrong_use_is_one_message(data, command, line, code, message):
    """It says what was wrong, where, and what to do."""
    folder = data.parent
    (folder / "words.csv").write_text("name,tags\na,u|v\nb,u\nc,v\nd,u|v\n")
    (folder / "gap.csv").write_text("a,b,tag\n1,2,1\n2,,0\n3,4,1\n4,5,0\n")
    (folder / "unknown.csv").write_text("a,tag_0,tag_1\n1,1,0\n2,,1\n3,1,0\n4,0,1\n")
    (folder / "one.csv").write_text("a,g,tag\n1,1,1\n2,1,0\n3,1,1\n4,1,0\n")
    rows = "".join(f"{at},{at % 2},{at % 3}\n" for at in range(20))
    (folder / "same.csv").write_text(f"x,tag,difficulty (ranking loss)\n{rows}")
    np.savez(folder / "few.npz", X=X[:5])
    sparse.save_npz(folder / "labels.npz", sparse.csr_array(Y))
    numbers = sparse.csr_array(X)
    sparse.save_npz(folder / "numbers.npz", numbers)
    numbers[4, 2] = np.nan
    sparse.save_npz(folder / "sparse.npz", numbers)
    done = command(line)
    assert (done.code, done.stdout) == (code, "")
    assert message in " ".join(done.stderr.split())
    assert not (folder / "out").exists()
