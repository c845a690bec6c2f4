"""`evenfold demo`: the main job on data the package makes."""

from __future__ import annotations

from pathlib import Path

import click

from .errors import Command
from .options import FILE_OUT, force_option, seed_option
from .outputs import check_paths


@click.command(cls=Command, epilog="\b\nExample:\n  evenfold demo -o movies.csv")
@click.option(
    "-o",
    "--output",
    type=FILE_OUT,
    metavar="FILE",
    help="Where to write the split movies (csv). Default: a new temporary folder.",
)
@force_option
@seed_option
def demo(output: Path | None, force: bool, seed: int) -> None:
    """Make 3,000 movies with genres, split them 70/15/15, and compare with a random split and with the best possible."""
    if output is not None:
        check_paths([output], force)

    # Imported here, so that `evenfold --help` does not wait for NumPy.
    import csv
    import io
    import tempfile

    from .. import datasets
    from .._atomic import write_whole
    from .._tables.numbers import show_decimals
    from .._tables.table import Table
    from ..quality.measures import LABEL_MEASURES
    from ..splits.make_split import split

    movies = datasets.make_movies()
    parts = [0.7, 0.15, 0.15]
    even = split(movies.genres, parts, random_state=seed)
    random = split(movies.genres, parts, method="random", random_state=seed)

    click.echo(
        f"{len(movies.title):,} made-up movies, {len(even.quality.per_label)} genres, cut {'/'.join(f'{100 * part:g}' for part in parts)}:\n"
    )
    sizes = [
        [
            name,
            *(f"{s.sizes[at]:,}" for s in (even, random)),
            f"{even.quality.per_part.wanted[at]:,.0f}",
        ]
        for at, name in enumerate(even.names)
    ]
    click.echo(Table(["rows in", even.method, "random", "wanted"], sizes).to_text() + "\n")
    rows = []
    for measure in LABEL_MEASURES:
        values = [s.quality.value_of(measure) for s in (even, random)]
        shown = map(show_decimals, [*values, even.quality.bound_of(measure)])
        rows.append([measure.heading, *shown])
    click.echo(
        Table(["smaller is better", even.method, "random", "best possible"], rows).to_text() + "\n"
    )

    rarest = int(even.quality.per_label.rows.argmin())
    shares = [
        [
            name,
            *(
                f"{_n_with(movies.genres, s[name], even.quality.per_label.label[rarest])}"
                for s in (even, random)
            ),
        ]
        for name in even.names
    ]
    title = f"movies with '{even.quality.per_label.label[rarest]}', the rarest genre"
    click.echo(Table([title, even.method, "random"], shares).to_text() + "\n")

    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["title", "director", "year", "minutes", "budget", "genres", "part"])
    told = zip(
        movies.title,
        movies.director,
        movies.year,
        movies.minutes,
        movies.budget,
        map("|".join, movies.genres),
        strict=True,
    )
    writer.writerows(
        [*movie, even.names[part]] for movie, part in zip(told, even.part_of_row, strict=True)
    )
    if output is None:
        output = Path(tempfile.mkdtemp(prefix="evenfold-demo-")) / "movies.csv"
    write_whole(output, text.getvalue().encode())
    click.echo(f"The movies and their parts are in {output}")


def _n_with(genres: list[list[str]], rows: object, genre: str) -> int:
    return sum(genre in genres[row] for row in rows)  # type: ignore[attr-defined]
