"""The pre-commit hook and the GitHub Action: what they run passes and fails as it should."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from .files.made_files import write_csv

ROOT = Path(__file__).parent.parent
HOOKS = ROOT / ".pre-commit-hooks.yaml"
ACTION = ROOT / "action.yml"


@pytest.fixture
def data(tmp_path, command):
    """A split with its manifest, under the names of the hook's example."""
    (tmp_path / "data").mkdir()
    write_csv(tmp_path / "data" / "all.csv")
    done = command(
        "split data/all.csv --labels genres --folds 2 --groups patient -o data/movies.csv "
        "--manifest data/split.json"
    )
    assert done.code == 0
    return tmp_path / "data" / "movies.csv"


def read_hook():
    """Return the keys of the only hook."""
    text = HOOKS.read_text(encoding="utf-8")
    pairs = re.findall(r"^(?:- |  )(\w+): (.+)$", text, re.MULTILINE)
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


def break_split(path):
    """Put the first row into the other part."""
    lines = path.read_text(encoding="utf-8").splitlines()
    before, _, part = lines[1].rpartition(",")
    lines[1] = f"{before},{'fold1' if part == 'fold0' else 'fold0'}"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


def test_the_hook_has_what_pre_commit_needs():
    """It is installed by pip, and gets its files from its arguments."""
    hook = read_hook()
    assert (hook["id"], hook["language"]) == ("evenfold-check", "python")
    assert hook["pass_filenames"] == "false"
    assert shlex.split(hook["entry"]) == ["evenfold", "check"]


def test_the_entry_of_the_hook_checks_a_split(data, command):
    """With the arguments of the example in the file."""
    example = re.search(r"args: \[(.+)\]", HOOKS.read_text(encoding="utf-8"))
    words = [*shlex.split(read_hook()["entry"])[1:], *example[1].split(", ")]
    done = command(*words)
    assert (done.code, done.stdout.splitlines()[-1][:3]) == (0, "OK:")
    break_split(data)
    done = command(*words)
    assert (done.code, done.stdout.splitlines()[-1][:7]) == (1, "FAILED:")


def test_the_action_declares_its_inputs():
    """Every input that is used has a description."""
    text = ACTION.read_text(encoding="utf-8")
    declared = re.findall(r"^  ([\w-]+):\n    description: ", text, re.MULTILINE)
    used = re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", text)
    assert sorted(declared) == sorted(used)
    assert declared == ["data", "manifest", "args", "python-version", "version"]


def test_both_files_are_yaml():
    """PyYAML reads them as the tools do."""
    import yaml

    (hook,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    assert hook["entry"] == read_hook()["entry"]
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    assert all("shell" in step for step in action["runs"]["steps"] if "run" in step)


@pytest.mark.skipif(shutil.which("bash") is None, reason="the action runs in bash")
def test_the_last_step_of_the_action_checks_a_split(data, tmp_path, command):
    """Its exit code is that of the command; more arguments are several words."""
    run = re.findall(r"^      run: (.+)$", ACTION.read_text(encoding="utf-8"), re.MULTILINE)[-1]
    program = tmp_path / "bin" / "evenfold"
    program.parent.mkdir()
    # A new process takes a second to start: this one says what it was called with.
    program.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit $CODE\n")
    program.chmod(0o755)
    spaced = tmp_path / "my data.csv"
    shutil.copy(data, spaced)
    environment = {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "DATA": spaced.name,
        "MANIFEST": "data/split.json",
        "ARGS": "--max-empty 99 --max-excess 9",
    }

    for code in (0, 1):
        called = subprocess.run(
            ["bash", "-c", run],
            env={**environment, "CODE": str(code)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert (called.returncode, called.stderr) == (code, "")
    words = called.stdout.splitlines()
    done = command(*words)
    assert (done.code, done.stdout.splitlines()[-1][:4]) == (0, "OK: ")
    break_split(spaced)
    assert command(*words).code == 1
