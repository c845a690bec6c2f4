"""`evenfold demo`: a split of made-up movies, compared with a random one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .errors import Command
from .options import FILE_OUT, force_option, seed_option
from .output_checks import check_paths

if TYPE_CHECKING:
    from .._tables.table import Table
    from ..datasets.movies import Movies
    from ..splits import Split

# How many movies are written that are in no part yet.
_N_LATER = 200


@click.command(cls=Command, epilog="\b\nExample:\n  evenfold demo -o movies.csv")
@click.option(
    "-o",
    "--output",
    type=FILE_OUT,
    metavar="FILE",
    help="Where to write the movies and their parts (csv). Later movies go into a file beside it, "
    "with _later in its name. Default: a new temporary folder.",
)
@force_option
@seed_option
def demo(output: Path | None, force: bool, seed: int) -> None:
    """Split made-up movies, and compare with a random split.

    There are 3,000 movies with genres as labels. They are cut 70/15/15, and both splits are
    compared with the best possible. The movies are written to a csv file, to try other commands on;
    200 later movies, which are in no part yet, to another one beside it.
    """
    if output is not None:
        if output.suffix.lower() != ".csv":
            raise click.UsageError(
                f"{output}: the movies are written as csv. End the name in .csv."
            )
        check_paths([output, _name_later(output)], force)

    # Imported here because `evenfold --help` must not load NumPy.
    import tempfile

    from .. import datasets
    from .._atomic import staged
    from ..splits import split

    movies = datasets.make_movies()
    parts = [0.7, 0.15, 0.15]
    even = split(movies.genres, parts, random_state=seed)
    random = split(movies.genres, parts, method="random", random_state=seed)
    shares = "/".join(f"{100 * part:g}" for part in parts)
    click.echo(
        f"{len(movies.title):,} made-up movies, {len(even.quality.per_label)} genres, "
        f"cut {shares}:\n"
    )
    for table in _make_tables(even, random, movies.genres):
        click.echo(table.to_text() + "\n")
    if output is None:
        output = Path(tempfile.mkdtemp(prefix="evenfold-demo-")) / "movies.csv"
    later = _name_later(output)
    # Other titles than those of the movies, which end in their number.
    new = datasets.make_movies(_N_LATER, random_state=1)
    new = new._replace(title=[f"{title} later" for title in new.title])
    with staged([output, later], force=True) as paths:
        for path, text in zip(paths, (_to_csv(movies, even), _to_csv(new, None)), strict=True):
            path.write_bytes(text.encode())
    click.echo(f"The movies and their parts are in {output}")
    click.echo(f"{_N_LATER} later movies without parts are in {later}, for evenfold extend")


def _name_later(output: Path) -> Path:
    """Return where the movies without parts go: beside the others."""
    return output.with_name(f"{output.stem}_later{output.suffix}")


def _make_tables(even: Split, random: Split, genres: list[list[str]]) -> list[Table]:
    """Return tables of the sizes, the measures and the rarest genre, of both splits."""
    from .._tables.numbers import show_decimals
    from .._tables.table import Table
    from ..quality.measures import LABEL_MEASURES

    wanted = even.quality.per_part.wanted
    sizes = [
        [name, *(f"{s.sizes[at]:,}" for s in (even, random)), f"{wanted[at]:,.0f}"]
        for at, name in enumerate(even.names)
    ]
    measures = []
    for measure in LABEL_MEASURES:
        values = [s.quality.value_of(measure) for s in (even, random)]
        shown = map(show_decimals, [*values, even.quality.bound_of(measure)])
        measures.append([measure.heading, *shown])
    per_label = even.quality.per_label
    rarest = per_label.label[int(per_label.rows.argmin())]
    counts = [
        [name, *(str(sum(rarest in genres[row] for row in s[name])) for s in (even, random))]
        for name in even.names
    ]
    return [
        Table(["rows in", even.method, "random", "wanted"], sizes),
        Table(["smaller is better", even.method, "random", "best possible"], measures),
        Table([f"movies with '{rarest}', the rarest genre", even.method, "random"], counts),
    ]


def _to_csv(movies: Movies, s: Split | None) -> str:
    """Return the movies as the text of a csv file; without a split, their part is empty."""
    import csv
    import io

    text = io.StringIO(newline="")
    writer = csv.writer(text)
    names = ["title", "director", "year", "minutes", "budget", "genres", "part"]
    # Later movies have the column too, so that they can follow any split of the others.
    parts = [""] * len(movies.title) if s is None else [s.names[part] for part in s.part_of_row]
    columns: list[Iterable[object]] = [
        movies.title,
        movies.director,
        movies.year,
        movies.minutes,
        movies.budget,
        map("|".join, movies.genres),
        parts,
    ]
    writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
    return text.getvalue()
