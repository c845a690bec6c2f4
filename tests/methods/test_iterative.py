"""iterative-shuffled: iterative stratification with the rows of a label in random order."""

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import evenfold
from evenfold.methods import Iterative, IterativeShuffled
from evenfold.model_selection import MultilabelStratifiedKFold

Y = (np.random.default_rng(0).random((120, 8)) < 0.2).astype(int)
BOTH = ["iterative", "iterative-shuffled"]


@pytest.mark.parametrize("groups", [None, np.arange(120) // 3])
@pytest.mark.parametrize("order", [1, 2])
def test_the_name_gives_the_splits_of_the_setting(order, groups):
    """They differ from those of `iterative` in equal parts, and only there."""
    for parts in (4, [0.6, 0.3, 0.1]):
        named, setting, plain = (
            evenfold.split(Y, parts, method=method, order=order, groups=groups).part_of_row
            for method in ("iterative-shuffled", Iterative(fullest_first=False), "iterative")
        )
        np.testing.assert_array_equal(named, setting)
        assert np.array_equal(named, plain) == (parts != 4)


def test_its_call_and_settings_have_its_own_name():
    """`fullest_first` is no setting of it."""
    s = evenfold.split(Y, 4, method=IterativeShuffled(2))
    assert s.method == "iterative-shuffled"
    assert "method='iterative-shuffled', order=2" in s.origin.write_call(s.names)
    with pytest.raises(TypeError, match="unexpected keyword argument 'fullest_first'"):
        IterativeShuffled(fullest_first=True)


def test_titles_of_tables_tell_both_apart():
    """In comparisons, evaluations, and also beside the setting."""
    methods = [*BOTH, Iterative(fullest_first=False)]
    titles = [*BOTH, "iterative, fullest_first False"]
    comparison = evenfold.compare(Y, 4, methods=methods, repeats=1)
    evaluation = evenfold.evaluate(
        DummyClassifier(), np.zeros((120, 1)), Y, 3, methods=methods, repeats=1
    )
    assert [outcome.title for outcome in comparison] == titles == evaluation.methods
    for table in (comparison.tables()[0], evaluation.tables()[0]):
        shown = [row[0] for row in table.rows[:3]]
        assert shown == [*BOTH, "iterative, fullest_…"]


def test_splitters_and_the_command_line_take_the_name(command, tmp_path):
    """The folds are those of `split`."""
    own = evenfold.split(Y, 4, method="iterative-shuffled", random_state=3).part_of_row
    cv = MultilabelStratifiedKFold(4, shuffle=True, random_state=3, method="iterative-shuffled")
    for number, (_, test) in enumerate(cv.split(None, Y)):
        assert (own[test] == number).all()
    np.savez(tmp_path / "data.npz", y=Y, X=Y)
    done = command(
        "split data.npz --folds 4 --method iterative-shuffled --seed 3 --indices parts.npy"
    )
    assert done.code == 0
    assert "method iterative-shuffled" in done.stderr
    assert np.load(tmp_path / "parts.npy").tolist() == own.tolist()
    for line in ("compare data.npz", "evaluate data.npz --learner br:knn --folds 2"):
        done = command(f"{line} --methods {','.join(BOTH)} --repeats 1 --json")
        record = json.loads(done.stdout)
        found = [own["method"] for own in record.get("methods", record.get("estimates"))]
        assert list(dict.fromkeys(found)) == BOTH
