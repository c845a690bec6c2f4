"""Arguments of `link` that several sources share: thresholds, metric, exact and recall."""

import numpy as np
import pandas as pd
import pytest

import evenfold
from evenfold.exceptions import InputError, InputTypeError

ROWS = np.eye(4)
SOURCES = {
    "groups": [1, 1, 2, 3],
    "text": ["a text", "a text", "another", "none"],
    "similar": ROWS,
}
WITH_SCORES = [(0, 1, 0.1), (2, 3, 0.97)]


@pytest.mark.parametrize("make", [list, np.array, pd.DataFrame])
def test_one_threshold_is_not_for_two_sources_with_scores(make):
    """Pairs with scores are such a source, those without are not."""
    with pytest.raises(
        InputError,
        match=r"'at' must name the threshold of each source, got 0\.95 for similar and pairs\. "
        r"Try at=\{'similar': …, 'pairs': …\}\.",
    ):
        evenfold.link(similar=ROWS, pairs=make(WITH_SCORES), at=0.95)
    named = evenfold.link(
        similar=ROWS, pairs=make(WITH_SCORES), at={"similar": 0.95, "pairs": 0.95}
    )
    assert named.group_of_row.tolist() == [0, 1, 2, 2]
    pairs = make([(0, 1)])
    assert evenfold.link(similar=ROWS, pairs=pairs, at=0.95).group_of_row.tolist() == [0, 0, 1, 2]
    alone = evenfold.link(pairs=make(WITH_SCORES), ids=range(4), at=0.95)
    assert alone.group_of_row.tolist() == [0, 1, 2, 2]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"exact": "no"}, InputTypeError, "'exact' must be True, False or None, got 'no'. Try exa"),
        ({"exact": 1}, InputTypeError, "'exact' must be True, False or None, got 1. Try exact=Tr"),
        ({"recall": 0}, InputError, "'recall' must be above 0 and at most 1, got 0"),
        ({"recall": 7}, InputError, "'recall' must be above 0 and at most 1, got 7"),
        ({"metric": "cosin"}, InputError, "'metric' must be one of cosine.*got 'cosin'.*'cosine'"),
        ({"metric": 2}, InputTypeError, "'metric' must be one of cosine, .*, got 2"),
    ],
)
def test_wrong_arguments_are_refused_with_every_source(source, keywords, error, message):
    """Also with a source that does not use the argument."""
    with pytest.raises(error, match=message):
        evenfold.link(**{source: SOURCES[source]}, **keywords)


@pytest.mark.parametrize("source", ["text", "similar"])
@pytest.mark.parametrize("exact", [True, np.True_, np.False_])
def test_truth_values_of_numpy_are_taken(source, exact):
    """As those of Python."""
    links = evenfold.link(**{source: SOURCES[source]}, exact=exact)
    assert links.n_groups >= 3


def test_printed_links_count_given_pairs_once():
    """With the threshold, if there is one."""
    assert "- pairs: 2 pairs given\n" in f"{evenfold.link(pairs=WITH_SCORES, ids=range(4))}\n"
    links = evenfold.link(pairs=WITH_SCORES, ids=range(4), at=0.5)
    assert "- pairs: 1 pair given with a score of 0.5 or more\n" in f"{links}\n"
