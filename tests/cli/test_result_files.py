"""`compare` and `evaluate` write tables, data, figures and reports; both take lists of names."""

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from evenfold.cli.latex import escape

from ..files.made_files import write_csv
from .refusals import check_refusal

COMPARE = "compare rare_data.csv --labels genres --folds 2 --method even,random"
EVALUATE = (
    "evaluate rare_data.csv --labels genres --folds 2 --repeats 2 --method even,random "
    "--learner br:tree,mlknn --metrics hamming_loss,f1_micro,f1_macro,f1_samples --samples 20"
)
COMMANDS = pytest.mark.parametrize("words", [COMPARE, EVALUATE], ids=["compare", "evaluate"])


@pytest.fixture(autouse=True)
def data(tmp_path):
    """Small data whose name has a character that LaTeX reads as markup."""
    return write_csv(tmp_path / "rare_data.csv")


@COMMANDS
def test_csv_has_all_numbers(words, command):
    """They are those of --json, unrounded: one line for each method, or learner and metric."""
    done = command(f"{words} -o table.csv --json")
    assert done.code == 0, done.stderr
    assert done.stderr.endswith("Written: table.csv\n")
    record = json.loads(done.stdout)
    with Path("table.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    if "methods" in record and "estimates" not in record:
        assert [line["method"] for line in lines] == ["even", "random"]
        for line, own in zip(lines, record["methods"], strict=True):
            assert float(line["rld"]) == own["rld"]["mean"]
            assert float(line["rld_bound"]) == own["rld"]["bound"]
    else:
        assert len(lines) == 2 * 2 * 4
        for line, own in zip(lines, record["estimates"], strict=True):
            assert (line["learner"], line["metric"]) == (own["learner"], own["metric"])
            assert line["pooled"] == ("" if own["pooled"] is None else repr(own["pooled"]))
        assert sum(line["pooled"] != "" for line in lines) >= 12


@COMMANDS
def test_markdown_and_latex_have_the_printed_tables(words, command):
    """Cell by cell; names with markup in them are escaped."""
    done = command(f"{words} -o table.md -o table.tex")
    assert done.code == 0, done.stderr
    printed = done.stdout
    markdown, latex = Path("table.md").read_text(), Path("table.tex").read_text()
    rows = re.findall(r"^\| (.*) \|$", markdown, re.MULTILINE)
    cells = [row.split(" | ") for row in rows if not row.startswith(":--")]
    in_latex = re.findall(r"^(?!%)(.*) \\\\$", latex, re.MULTILINE)
    assert len(cells) == len(in_latex) >= 6
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    for own, row in zip(cells, in_latex, strict=True):
        assert " ".join(own).replace("\\", "").strip() in lines
        assert row == " & ".join(escape(cell.replace("\\", "")) for cell in own)
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") >= 2
    assert latex.count(r"\toprule") == latex.count(r"\bottomrule") == latex.count(r"\midrule")
    assert latex.startswith("% evenfold ")
    assert r"% In the preamble: \usepackage{booktabs}" in latex
    assert max(len(re.findall("(?<!\\\\)&", row)) for row in in_latex) < 10
    assert "evenfold" in markdown.splitlines()[-2]


@COMMANDS
@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?x")]
)
def test_figures_are_the_same_bytes_each_time(words, suffix, start, command):
    """The times that `compare` measures are not drawn."""
    done = command(f"{words} -o one.{suffix} -o two.{suffix}")
    assert done.code == 0, done.stderr
    one = Path(f"one.{suffix}").read_bytes()
    assert one.startswith(start)
    assert one == Path(f"two.{suffix}").read_bytes()
    if suffix == "svg":
        text = one.decode()
        for name in ("even", "random", "rLD of pairs" if "compare" in words else "f1 samples"):
            assert f">{name}</text>" in text


class Page(HTMLParser):
    """The elements of a page, and the text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Keep the name."""
        self.tags.append(tag)

    def handle_data(self, data):
        """Keep the text."""
        self.text += data


