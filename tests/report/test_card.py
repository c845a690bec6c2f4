"""The card of a split: a block of Markdown for the page of a dataset."""

import numpy as np
import pytest
from markdown_it import MarkdownIt

import evenfold
from evenfold.exceptions import InputError, InputTypeError
from evenfold.report.summary import make_summary

from .test_report import LABELS, NAMES, SCRIPT

Y = np.random.default_rng(0).random((240, 9)) < np.geomspace(0.5, 0.01, 9)
GROUPS = np.arange(240) // 4


def parse(card):
    """Return the tokens of a card."""
    return MarkdownIt("commonmark").enable("table").parse(card)


def test_a_card_has_what_a_page_of_a_dataset_needs():
    """Sizes, verdict, evenness, method, groups, leaks, fingerprints, and the call."""
    s = evenfold.split(Y, [0.8, 0.1, 0.1], groups={"patient": GROUPS}, balance={"age": GROUPS % 7})
    card = s.card()
    verdict = make_summary(s.quality, "", origin=s.origin)["verdict"]
    assert card.startswith("## Splits\n\n| split | rows | share | groups | labels per row |")
    sizes = s.quality.per_part
    assert f"| train | {sizes.rows[0]} | 80.0 % | {sizes.groups[0]} | " in card
    assert f"**{verdict['headline']}.** {verdict['sentence']}" in card
    for line in (
        "- **Evenness**: 6 labels with at least a row for each split, on average ",
        "; best possible ",
        "; random splits ",
        "- **Method**: even, order auto, effort normal, seed 0, evenfold ",
        "- **Groups**: 60 groups, each in one split.",
        "- **Balanced besides labels**: age (",
        "- **Leaks**: ✓ patient\\: 60 values; each value is in one part; not checked: copies, ids.",
        f"- **Fingerprints**: labels {s.fingerprint}, parts ",
        "To make it again:\n\n```python\nevenfold.split(y, parts=[0.8, 0.1, 0.1], groups=…",
    ):
        assert line.replace("\\:", ":") in card, line
    assert s.card() == card


def test_leaks_date_and_command_can_be_given():
    """They are those of the report."""
    s = evenfold.split(Y, 4)
    certificate = s.certificate(copies=["same"] * 240)
    card = s.card(call="evenfold split a.csv", certificate=certificate, date="2025-03-31")
    assert "✗ copies: 1 set of equal rows is in more than one part" in card
    assert "; 240 rows in all; not checked: ids." in card
    assert ", date 2025-03-31." in card
    assert card.endswith("```python\nevenfold split a.csv\n```\n")
    with pytest.raises(InputTypeError, match="'certificate' must be a Certificate, got str"):
        s.card(certificate="ok")
    with pytest.raises(InputError, match="'date' must be a date such as '2025-03-31'"):
        s.card(date="now")


def test_names_are_text_in_a_card():
    """Whatever they contain: a table, paragraphs, a list and a block of code."""
    s = evenfold.split(
        LABELS,
        [0.5, 0.5],
        names=[SCRIPT, "a|b"],
        balance={NAMES[7]: np.arange(280) % 3},
        groups={NAMES[4]: np.arange(280) // 2},
    )
    tokens = parse(s.card())
    kinds = [token.type for token in tokens]
    assert kinds.count("table_open") == kinds.count("bullet_list_open") == 1
    assert kinds.count("fence") == 1
    assert not any(kind.startswith("html") for kind in kinds)
    inline = [child for token in tokens if token.type == "inline" for child in token.children]
    kinds = {child.type for child in inline}
    assert kinds <= {"text", "text_special", "strong_open", "strong_close", "softbreak"}
    texts = "".join(child.content for child in inline)
    assert SCRIPT[:23] in texts


@pytest.mark.parametrize(
    "made",
    [
        lambda: evenfold.split(parts=3, balance={"age": np.arange(60) % 7}),
        lambda: evenfold.split(np.zeros((12, 2)), 3),
        lambda: evenfold.split(np.eye(250), 220, method="random"),
        lambda: evenfold.split([["a"], []] * 9, 3),
    ],
    ids=["no labels", "no rows with labels", "many parts", "one label"],
)
def test_unusual_splits_have_cards(made):
    """Without labels there is no evenness; of many parts the first are listed."""
    s = made()
    card = s.card()
    assert [token.type for token in parse(card)].count("table_open") == 1
    assert ("- **Evenness**" in card) == (s._labels.count_of_label.sum() > 0)
    assert ("| and 20 more |" in card) == (len(s) == 220)


def test_a_split_without_its_labels_has_no_card(tmp_path):
    """The error says how to load it."""
    evenfold.split([["a"], []] * 9, 3).save(tmp_path / "s.json")
    with pytest.raises(InputError, match="loaded without its labels"):
        evenfold.load_split(tmp_path / "s.json").card()
