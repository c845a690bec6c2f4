"""Files of label hierarchies, tables of two columns or OBO → what `labels.propagate` takes."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from ..exceptions import InputError
from .encoding import not_utf8

_CHILD_WORDS = {
    "child",
    "child_id",
    "label",
    "label_id",
    "term",
    "term_id",
    "class",
    "class_id",
    "node",
    "node_id",
    "code",
    "id",
    "name",
}
_PARENT_WORDS = {
    "parent",
    "parents",
    "parent_id",
    "parent_label",
    "parent_term",
    "parent_class",
    "parent_node",
    "parent_code",
    "parent_name",
    "is_a",
}
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


def read_hierarchy(path: Path) -> dict[str, list[str]]:
    r"""Read the parents of labels.

    Parameters
    ----------
    path : Path
        A .csv or .tsv file with a label and a parent of it on each line, or an .obo file.

    Returns
    -------
    dict of str to list of str
        The parents of each label, none where it is a root.

    Raises
    ------
    InputError
        If the file is no hierarchy; the message has the line.

    Notes
    -----
    A first line that names the columns is a header, such as `child,parent` or `label,parent`;
    `parent,child` says that the parent comes first.
    A line without a parent names a root; a label that is only a parent need not have a line.
    In OBO, `is_a` and `relationship: part_of` lead to a parent; obsolete terms are left out, and
    alternative ids are not read.

    Examples
    --------
    >>> from evenfold.files.hierarchies import read_hierarchy
    >>> table = tmp_path / "functions.csv"
    >>> _ = table.write_text("label,parent\nkinase,enzyme\nenzyme,function\n")
    >>> read_hierarchy(table)
    {'kinase': ['enzyme'], 'enzyme': ['function']}
    """
    suffix = path.suffix.lower()
    if suffix not in (".obo", *_DELIMITERS):
        raise InputError(
            f"{path}: a hierarchy must end in .csv, .tsv or .obo. Rename or convert it."
        )
    text = _read_text(path)
    parents_of: dict[str, list[str]] = {}
    for label, parents in (
        _read_obo(path, text) if suffix == ".obo" else _read_table(path, text, _DELIMITERS[suffix])
    ):
        own = parents_of.setdefault(label, [])
        own.extend(parent for parent in dict.fromkeys(parents) if parent not in own)
    if not parents_of:
        raise InputError(
            f"{path}: holds no {'[Term]' if suffix == '.obo' else 'labels'}. "
            "Check that the file is complete."
        )
    return parents_of


def _read_text(path: Path) -> str:
    content = path.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise not_utf8(f"{path}: line {number}") from None


def _is_header(child: str, parent: str) -> bool:
    """Tell whether cells name two columns: usual words, or such as go_id and parent_go_id."""
    return (child in _CHILD_WORDS and parent in _PARENT_WORDS) or parent in (
        f"parent_{child}",
        f"{child}_parent",
    )


def _read_table(path: Path, text: str, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    label_at = 0
    try:
        for place, cells in enumerate(filter(any, lines)):
            if len(cells) != 2:
                raise InputError(
                    f"{path}: line {lines.line_num} has {len(cells)} columns. "
                    "Give a label and its parent."
                )
            words = [cell.strip().lower() for cell in cells]
            if place == 0 and any(_is_header(words[at], words[1 - at]) for at in (0, 1)):
                label_at = int(_is_header(words[1], words[0]))
                continue
            label, parent = cells[label_at].strip(), cells[1 - label_at].strip()
            if not label:
                raise InputError(
                    f"{path}: line {lines.line_num} has the parent {parent!r} and no label. "
                    "Name the label."
                )
            yield label, [parent] if parent else []
    except csv.Error as error:
        raise InputError(
            f"{path}: line {lines.line_num} cannot be read: {error}. Check its quotes."
        ) from None


def _read_obo(path: Path, text: str) -> Iterator[tuple[str, list[str]]]:
    number = 1
    for stanza in re.split(r"^\[", text, flags=re.MULTILINE):
        first, number = number, number + stanza.count("\n")
        pairs = [line.partition("!")[0].partition(":")[::2] for line in stanza.split("\n")]
        words = [(tag.strip(), value.split()) for tag, value in pairs]
        if words[0] != ("Term]", []) or ("is_obsolete", ["true"]) in words:
            continue
        ids = [value[0] for tag, value in words if tag == "id" and value]
        if len(ids) != 1:
            raise InputError(f"{path}: the [Term] at line {first} has {len(ids)} ids. Give it one.")
        is_a = [value[0] for tag, value in words if tag == "is_a" and value]
        part_of = [
            value[1]
            for tag, value in words
            if tag == "relationship" and value[:1] == ["part_of"] and len(value) > 1
        ]
        yield ids[0], is_a + part_of
