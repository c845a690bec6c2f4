"""COCO: labels of images, and parts that are COCO files themselves."""

import json

import numpy as np
import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.formats.coco import Coco

TEXT = """{"info": {"year": 2014.0, "by":"ü"}, "images": [
  {"id": 7, "file_name":"a.jpg",  "size": [1, 2], "site": "k"},
  {"id": 3, "file_name": "b.jpg", "size": [3,4], "scale": 1.50},
  {"id": "x", "file_name": "c.jpg", "size": null, "site": null}],
 "extra":[ 1,2 ], "annotations": [
  {"id": 1, "image_id": 3, "category_id": 20, "bbox": [0.10, 1e2]},
  {"id": 2, "image_id": 7, "category_id": 10, "note": "[\\"{}"},
  {"id": 3, "image_id": 3, "category_id": 20},
  {"id": 4, "image_id": 3, "category_id": 10}],
 "categories": [{"id": 20, "name": "dog"}, {"id": 30, "name": "cow"},
  {"id": 10, "name": "cat"}], "licenses": []}"""


def write(folder, content=TEXT):
    """Write text, or an object as JSON, and return the path."""
    path = folder / "data.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def changed(**fields):
    """Return the example with other top-level fields; None removes one."""
    return {name: value for name, value in (json.loads(TEXT) | fields).items() if value is not None}


def test_labels_are_the_categories_of_the_annotations(tmp_path):
    """They have the order of the categories; several annotations of one are one label."""
    labels = Coco(write(tmp_path)).read_own_labels()
    assert list(labels.names) == ["dog", "cow", "cat"]
    assert labels.to_csr().toarray().tolist() == [[0, 0, 1], [1, 0, 1], [0, 0, 0]]


def test_counts_are_numbers_of_annotations(tmp_path):
    """Each image has its number of annotations of each category, by the name of the category."""
    counts = Coco(write(tmp_path)).read_counts()
    assert {name: count.tolist() for name, count in counts.items()} == {
        "dog": [0, 2, 0],
        "cow": [0, 0, 0],
        "cat": [1, 1, 0],
    }


SIZED = [{"id": 1, "width": 20, "height": 10}, {"id": 2, "width": 5.0, "height": 4}]
BOXED = [
    {"id": 7, "image_id": 1, "category_id": 10, "bbox": [3, 0, 10, 5]},
    {"id": 8, "image_id": 1, "category_id": 20, "bbox": [9, 9, 20.0, 10.0]},
    {"id": 9, "image_id": 1, "category_id": 10, "bbox": [0, 0, 0, 5]},
]


def test_columns_of_boxes_are_their_number_and_their_share_of_the_image(tmp_path):
    """The first image has boxes of a quarter of it, of all of it, and of nothing."""
    file = Coco(write(tmp_path, changed(images=SIZED, annotations=BOXED)))
    assert file.box_columns == ("n_boxes", "box_area")
    assert file.read_box_column("n_boxes").tolist() == [3, 0]
    assert file.read_box_column("box_area").tolist() == [1.25, 0]
    assert list(file.columns) == ["id", "width", "height"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"images": [SIZED[0], {"id": 2, "width": 5, "height": 0}]},
            "data.json: image 2 has no width and height, which box_area needs. Add it.",
        ),
        (
            {"annotations": [BOXED[0], {"id": 8, "image_id": 1, "category_id": 10, "bbox": [1]}]},
            "data.json: annotation 8 has no bbox of four numbers, which box_area needs.",
        ),
        (
            {"annotations": [{"id": 7, "image_id": 1, "category_id": 10}]},
            "data.json: annotation 7 has no bbox of four numbers",
        ),
        (
            {"annotations": [BOXED[0] | {"bbox": "x"}]},
            r"is not COCO: .*annotations\[0\].bbox",
        ),
    ],
)
def test_an_area_without_boxes_or_sizes_is_refused(tmp_path, fields, message):
    """The labels and the number of boxes can be read all the same."""
    file = Coco(write(tmp_path, changed(**{"images": SIZED, "annotations": BOXED, **fields})))
    assert file.read_box_column("n_boxes").sum() == len(fields.get("annotations", BOXED))
    with pytest.raises(InputError, match=message):
        file.read_box_column("box_area")


@pytest.mark.parametrize(
    "categories", [[{"id": 20, "name": "a"}, {"id": 10, "name": "a"}], [{"id": 20}, {"id": 10}]]
)
def test_categories_without_a_name_of_their_own_are_named_by_id(tmp_path, categories):
    """Two labels never have the same name."""
    assert list(Coco(write(tmp_path, changed(categories=categories))).read_own_labels().names) == [
        "20",
        "10",
    ]


def test_columns_are_the_single_values_of_the_images(tmp_path, monkeypatch):
    """A field that holds lists is not a column; a field that an image lacks is null."""
    monkeypatch.setattr("evenfold.files.formats.coco._ROWS_AT_ONCE", 2)
    file = Coco(write(tmp_path))
    assert list(file.columns) == ["id", "file_name", "site", "scale"]
    batches = list(file.read_batches(["site", "scale", "file_name"]))
    assert [batch.num_rows for batch in batches] == [2, 1]
    assert pa.Table.from_batches(batches).to_pydict() == {
        "site": ["k", None, None],
        "scale": [None, 1.5, None],
        "file_name": ["a.jpg", "b.jpg", "c.jpg"],
    }


