"""What was checked for leaks: groups, copies, ids and similar rows in two parts."""

from __future__ import annotations

from typing import Any

from .._tables.numbers import show_count
from .._tables.table import shorten
from ..exceptions import InputTypeError
from ..splits.certificate import Certificate
from ..splits.leaks import PairsCheck, ValuesCheck

_MAX_CHECKS = 30
_WIDTH_OF_NAME = 40
_WIDTH_OF_TEXT = 300
# Columns whose equal values are equal rows or files.
_COPIES = ("copies", "files")
_NOT_CHECKED = {
    "copies": "exact copies of rows were not looked for; `evenfold audit` does, and so does "
    "`Split.certificate(copies=features)`",
    "ids": "no ids were given",
}


def check_certificate(certificate: Any) -> Certificate | None:
    """Return a certificate, or raise an error if it is something else."""
    if certificate is None or isinstance(certificate, Certificate):
        return certificate
    raise InputTypeError(
        f"must be a Certificate, got {type(certificate).__name__}. "
        "Take that of Split.certificate or evenfold.check.",
        parameter="certificate",
    )


def summarize_checks(certificate: Certificate | None) -> list[dict[str, Any]]:
    """Return one record for each check, and for what could have been checked."""
    checks = [] if certificate is None else certificate.checks[:_MAX_CHECKS]
    records = [_summarize_check(check) for check in checks]
    done = {record["check"] for record in records}
    missing = [] if certificate is None else list(certificate.not_checked)
    texts = dict.fromkeys(missing[:_MAX_CHECKS], "not given, so not checked")
    texts |= {
        name: text
        for name, text in _NOT_CHECKED.items()
        if name not in done and not (name == "copies" and done & set(_COPIES))
    }
    return records + [
        {
            "check": shorten(name, _WIDTH_OF_NAME),
            "state": "not checked",
            "leaking": None,
            "rows": None,
            "text": text,
        }
        for name, text in texts.items()
    ]


def _summarize_check(check: ValuesCheck | PairsCheck) -> dict[str, Any]:
    if isinstance(check, PairsCheck):
        name, rows = check.search.kind, None
        text = check.describe()
    else:
        name, rows = check.column.name, check.n_rows_leaking
        text = check.describe()
        if check.n_leaking and name in _COPIES:
            text = check.describe_leaking(what="set", of=" of equal rows")
        if check.n_leaking and rows:
            text += f"; {show_count(rows, 'row')} in all"
    return {
        "check": shorten(name, _WIDTH_OF_NAME),
        "state": "problem" if check.n_leaking else "ok",
        "leaking": check.n_leaking,
        "rows": rows,
        "text": shorten(text.removeprefix(f"{name}: "), _WIDTH_OF_TEXT),
    }