@COMMANDS
def test_reports_have_findings_tables_figures_and_command(words, command):
    """As one page that fetches nothing, or as Markdown or JSON."""
    done = command(f"{words} --report r.html")
    assert done.code == 0, done.stderr
    text = Path("r.html").read_text()
    page = Page(text)
    assert page.tags.count("svg") == (3 if "compare" in words else 4)
    assert page.tags.count("table") >= 3
    assert page.tags.count("script") == 1
    assert "default-src &#39;none&#39;" in text
    assert "://" not in re.sub(r"https?://www\.w3\.org/[0-9]{4}/(svg|xlink)", "", text)
    assert words.replace("'", "") in page.text
    as_json = command(f"{words} --report r.json --report r.json -q --force --json")
    assert as_json.code == 0
    assert json.loads(Path("r.json").read_text()) == json.loads(as_json.stdout)
    assert command(f"{words} --report r.md -q").code == 0
    markdown = Path("r.md").read_text()
    headline = (
        "Most even labels: " if "compare" in words else "2 learners on the folds of 2 methods"
    )
    assert f"**{headline}" in markdown
    assert f">{headline}" in text.replace("\n", "")
    assert markdown.count("## ") == 2


@COMMANDS
def test_reports_are_the_same_bytes_each_time(words, command, monkeypatch):
    """With the clock that builds set; only the times that `compare` measures differ."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    pages = []
    for _ in range(2):
        assert command(f"{words} --report r.html -q --force").code == 0
        pages.append(Path("r.html").read_text())
    one, two = (re.sub(r"<td>[0-9.e-]+</td></tr>", "", page) for page in pages)
    assert one == two
    assert ">1970-01-01<" in pages[0]


def test_lists_of_names_may_be_repeated(command):
    """Of learners and of methods, by either name of the option."""
    words = EVALUATE.replace("br:tree,mlknn", "br:tree --learner mlknn,br:knn")
    record = json.loads(command(f"{words} --methods labelset --json").stdout)
    assert list(dict.fromkeys(own["learner"] for own in record["estimates"])) == [
        "br:tree",
        "mlknn",
        "br:knn",
    ]
    assert list(dict.fromkeys(own["method"] for own in record["estimates"])) == [
        "even",
        "random",
        "labelset",
    ]
    record = json.loads(command(f"{COMPARE} --methods svd --json").stdout)
    assert [own["method"] for own in record["methods"]] == ["even", "random", "svd"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (
            f"{COMPARE} -o table.xls",
            2,
            "-o table.xls: must end in .csv, .json, .md, .tex, .png, .svg or .pdf.",
        ),
        (f"{COMPARE} -o table.html", 2, "-o table.html: must end in .csv, .json, .md,"),
        (f"{EVALUATE} -o -", 2, "'-' is stdout, which this cannot go to."),
        (f"{EVALUATE} --report r.tex", 2, "--report r.tex: must end in .html, .md or .json."),
        (f"{COMPARE} -o a.csv -o a.csv", 2, "a.csv is named for two outputs. Give each its own"),
        (f"{COMPARE} -o rare_data.csv --force", 2, "rare_data.csv: is the input, which is never"),
        (f"{COMPARE} -o no/a.csv", 2, "there is no folder no. Make it first."),
        (f"{EVALUATE} --learner br:tre", 2, "--learner"),
        (f"{EVALUATE} --learner mlknn", 1, "Name each once."),
        (f"{EVALUATE} --learner mlknn,,br:knn", 2, "'mlknn,,br:knn' has an empty name in it."),
    ],
)
def test_outputs_and_names_that_cannot_be_are_refused(words, code, message, command, tmp_path):
    """Before the work, with one message, and nothing is written."""
    check_refusal(command(f"{words} -q"), code, message)
    assert [path.name for path in tmp_path.iterdir()] == ["rare_data.csv"]
