"""Fuzzing: what it changes, what it judges, and a short run of every reader."""

import numpy as np
import pytest
from reliability.fuzz_bytes import MOST_BYTES, mutate
from reliability.fuzz_cases import list_files, read_files, split_words, start_fuzzer
from reliability.fuzz_readers import READERS

# Those whose seeds need another process to be made are left to `make fuzz`.
QUICK = [
    name for name in READERS if not {"manifests", "past", "caches", "duckdb"} & set(name.split())
]


@pytest.fixture(scope="module")
def fuzzer(tmp_path_factory):
    """Return a fuzzer with its worker."""
    with start_fuzzer(tmp_path_factory.mktemp("fuzz"), 1) as started:
        yield started


@pytest.mark.parametrize("reader", QUICK)
def test_changed_files_are_read_or_refused(fuzzer, reader):
    """Whatever a file holds, there is one message and no other file, or a result."""
    for number in range(6):
        result = fuzzer.run(reader, number)
        assert not result.is_failure, f"{reader} {number}: {result}"


def test_files_of_seeds_are_read_as_they_are(fuzzer, monkeypatch):
    """A seed that is refused unchanged would test only the first check of its reader."""
    monkeypatch.setattr("reliability.fuzz_cases.mutate", lambda content, *_: content)
    outcomes = [fuzzer.run(reader, number).outcome for reader in QUICK for number in (0, 1)]
    assert outcomes.count("read") >= 0.7 * len(outcomes)


@pytest.mark.parametrize("suffix", ["", ".csv", ".json", ".npz", ".gz", ".parquet"])
def test_mutations_are_seeded_and_bounded(suffix):
    """The same number gives the same file, and most numbers another one."""
    content = b"id,tags\n" + b"1,a|b\n" * 40
    changed = [mutate(content, suffix, [content], np.random.default_rng(at)) for at in range(60)]
    again = [mutate(content, suffix, [content], np.random.default_rng(at)) for at in range(60)]
    assert changed == again
    assert max(map(len, changed)) <= len(content) + MOST_BYTES
    assert len(set(changed)) > 50


@pytest.mark.parametrize(
    ("answer", "said", "outcome"),
    [
        ({"code": 0}, "", "read"),
        ({"code": 1}, "evenfold: a.csv: is empty.\n", "refused"),
        ({"code": 2}, "Error: No such option.\n", "refused"),
        ({"code": 1}, "", "no message"),
        ({"code": 1}, "evenfold: a.\nevenfold: b.\n", "no message"),
        ({"code": 3}, "evenfold: a.\n", "exit code 3"),
        ({"code": 1}, "Traceback (most recent\nevenfold: a.\n", "traceback"),
        ({"code": 1}, "evenfold: an error of evenfold itself: x\n", "an error of evenfold itself"),
        ({"code": 0}, "a.py:3: RuntimeWarning: x\n", "a warning of Python"),
        ({"code": 1}, f"evenfold: {'x' * 3000}\n", "a long message"),
        ({"code": 0, "memory": 2 << 30}, "", "2,048 MB"),
        ({"code": 0, "seconds": 11}, "", "11 s"),
        ({"code": None, "died": "dies (-11)"}, "", "dies (-11)"),
    ],
)
def test_outcomes_are_judged(fuzzer, monkeypatch, answer, said, outcome):
    """Each thing that may not happen is a failure of its own name."""

    def run(folder, words):
        folder.with_name("case.stdout").write_text("")
        folder.with_name("case.stderr").write_text(said)
        return {"memory": 0, "seconds": 0, **answer}

    monkeypatch.setattr(fuzzer._worker, "run", run)
    result = fuzzer.run("Mulan xml", 0)
    wanted = {outcome, f"{outcome}; no output"} if " -o out" in result.command else {outcome}
    assert result.outcome in wanted or (outcome == "read" and result.outcome == "no output")


def test_outputs_and_inputs_are_judged(fuzzer, monkeypatch):
    """A refused command that leaves a file, and one that changes its input."""

    def run(folder, words):
        folder.with_name("case.stdout").write_text("")
        folder.with_name("case.stderr").write_text("evenfold: a.\n")
        (folder / "out.csv").write_text("half")
        path = list_files(folder / "in", "*.arff")[0]
        path.write_text("changed")
        return {"code": 1, "memory": 0, "seconds": 0}

    monkeypatch.setattr(fuzzer._worker, "run", run)
    assert fuzzer.run("Mulan xml", 0).outcome == "input changed; leaves out.csv"


def test_names_of_tables_are_one_word(tmp_path):
    """A table may be called `a "b`; what a command may write to is left out of a comparison."""
    assert split_words('info in/data.db::a "b --json') == ["info", 'in/data.db::a "b', "--json"]
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "a").write_text("")
    (tmp_path / "b").write_text("")
    assert list(read_files(tmp_path, "box")) == ["b"]
