"""The splitters of scikit-learn's kind, and the functions that split arrays."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.dummy import DummyRegressor
from sklearn.model_selection import cross_validate

from evenfold import model_selection
from evenfold.exceptions import ImpossibleSplit
from evenfold.methods import METHODS

from .cases import draw_groups, draw_labels
from .forms import draw_form
from .registry import Subject, assume, skip

FOLDS = (
    "MultilabelStratifiedKFold",
    "MultilabelStratifiedGroupKFold",
    "RepeatedMultilabelStratifiedKFold",
    "StratifiedKFold",
    "StratifiedGroupKFold",
    "RepeatedStratifiedKFold",
)
CUTS = (
    "MultilabelStratifiedShuffleSplit",
    "StratifiedShuffleSplit",
    "train_test_split",
    "train_val_test_split",
)
GIVEN_SIZES = "have exactly the given sizes, for every method."
Pairs = list[tuple[NDArray[np.int64], ...]]


@dataclass
class Folding:
    """A call of a splitter or of a function, and the rows of each part."""

    name: str
    y: NDArray[Any]
    form: str
    given: Any
    groups: Any
    group_of_row: NDArray[np.int64] | None
    kind_of_groups: str
    keywords: dict[str, Any]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.y)

    @functools.cached_property
    def parts(self) -> Pairs:
        """The rows of train and test, or of train, val and test, of each split."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            # Whole numbers with few rows each are taken for numbers, and it says so.
            warnings.filterwarnings("ignore", "'y' has")
            try:
                return self.split()
            except ImpossibleSplit:
                return skip()

    def split(self) -> Pairs:
        """Call the splitter or the function."""
        if self.name.endswith("_split"):
            function = getattr(model_selection, self.name)
            rows = np.arange(self.n_rows)
            return [tuple(function(rows, stratify=self.given, groups=self.groups, **self.keywords))]
        splitter = getattr(model_selection, self.name)(**self.keywords)
        return list(splitter.split(np.zeros((self.n_rows, 1)), self.given, self.groups))

    def describe(self) -> Mapping[str, str]:
        """Return what the call is counted by."""
        return {
            "splitter": self.name,
            "method": self.keywords["method"],
            "input form": self.form,
            "groups": self.kind_of_groups,
        }


