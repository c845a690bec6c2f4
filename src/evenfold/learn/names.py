"""Learners by name."""

from __future__ import annotations

from typing import Any

from ..exceptions import InputError
from .bases import make_base
from .binary_relevance import BinaryRelevance
from .calibrated_label_ranking import CalibratedLabelRanking
from .chain_ensemble import ChainEnsemble
from .classifier_chain import ClassifierChain
from .label_powerset import LabelPowerset
from .mlknn import MLkNN
from .multilabel import MultilabelClassifier
from .rakel import RAkEL
from .settings import check_choice

LEARNERS: dict[str, type[MultilabelClassifier]] = {
    "br": BinaryRelevance,
    "cc": ClassifierChain,
    "lp": LabelPowerset,
    "clr": CalibratedLabelRanking,
    "rakel": RAkEL,
    "ecc": ChainEnsemble,
    "mlknn": MLkNN,
}


def make_learner(name: str) -> Any:
    """Return a new learner by name: one of `LEARNERS`, and after a colon its base learner, one of `BASES`.

    Parameters
    ----------
    name : such as `"br:random-forest"`, `"ecc:tree"`, `"mlknn"`. Without a base learner it is a random forest; mlknn has none.

    Returns
    -------
    An unfitted learner; `set_params(random_state=0)` makes all but mlknn, which needs none, give the same each time.

    Examples
    --------
    >>> evenfold.learn.make_learner("br:tree")
    BinaryRelevance(base=DecisionTreeClassifier())
    >>> evenfold.learn.make_learner("rakle:tree")
    Traceback (most recent call last):
    evenfold.exceptions.InputError: 'learner' must be one of br, cc, lp, clr, rakel, ecc, mlknn, got 'rakle'. Did you mean 'rakel'?
    """
    own, colon, base = name.partition(":") if isinstance(name, str) else (name, "", "")
    learner: Any = LEARNERS[check_choice(own, "learner", LEARNERS)]
    if not colon:
        return learner()
    if learner is MLkNN:
        raise InputError(
            f"must be 'mlknn' alone, which has no base learner, got {name!r}. Leave out ':{base}'.",
            parameter="learner",
        )
    return learner(make_base(base))
