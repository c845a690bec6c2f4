"""Difficulty: how hard rows are to predict from features, as columns to keep even."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..exceptions import EvenfoldError, InputError
from .learner_warnings import gather_warnings
from .messages import say
from .options import COLUMNS, LEARNER, bundle
from .quick_start import show_pandas
from .reading import Rows, split_names
from .stopping import stop_if_told

if TYPE_CHECKING:
    from ..files.features import Features

_LEARNER_OPTION = "--difficulty-learner"


class Difficulty(NamedTuple):
    """Whether the difficulty of rows is kept even, and by which learner it is measured."""

    difficulty: bool
    difficulty_learner: str | None

    @property
    def is_wanted(self) -> bool:
        """Whether one of the options is given."""
        return self.difficulty or self.difficulty_learner is not None


class HardRows(NamedTuple):
    """The difficulty of each row.

    Attributes
    ----------
    columns : dict of str to ndarray
        The columns to keep even, by the names under which they are shown, each (n_rows,).
    record : dict of str to Any
        How they were made, for JSON and the manifest: the learner (None for the nearest rows), the
        columns of features (none if the features are in no columns) and the names of `columns`.
    """

    columns: dict[str, Any]
    record: dict[str, Any]


features_option = click.option(
    "--features",
    type=COLUMNS,
    metavar="COLS",
    multiple=True,
    help="Columns of numbers that rows are predicted from: names or patterns with commas between "
    "them; or an npz file with the features of the same rows. Repeatable. Default: the features of "
    "the format, else all columns of numbers that are neither labels, groups, ids nor in "
    "--balance.",
)
difficulty_options = bundle(
    Difficulty,
    "difficulty",
    click.option(
        "--difficulty",
        is_flag=True,
        help="Keep even how hard rows are to predict from their features: the errors of "
        "predictions by the 10 nearest rows. With --groups, rows of other groups.",
    ),
    click.option(
        _LEARNER_OPTION,
        type=LEARNER,
        metavar="NAME",
        help="The same, by a learner such as br:logistic-regression, which is fitted in ten folds.",
    ),
)


def find_hard_rows(
    difficulty: Difficulty,
    rows: Rows,
    features: Sequence[str],
    others: Sequence[str],
    groups: Any,
    seed: int,
    quiet: bool,
) -> HardRows | None:
    """Read the features and measure the difficulty of each row; None if no option asks for it.

    Patterns of features, and the default, leave out the columns of labels and the `others`.
    """
    if not difficulty.is_wanted:
        if features:
            raise click.UsageError(
                "--features is for --difficulty. Leave it out, or add --difficulty."
            )
        return None
    read = read_feature_columns(rows, features, others, quiet)
    return measure_hard_rows(difficulty, rows, read, groups, seed, quiet)


def read_feature_columns(
    rows: Rows, features: Sequence[str], others: Sequence[str], quiet: bool
) -> Features:
    """Read the features, and print which columns were taken for them if the user named none."""
    from ..files.features import read_features

    file = rows.file
    given = split_names(features, file.columns)
    read = read_features(file, given, [*rows.label_columns, *others])
    if read.guessed:
        say(read.guessed, quiet)
    return read


def measure_hard_rows(
    difficulty: Difficulty, rows: Rows, features: Features, groups: Any, seed: int, quiet: bool
) -> HardRows | None:
    """Measure the difficulty of each row; None if no option asks for it."""
    if not difficulty.is_wanted:
        return None
    learner = difficulty.difficulty_learner
    _check_finite(rows, features)
    # Learners may use pandas.
    show_pandas()
    from ..learn import difficulty as measure_difficulty

    try:
        with gather_warnings(quiet):
            found = measure_difficulty(
                features.matrix, rows.labels, learner, groups=groups, random_state=seed
            )
    except Exception as error:
        stop_if_told()
        if learner is not None:
            _explain(error, learner)
        raise
    columns = {f"difficulty ({name})": column for name, column in found.items()}
    by = "the 10 nearest rows" if learner is None else learner
    n_features = features.matrix.shape[1]
    say(f"Difficulty: errors of predictions by {by}, from {n_features:,} features.", quiet)
    record = {"learner": learner, "features": list(features.columns), "columns": list(columns)}
    return HardRows(columns, record)


def add_hard_rows(balance: dict[str, Any] | None, hard: HardRows | None) -> dict[str, Any] | None:
    """Return all columns to keep even; refuse columns of the data with the names of the others."""
    if hard is None:
        return balance
    columns = balance or {}
    for name in columns.keys() & hard.columns.keys():
        raise InputError(
            f"--balance {name!r} has the name of a column of --difficulty. "
            "Rename it, or leave out one of both."
        )
    return {**columns, **hard.columns}


def make_record(hard: HardRows | None) -> dict[str, Any]:
    """Return what the JSON of a result says about the difficulty; nothing without it."""
    return {} if hard is None else {"difficulty": hard.record}


def _check_finite(rows: Rows, features: Features) -> None:
    """Refuse features that are no finite numbers, and name the first column and row."""
    import numpy as np
    import scipy

    matrix = features.matrix
    # An array has no `tocoo`, a sparse matrix of any kind has.
    cells = matrix.data if hasattr(matrix, "tocoo") else np.asarray(matrix)
    if cells.dtype.kind != "f" or np.isfinite(cells).all():
        return
    stored = scipy.sparse.coo_array(matrix)
    first = np.flatnonzero(~np.isfinite(stored.data))[0]
    row, column = stored.row[first], stored.col[first]
    name = f"column '{features.columns[column]}'" if features.columns else f"feature {column}"
    raise InputError(
        f"{rows.file.name}: {name} has no finite number at row {row} (from 0), "
        "which --difficulty needs. Fill it, or name other columns with --features."
    )


def _explain(error: Exception, learner: str) -> None:
    """Raise what is wrong with the learner, in words of the command line."""
    if isinstance(error, MemoryError):
        return
    if not isinstance(error, EvenfoldError):
        reason = " ".join(str(error).split())
        raise InputError(
            f"{_LEARNER_OPTION} {learner} failed: {type(error).__name__}: {reason} "
            "Take another learner, or leave it out."
        ) from None
