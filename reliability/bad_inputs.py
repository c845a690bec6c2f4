"""Give commands and functions bad inputs; each must be refused with a clear error.

    python -m reliability.bad_inputs

An error is clear if its type or exit code is right, if it names the parameter, option or file and
what is wrong in it, says what to do, and is one message of a few lines. Nothing may be written, and
no input changed.
"""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from evenfold.exceptions import EvenfoldError

from . import bad_inputs_learning, bad_inputs_splits
from .bad_inputs_calls import Wrong
from .bad_inputs_commands import Bad, split_words
from .bad_inputs_commands import list_cases as list_commands
from .bad_inputs_files import write_files
from .fuzz_cases import Worker, read_files
from .fuzz_worker import ERR, OUT
from .records import Table, write_record

HEADING = ("area", "bad inputs", "clear errors")
MOST_CHARACTERS = 800
# What messages call some parameters: an argument that is part of a value, or a file by its path.
CALLED = {
    "name": ("learner", "base"),
    "learners": ("learners", "learner", "base"),
    "methods": ("methods", "method"),
    "val_size": ("'val_size'", "val_size=0.9"),
    "path": ("json", "html", "txt"),
}
# Messages of click end in what is allowed.
_ALLOWED = ("is not in the range", "is not a valid", "Missing", "does not exist", "No such option",
            "is a directory", "is a file", "requires an argument")  # fmt: skip


class Tried(NamedTuple):
    """What came of the bad inputs of an area: how many there were, and what was not clear."""

    area: str
    n_inputs: int
    unclear: list[str]


def main() -> None:
    """Try all of them, print what is not clear, and write the record."""
    os.environ["COLUMNS"] = "80"
    tried = [*try_calls(), *try_commands()]
    for area in tried:
        print(*area.unclear, sep="\n", end="\n" if area.unclear else "")
    rows = [(own.area, own.n_inputs, own.n_inputs - len(own.unclear)) for own in tried]
    rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    write_record("bad-inputs", "make bad-inputs", [Table(HEADING, rows)], ["duckdb"])
    print(*(" ".join(map(str, row)) for row in rows), sep="\n")
    sys.exit(rows[-1][1] != rows[-1][2])


def try_calls() -> Iterator[Tried]:
    """Call functions with bad arguments, area by area."""
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        # What is assumed of labels is not what is tested.
        warnings.simplefilter("ignore")
        folder = Path(name)
        for module in (bad_inputs_splits, bad_inputs_learning):
            for area, cases in module.list_cases(folder).items():
                before = read_files(folder)
                unclear = [
                    f"{area}: {case.name}={case.value!r}: {why}"
                    for case in cases
                    for why in [judge_call(case)]
                    if why
                ]
                if read_files(folder) != before:
                    unclear.append(f"{area}: files have changed")
                yield Tried(f"Python: {area}", len(cases), unclear)


def judge_call(case: Wrong) -> str:
    """Call a function; return what is not clear about its error, empty if all is."""
    try:
        case.function(**{case.name: case.value})
    except EvenfoldError as error:
        message = str(error)
        if not isinstance(error, case.error):
            return f"{type(error).__name__} is no {case.error.__name__}: {message}"
    except Exception as error:
        return f"{type(error).__name__} of another library: {error}"
    else:
        return "no error"
    names = CALLED.get(case.name, (f"'{case.name}'",))
    if not any(name in message for name in names):
        return f"does not name {case.name}: {message}"
    return find_unclear(message, case.says or (repr(case.value),))


def find_unclear(message: str, says: tuple[str, ...] | list[str]) -> str:
    """Return what a message lacks; empty if it is clear."""
    missing = [text for text in says if text not in message]
    if missing:
        return f"does not say {missing[0]}: {message}"
    if len(message) > MOST_CHARACTERS or "\n\n" in message:
        return f"is long: {message}"
    has_advice = len(message.rstrip(".?").replace("? ", ". ").split(". ")) > 1
    is_advice = message.startswith("Say ")
    if not has_advice and not is_advice and not any(text in message for text in _ALLOWED):
        return f"does not say what to do: {message}"
    return ""


def try_commands(every: int = 1) -> Iterator[Tried]:
    """Run commands with bad options and files, area by area; of each area every so manieth."""
    with start_worker() as worker, tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "case"
        folder.mkdir()
        write_files(folder)
        before = read_files(folder)
        for area, all_cases in list_commands().items():
            cases = all_cases[::every]
            unclear = [
                f"{area}: {case.words}: {why}"
                for case in cases
                for why in [judge_command(case, worker, folder, before)]
                if why
            ]
            yield Tried(f"commands: {area}", len(cases), unclear)


def judge_command(case: Bad, worker: Worker, folder: Path, before: dict[str, bytes]) -> str:
    """Run a command; return what is not clear about its error, empty if all is."""
    answer = worker.run(folder, split_words(case.words))
    printed, said = (Path(f"{folder}.{name}").read_text("utf-8") for name in (OUT, ERR))
    errors = [line for line in said.splitlines() if line.startswith(("evenfold: ", "Error: "))]
    after = read_files(folder)
    if after != before:
        for name in set(after) - set(before):
            (folder / name).unlink()
        return f"leaves {', '.join(sorted(set(after) ^ set(before)))}"
    if len(errors) != 1 or "Traceback" in said:
        return f"is not one message: {said}"
    if answer["code"] != case.code or printed:
        return f"exit code {answer['code']}: {errors[0]}"
    if "an error of evenfold itself" in errors[0]:
        return errors[0]
    return find_unclear(errors[0].partition(": ")[2], case.says)


@contextmanager
def start_worker() -> Iterator[Worker]:
    """Start a process that runs commands."""
    worker = Worker()
    try:
        yield worker
    finally:
        worker.stop()


if __name__ == "__main__":
    main()
