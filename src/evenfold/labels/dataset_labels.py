"""Labels in datasets of Hugging Face → Entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals as nw

from .._checks.values import show_some
from ..exceptions import InputError
from .class_names import find_class_names, is_class
from .classes import Subject, code_column, make_class_entries
from .entries import Entries
from .frames import plain_values, read_frame, read_series
from .hugging_face import ArrowColumns

_MOST_SHOWN = 12
# What values of 0 and 1 are called in features; a column without values is called null.
_NUMBERS = ("bool", "int", "uint", "float", "null")


def read_dataset(columns: ArrowColumns) -> Entries:
    """Read a dataset as a frame, and one column of it as a column of a frame.

    Of several columns, all must be able to hold labels. Cells of ClassLabel are never cut.
    """
    frame = nw.from_native(columns.table, eager_only=True)
    features = columns.features
    if columns.only is None:
        if len(features) > 1:
            _check_are_labels(features)
        return read_frame(frame, [name for name in features if is_class(features[name])])
    column = frame[columns.only]
    if is_class(features[columns.only]):
        return make_class_entries(code_column(plain_values(column), Subject()))
    return read_series(column)


def _check_are_labels(features: Mapping[str, Any]) -> None:
    """Refuse columns of text or lists among several, since it is not clear which are labels."""
    others = [name for name, feature in features.items() if not _may_be_label(feature)]
    if not others:
        return
    lists = [name for name in others if find_class_names(features[name])]
    classes = [name for name, feature in features.items() if is_class(feature)]
    likely = next((found[0] for found in (lists, classes) if len(found) == 1), "COLUMN")
    shown = [f"{name} ({_show_feature(feature)})" for name, feature in features.items()]
    raise InputError(
        f"is a dataset whose label columns are not clear: {show_some(shown, _MOST_SHOWN)}. Choose "
        f"them: dataset.select_columns({likely!r}) for one column, or a list of columns of 0 and 1 "
        "or ClassLabel. Text becomes ClassLabel by class_encode_column.",
        parameter="y",
    )


def _may_be_label(feature: Any) -> bool:
    if not isinstance(feature, dict):
        return False
    kind = str(feature.get("dtype"))
    return is_class(feature) or (feature.get("_type") == "Value" and kind.startswith(_NUMBERS))


def _show_feature(feature: Any) -> str:
    """Name a feature by its type; of values and lists, by the type of what is in them."""
    if isinstance(feature, list):
        return f"List of {_show_feature(feature[0])}" if feature else "List"
    if not isinstance(feature, dict) or "_type" not in feature:
        return "struct"
    kind = str(feature["_type"])
    if kind == "Value":
        return str(feature.get("dtype"))
    return f"{kind} of {_show_feature(feature['feature'])}" if "feature" in feature else kind
