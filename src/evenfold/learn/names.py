"""The list of all learners, and learners by name."""

from __future__ import annotations

from typing import Any

from .._checks.choices import check_choice
from ..exceptions import InputError
from .averaging_regressor import AveragingRegressor
from .bases import BASES, make_base
from .binary_relevance import BinaryRelevance
from .calibrated_label_ranking import CalibratedLabelRanking
from .chain_ensemble import ChainEnsemble
from .classifier_chain import ClassifierChain
from .difficulty import difficulty
from .label_powerset import LabelPowerset
from .meta_classifier import MetaClassifier
from .mlknn import MLkNN
from .multilabel import MultilabelClassifier
from .rakel import RAkEL
from .tuned_threshold import TunedThreshold
from .voting_ensemble import VotingEnsemble

__all__ = [
    "BASES",
    "LEARNERS",
    "AveragingRegressor",
    "BinaryRelevance",
    "CalibratedLabelRanking",
    "ChainEnsemble",
    "ClassifierChain",
    "LabelPowerset",
    "MLkNN",
    "RAkEL",
    "TunedThreshold",
    "VotingEnsemble",
    "difficulty",
    "make_base",
    "make_learner",
]

LEARNERS: dict[str, type[MultilabelClassifier]] = {
    "br": BinaryRelevance,
    "cc": ClassifierChain,
    "lp": LabelPowerset,
    "clr": CalibratedLabelRanking,
    "rakel": RAkEL,
    "ecc": ChainEnsemble,
    "mlknn": MLkNN,
    "tuned": TunedThreshold,
}


def make_learner(name: str) -> Any:
    """Make a learner by name.

    Parameters
    ----------
    name : str
        One of `LEARNERS`, and after a colon its base learner, one of `BASES`: for example
        `"br:random-forest"`, `"ecc:tree"`. The default base learner is a random forest. mlknn
        has no base learner. After `"tuned:"` follows the name of a learner:
        `"tuned:br:random-forest"`.

    Returns
    -------
    MultilabelClassifier
        The unfitted learner. To get the same result each time, call
        `set_params(random_state=0)`; mlknn is not random.

    Raises
    ------
    InputError
        If there is no such learner or base learner.

    Examples
    --------
    >>> evenfold.learn.make_learner("br:tree")
    BinaryRelevance(base=DecisionTreeClassifier())
    >>> evenfold.learn.make_learner("rakle:tree")
    Traceback (most recent call last):
    evenfold.exceptions.InputError: 'learner' must be one of br, ... Did you mean 'rakel'?
    """
    own, colon, base = name.partition(":") if isinstance(name, str) else (name, "", "")
    learner: Any = LEARNERS[check_choice(own, "learner", LEARNERS)]
    if not colon:
        return learner()
    if learner is TunedThreshold:
        return TunedThreshold(make_learner(base))
    if not issubclass(learner, MetaClassifier):
        raise InputError(
            f"must be {own!r} alone, which has no base learner, got {name!r}. Leave out ':{base}'.",
            parameter="learner",
        )
    return learner(make_base(base))
