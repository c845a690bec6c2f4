"""Options that say which rows belong together, and the record in which commands get them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import click

from .number_types import Limit, WholeNumber
from .option_types import OneOf, Thresholds
from .options import COLUMNS, FILE_IN, bundle

# Options of sources whose pairs have a similarity or a distance, so that they need a threshold.
SCORED = ("text", "images", "similar", "pairs")


class Linking(NamedTuple):
    """What links rows. The fields have the names of the arguments of `evenfold.link`."""

    groups: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    files: str | None = None
    text: str | None = None
    images: str | None = None
    similar: tuple[str, ...] = ()
    pairs: Path | None = None
    at: float | dict[str, float] | None = None
    metric: str | None = None
    exact: bool | None = None
    recall: float | None = None

    @property
    def sources(self) -> list[str]:
        """The sources that are given, by the names of their options."""
        named = ("groups", "copies", "files", *SCORED)
        return [name for name in named if getattr(self, name)]

    @property
    def paths(self) -> list[Path]:
        """The files that may be read besides the data."""
        files = [Path(name) for name in self.similar if Path(name).is_file()]
        return files if self.pairs is None else [*files, self.pairs]

    @property
    def thresholds(self) -> dict[str, float]:
        """The thresholds that are given, by source."""
        if self.at is None or isinstance(self.at, dict):
            return self.at or {}
        return dict.fromkeys(self._find_compared(), self.at)

    def _find_compared(self) -> list[str]:
        from ..links.sources import find_compared

        return find_compared([name for name in SCORED if getattr(self, name)])

    def check(self) -> None:
        """Refuse options that need another one."""
        if self.metric is not None and not self.similar:
            raise click.UsageError("--metric is for --similar. Leave it out, or add --similar.")
        for option, value in (
            ("exact" if self.exact else "approximate", self.exact),
            ("recall", self.recall),
        ):
            if value is not None and not self.similar and self.text is None:
                raise click.UsageError(
                    f"--{option} is for --text and --similar. Leave it out, or add one of them."
                )
        if self.at is None:
            return
        compared = self._find_compared()
        if not compared:
            raise click.UsageError(
                f"--at is for {', '.join(f'--{name}' for name in SCORED)}. "
                "Leave it out, or add one of them."
            )
        if not isinstance(self.at, dict) and len(compared) > 1:
            advice = ",".join(f"{name}=…" for name in compared)
            raise click.UsageError(
                f"--at {self.at:g} is one threshold, got "
                f"{' and '.join(f'--{name}' for name in compared)}. Try --at {advice}."
            )


def _find_metrics() -> list[str]:
    from ..links.scores import METRICS

    return list(METRICS)


groups_option = click.option(
    "--groups",
    type=COLUMNS,
    metavar="COLS",
    multiple=True,
    help="Rows with the same value in this column stay together: a patient, a document. Several "
    "columns with commas between them: rows that share a value of any of them. An empty cell "
    "joins nothing. COL:REGEX, such as 'path:(cam[0-9]+)': rows in which the expression, or its "
    "first bracket, matches the same text. Repeatable.",
)
_SIMILAR_OPTIONS = (
    click.option(
        "--copies",
        type=COLUMNS,
        metavar="COLS",
        multiple=True,
        help="Rows with equal values in all these columns stay together; case and runs "
        "of blanks in text do not matter. Names or patterns, such as '*'; a pattern leaves out "
        "columns of labels, parts, groups and ids. Repeatable.",
    ),
    click.option(
        "--files",
        type=COLUMNS,
        metavar="COL",
        help="A column of paths, from the folder of DATA. Rows whose files have the same content "
        "stay together.",
    ),
    click.option(
        "--text",
        type=COLUMNS,
        metavar="COL",
        help="A column of text. Rows with near-equal text stay together: Jaccard similarity of "
        "at least 0.8, or --at.",
    ),
    click.option(
        "--images",
        type=COLUMNS,
        metavar="COL",
        help="A column of paths of images, from the folder of DATA. Rows with near-equal images "
        "stay together: hashes that differ in at most 4 of 64 bits, or --at.",
    ),
    click.option(
        "--similar",
        type=COLUMNS,
        metavar="FILE|COLS",
        multiple=True,
        help="Embeddings: a file with one row for each row of DATA (.npy, .npz, parquet, csv), or "
        "columns of DATA, by name or pattern, such as 'emb_*'. Similar rows stay together: cosine "
        "similarity of at least 0.95, or --at. Repeatable: of several files of DATA, each has its "
        "own file of embeddings.",
    ),
    click.option(
        "--pairs",
        type=FILE_IN,
        metavar="FILE",
        help="Pairs of rows that stay together, from another program (csv, tsv, BLAST's .m8, "
        "parquet, .npy): two columns of row numbers from 0, or of ids with --id. A third column "
        "holds scores: pairs with a score below --at are left out.",
    ),
    click.option(
        "--at",
        type=Thresholds("X", SCORED),
        help="The threshold of similar rows. One for each of several: text=0.8,similar=0.95.",
    ),
    click.option(
        "--metric",
        type=OneOf("METRIC", _find_metrics),
        help="How --similar is compared: cosine (default) or jaccard, which are similarities; "
        "euclidean or hamming, which are distances. Jaccard and hamming are for columns of 0 and "
        "1; hamming is the number of columns that differ.",
    ),
    click.option(
        "--exact/--approximate",
        default=None,
        help="Compare all rows of --text and --similar, or search approximately. Default: all, "
        "up to 200,000 rows.",
    ),
    click.option(
        "--recall",
        type=Limit(min=0, max=1, min_open=True),
        metavar="X",
        help="The share of pairs that an approximate search must find, of 10,000 rows that are "
        "also searched exactly. Default: 0.99.",
    ),
)
linking_options = bundle(Linking, "linking", groups_option, *_SIMILAR_OPTIONS)
max_group_option = click.option(
    "--max-group",
    type=WholeNumber(min=1),
    metavar="N",
    help="Cut the weakest links of larger groups. Says how many similar pairs are then left in "
    "two parts. Links of --groups, --copies and --files are never cut.",
)


id_option = click.option(
    "--id",
    "id_column",
    type=COLUMNS,
    metavar="COL",
    help="A column that identifies rows: --indices lists its values instead of row numbers, and "
    "--pairs names rows by them.",
)
