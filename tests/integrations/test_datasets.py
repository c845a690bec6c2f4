"""Hugging Face `datasets` in memory: as labels, as groups, as rows to split."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import evenfold
from evenfold.exceptions import InputError, InputTypeError
from evenfold.labels import from_classes, make_labels
from evenfold.model_selection import (
    MultilabelStratifiedGroupKFold,
    MultilabelStratifiedKFold,
    MultilabelStratifiedShuffleSplit,
    train_test_split,
    train_val_test_split,
)

from .hugging_face_data import (
    AGES,
    CLASSES,
    CODES,
    LABELS,
    N_ROWS,
    NAMES,
    PATIENTS,
    make_dataset,
    make_dataset_dict,
)

datasets = pytest.importorskip("datasets", reason="datasets is not installed")
pytestmark = pytest.mark.slow
BOTH_FLAGS = ["is_war", "is_drama"]


def same_labels(y, expected):
    """Tell whether two inputs are read as the same labels, under the same names."""
    own, other = make_labels(y), make_labels(expected)
    return list(own.names) == list(other.names) and (own.to_csr() != other.to_csr()).nnz == 0


@pytest.mark.parametrize(
    "choose",
    [
        lambda data: data["labels"],
        lambda data: data.select_columns("labels"),
        lambda data: data["about"]["labels"],
        lambda data: data.with_format("numpy")["labels"],
        lambda data: data.cast_column("labels", datasets.LargeList(data.features["kind"]))[
            "labels"
        ],
        lambda _: make_dataset_dict().select_columns("labels"),
    ],
)
def test_lists_of_classes_are_labels_by_name(choose):
    """Alone, as a field, in another format, in splits: the same split."""
    y = choose(make_dataset())
    assert same_labels(y, LABELS)
    assert evenfold.split(y, 4) == evenfold.split(LABELS, 4)


def test_rows_are_read_in_the_order_of_the_dataset():
    """Which may differ from that in memory."""
    data = make_dataset().shuffle(seed=0)
    assert same_labels(data["labels"], [LABELS[row] for row in read_rows(data)])
    s = evenfold.split(data["labels"], 3, groups=data["patient"])
    assert s == evenfold.split(data["labels"], 3, groups=[PATIENTS[row] for row in read_rows(data)])


def read_rows(data):
    """Return the rows of the whole dataset that a dataset has."""
    return [int(title.removeprefix("title ")) for title in data["title"]]


def test_one_class_per_row_has_its_name():
    """-1 is no class."""
    data = make_dataset()
    expected = from_classes(CLASSES)
    assert same_labels(data["kind"], expected)
    assert same_labels(data.select_columns("kind"), expected)
    several = make_labels(data.select_columns(["is_war", "kind"]))
    assert several.names == ["is_war", *[f"kind={name}" for name in sorted(NAMES)]]
    assert_array_equal(several.to_csr().toarray()[:, 1:], expected.to_csr().toarray())


def test_names_of_classes_are_never_cut():
    """Also if labels seem to change places, in one column and in several."""
    names = ["a|b", "b|a", "c"]
    kind = datasets.ClassLabel(names=names)
    codes = [0, 1, 2, 0] * 5
    features = datasets.Features({"kind": kind, "other": kind})
    data = datasets.Dataset.from_dict({"kind": codes, "other": codes}, features=features)
    for y in (data["kind"], data.select_columns("kind")):
        assert make_labels(y).names == names
    both = [f"{column}={name}" for column in features for name in names]
    assert make_labels(data).names == both


def test_columns_of_0_and_1_are_labels_as_in_a_frame():
    """One column or several; a column alone is two classes."""
    data = make_dataset()
    frame = data.to_pandas()
    assert same_labels(data.select_columns(BOTH_FLAGS), frame[BOTH_FLAGS])
    assert same_labels(data.select_columns("is_war"), frame[["is_war"]])
    assert same_labels(data["is_war"], frame["is_war"])


def test_classes_that_are_called_0_and_1_are_one_label():
    """As in a frame with categories of these names."""
    flags = datasets.ClassLabel(names=["0", "1"])
    data = make_dataset().cast_column("is_war", flags)
    frame = make_dataset().to_pandas()[BOTH_FLAGS]
    assert same_labels(data.select_columns(BOTH_FLAGS), frame)
    assert same_labels(data.select_columns("is_war"), frame[["is_war"]])


def test_functions_take_columns_of_a_dataset():
    """Labels, parts, groups and what is balanced: as the same values in lists."""
    data = make_dataset()
    s = evenfold.split(
        data["labels"], 3, groups=data["patient"], balance=data.select_columns(["age", "kind"])
    )
    balance = {"age": AGES, "kind": CLASSES}
    assert s == evenfold.split(LABELS, 3, groups=PATIENTS, balance=balance)
    of_columns = {"age": data["age"], "kind": data["kind"]}
    assert s == evenfold.split(
        data["labels"], 3, groups=data.select_columns("patient"), balance=of_columns
    )
    assert s.certificate().values[0].column.name == "patient"
    part = [s.names[number] for number in s.part_of_row]
    data = data.add_column("part", part)
    own = evenfold.measure(data["labels"], data["part"], groups=data["patient"])
    assert own.rld == evenfold.measure(LABELS, part, groups=PATIENTS).rld == s.quality.rld
    ours, theirs = (evenfold.compare(y, 3, methods=["random"]) for y in (data["labels"], LABELS))
    assert ours["random"].mean("rld") == theirs["random"].mean("rld")


def test_a_dataset_dict_is_its_splits_below_each_other():
    """As groups, as what is balanced and as rows to split."""
    splits = make_dataset_dict()
    s = evenfold.split(
        splits.select_columns("labels"),
        3,
        groups=splits.select_columns("patient"),
        balance=splits.select_columns("age"),
    )
    assert s == evenfold.split(LABELS, 3, groups=PATIENTS, balance={"age": AGES})
    train, test = train_test_split(splits, stratify=LABELS, random_state=0)
    own = [row for part in (train, test) for row in part["title"]]
    assert sorted(own) == sorted(make_dataset()["title"])


def test_links_are_found_in_columns_of_a_dataset():
    """Texts, embeddings and images."""
    image = pytest.importorskip("PIL.Image", reason="pillow is not installed")
    pytest.importorskip("imagehash", reason="imagehash is not installed")
    noise = np.random.default_rng(0).integers(0, 255, (3, 32, 32, 3), dtype=np.uint8)
    pictures = [image.fromarray(pixels) for pixels in noise[[0, 1, 2, 1]]]
    data = datasets.Dataset.from_dict(
        {
            "text": ["one and the same", "another", "a third text", "one and the same"],
            "embedding": [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]],
            "image": pictures,
        }
    ).cast_column("image", datasets.Image())
    assert evenfold.link(text=data["text"], at=0.9).group_of_row.tolist() == [0, 1, 2, 0]
    assert evenfold.link(similar=data["embedding"], at=0.9).group_of_row.tolist() == [0, 1, 0, 2]
    assert evenfold.link(images=data["image"]).group_of_row.tolist() == [0, 1, 2, 1]


def test_train_test_split_returns_datasets():
    """In the order of the other arrays, with the same rows as for lists."""
    data = make_dataset()
    X = np.arange(N_ROWS)
    own = train_test_split(data, X, data["labels"], random_state=3)
    theirs = train_test_split(X, LABELS, random_state=3)
    for at in (0, 1):
        dataset, rows, column = own[at], own[2 + at], own[4 + at]
        assert isinstance(dataset, datasets.Dataset)
        assert dataset.features == data.features
        assert_array_equal(rows, theirs[at])
        assert dataset["title"] == [f"title {row}" for row in rows]
        assert list(column) == [CODES[row] for row in rows]
    parts = train_val_test_split(data, stratify=data["labels"], random_state=0)
    assert [len(part) for part in parts] == [42, 9, 9]


@pytest.mark.parametrize(
    "splitter",
    [
        MultilabelStratifiedKFold(3),
        MultilabelStratifiedShuffleSplit(2, test_size=0.5, random_state=0),
        MultilabelStratifiedGroupKFold(3),
    ],
    ids=lambda splitter: type(splitter).__name__,
)
def test_splitters_take_datasets(splitter):
    """As X, as y and as groups; a DatasetDict as X has the rows of all splits."""
    data = make_dataset()
    takes_groups = not isinstance(splitter, MultilabelStratifiedKFold) or isinstance(
        splitter, MultilabelStratifiedGroupKFold
    )
    groups, patients = (data["patient"], PATIENTS) if takes_groups else (None, None)
    expected = list(splitter.split(np.zeros(N_ROWS), LABELS, patients))
    for X in (data, make_dataset_dict()):
        for own, other in zip(splitter.split(X, data["labels"], groups), expected, strict=True):
            assert_array_equal(own[0], other[0])
            assert_array_equal(own[1], other[1])


def test_parts_of_a_split_are_a_dataset_dict():
    """Features, order and rows are kept, and the data is not copied."""
    data = make_dataset()
    s = evenfold.split(data["labels"], [0.7, 0.15, 0.15], groups=data["patient"])
    for rows in (data, make_dataset_dict()):
        parts = s.to_dataset_dict(rows)
        assert isinstance(parts, datasets.DatasetDict)
        assert list(parts) == ["train", "val", "test"]
        for name, part in parts.items():
            assert part.features == data.features
            assert part.to_list() == [data[int(row)] for row in s[name]]
    address = data.data.column("age").chunk(0).buffers()[1].address
    kept = s.to_dataset_dict(data)["test"].data.column("age").chunk(0).buffers()[1].address
    assert kept == address


def test_only_a_dataset_of_the_rows_can_be_cut():
    """The message has the numbers of rows, or the type."""
    data = make_dataset()
    s = evenfold.split(data["labels"], 2)
    with pytest.raises(
        InputError, match=r"^'dataset' must have the 60 rows of the split, got 40\. Pass the data"
    ):
        s.to_dataset_dict(make_dataset_dict()["train"])
    for wrong, kind in ((data.to_pandas(), "DataFrame"), (data["age"], "Column"), (None, "None")):
        with pytest.raises(
            InputTypeError, match=rf"^'dataset' must be a Dataset or a DatasetDict .*, got {kind}"
        ):
            s.to_dataset_dict(wrong)


def test_a_dataset_with_columns_that_are_no_labels_is_refused():
    """The message has all columns, and the one that is likely meant."""
    message = (
        r"^'y' is a dataset whose label columns are not clear: title \(string\), labels \((List|"
        r"Sequence) of ClassLabel\), kind \(ClassLabel\), is_war \(int8\), is_drama \(bool\), "
        r"patient \(string\), age \(float64\), about \(struct\)\. Choose them: "
        r"dataset\.select_columns\('labels'\) for one column, or a list of columns of 0 and 1 or "
        r"ClassLabel\. Text becomes ClassLabel by class_encode_column\."
    )
    for y in (make_dataset(), make_dataset_dict()):
        with pytest.raises(InputError, match=message):
            evenfold.split(y, 3)
    data = make_dataset()
    with pytest.raises(InputError, match=r"not clear: title .*select_columns\('kind'\) for one"):
        evenfold.split(data.select_columns(["title", "kind"]), 3)
    with pytest.raises(InputError, match=r"select_columns\('COLUMN'\) for one column"):
        evenfold.split(data.select_columns(["title", "patient"]), 3)
    encoded = data.select_columns(["is_war", "patient"]).class_encode_column("patient")
    assert make_labels(encoded).n_labels == 1 + N_ROWS // 3


def test_the_last_array_must_say_which_column_is_meant():
    """As for other arrays, the message names 'stratify'."""
    with pytest.raises(InputError, match=r"not clear: .* pass the labels as 'stratify'"):
        train_test_split(make_dataset())


def test_numbers_among_0_and_1_are_refused():
    """The message has the column."""
    with pytest.raises(InputError, match=r"holds values other than 0, 1 and NaN: .* label 'age'"):
        evenfold.split(make_dataset().select_columns(["is_war", "age"]), 3)


def test_rows_that_come_one_after_the_other_are_refused():
    """As labels, groups, what is balanced and X; the message has the call that helps."""
    stream = make_dataset().to_iterable_dataset()
    advice = (
        r"must have all rows at hand, got an Iterable\w+\. Load the dataset without "
        r"streaming=True, or pass a list: \[row\['COLUMN'\] for row in dataset\]\."
    )
    column, both = stream["labels"], datasets.IterableDatasetDict(train=stream)
    for y in (stream, column, both):
        with pytest.raises(InputTypeError, match=f"^'y' {advice}"):
            evenfold.split(y, 3)
    with pytest.raises(InputTypeError, match=f"^'groups' {advice}"):
        evenfold.split(LABELS, 3, groups=stream["patient"])
    with pytest.raises(InputTypeError, match=f"^'balance' {advice}"):
        evenfold.split(LABELS, 3, balance=stream["age"])
    with pytest.raises(InputTypeError, match=f"^'X' {advice}"):
        next(MultilabelStratifiedKFold(3).split(stream, LABELS))
    with pytest.raises(InputTypeError, match=f"^'arrays' {advice}"):
        train_test_split(stream, stratify=LABELS)
    assert evenfold.split([row["labels"] for row in stream], 4) == evenfold.split(CODES, 4)


def test_splits_that_do_not_fit_together_are_refused():
    """None, of other columns, of other classes."""
    data = make_dataset()
    with pytest.raises(InputError, match=r"^'y' is a DatasetDict without splits\. Pass a Dataset"):
        evenfold.split(datasets.DatasetDict(), 3)
    other = data.cast_column("kind", datasets.ClassLabel(names=[*NAMES, "more"]))
    for second, column in ((data.remove_columns("age"), "age"), (other, "kind")):
        splits = datasets.DatasetDict(train=data, test=second)
        with pytest.raises(
            InputError,
            match=rf"^'y' is a DatasetDict whose splits differ: the column '{column}' of 'test' is "
            r"not that of 'train'\. Pass one split, or give all of them the same features\.",
        ):
            evenfold.split(splits, 3)


def test_a_class_without_a_name_is_refused():
    """The features name fewer classes than the column holds."""
    data = datasets.Dataset.from_dict({"kind": [0, 5]})
    data.info.features["kind"] = datasets.ClassLabel(names=NAMES)
    with pytest.raises(
        InputError,
        match=r"^'y' column 'kind' holds class 5, and its features name 4\. Correct the features\.",
    ):
        evenfold.split(data["kind"], 2)


def test_what_is_no_label_is_refused_by_its_type():
    """A column of images is left to the package that decodes it."""
    images = datasets.Dataset.from_dict({"image": [None, None]})
    images = images.cast_column("image", datasets.Image())
    with pytest.raises(InputTypeError, match=r"^'y' must be a 0/1 array, .*, got Column\. "):
        evenfold.split(images["image"], 2)


def test_the_dataset_stays_as_it_was():
    """Its rows, its format and its fingerprint."""
    data = make_dataset().with_format("numpy", columns=["age"])
    before = (data.format, data._fingerprint, data.with_format(None).to_list())
    s = evenfold.split(data["labels"], 2, groups=data["patient"])
    s.to_dataset_dict(data)
    assert (data.format, data._fingerprint, data.with_format(None).to_list()) == before
