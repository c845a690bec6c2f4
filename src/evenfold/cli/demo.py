"""`evenfold demo`: the main job on data the package makes."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Where to write the split movies (csv). Default: a new temporary folder."
)
@click.option("--force", is_flag=True, help="Overwrite the output if it exists.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Another number, another split.")
def demo(output: Path | None, force: bool, seed: int) -> None:
    """Make 3,000 movies with genres, split them 70/15/15, and compare with a random split and with the best possible.

    Example: evenfold demo -o movies.csv
    """
    # Imported here, so that `evenfold --help` does not wait for NumPy.
    import csv
    import io
    import math
    import tempfile

    from .. import datasets
    from .._table import Table
    from ..files.atomic import write_whole
    from ..measures.quality import TITLES, show_number
    from ..splitting import split

    if output is not None and output.exists() and not force:
        raise click.UsageError(f"-o {output} exists already. Name another file, or add --force to overwrite it.")
    if output is not None and not output.parent.is_dir():
        raise click.UsageError(f"-o {output}: there is no folder {output.parent}. Make it first.")
    movies = datasets.make_movies()
    parts = [0.7, 0.15, 0.15]
    even = split(movies.genres, parts, random_state=seed)
    random = split(movies.genres, parts, method="random", random_state=seed)

    click.echo(f"{len(movies.title):,} made-up movies, {len(even.quality.per_label)} genres, cut {'/'.join(f'{100 * part:g}' for part in parts)}:\n")
    sizes = [[name, *(f"{s.sizes[at]:,}" for s in (even, random)), f"{even.quality.per_part.wanted[at]:,.0f}"] for at, name in enumerate(even.names)]
    click.echo(Table(["rows in", even.method, "random", "wanted"], sizes).to_text() + "\n")
    rows = []
    for name, what in TITLES.items():
        bound = getattr(even.quality.bound, name, math.nan)
        rows.append([what, *(show_number(getattr(s.quality, name)) for s in (even, random)), show_number(bound)])
    click.echo(Table(["smaller is better", even.method, "random", "best possible"], rows).to_text() + "\n")

    rarest = int(even.quality.per_label.rows.argmin())
    shares = [[name, *(f"{_n_with(movies.genres, s[name], even.quality.per_label.label[rarest])}" for s in (even, random))] for name in even.names]
    title = f"movies with '{even.quality.per_label.label[rarest]}', the rarest genre"
    click.echo(Table([title, even.method, "random"], shares).to_text() + "\n")

    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["title", "director", "genres", "part"])
    for at, part in enumerate(even.part_of_row):
        writer.writerow([movies.title[at], movies.director[at], "|".join(movies.genres[at]), even.names[part]])
    if output is None:
        output = Path(tempfile.mkdtemp(prefix="evenfold-demo-")) / "movies.csv"
    try:
        write_whole(output, text.getvalue().encode())
    except OSError as error:
        raise click.ClickException(f"could not write {output}: {error.strerror}.") from None
    click.echo(f"The movies and their parts are in {output}")


def _n_with(genres: list[list[str]], rows: object, genre: str) -> int:
    return sum(genre in genres[row] for row in rows)  # type: ignore[attr-defined]
