"""`evenfold demo`: a split of made-up movies, compared with a random one."""

from __future__ import annotations

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


@click.command(cls=Command, epilog="\b\nExample:\n  evenfold demo -o movies.csv")
@click.option(
    "-o",
    "--output",
    type=FILE_OUT,
    metavar="FILE",
    help="Where to write the movies and their parts (csv). Default: a new temporary folder.",
)
@force_option
@seed_option
def demo(output: Path | None, force: bool, seed: int) -> None:
    """Split made-up movies, and compare with a random split.

    There are 3,000 movies with genres as labels. They are cut 70/15/15, and both splits are
    compared with the best possible. The movies are written to a csv file, to try other commands on.
    """
    if output is not None:
        if output.suffix.lower() != ".csv":
            raise click.UsageError(
                f"{output}: the movies are written as csv. End the name in .csv."
            )
        check_paths([output], force)

    # Imported here because `evenfold --help` must not load NumPy.
    import tempfile

    from .. import datasets
    from .._atomic import write_whole
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
    write_whole(output, _to_csv(movies, even).encode())
    click.echo(f"The movies and their parts are in {output}")


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


def _to_csv(movies: Movies, s: Split) -> str:
    """Return the movies and their parts as the text of a csv file."""
    import csv
    import io

    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["title", "director", "year", "minutes", "budget", "genres", "part"])
    rows = zip(
        movies.title,
        movies.director,
        movies.year,
        movies.minutes,
        movies.budget,
        map("|".join, movies.genres),
        (s.names[part] for part in s.part_of_row),
        strict=True,
    )
    writer.writerows(rows)
    return text.getvalue()
