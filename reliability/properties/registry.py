"""Properties, the subjects that they are about, and how one case is checked."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

Check = Callable[[Any], None]


class DoesNotApplyError(Exception):
    """A property says nothing on this example: nothing is checked, and nothing is counted."""


@dataclass(frozen=True)
class Property:
    """A check of an example, and the statements of docstrings that it shows."""

    name: str
    check: Check
    statements: Sequence[str]


@dataclass
class Subject:
    """What examples are drawn of, such as calls of `split`, and what must hold of them.

    Attributes
    ----------
    draw : callable
        Draws an example with a generator.
    weight : int
        How often examples of this subject are drawn, relative to the others.
    describe : callable
        Returns what an example is counted by, such as its method.
    """

    name: str
    draw: Callable[[np.random.Generator], Any]
    weight: int
    describe: Callable[[Any], Mapping[str, str]]
    properties: list[Property] = field(default_factory=list)

    def holds(self, *statements: str) -> Callable[[Check], Check]:
        """Mark a function as a property of this subject that shows these statements."""

        def register(check: Check) -> Check:
            self.properties.append(Property(check.__name__, check, statements))
            return check

        return register


@dataclass(frozen=True)
class Outcome:
    """What one case showed: which properties were checked, and what failed."""

    subject: str
    described: Mapping[str, str]
    checked: Sequence[str]
    failed: Mapping[str, str]


def assume(applies: object) -> None:
    """Skip the property unless it applies to the example."""
    if not applies:
        skip()


def skip() -> NoReturn:
    """Skip the property for this example."""
    raise DoesNotApplyError


def run_case(subjects: Sequence[Subject], seed: int) -> Outcome:
    """Draw an example from a seed and check every property that applies to it."""
    rng = np.random.default_rng(seed)
    weights = np.array([subject.weight for subject in subjects], float)
    subject = subjects[rng.choice(len(subjects), p=weights / weights.sum())]
    example = subject.draw(rng)
    checked, failed = [], {}
    for own in subject.properties:
        try:
            own.check(example)
        except DoesNotApplyError:
            continue
        except Exception as error:  # any error is a failed property
            failed[own.name] = _shorten(error)
        checked.append(own.name)
    return Outcome(subject.name, subject.describe(example), checked, failed)


def _shorten(error: Exception) -> str:
    """Return the kind of an error, the line that raised it, and its message."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(str(error).split())[:200]
    return f"{type(error).__name__} in {last.name}, line {last.lineno} ({last.line}) {text}"
