"""The header of an ARFF file: its attributes, and how many of them are labels."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from ...exceptions import InputError
from ..damage import explain_damage
from ..encoding import not_utf8

# liac-arff would refuse tabs, dates and comments at the end of a line here, and take minutes for
# some damaged lines.
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_VALUE = rf"""(?:{_QUOTED}|[^\s,'"{{}}%](?:[^,'"{{}}%]*[^\s,'"{{}}%])?)"""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|\S+)\s+(\S.*)", re.IGNORECASE)
_NOMINAL = re.compile(rf"\{{\s*({_VALUE}(?:\s*,\s*{_VALUE})*)\s*,?\s*\}}\s*(?:%.*)?")
_RELATION = re.compile(rf"@relation\s+({_QUOTED}|.*)", re.IGNORECASE)
_MEKA = re.compile(r"(?:^|[\s:])-[Cc]\s+(-?\d+)")
_MEND_XML = "Correct it, or move it away and name the labels."
_ESCAPED = {"\n": "n", "\r": "r", "\t": "t"}
_MEANT = {letter: character for character, letter in _ESCAPED.items()}


class Attribute(NamedTuple):
    """One column of an ARFF file.

    Attributes
    ----------
    name : str
        The name of the column.
    kind : str
        "numeric", "nominal" or "text".
    values : tuple of str
        The values of a nominal attribute; empty for others.
    """

    name: str
    kind: str
    values: tuple[str, ...] = ()


class Header(NamedTuple):
    """What comes before the rows.

    Attributes
    ----------
    lines : list of bytes
        All lines, the @data line last.
    attributes : list of Attribute
        The columns.
    n_labels : int
        MEKA's -C: how many attributes are labels, the first ones, or where it is negative the last
        ones; 0 where there is no -C.
    """

    lines: list[bytes]
    attributes: list[Attribute]
    n_labels: int


def read_header(path: Path, name: str) -> Header:
    """Read an ARFF file, called `name` in messages, up to its @data line."""
    lines: list[bytes] = []
    attributes: list[Attribute] = []
    n_labels = 0
    with path.open("rb") as file:
        for line in file:
            lines.append(line)
            text = decode_line(line, name, len(lines))
            keyword = text.split(None, 1)[0].lower() if text else "%"
            if keyword == "@data":
                _check_attributes(name, attributes, n_labels)
                return Header(lines, attributes, n_labels)
            if keyword == "@attribute":
                attributes.append(_read_attribute(text, name, len(lines)))
            elif keyword == "@relation":
                n_labels = _read_meka_option(text)
            elif not keyword.startswith("%"):
                raise InputError(
                    f"{name}: line {len(lines)} of the ARFF header is {text[:60]!r}. "
                    "Only @relation, @attribute and @data belong there."
                )
    raise InputError(f"{name}: has no line @data. Check that it is an ARFF file and whole.")


def decode_line(line: bytes, name: str, number: int) -> str:
    """Return a line as text, without blanks around it."""
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
    except UnicodeDecodeError:
        raise not_utf8(f"{name}: line {number}") from None


def read_label_names(path: Path) -> list[str]:
    """Read the names in Mulan's label xml, nested ones too."""
    errors = (ElementTree.ParseError, LookupError, ValueError)
    with explain_damage(f"{path}: cannot be read as XML", errors, _MEND_XML):
        # Expat expands no external entity, and since 2.4.1 it stops where entities multiply.
        root = ElementTree.fromstring(path.read_bytes())  # noqa: S314
    names = [label.get("name") for label in root.iter() if label.tag.rpartition("}")[2] == "label"]
    named = [name for name in names if name is not None]
    if not named or len(named) < len(names):
        raise InputError(f'{path}: must hold <label name="…"/> for every label. {_MEND_XML}')
    return named


def quote(text: str) -> str:
    """Write a name or value as ARFF requires."""
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


def _read_attribute(text: str, name: str, number: int) -> Attribute:
    found = _ATTRIBUTE.fullmatch(text)
    if found:
        own_name, kind = _unquote(found[1]), found[2]
        nominal = _NOMINAL.fullmatch(kind)
        if nominal:
            values = tuple(_unquote(value) for value in re.findall(_VALUE, nominal[1]))
            return Attribute(own_name, "nominal", values)
        word = kind.split(None, 1)[0].lower()
        if word in ("numeric", "real", "integer"):
            return Attribute(own_name, "numeric")
        if word in ("string", "date"):
            return Attribute(own_name, "text")
    raise InputError(
        f"{name}: line {number} does not name an attribute and its type: {text[:60]!r}. "
        "Write it as @attribute name numeric, or name {0,1}."
    )


def _read_meka_option(text: str) -> int:
    relation = _RELATION.fullmatch(text)
    option = _MEKA.search(_unquote(relation[1])) if relation and relation[1] else None
    return int(option[1]) if option else 0


def _check_attributes(name: str, attributes: list[Attribute], n_labels: int) -> None:
    if not attributes:
        raise InputError(
            f"{name}: has no line @attribute before @data. Check that it is an ARFF file."
        )
    if abs(n_labels) > len(attributes):
        raise InputError(
            f"{name}: its relation says -C {n_labels}, but it has {len(attributes)} attributes. "
            "Correct the number of labels."
        )
