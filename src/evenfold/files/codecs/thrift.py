"""Thrift's compact protocol.

A struct is a dict of fields by number, each with its type: fields that are not understood can be
written again as they were.
"""

from __future__ import annotations

from typing import Any

# A field or an element: its type, and its value.
Typed = tuple[int, Any]
Struct = dict[int, Typed]

_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _, _STRUCT = range(1, 13)
# A list with fewer elements keeps their number in its first byte.
_LONG_LIST = 15


def read_struct(data: bytes) -> Struct:
    """Read the struct that `data` begins with."""
    return _Reader(data).read_struct()


def write_struct(struct: Struct) -> bytes:
    """Return a struct as bytes, the fields by number."""
    out = bytearray()
    _write_struct(out, struct)
    return bytes(out)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def read_struct(self) -> Struct:
        fields: Struct = {}
        number = 0
        while header := self._read_byte():
            kind, step = header & 15, header >> 4
            number = number + step if step else self._read_int()
            # The type of a field says whether it is true or false; an element of a list is a byte.
            fields[number] = (kind, None if kind in (_TRUE, _FALSE) else self._read(kind))
        return fields

    def _read(self, kind: int) -> Any:
        if kind in (_I16, _I32, _I64):
            return self._read_int()
        if kind == _BINARY:
            return self._read_bytes(self._read_varint())
        if kind == _STRUCT:
            return self.read_struct()
        if kind in (_LIST, _SET):
            header = self._read_byte()
            n_elements = header >> 4 if header >> 4 < _LONG_LIST else self._read_varint()
            return header & 15, [self._read(header & 15) for _ in range(n_elements)]
        if kind in (_BYTE, _TRUE, _FALSE):
            return self._read_byte()
        if kind == _DOUBLE:
            return self._read_bytes(8)
        raise ValueError(f"type {kind} at byte {self._at}")

    def _read_byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _read_bytes(self, n_bytes: int) -> bytes:
        self._at += n_bytes
        return self._data[self._at - n_bytes : self._at]

    def _read_varint(self) -> int:
        value = shift = 0
        while (byte := self._read_byte()) & 128:
            value |= (byte & 127) << shift
            shift += 7
        return value | byte << shift

    def _read_int(self) -> int:
        folded = self._read_varint()
        return folded >> 1 ^ -(folded & 1)


def _write_struct(out: bytearray, struct: Struct) -> None:
    last = 0
    for number, (kind, value) in sorted(struct.items()):
        if 0 < number - last <= 15:
            out.append(number - last << 4 | kind)
        else:
            out.append(kind)
            _write_int(out, number)
        if value is not None:
            _write(out, kind, value)
        last = number
    out.append(0)


def _write(out: bytearray, kind: int, value: Any) -> None:
    if kind in (_I16, _I32, _I64):
        _write_int(out, value)
    elif kind == _BINARY:
        _write_varint(out, len(value))
        out += value
    elif kind == _STRUCT:
        _write_struct(out, value)
    elif kind in (_LIST, _SET):
        kind_of_element, elements = value
        out.append(min(len(elements), _LONG_LIST) << 4 | kind_of_element)
        if len(elements) >= _LONG_LIST:
            _write_varint(out, len(elements))
        for element in elements:
            _write(out, kind_of_element, element)
    elif kind == _DOUBLE:
        out += value
    else:
        out.append(value)


def _write_int(out: bytearray, value: int) -> None:
    _write_varint(out, value << 1 if value >= 0 else ~value << 1 | 1)


def _write_varint(out: bytearray, value: int) -> None:
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
