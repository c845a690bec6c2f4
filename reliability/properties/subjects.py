"""All subjects whose examples are drawn."""

from __future__ import annotations

from .joining import EXTENSIONS, SAMPLES
from .learners import TASKS
from .made_data import DATA
from .measures import MEASURED
from .own_promises import LARGE, PROBLEMS
from .rankings import PREDICTIONS
from .rows import LABELLINGS, LINKINGS
from .scaled import FILES
from .splits import SPLITS
from .splitters import SPLITTERS

SUBJECTS = (
    SPLITS,
    EXTENSIONS,
    SAMPLES,
    SPLITTERS,
    PROBLEMS,
    LARGE,
    MEASURED,
    LABELLINGS,
    LINKINGS,
    DATA,
    PREDICTIONS,
    TASKS,
    FILES,
)


def list_shown() -> set[str]:
    """Return the statements that drawn properties show."""
    return {
        statement
        for subject in SUBJECTS
        for own in subject.properties
        for statement in own.statements
    }