def test_parts_are_coco_and_keep_every_record_byte_for_byte(tmp_path):
    """Parts have their images and annotations, and all else; rows of part -1 are left out."""
    targets = [tmp_path / f"{part}.json" for part in range(3)]
    file = Coco(write(tmp_path, "\ufeff" + TEXT))
    file.write_parts(targets, np.array([1, 0, 1], np.int32))
    whole = json.loads(TEXT)
    for target, (images, annotations) in zip(
        targets, [([1], [0, 2, 3]), ([0, 2], [1]), ([], [])], strict=True
    ):
        assert json.loads(target.read_bytes()) == whole | {
            "images": [whole["images"][at] for at in images],
            "annotations": [whole["annotations"][at] for at in annotations],
        }
        assert list(json.loads(target.read_bytes())) == list(whole)
    assert (
        '{"id": 1, "image_id": 3, "category_id": 20, "bbox": [0.10, 1e2]}, {"id": 3, '
        in targets[0].read_text(encoding="utf-8")
    )
    assert '{"id": 7, "file_name":"a.jpg",  "size": [1, 2], "site": "k"}, {"id": "x"' in targets[
        1
    ].read_text(encoding="utf-8")
    assert Coco(targets[1]).read_own_labels().to_csr().toarray().tolist() == [[0, 0, 1], [0, 0, 0]]
    file.write_parts(targets[:1], np.array([-1, 0, -1], np.int32))
    assert [image["id"] for image in json.loads(targets[0].read_bytes())["images"]] == [3]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "[1, 2]",
            r"data.json: is not COCO: Expected `object`, got `array`\. "
            "A COCO file holds images, annotations and categories",
        ),
        (
            changed(annotations=None),
            "data.json: is not COCO: Object missing required field `annotations`",
        ),
        (
            changed(annotations=[{"id": 1, "image_id": 3}]),
            r"is not COCO: .*`category_id` - at `\$.annotations\[0\]`",
        ),
        (
            changed(images=[{"id": 7}, {"name": "b"}], annotations=[]),
            "is not COCO: image 1 has the id None",
        ),
        (changed(images=[{"id": 7}, {"id": 7}], annotations=[]), "the image id 7 is there twice"),
        (
            changed(categories=[{"id": 10}, {"id": 20}, {"id": 20}]),
            "the category id 20 is there twice",
        ),
        (
            changed(annotations=[{"id": 8, "image_id": 5, "category_id": 10}]),
            "annotation 8 has the image_id 5, but there is no such image",
        ),
        (
            changed(categories=[{"id": 10, "name": "cat"}]),
            "annotation 1 has the category_id 20, but there is no such category",
        ),
        (changed(images=[], annotations=[]), "data.json: holds no images"),
        (TEXT[:-2], "data.json: cannot be read as JSON: Input data was truncated"),
        ("[" * 100_000, "data.json: (cannot be read as JSON|is not COCO)"),
    ],
)
def test_what_is_not_coco_is_refused(tmp_path, content, message):
    """The message says what is missing, or which record is wrong."""
    with pytest.raises(InputError, match=message):
        Coco(write(tmp_path, content)).read_own_labels()


def test_what_coco_cannot_do_is_refused(tmp_path):
    """A column of two types, a new column, and parts of another number of images."""
    file = Coco(write(tmp_path))
    with pytest.raises(
        InputError,
        match=r"the field 'id' of the images cannot be read as a column: .*Give it one type",
    ):
        list(file.read_batches(["id"]))
    with pytest.raises(InputError, match="format coco has no columns to add 'part' to"):
        file.write_with_column(tmp_path / "out", "part", ["a"], np.zeros(3, np.int32))
    with pytest.raises(
        InputError, match=r"data.json: no longer holds the 4 rows whose labels were read"
    ):
        file.write_parts([tmp_path / "out"], np.zeros(4, np.int32))


def test_nan_is_a_missing_value_and_is_written_again(tmp_path):
    """Records with NaN, as Python writes it, are kept byte for byte."""
    text = (
        TEXT.replace("1.50", "NaN")
        .replace("1e2", "-Infinity")
        .replace("2014.0", "Infinity")
        .replace('"b.jpg"', '"NaN.jpg"')
    )
    file = Coco(write(tmp_path, text))
    assert file.read_own_labels().to_csr().toarray().tolist() == [[0, 0, 1], [1, 0, 1], [0, 0, 0]]
    assert pa.Table.from_batches(file.read_batches(["scale", "file_name"])).to_pydict() == {
        "scale": [None] * 3,
        "file_name": ["a.jpg", "NaN.jpg", "c.jpg"],
    }
    file.write_parts([tmp_path / "out"], np.array([-1, 0, -1], np.int32))
    written = (tmp_path / "out").read_text()
    assert '{"year": Infinity, "by":"ü"}' in written
    assert '[{"id": 3, "file_name": "NaN.jpg", "size": [3,4], "scale": NaN}]' in written
    assert '{"id": 1, "image_id": 3, "category_id": 20, "bbox": [0.10, -Infinity]}' in written
