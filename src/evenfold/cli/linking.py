"""Reading of what links rows: columns of the data and files beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..exceptions import InputError
from .link_options import Linking
from .reading import Coded, read_group_columns, read_texts, split_groups, split_names

if TYPE_CHECKING:
    import pyarrow as pa

    from ..files.datafile import DataFile
    from ..links import Links
    from ..links.sources import Sources


def read_sources(
    file: DataFile,
    data: Sequence[str],
    linking: Linking,
    *,
    ids: Coded | None = None,
    n_rows: int | None = None,
    apart: Sequence[str] = (),
) -> Sources | None:
    """Read everything that links rows; None if nothing is given.

    Parameters
    ----------
    file : DataFile
        The data.
    data : sequence of str
        The paths of the data, as given. Paths in its columns are relative to their folders.
    linking : Linking
        The options.
    ids : Coded, default=None
        The id of each row, for pairs.
    n_rows : int, default=None
        The number of rows, if it is known.
    apart : sequence of str, default=()
        Columns that a pattern of --copies leaves out: those of labels, parts and ids.

    Returns
    -------
    Sources or None
        The sources, read and checked.
    """
    linking.check()
    if not linking.sources:
        return None
    linking = name_columns(file, linking, apart)
    from ..links import sources as links_sources

    groups = read_group_columns(file, linking.groups)
    if n_rows is None:
        n_rows = len(groups[0].code_of_row) if groups else count_rows(file)
    if n_rows == 0:
        raise file.holds_no("rows")
    given: dict[str, Any] = {}
    if linking.copies:
        given["copies"] = _read_table(file, linking.copies)
    for name in ("files", "images"):
        column = getattr(linking, name)
        if column is not None:
            given[name] = _read_paths(file, data, column, f"--{name}")
    if linking.text is not None:
        given["text"] = read_texts(file, linking.text, "--text")
    if linking.similar:
        given["similar"] = _read_similar(file, linking.similar)
    if linking.pairs is not None:
        from ..files.pair_files import read_pair_file

        given["pairs"] = read_pair_file(linking.pairs, () if ids is None else set(ids.values))
        if ids is not None:
            given["ids"] = [ids.values[code] for code in ids.code_of_row]
    if not given:
        return links_sources.Sources(n_rows, groups, ())
    for name in ("metric", "recall"):
        if getattr(linking, name) is not None:
            given[name] = getattr(linking, name)
    read = links_sources.read_sources(n_rows=n_rows, at=linking.at, exact=linking.exact, **given)
    return read._replace(columns=(*groups, *read.columns))


def link_rows(
    file: DataFile, data: Sequence[str], linking: Linking, max_group: int | None, **options: Any
) -> Links | None:
    """Link the rows of a file; None if nothing that links them is given.

    The other arguments are those of `read_sources`.
    """
    sources = read_sources(file, data, linking, **options)
    if sources is None:
        if max_group is not None:
            raise click.UsageError(
                "--max-group is for linked rows. Leave it out, or add --similar or the like."
            )
        return None
    from ..links.link_rows import link_sources

    return link_sources(sources, max_group)


def count_rows(file: DataFile) -> int:
    """Count the rows of a file."""
    if not file.columns:
        labels = file.read_own_labels()
        assert labels is not None
        return labels.n_rows
    return sum(batch.num_rows for batch in file.read_batches([file.columns[0]]))


def name_columns(file: DataFile, linking: Linking, apart: Sequence[str]) -> Linking:
    """Return the options with the names of all columns that --groups and --copies mean.

    A pattern of --copies leaves out groups and the columns `apart`.
    """
    groups = tuple(split_groups(linking.groups, file))
    copies = linking.copies and _choose_copies(file, linking.copies, {*apart, *groups})
    return linking._replace(groups=groups, copies=copies)


def _choose_copies(file: DataFile, given: Sequence[str], apart: set[str]) -> tuple[str, ...]:
    from ..exceptions import InputError
    from ..files.named_columns import has_column, in_file_order, leave_out, match_columns

    chosen: set[str] = set()
    for name in split_names(given, file.columns):
        matched = match_columns(file, name, "--copies")
        chosen.update(matched if has_column(file, name) else leave_out(file, matched, apart))
    if not chosen:
        raise InputError(
            f"{file.name}: --copies {','.join(given)!r} leaves no column to compare besides those "
            "of labels, parts, groups and ids. Name columns."
        )
    return tuple(in_file_order(file, chosen))


def _read_table(file: DataFile, columns: Sequence[str]) -> pa.Table:
    import pyarrow as pa

    from ..files.memory import count_batches

    batches = count_batches(file.name, file.read_to_compare(columns))
    return pa.Table.from_batches(list(batches))


def _read_paths(file: DataFile, data: Sequence[str], column: str, option: str) -> list[Path | None]:
    """Read a column of paths, relative to the folder of the file that a row is in."""
    names = read_texts(file, column, option)
    # Several parts of one folder are one too.
    is_one = not file.files or (len(data) == 1 and Path(data[0]).is_dir())
    paths = data[:1] if is_one else [own.name for own in file.files]
    folders = [
        folder
        for path, n_rows in zip(paths, [len(names)] if is_one else file.rows_of_file, strict=True)
        for folder in [_find_folder(path)] * n_rows
    ]
    return [folder / name if name else None for folder, name in zip(folders, names, strict=True)]


def _find_folder(data: str) -> Path:
    """Return the folder of the data; of a stream the current one."""
    path = Path(data)
    if path.is_dir():
        return path
    is_stream = data == "-" or (path.exists() and not path.is_file())
    return Path() if is_stream else path.parent


def find_similar_file(given: Sequence[str], columns: Sequence[str]) -> Path | None:
    """Return the file that --similar names; None if it names columns."""
    from ..files.embedding_files import is_embedding_file

    is_file = len(given) == 1 and given[0] not in columns and is_embedding_file(given[0])
    return Path(given[0]) if is_file else None


def _read_similar(file: DataFile, given: Sequence[str]) -> Any:
    from ..files.embedding_files import (
        is_embedding_file,
        read_embedding_columns,
        read_embedding_file,
    )

    for_each_file = file.are_parts or (len(file.files) > 1 and len(given) > 1)
    if for_each_file and all(map(is_embedding_file, given)):
        return _read_similar_files(file, given)
    path = find_similar_file(given, file.columns)
    if path is not None:
        return read_embedding_file(path, "--similar")
    if not file.columns:
        raise file.has_no_columns(given, "Name a file of embeddings, such as emb.npy.")
    return read_embedding_columns(file, split_names(given, file.columns), "--similar")


def _read_similar_files(file: DataFile, given: Sequence[str]) -> Any:
    """Read one file of embeddings for each file of data.

    One file for all of them could be in the order of the data before it was split.
    """
    import numpy as np
    import scipy

    from ..files.embedding_files import read_embedding_file

    n_files = len(file.files)
    if len(given) != n_files:
        raise InputError(
            f"--similar must name one file of embeddings for each of the {n_files} files of data, "
            f"got {len(given)}. Write --similar several times, in the order of the data, or name "
            "columns."
        )
    blocks = [read_embedding_file(Path(path), "--similar") for path in given]
    if any(map(scipy.sparse.issparse, blocks)):
        return scipy.sparse.vstack(blocks, format="csr")
    return np.concatenate([np.asarray(block) for block in blocks])
