"""What the arrays of an npz archive are: the labels, features, columns, or names of labels."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ..exceptions import InputError
from .codecs.npz_archives import Header

LABELS = ("y", "Y", "labels")
FEATURES = ("X", "features")
# Arrays of these names hold the names of labels or features. If several do, the first one counts.
NAMES_OF_LABELS = (
    "label_names",
    "labels_names",
    "class_names",
    "target_names",
    "names",
    "classes",
    "columns",
)
NAMES_OF_FEATURES = ("feature_names", "features_names")
_MATRIX = "the sparse matrix"


class Roles(NamedTuple):
    """What the arrays of an archive are.

    Attributes
    ----------
    n_rows : int
        The number of rows.
    columns : list of str
        The arrays of one dimension with an entry for each row.
    tables : list of str
        The arrays of two dimensions.
    labels : str or None
        The array that is the label matrix; None if it is the sparse matrix, or if there is none.
    label_columns : list of str
        The column that is named as labels are.
    features : str or None
        The array of features.
    label_names : str or None
        The array of the names of labels.
    unchanged : frozenset of str
        The arrays of names, which do not belong to rows.
    """

    n_rows: int
    columns: list[str]
    tables: list[str]
    labels: str | None
    label_columns: list[str]
    features: str | None
    label_names: str | None
    unchanged: frozenset[str]


def find_roles(
    headers: Mapping[str, Header], matrix_shape: tuple[int, int] | None, name: str
) -> Roles:
    """Find what the arrays of an archive are, by their names and shapes.

    Parameters
    ----------
    headers : mapping of str to Header
        The arrays, without those of a sparse matrix.
    matrix_shape : tuple of int or None
        The shape of the sparse matrix; None if the archive has none.
    name : str
        What messages call the archive.

    Returns
    -------
    Roles
        What they are.

    Raises
    ------
    InputError
        If the length of an array fits nothing, or if names are not text.

    Notes
    -----
    An array with one of the names in `NAMES_OF_LABELS` and an entry for each label has the names of
    the labels, also if there are as many rows as labels.
    """
    shape_of = {array: header.shape for array, header in headers.items()}
    tables = [array for array, shape in shape_of.items() if len(shape) == 2]
    named = next((array for array in LABELS if array in headers), None)
    labels = None
    if matrix_shape is None:
        # Without an array named so, the only table holds the labels.
        labels = named if named in tables else None
        if named is None and len(tables) == 1:
            labels = tables[0]
    features = next((array for array in FEATURES if array in tables), None)
    wanted = matrix_shape if labels is None else shape_of[labels]
    label_names = _find_names(shape_of, NAMES_OF_LABELS, wanted)
    feature_names = _find_names(shape_of, NAMES_OF_FEATURES, shape_of.get(features or ""))
    unchanged = frozenset(array for array in (label_names, feature_names) if array is not None)
    for array in unchanged:
        if headers[array].dtype.kind not in "US":
            what = "labels" if array == label_names else "features"
            raise InputError(
                f"{name}: array {array!r} must hold text, since it has the names of the {what}, "
                f"got {headers[array].dtype}. Save it as an array of strings, or rename it."
            )
    rows = {array: shape for array, shape in shape_of.items() if array not in unchanged}
    n_rows = _check_rows(rows, matrix_shape, None if wanted is None else wanted[1], name)
    columns = [array for array, shape in rows.items() if len(shape) == 1]
    return Roles(
        n_rows,
        columns,
        tables,
        labels,
        [named] if matrix_shape is None and named in columns else [],
        features,
        label_names,
        unchanged,
    )


def check_names(names: Sequence[str], array: str, archive: str) -> None:
    """Refuse names of labels that are empty or there twice."""
    seen: set[str] = set()
    for at, own in enumerate(names):
        if own in seen or not own.strip():
            said = "has no name" if not own.strip() else f"has the name {own!r}, which is repeated"
            raise InputError(
                f"{archive}: array {array!r} must hold a different name for each label, and label "
                f"{at} {said}. Correct it."
            )
        seen.add(own)


def _find_names(
    shape_of: Mapping[str, tuple[int, ...]],
    known: Collection[str],
    shape: tuple[int, ...] | None,
) -> str | None:
    """Return the first array of such a name with an entry for each column of a matrix."""
    fitting = (array for array in known if shape is not None and shape_of.get(array) == shape[1:])
    return next(fitting, None)


def _check_rows(
    shape_of: Mapping[str, tuple[int, ...]],
    matrix_shape: tuple[int, int] | None,
    n_labels: int | None,
    name: str,
) -> int:
    """Return the number of rows; refuse arrays that have another one."""
    first, n_rows = _find_first(shape_of, matrix_shape)
    for array, shape in shape_of.items():
        if shape[:1] == (n_rows,):
            continue
        if array in NAMES_OF_LABELS and n_labels is not None and len(shape) == 1:
            raise InputError(
                f"{name}: array {array!r} has {shape[0]:,} entries, and must have one for each of "
                f"the {n_labels:,} labels or the {n_rows:,} rows. Correct it, or leave it out."
            )
        shown = f"{shape[0]:,} rows" if shape else "a single value"
        raise InputError(
            f"{name}: array {array!r} has {shown}, {first} {n_rows:,} rows. Save only arrays of "
            "equally many rows together; names of labels may be in 'label_names'."
        )
    return n_rows


def _find_first(
    shape_of: Mapping[str, tuple[int, ...]], matrix_shape: tuple[int, int] | None
) -> tuple[str, int]:
    """Return the array that says how many rows there are, and their number."""
    if matrix_shape is not None:
        return _MATRIX, matrix_shape[0]
    shapes = {array: shape for array, shape in shape_of.items() if shape}
    # Arrays of names may be of another length, so others come first.
    others = [array for array in shapes if array not in (*NAMES_OF_LABELS, *NAMES_OF_FEATURES)]
    first = next(iter([*others, *shapes]), None)
    return ("", 0) if first is None else (f"array {first!r}", shapes[first][0])
