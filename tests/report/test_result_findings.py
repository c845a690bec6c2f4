"""What the report of a comparison or an evaluation says first."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import evenfold
from evenfold.report.result_findings import describe_result
from evenfold.report.result_writing import to_result_html, to_result_markdown

Y = np.random.default_rng(0).random((240, 6)) < 0.2


@pytest.fixture(scope="module")
def comparison():
    """A comparison of methods, one of which is named like an element."""
    methods = {"<b>even</b>": "even", "random": "random"}
    return evenfold.compare(Y, 4, methods=methods, repeats=2)


def evaluate(learners, metrics=("hamming_loss", "f1_micro")):
    """Return the evaluation of learners that look at no feature."""
    return evenfold.evaluate(
        learners,
        np.zeros((240, 1)),
        Y,
        parts=3,
        methods=["random", "even"],
        metrics=list(metrics),
        repeats=1,
        n_samples=0,
    )


def test_the_most_even_method_is_named(comparison):
    """With its value, what is possible, and random splits, for labels, pairs and labelsets."""
    headline, sentences = describe_result(comparison)
    assert headline == "Most even labels: <b>even</b>"
    rld = comparison["<b>even</b>"].mean("rld")
    random = comparison["random"].mean("rld")
    assert sentences[0] == (
        f"rLD (labels): lowest with <b>even</b>, {rld:.4g}, the best possible; random {random:.4g}."
    )
    assert [sentence.partition(":")[0] for sentence in sentences[1:]] == [
        "rLD of pairs (label pairs)",
        "rLD of labelsets (labelsets)",
    ]
    assert "no split is below" in sentences[1]


def test_methods_that_are_equal_are_named_together():
    """Of many, the first four."""
    methods = {f"even {number}": "even" for number in range(6)}
    headline, _ = describe_result(evenfold.compare(Y, 4, methods=methods))
    assert headline == "Most even labels: even 0, even 1, even 2, even 3 and 2 more"


def test_the_best_learner_is_named_if_it_is_best_everywhere():
    """Lower losses and higher scores are better."""
    learners = {
        "none": DummyClassifier(),
        "all": DummyClassifier(strategy="constant", constant=[1] * 6),
    }
    headline, sentences = describe_result(evaluate(learners, ["hamming_loss", "subset_accuracy"]))
    assert headline == "Best in all 2 metrics: none"
    assert sentences[0].startswith("hamming loss (lower is better): none 0.2")
    assert sentences[1].startswith("subset accuracy (higher is better): none 0.")
    headline, sentences = describe_result(evaluate(learners))
    assert headline == "2 learners on the folds of 2 methods: the best differs by metric"
    assert sentences[1].startswith("f1 micro (higher is better): all 0.")
    headline, _ = describe_result(evaluate({"none": DummyClassifier()}))
    assert headline == "none on the folds of 2 methods"


def test_names_are_text_in_the_report(comparison):
    """A name with markup in it is escaped in the page and in Markdown."""
    page = to_result_html(comparison, "a <command>", ["<svg></svg>"], "2025-03-31")
    assert "&lt;b&gt;even&lt;/b&gt;" in page
    assert "<b>" not in page
    assert "a &lt;command&gt;" in page
    assert "2025-03-31" in page
    markdown = to_result_markdown(comparison, "a command", "2025-03-31")
    assert markdown.startswith(f"# {comparison.title()}\n\n**Most even labels: &lt;b&gt;even")
    assert "| date | 2025-03-31 |" in markdown