def draw_folding(rng: np.random.Generator) -> Folding:
    """Draw a splitter, its settings and the rows."""
    name = str(rng.choice([*FOLDS, *CUTS, "StratifiedKFold"]))
    n_rows = int(rng.integers(8, 61))
    if "ultilabel" in name or name.endswith("_split"):
        y = draw_labels(rng, n_rows, may_be_unknown=True)
        form, given = draw_form(y, rng)
    else:
        y, form, given = _draw_target(rng, n_rows)
    kind, groups, own = "none", None, None
    if "Group" in name or (name in CUTS and rng.random() < 0.3):
        while own is None:
            kind, groups, own = draw_groups(rng, n_rows)
    method = "even" if rng.random() < 0.3 else str(rng.choice(list(METHODS)))
    keywords: dict[str, Any] = {"method": method}
    if name in FOLDS:
        keywords["n_splits"] = int(rng.integers(2, min(6, n_rows) + 1))
        if "Repeated" in name:
            keywords |= {"n_repeats": 2, "random_state": int(rng.integers(100))}
        elif rng.random() < 0.5:
            keywords |= {"shuffle": True, "random_state": int(rng.integers(100))}
    else:
        keywords["random_state"] = int(rng.integers(100))
        if "Shuffle" in name:
            keywords["n_splits"] = 2
        sizes = [0.2, 0.25, 0.3, 1] + ([n_rows // 3] if n_rows > 5 else [])
        keywords["test_size"] = sizes[rng.integers(len(sizes))]
        if "val" in name:
            keywords["val_size"] = sizes[rng.integers(3)]
        elif rng.random() < 0.4:
            keywords["train_size"] = [0.5, 0.4, 2][rng.integers(3)]
    return Folding(name, y, form, given, groups, own, kind, keywords)


def _draw_target(rng: np.random.Generator, n_rows: int) -> tuple[NDArray[Any], str, Any]:
    """Draw one value for each row: classes, some of them rare or missing, or numbers."""
    if rng.random() < 0.25:
        y = np.round(rng.lognormal(size=n_rows), 3) + 0.0001
        return y, "numbers", y.tolist() if rng.random() < 0.5 else y
    chance = rng.dirichlet(np.ones(int(rng.integers(2, 6))) * 0.5)
    y = np.array(
        [f"class {number}" for number in rng.choice(len(chance), n_rows, p=chance)], object
    )
    if rng.random() < 0.3:
        y[rng.random(n_rows) < 0.2] = None
        return y, "classes, some missing", y
    return y, "classes", y.tolist() if rng.random() < 0.5 else y


SPLITTERS = Subject("splitters", draw_folding, 6, Folding.describe)


@SPLITTERS.holds(
    "evenfold.model_selection.MultilabelStratifiedKFold: Every row is in exactly one test fold.",
    "evenfold.model_selection.StratifiedKFold: Every row is in exactly one test fold.",
    "evenfold.model_selection.RepeatedMultilabelStratifiedKFold: In each repeat, every row is in "
    "exactly one test fold.",
)
def rows_are_tested_once(case: Folding) -> None:
    """In each repeat; the train rows are the others."""
    assume(case.name in FOLDS)
    n = case.keywords["n_splits"]
    assert len(case.parts) == n * case.keywords.get("n_repeats", 1)
    for first in range(0, len(case.parts), n):
        tests = [test for _, test in case.parts[first : first + n]]
        assert np.array_equal(np.sort(np.concatenate(tests)), np.arange(case.n_rows))
    for train, test in case.parts:
        assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(case.n_rows))


@SPLITTERS.holds(
    "evenfold.model_selection.MultilabelStratifiedKFold: Fold sizes differ by at most one row.",
    "evenfold.model_selection.StratifiedKFold: Fold sizes differ by at most one row.",
)
def folds_are_of_equal_size(case: Folding) -> None:
    """For every method."""
    assume(case.name in FOLDS and case.group_of_row is None)
    sizes = [len(test) for _, test in case.parts]
    assert max(sizes) - min(sizes) <= 1


@SPLITTERS.holds(
    "evenfold.model_selection.MultilabelStratifiedGroupKFold: No group is in both train and test "
    "rows. scikit-learn passes `groups` to the splitter, with and without metadata routing."
)
def groups_are_in_train_or_test(case: Folding) -> None:
    """Also where scikit-learn passes the groups on."""
    assume(case.group_of_row is not None)
    for parts in case.parts:
        own = [set(case.group_of_row[part].tolist()) for part in parts]
        assert sum(map(len, own)) == len(set.union(*own))
    if case.name == "MultilabelStratifiedGroupKFold" and not np.isnan(case.y).any():
        splitter = model_selection.MultilabelStratifiedGroupKFold(**case.keywords)
        for is_routed in (False, True):
            given = {"params": {"groups": case.groups}} if is_routed else {"groups": case.groups}
            with sklearn.config_context(enable_metadata_routing=is_routed):
                found = cross_validate(
                    DummyRegressor(),
                    case.y,
                    case.y,
                    cv=splitter,
                    return_indices=True,
                    scoring=_score_nothing,
                    **given,
                )["indices"]
            for pair, *other in zip(case.parts, found["train"], found["test"], strict=True):
                assert all(map(np.array_equal, pair, other))


def _score_nothing(*_: Any) -> float:
    return 0.0


@SPLITTERS.holds(
    "evenfold.model_selection.MultilabelStratifiedShuffleSplit: Without groups, both parts "
    + GIVEN_SIZES,
    "evenfold.model_selection.train_test_split: Without groups, both parts " + GIVEN_SIZES,
    "evenfold.model_selection.train_val_test_split: Without groups, all parts " + GIVEN_SIZES,
)
def cuts_have_their_sizes(case: Folding) -> None:
    """Fractions are rounded as scikit-learn does: train down, the others up."""
    assume(case.name in CUTS and case.group_of_row is None)
    for parts in case.parts:
        sizes = dict(
            zip(
                ["train_size", "val_size", "test_size"][:: 1 if len(parts) == 3 else 2],
                parts,
                strict=True,
            )
        )
        n_others = 0
        for name, rows in sizes.items():
            assert len(set(rows.tolist())) == len(rows)
            size = case.keywords.get(name)
            if size is not None:
                is_train = name == "train_size"
                exact = (math.floor if is_train else math.ceil)(size * case.n_rows)
                assert len(rows) == (size if isinstance(size, int) else exact)
            n_others += len(rows) if name != "train_size" else 0
        if case.keywords.get("train_size") is None:
            assert len(sizes["train_size"]) == case.n_rows - n_others
        together = np.concatenate(list(sizes.values()))
        assert len(set(together.tolist())) == len(together)


@SPLITTERS.holds(
    "evenfold.model_selection.StratifiedKFold: The numbers of rows of a class in the folds differ "
    "by at most one, if classes are all there is.",
    "evenfold.model_selection.StratifiedKFold: Missing values are a class of their own.",
    "evenfold.model_selection.StratifiedKFold: Classes with fewer rows than folds are no error, "
    "and no warning.",
)
def classes_are_even(case: Folding) -> None:
    """Rare classes too; warnings are errors here. By the default method."""
    assume(case.name in ("StratifiedKFold", "RepeatedStratifiedKFold"))
    assume(case.keywords["method"] == "even" and case.form.startswith("classes"))
    for value in {*case.y.tolist()}:
        is_own = np.array([own == value for own in case.y])
        counts = [int(is_own[test].sum()) for _, test in case.parts]
        assert max(counts) - min(counts) <= 1, (value, counts)


@SPLITTERS.holds(
    "evenfold.model_selection.StratifiedKFold: Among numbers they are a bin of their own, and "
    "count as the mean in the total."
)
def missing_numbers_are_a_bin(case: Folding) -> None:
    """Missing numbers are even over folds, and so are those with the mean in their place."""
    assume(case.name == "StratifiedKFold" and case.form == "numbers" and case.n_rows >= 20)
    y = np.array(case.y, float)
    y[:: 1 + case.n_rows // 8] = np.nan
    folds = model_selection.StratifiedKFold(2, target="numbers").split(None, y)
    missing = [int(np.isnan(y[test]).sum()) for _, test in folds]
    assert max(missing) - min(missing) <= 1, missing


@SPLITTERS.holds(
    "evenfold.model_selection.StratifiedKFold: Of several columns, classes come first, then "
    "numbers."
)
def classes_come_before_numbers(case: Folding) -> None:
    """Beside a column of numbers, the rows of a class in the folds differ by one too."""
    assume(case.name == "StratifiedKFold" and case.form == "classes")
    numbers = np.linspace(0.5, 99.7, case.n_rows) ** 2
    y = np.asarray(case.y)
    folds = model_selection.StratifiedKFold(case.keywords["n_splits"]).split(
        None, {"number": numbers, "kind": y}
    )
    found = [y[test].tolist() for _, test in folds]
    for value in set(y.tolist()):
        counts = [own.count(value) for own in found]
        assert max(counts) - min(counts) <= 1, (value, counts)
