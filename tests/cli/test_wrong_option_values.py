"""Wrong values of options, in every command: exit code 2, before any data is read."""

import click
import pytest
from click.testing import CliRunner

from evenfold.cli.main import COMMANDS, evenfold

# What a command needs besides. There is no such data: to read it would exit with code 1.
NEEDS = {
    "split": ["no.csv", "--labels", "y", "--folds", "2"],
    "check": ["no.csv", "--labels", "y", "--part-column", "p"],
    "audit": ["no.csv", "--part-column", "p"],
    "link": ["no.csv", "--groups", "g"],
    "compare": ["no.csv", "--labels", "y"],
    "evaluate": ["no.csv", "--labels", "y"],
    "extend": ["no.csv", "--labels", "y", "--part-column", "p"],
    "sample": ["no.csv", "--labels", "y", "-n", "5", "--json"],
    "info": ["no.csv", "--labels", "y"],
    "demo": [],
}
NO_NUMBERS = ["nan", "abc", "", "-1", "a=b=c", "0x10"]
# Options that take a number, a name or sizes, and what is wrong for each.
WRONG = {
    "--at": [*NO_NUMBERS, "inf", "-0.5"],
    "--bound": ["tigt", "", "0"],
    "--budget": [*NO_NUMBERS, "inf", "1.5", "-5%"],
    "--column": ["", "c\udcff"],
    "--cover": [*NO_NUMBERS, "inf", "1.5"],
    "--difficulty-learner": ["rakle", "br:forest", "mlknn:tree", "", "nan"],
    "--effort": [*NO_NUMBERS, "inf", "0", "-0.5", "1e400", "fst"],
    "--engine": ["dusk", ""],
    "--folds": [*NO_NUMBERS, "inf", "0", "1", "1.5"],
    "--format": ["cvs", ""],
    "--holdout": [*NO_NUMBERS, "inf", "0", "0.0", "1.0", "1.5", "-0.5", "1e400"],
    "--jobs": ["nan", "abc", "", "0", "1.5"],
    "--learner": ["rakle", "br:forest", "br:tree,", "br:tree,rakle", "mlknn:tree", "", "nan"],
    "--max-empty": [*NO_NUMBERS, "inf", "1.5"],
    "--max-excess": [*NO_NUMBERS, "-0.5"],
    "--max-group": [*NO_NUMBERS, "0", "1.5"],
    "--max-memory": [*NO_NUMBERS, "inf", "0", "1e9", "4 apples"],
    "--max-off-percent": [*NO_NUMBERS, "-0.5"],
    "--max-off-rows": [*NO_NUMBERS, "-0.5"],
    "--memory": [*NO_NUMBERS, "inf", "1e9"],
    "--method": ["evem", "", "even,evem"],
    "--methods": ["evem", "", "even,evem"],
    "--metric": ["cosin", ""],
    "--metrics": ["haming_loss", "", "hamming_loss,"],
    "--names": ["", "a,", "a,b\udcff"],
    "--order": ["3", "", "0"],
    "--parts": ["nan,1", "inf,1", "1.5,-0.5", "0,1", "1e400,1", "half,half", "", "a=0.5,0.5", "-1"],
    "--recall": [*NO_NUMBERS, "0", "1.5"],
    "--repeats": [*NO_NUMBERS, "0", "1.5"],
    "--samples": [*NO_NUMBERS, "1.5"],
    "--seed": [*NO_NUMBERS, "1.5", "inf"],
    "--size-tolerance": [*NO_NUMBERS, "inf", "1.5", "-5%", "100%"],
    "--undefined": ["drop", ""],
    "--with-images": ["move", ""],
    "--workers": [*NO_NUMBERS, "0", "1.5"],
    "-n": [*NO_NUMBERS, "inf", "0", "0.0", "1.0", "1.5", "-0.5", "1e400"],
}
# Options whose value is any text: a column, a file to read, a name, what is searched in cells.
ANY_TEXT = {
    "--balance", "--copies", "--features", "--files", "--fixed", "--from-manifest",
    "--groups", "--id", "--images", "--labels", "--long", "--new", "--pairs",
    "--part-column", "--propagate", "--separator", "--similar", "--text", "--xml",
}  # fmt: skip
# Options that name an output. An empty name and, but for some, stdout are wrong.
OUTPUTS = {"--cache", "--indices", "--manifest", "--output", "--report", "--work"}


def list_options():
    """Return each command with each of its options that have a value."""
    return [
        (command, max(option.opts, key=len))
        for command in COMMANDS
        if command.name in NEEDS
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag
    ]


def list_cases():
    """Return command, option and wrong value."""
    cases = []
    for command, option in list_options():
        values = WRONG.get(option, [])
        if option in OUTPUTS and (command.name, option) != ("check", "--manifest"):
            takes_stdout = option == "--output" and command.name in (
                "split", "extend", "link", "sample",
            )  # fmt: skip
            values = [""] if takes_stdout else ["", "-"]
        cases += [(command.name, option, value) for value in values]
    return cases


@pytest.mark.parametrize(("name", "option", "value"), list_cases())
def test_a_wrong_value_is_wrong_usage(tmp_path, monkeypatch, name, option, value):
    """It is refused with one message and code 2, and neither read nor written is anything."""
    monkeypatch.chdir(tmp_path)
    words = list(NEEDS[name])
    if option in words:
        del words[words.index(option) : words.index(option) + 2]
    given = [option, value] if len(option) == 2 else [f"{option}={value}"]
    found = CliRunner().invoke(evenfold, [name, *words, *given])
    assert found.exit_code == 2, found.output
    assert found.output.count("Error: ") == 1
    assert "no.csv" not in found.output.partition("Error: ")[2]
    assert list(tmp_path.iterdir()) == []


def test_every_option_has_wrong_values():
    """A new option is named in this file."""
    named = {*WRONG, *ANY_TEXT, *OUTPUTS}
    assert {option for _, option in list_options()} == named
