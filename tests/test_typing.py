"""The types of the public names, as mypy sees them in a program of a user."""

import subprocess
import sys
import textwrap

import pytest

PROGRAM = """
    import numpy as np

    import evenfold
    from evenfold.exceptions import EvenfoldError
    from evenfold.model_selection import MultilabelStratifiedKFold, train_test_split

    y = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    s: evenfold.Split = evenfold.split(
        y,
        [0.5, 0.5],
        names=["train", "test"],
        groups=[0, 1, 2, 3],
        balance={"age": [1, 2, 3, 4]},
        random_state=0,
    )
    rows: np.ndarray[tuple[int, ...], np.dtype[np.int64]] = s["train"]
    quality: evenfold.Quality = evenfold.measure(y, s.part_of_row, names=["train", "test"])
    number: float = quality.rld + quality.bound.rld + quality.excess + quality.rld_pairs
    count: int = quality.flz + quality.flpz
    for train, test in s.folds():
        print(len(train), len(test))
    for train, test in MultilabelStratifiedKFold(2, shuffle=True, random_state=0).split(y, y):
        print(train, test)
    halves: list[object] = train_test_split(y, test_size=2)
    more: evenfold.Split = evenfold.extend(s, y, method=evenfold.methods.Even(effort="fast"))
    mixed: evenfold.Split = evenfold.extend(["a", None, "b", None], y, parts={"a": 2, "b": 2})
    labels: evenfold.labels.Labels = evenfold.labels.propagate(y, {0: 1})
    more.save("split.json")
    learner = evenfold.learn.BinaryRelevance("tree", random_state=0).fit(y, y)
    nearest = evenfold.learn.MLkNN(k=2).fit(y, y)
    scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = learner.predict_proba(y)
    found: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = scores + nearest.predict(y)
    more.report("split.html", title="mine", comparison=evenfold.compare(y, 2))
    quality.report("split.md")
    title: str = evenfold.plots.label_evenness(quality, "ld").get_title()
    try:
        evenfold.split(y, "five")  # type: ignore[arg-type]
    except EvenfoldError as error:
        print(error)
"""


@pytest.mark.slow
def test_a_users_program_passes_mypy_strict(tmp_path):
    """The package carries its types: py.typed, every public name."""
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--cache-dir",
            str(tmp_path / "cache"),
            "program.py",
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout
