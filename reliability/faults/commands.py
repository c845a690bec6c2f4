"""Commands that faults are injected into, and the data they read."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

N_ROWS = 240
LABELS = "abcdefgh"


class Command(NamedTuple):
    """A command line, what it writes, and what is there before.

    Attributes
    ----------
    name : str
        What it is called in the table of results.
    words : str
        The words of the command line, without `evenfold`.
    outputs : tuple of str
        Files and folders that it writes.
    earlier : str, default=""
        A command that writes these outputs, or what is read, first.
    kept : tuple of str, default=()
        Folders that may stay after a run that has failed, such as a cache.
    resumes : bool, default=False
        Whether a run that was stopped is taken up by the same command.
    """

    name: str
    words: str
    outputs: tuple[str, ...]
    earlier: str = ""
    kept: tuple[str, ...] = ()
    resumes: bool = False


_SPLIT = "split data.csv --labels labels -q"
_OTHER = "--folds 3 --seed 7"
_SEVERAL = "-o out.csv --manifest m.json --indices i.json --report r.md"
_EVALUATE = "evaluate numbers.csv --labels a,b --folds 2 --learner br:tree --method random -q"

COMMANDS = (
    Command("split -o file", f"{_SPLIT} --folds 2 -o out.csv", ("out.csv",)),
    Command(
        "split -o file --force",
        f"{_SPLIT} --folds 2 -o out.csv --force",
        ("out.csv",),
        f"{_SPLIT} {_OTHER} -o out.csv",
    ),
    Command("split -o folder", f"{_SPLIT} --folds 2 -o parts", ("parts",)),
    Command(
        "split -o folder --force",
        f"{_SPLIT} --folds 2 -o parts --force",
        ("parts",),
        f"{_SPLIT} {_OTHER} -o parts",
    ),
    Command(
        "split --mirror --force",
        "split first.csv data.csv --labels labels -q --folds 2 --mirror -o parts --force",
        ("parts",),
        f"{_SPLIT} {_OTHER} -o parts",
    ),
    Command(
        "split, four outputs",
        f"{_SPLIT} --folds 2 {_SEVERAL}",
        ("out.csv", "m.json", "i.json", "r.md"),
    ),
    Command(
        "split, four outputs, --force",
        f"{_SPLIT} --folds 2 {_SEVERAL} --force",
        ("out.csv", "m.json", "i.json", "r.md"),
        f"{_SPLIT} {_OTHER} {_SEVERAL}",
    ),
    Command(
        "split -o folder, parquet",
        "split data.parquet --labels labels -q --folds 2 -o parts --force",
        ("parts",),
        f"split data.parquet --labels labels -q {_OTHER} -o parts",
    ),
    Command(
        "extend -o file --force",
        "extend placed.csv --labels labels --new first.csv -q -o out.csv --force",
        ("out.csv",),
        f"{_SPLIT} --folds 2 -o placed.csv|{_SPLIT} {_OTHER} -o out.csv",
    ),
    Command(
        "extend -o folder",
        "extend placed.csv --labels labels --new first.csv -q -o parts --manifest m.json",
        ("parts", "m.json"),
        f"{_SPLIT} --folds 2 -o placed.csv",
    ),
    Command(
        "check --report --force",
        "check placed.csv --labels labels --part-column part -q --report r.html --force",
        ("r.html",),
        f"{_SPLIT} --folds 2 -o placed.csv|{_SPLIT} {_OTHER} --report r.html",
    ),
    Command(
        "evaluate -o --report --cache",
        f"{_EVALUATE} -o e.json --report r.md --cache cache --force",
        ("e.json", "r.md"),
        f"{_EVALUATE} --seed 7 -o e.json --report r.md",
        ("cache",),
    ),
    Command(
        "split --engine",
        "split rows --labels labels --folds 2 --engine sync -q -o out",
        ("out",),
        resumes=True,
    ),
)


def find(name: str) -> Command:
    """Return the command of a name."""
    [found] = [command for command in COMMANDS if command.name == name]
    return found


def write_data(folder: Path) -> None:
    """Write the files that commands read: the same for each run."""
    rng = random.Random(1)
    rows = [_make_row(rng) for _ in range(N_ROWS)]
    _write_csv(folder / "data.csv", rows)
    _write_csv(folder / "first.csv", rows[: N_ROWS // 4])
    table = pa.table(
        {
            "labels": pa.array([labels.split("|") for labels, _, _ in rows]),
            "who": pa.array([who for _, who, _ in rows]),
            "text": pa.array([text for _, _, text in rows]),
        }
    )
    pq.write_table(table, folder / "data.parquet")
    (folder / "rows").mkdir()
    for number in range(3):
        pq.write_table(table.slice(number * 80, 80), folder / "rows" / f"{number}.parquet")
    lines = [f"{rng.random()},{rng.random()},{rng.randint(0, 1)},{rng.randint(0, 1)}"] * 2
    lines += [
        f"{rng.random():.4f},{rng.random():.4f},{rng.randint(0, 1)},{rng.randint(0, 1)}"
        for _ in range(60)
    ]
    (folder / "numbers.csv").write_text("x,z,a,b\n" + "\n".join(lines) + "\n")


def _make_row(rng: random.Random) -> tuple[str, str, str]:
    labels = "|".join(rng.sample(LABELS, rng.randint(1, 3)))
    return labels, f"p{rng.randrange(N_ROWS // 3)}", f"row {rng.random()} of text"


def _write_csv(path: Path, rows: Sequence[tuple[str, str, str]]) -> None:
    lines = [",".join(row) for row in rows]
    path.write_text("labels,who,text\n" + "\n".join(lines) + "\n")
