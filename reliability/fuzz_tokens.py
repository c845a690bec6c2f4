"""Pieces that mutations insert: numbers near limits, text that is special, values of JSON."""

from __future__ import annotations

from typing import Any

NUMBERS = (
    b"-1", b"0", b"00", b"1e400", b"-1e400", b"0.1", b"-0", b"1e-400", b"127", b"128", b"65536",
    b"2147483647", b"2147483648", b"-2147483649", b"4294967296", b"4611686018427387904",
    b"9223372036854775807", b"9223372036854775808", b"-9223372036854775809", b"1" * 40, b"1" * 5000,
    b"nan", b"NaN", b"inf", b"-Infinity", b"1_000", b"0x10", "٣".encode(), "²".encode(), b"1.0",
)  # fmt: skip
TEXTS = (
    b"", b" ", b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\xc3", b"\xf4\x90\x80\x80",
    b"\r", b"\n", b"\r\n", b"\t", b"\x1a", b"\x0b", "\u2028".encode(), "\u202e".encode(),
    "e\u0301".encode(), b"'", b'"', b'""', b"\\", b",", b";", b"|", b":", b"%", b"#", b"*", b"=1+1",
    b"[" * 3000, b"{" * 3000, b"(" * 3000, b'{"a":' * 2000, b"[]", b"{}", b"null", b"true", b"None",
    b"../../etc/passwd", b"/dev/null", b"/dev/zero", b"CON", b"a" * 300, b"x" * 70_000, b"%s%n{0}",
    b"__class__", b"part", b"train", b"\\ud800", b"?", b"<!ENTITY a 'b'>", b"&a;", b"!!python/x",
)  # fmt: skip
TOKENS = NUMBERS + TEXTS
# Sizes and offsets in binary formats.
WORDS = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1)
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**62, 2**63, 2**64, 10**30, 0.5, 1e308, float("nan"),
    float("inf"), "", " ", "a", "\0", "\ud800", "../x", "/dev/null", "1", "x" * 5000, [], {}, [[]],
    [None], [0], ["a"], {"a": 1}, {"": []}, "\u202e", "e\u0301",
)  # fmt: skip
