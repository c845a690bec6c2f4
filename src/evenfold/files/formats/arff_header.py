"""The head of an ARFF file: its attributes, and which of them are labels."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from ...exceptions import InputError

# liac-arff would refuse tabs, dates and comments at the end of a line here, and take minutes for some damaged lines.
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_VALUE = rf"""(?:{_QUOTED}|[^\s,'"{{}}%](?:[^,'"{{}}%]*[^\s,'"{{}}%])?)"""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|\S+)\s+(\S.*)", re.IGNORECASE)
_NOMINAL = re.compile(rf"\{{\s*({_VALUE}(?:\s*,\s*{_VALUE})*)\s*,?\s*\}}\s*(?:%.*)?")
_RELATION = re.compile(rf"@relation\s+({_QUOTED}|.*)", re.IGNORECASE)
_MEKA = re.compile(r"(?:^|[\s:])-[Cc]\s+(-?\d+)")
_ESCAPED = {"\n": "n", "\r": "r", "\t": "t"}
_MEANT = {letter: character for character, letter in _ESCAPED.items()}


class Attribute(NamedTuple):
    """One column: `values` are those it may take where it is nominal, else empty."""

    name: str
    kind: str
    values: tuple[str, ...] = ()


class Header(NamedTuple):
    """All that stands before the rows; `lines` are its bytes, the @data line last.

    `n_labels` is MEKA's -C: the number of attributes that are labels, first ones, or last ones where it is negative; 0 where it does not say.
    """

    lines: list[bytes]
    attributes: list[Attribute]
    n_labels: int


def read_header(path: Path) -> Header:
    """Read an ARFF file up to its @data line."""
    lines: list[bytes] = []
    attributes: list[Attribute] = []
    n_labels = 0
    with path.open("rb") as file:
        for line in file:
            lines.append(line)
            text = decode_line(path, line, len(lines))
            keyword = text.split(None, 1)[0].lower() if text else "%"
            if keyword == "@data":
                return Header(lines, _check_attributes(path, attributes, n_labels), n_labels)
            if keyword == "@attribute":
                attributes.append(_read_attribute(path, text, len(lines)))
            elif keyword == "@relation":
                n_labels = _read_meka_option(text)
            elif not keyword.startswith("%"):
                raise InputError(
                    f"{path}: line {len(lines)} of the ARFF header is {text[:60]!r}. Only @relation, @attribute and @data belong there."
                )
    raise InputError(f"{path}: has no line @data. Check that it is an ARFF file and whole.")


def decode_line(path: Path, line: bytes, number: int) -> str:
    """Return a line as text, without blanks around it."""
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
    except UnicodeDecodeError:
        raise InputError(
            f"{path}: line {number} is not UTF-8. Convert the file to UTF-8."
        ) from None


def read_label_names(path: Path) -> list[str]:
    """Read the names in Mulan's label xml, nested ones too."""
    try:
        root = ElementTree.fromstring(path.read_bytes())
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        raise InputError(
            f"{path}: cannot be read as XML: {error}. Mend it, or move it away and name the labels."
        ) from None
    names = [label.get("name") for label in root.iter() if label.tag.rpartition("}")[2] == "label"]
    named = [name for name in names if name is not None]
    if not named or len(named) < len(names):
        raise InputError(
            f'{path}: must hold <label name="…"/> for every label. Mend it, or move it away and name the labels.'
        )
    return named


def quote(text: str) -> str:
    """Write a name or value as ARFF wants it."""
    if re.fullmatch(r"[^\s\"'{},%\\?]+", text):
        return text
    return (
        "'"
        + re.sub(r"[\\'\"%\n\r\t]", lambda found: "\\" + _ESCAPED.get(found[0], found[0]), text)
        + "'"
    )


def _unquote(text: str) -> str:
    if text[0] not in "'\"":
        return text
    return re.sub(r"\\(.)", lambda found: _MEANT.get(found[1], found[1]), text[1:-1])


def _read_attribute(path: Path, text: str, number: int) -> Attribute:
    found = _ATTRIBUTE.fullmatch(text)
    if found:
        name, kind = _unquote(found[1]), found[2]
        nominal = _NOMINAL.fullmatch(kind)
        if nominal:
            return Attribute(
                name, "nominal", tuple(_unquote(value) for value in re.findall(_VALUE, nominal[1]))
            )
        word = kind.split(None, 1)[0].lower()
        if word in ("numeric", "real", "integer"):
            return Attribute(name, "numeric")
        if word in ("string", "date"):
            return Attribute(name, "text")
    raise InputError(
        f"{path}: line {number} does not name an attribute and its type: {text[:60]!r}. Write it as @attribute name numeric, or name {{0,1}}."
    )


def _read_meka_option(text: str) -> int:
    relation = _RELATION.fullmatch(text)
    option = _MEKA.search(_unquote(relation[1])) if relation and relation[1] else None
    return int(option[1]) if option else 0


def _check_attributes(path: Path, attributes: list[Attribute], n_labels: int) -> list[Attribute]:
    names = [attribute.name for attribute in attributes]
    if not names:
        raise InputError(
            f"{path}: has no line @attribute before @data. Check that it is an ARFF file."
        )
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(f"{path}: has two attributes named {twice[0]!r}. Rename one.")
    if abs(n_labels) > len(names):
        raise InputError(
            f"{path}: its relation says -C {n_labels}, but it has {len(names)} attributes. Correct the number of labels."
        )
    return attributes
