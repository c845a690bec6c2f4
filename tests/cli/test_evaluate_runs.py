"""`evenfold evaluate` where learners fail or warn, and where it is stopped and goes on."""

import json
import signal
import warnings
from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import evenfold
from evenfold.cli import stopping
from evenfold.evaluation import evaluate_learners

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = (X + 0.5 * RNG.normal(size=(60, 3)) > 0.3).astype(int)
WORDS = "evaluate data.npz --learner br:knn --method random,even --folds 2 --repeats 2"


@pytest.fixture(autouse=True)
def _data(tmp_path, monkeypatch):
    """Write features and labels; forget received signals."""
    np.savez(tmp_path / "data.npz", X=X, y=Y)
    monkeypatch.setattr(stopping, "_received", [])


@pytest.fixture
def after_fits(monkeypatch):
    """Return a function that makes something happen in each fit after the first ones."""
    own = evaluate_learners.score_fold
    n_fits = 0

    def install(first, happen):
        def score_fold(*arguments):
            nonlocal n_fits
            n_fits += 1
            if n_fits > first:
                happen()
            return own(*arguments)

        monkeypatch.setattr(evaluate_learners, "score_fold", score_fold)
        return lambda: n_fits

    return install


def interrupt():
    """Stop as Ctrl-C does."""
    raise KeyboardInterrupt


def swallow():
    """Receive Ctrl-C in a library that catches the exception."""
    stopping._received.append(signal.SIGINT)


@pytest.mark.parametrize(("happen", "n_kept"), [(interrupt, 2), (swallow, 3)])
def test_a_stopped_evaluation_says_how_it_goes_on(happen, n_kept, after_fits, command, tmp_path):
    """With a cache, finished runs are not fitted again; without one, nothing is left."""
    after_fits(5, happen)
    done = command(f"{WORDS} --cache kept")
    assert (done.code, done.stdout) == (130, "")
    assert done.stderr == "evenfold: stopped. Run the same command again to go on.\n"
    assert len(list((tmp_path / "kept").iterdir())) == n_kept
    stopping._received.clear()
    count = after_fits(99, happen)
    before = count()
    done = command(f"{WORDS} --cache kept --json")
    assert (done.code, count() - before) == (0, 2 * (4 - n_kept))
    assert json.loads(done.stdout) == json.loads(command(f"{WORDS} --json").stdout)


def test_a_stopped_evaluation_without_a_cache_leaves_nothing(after_fits, command):
    """The message promises no more."""
    after_fits(5, interrupt)
    done = command(WORDS)
    assert (done.code, done.stdout) == (130, "")
    assert done.stderr.strip() == "evenfold: stopped. Nothing was left half-written."


def test_warnings_of_learners_are_printed_once(after_fits, command):
    """With their number; not with --quiet, and also if the work fails."""

    def warn():
        warnings.warn("no\nconvergence", RuntimeWarning, stacklevel=1)

    after_fits(3, warn)
    done = command(WORDS)
    assert done.code == 0
    assert done.stderr == "5 warnings of learners, RuntimeWarning: no convergence\n"
    assert command(f"{WORDS} --quiet").stderr == ""
    after_fits(0, lambda: (warn(), interrupt()))
    assert "1 warning of learners, RuntimeWarning: no convergence\n" in command(WORDS).stderr


def test_warnings_of_the_learner_of_difficulty_are_printed_once(command, monkeypatch):
    """It is fitted ten times, once for each label."""
    short = partial(LogisticRegression, max_iter=1)
    monkeypatch.setitem(evenfold.learn.BASES, "logistic-regression", short)
    words = "split data.npz --folds 2 --indices parts.npy --difficulty-learner"
    done = command(f"{words} br:logistic-regression")
    assert done.code == 0
    said = [line for line in done.stderr.splitlines() if "warning" in line]
    assert len(said) == 1
    assert said[0].startswith("30 warnings of learners, ConvergenceWarning: lbfgs failed to")


def test_an_evaluation_without_a_fitted_learner_is_an_error(command, tmp_path):
    """No learner takes gaps; a learner that does is still evaluated."""
    gaps = np.where(X > 2, np.nan, X)
    np.savez(tmp_path / "data.npz", X=gaps, y=Y)
    done = command(f"{WORDS} --json")
    assert (done.code, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "evenfold: no learner could be fitted. br:knn: ValueError: Input X contains NaN."
    )
    done = command(f"{WORDS} --learner br:tree")
    assert done.code == 0
    assert "br:knn, even: failed in 2 of 2 repeats, first with ValueError: Input" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--learner br:knn", "--learner must differ, got 'br:knn' twice. Name each once."),
        ("--method even,even", "--methods must differ, got 'even' twice. Name each once."),
    ],
)
def test_names_given_twice_are_refused(words, message, command):
    """The message does not speak of mappings, which a command has not."""
    done = command(f"{WORDS} {words}")
    assert (done.code, done.stdout, done.stderr) == (1, "", f"evenfold: {message}\n")


def test_names_of_tie_orders_are_metrics(command):
    """The values are those of the functions; the random order is that of the seed 0."""
    names = "one_error_worst_ties,coverage_random_ties,ranking_loss_average_ties"
    once, again = (command(f"{WORDS} --metrics {names} --json").stdout for _ in range(2))
    assert once == again
    found = {own["metric"]: own["pooled"] for own in json.loads(once)["estimates"]}
    assert list(found) == names.split(",")
    assert all(0 < value < 3 for value in found.values())
