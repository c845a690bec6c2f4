"""Help, its examples, the reference made of it, and completion."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from evenfold.cli.main import COMMANDS


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell, command):
    """The script calls evenfold for the completions."""
    done = command(f"completion {shell}")
    assert done.code == 0
    assert "_EVENFOLD_COMPLETE" in done.stdout


def test_completion_offers_commands_options_and_methods():
    """Commands, options and methods are offered; files are left to the shell."""

    def complete(words):
        variables = {
            "_EVENFOLD_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
        }
        done = subprocess.run(
            [sys.executable, "-m", "evenfold"],
            env={**environment(), **variables},
            capture_output=True,
            text=True,
            check=True,
        )
        return {
            line.partition(",")[2] if line.startswith("plain") else line
            for line in done.stdout.splitlines()
        }

    assert complete("evenfold s") == {"split", "sample"}
    assert "--part-column" in complete("evenfold check --par")
    assert complete("evenfold split --method it") == {"iterative", "iterative-shuffled"}
    for words in (
        "evenfold split mov",
        "evenfold check mov",
        "evenfold split a.csv -o mov",
        "evenfold sample a.csv -o mov",
    ):
        assert complete(words) == {"file,mov"}, "the shell offers files"


def environment():
    """Return the environment of this process."""
    import os

    return dict(os.environ)


def test_the_reference_is_up_to_date():
    """docs/commands.md is made by `make reference`."""
    from evenfold.cli.reference import make_reference

    assert (Path(__file__).parents[2] / "docs" / "commands.md").read_text(
        encoding="utf-8"
    ) == make_reference()


@pytest.mark.parametrize("name", [one.name for one in COMMANDS])
def test_help_ends_with_an_example_that_runs(name, command):
    """The examples use the movies of `evenfold demo`."""
    help_text = command(f"{name} --help").stdout
    example = help_text.partition("Example:")[2].replace("\\\n", " ").partition(" > ")[0]
    words = shlex.split(example)
    assert words[:2] == ["evenfold", name]
    if name != "demo":
        assert command("demo -o movies.csv").code == 0
    assert command(*words[1:]).code == 0


def test_the_changelog_lists_all_commands_and_pages():
    """A new one needs its line."""
    root = Path(__file__).parents[2]
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    commands = text.partition("### Command line\n")[2].partition(".\n")[0]
    listed = re.findall(r"`(?:evenfold )?(\w+)`", commands)
    assert sorted(listed) == sorted(str(one.name) for one in COMMANDS)
    pages = text.partition("### Documentation\n")[2].partition("\n## ")[0]
    assert {f"docs/{page.name}" for page in (root / "docs").glob("*.md")} == {
        "docs/index.md",
        *re.findall(r"`(docs/\w+\.md)`", pages),
    }


@pytest.mark.parametrize("extra", ["images", "similar"])
def test_the_packages_that_a_check_may_need_are_named(extra):
    """On the pages, in the hook and in the action."""
    root = Path(__file__).parents[2]
    pages = ("docs/how-to/command-line.md", "docs/leaks.md")
    for name in (*pages, "action.yml", ".pre-commit-hooks.yaml"):
        assert f"evenfold[{extra}]" in (root / name).read_text(encoding="utf-8"), name
    assert f"{extra} = [" in (root / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [one.name for one in COMMANDS])
def test_help_loads_nothing_heavy(name):
    """NumPy, Arrow, scikit-learn and others are not imported."""
    heavy = ("numpy", "pyarrow", "sklearn", "scipy", "rich", "numba")
    code = "\n".join(
        [
            f"import sys; sys.argv = ['evenfold', '{name}', '--help']",
            "from evenfold.cli.main import main",
            "try: main()",
            "except SystemExit: pass",
            f"print(*[name for name in {heavy} if name in sys.modules])",
        ]
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
    assert re.match(rf"Usage: evenfold {name} ", done.stdout)


@pytest.mark.parametrize("name", ["", *(one.name for one in COMMANDS)])
def test_help_fits_80_columns(name, command):
    """Examples and option names included; the summaries of commands are not cut."""
    text = command(f"{name} --help").stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "..." not in text.replace("[ARGS]...", "").replace("DATA...", "")


def complete(words):
    """Return what is offered for the last word, in this folder."""
    variables = {
        "_EVENFOLD_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-m", "evenfold"],
        env={**environment(), **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return {line.partition(",")[2] for line in done.stdout.splitlines() if line}


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("split data.csv --labels ge", {"genre_a", "genre_b"}),
        ("split data.csv --labels patient,genre_", {"patient,genre_a", "patient,genre_b"}),
        ("split data.csv --labels genre_a:genre_", {"genre_a:genre_a", "genre_a:genre_b"}),
        ("split data.csv --groups pat", {"patient"}),
        ("check data.csv --part-column p", {"part", "patient"}),
        ("extend data.csv --id i", {"id"}),
        ("link data.csv --text t", {"title"}),
        ("evaluate data.csv --features i", {"id"}),
        ("split data.csv --labels No", set()),
        ("split data.csv --labels x", set()),
        ("split no.csv --labels ge", set()),
        ("split broken.parquet --labels ge", set()),
        ("split --labels ge", set()),
        ("split - --labels ge", set()),
    ],
)
def test_completion_offers_the_columns_of_the_data(words, offered, tmp_path, monkeypatch):
    """Those of the file before the option; nothing, and no error, if they cannot be read."""
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text("id,title,patient,genre_a,genre_b,part,No Finding\n1,a,p,0,1,x,0\n")
    Path("broken.parquet").write_text("no parquet")
    assert complete(f"evenfold {words}") == offered


@pytest.mark.parametrize(
    ("name", "option", "said"),
    [
        ("split", "--manifest", "Is written: "),
        ("check", "--from-manifest, --manifest", "Is read: "),
        ("extend", "--from-manifest", "Is read: "),
        ("extend", "--manifest", "Is written: "),
    ],
)
def test_help_says_which_manifest_is_read_and_which_is_written(name, option, said, command):
    """In its first words, beside the option."""
    text = " ".join(command(f"{name} --help").stdout.split())
    assert f" {option} FILE {said}" in text
