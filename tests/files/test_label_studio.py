"""Label Studio: labels of tasks in full exports and in JSON-MIN, and parts of both."""

import copy
import json
import math
import warnings

import numpy as np
import pyarrow as pa
import pytest

from evenfold.exceptions import AssumptionWarning, InputError
from evenfold.files.formats.label_studio import LabelStudio
from evenfold.files.registry import find_format, open_data


def box(label, width, height, **more):
    """Return a rectangle, in percent."""
    return {"x": 1, "y": 2, "width": width, "height": height, "rectanglelabels": [label], **more}


def result(value, control="tag"):
    """Return a result of a full export."""
    return {"id": "r", "from_name": control, "to_name": "img", "type": "t", "value": value}


def annotate(*values, **more):
    """Return an annotation of a full export."""
    return {"id": 1, "completed_by": 3, "result": [result(value) for value in values], **more}


POLYGON = {"points": [[10, 10], [60.0, 10], [30, 50]], "polygonlabels": ["cat"]}
TASKS = [
    {
        "id": 4,
        "data": {"image": "/data/upload/1/a.jpg", "site": "k"},
        "annotations": [
            annotate(box("dog", 50, 20), POLYGON),
            annotate(box("dog", 100, 100, rotation=3), {"rle": [1], "brushlabels": ["sky"]}),
            annotate({"choices": ["wrong"]}, was_cancelled=True),
        ],
        "predictions": [annotate({"choices": ["guess"]})],
    },
    {"id": 2, "data": {"image": "/data/upload/1/b.jpg", "sizes": [1]}, "annotations": []},
    {
        "id": 3,
        "data": {"image": "c.jpg", "site": None},
        "annotations": [
            {
                "result": [
                    {"type": "relation", "from_id": "a", "to_id": "b"},
                    result({"text": ["a cat"]}),
                    result({"choices": ["day", "rain"]}, "weather"),
                    result({"x": 1, "y": 1, "width": 0.2, "keypointlabels": ["cat", "nose"]}),
                    result({"radiusX": 10, "radiusY": 5, "ellipselabels": ["cat"]}),
                ]
            }
        ],
    },
]
MIN = [
    {
        "image": "a.jpg",
        "id": 7,
        "choice": "day",
        "annotator": 1,
        "annotation_id": 11,
        "lead_time": 4,
    },
    {
        "image": "b.jpg",
        "id": 8,
        "choice": {"choices": ["day", "night"]},
        "label": [box("car", 20, 50, original_width=640), box("car", 10, 10)],
        "annotator": 1,
        "annotation_id": 12,
        "lead_time": 2.5,
    },
    {"image": "a.jpg", "id": 7, "choice": "night", "annotator": 2, "annotation_id": 13},
    {"image": "c.jpg", "id": 9, "annotator": None, "annotation_id": None},
]


def write(folder, content):
    """Write text, or an object as JSON, and return the path."""
    path = folder / "data.json"
    if not isinstance(content, bytes):
        content = (content if isinstance(content, str) else json.dumps(content)).encode()
    path.write_bytes(content)
    return path


def read(file):
    """Return the names of the labels, the labels of each row, and what was said."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", AssumptionWarning)
        labels = file.read_own_labels()
    return (
        list(labels.names),
        labels.to_csr().toarray().tolist(),
        [str(own.message) for own in said],
    )


def test_labels_are_those_of_all_annotations_that_were_not_cancelled(tmp_path):
    """Choices and the labels of regions, by name; predictions and texts do not count."""
    file = open_data(str(write(tmp_path, TASKS)))
    assert isinstance(file, LabelStudio)
    names, labels, said = read(file)
    assert names == ["cat", "day", "dog", "nose", "rain", "sky"]
    assert labels == [[1, 0, 1, 0, 0, 1], [0] * 6, [1, 1, 0, 1, 1, 0]]
    assert said == [
        "1 of 3 images has several annotations. An image has the labels of all of them.",
        "1 of 3 images has no annotation, or only cancelled ones, and so no labels.",
    ]


def test_boxes_of_several_annotations_count_as_their_mean(tmp_path):
    """A polygon is the box around it; the area of a brush is not known, a point has none."""
    file = LabelStudio(write(tmp_path, TASKS))
    counts = {name: count.tolist() for name, count in file.read_counts().items()}
    assert counts == {
        "cat": [0.5, 0, 2],
        "dog": [1, 0, 0],
        "nose": [0, 0, 1],
        "sky": [0.5, 0, 0],
    }
    assert file.read_box_column("n_boxes").tolist() == [2, 0, 3]
    area = file.read_box_column("box_area").tolist()
    assert math.isnan(area[0])
    assert area[1:] == pytest.approx([0, 4 * 0.1 * 0.05])
    tasks = copy.deepcopy(TASKS)
    del tasks[0]["annotations"][1]["result"][1]
    area = LabelStudio(write(tmp_path, tasks)).read_box_column("box_area")
    assert area[0] == pytest.approx((0.5 * 0.2 + 0.5 * 0.4 + 1) / 2)


def test_columns_are_the_single_values_of_the_data(tmp_path):
    """With the id of the task first; the column of images is the one with their paths."""
    file = LabelStudio(write(tmp_path, TASKS))
    assert (file.columns, file.path_column) == (["id", "image", "site"], "image")
    assert pa.Table.from_batches(file.read_batches(["id", "site"])).to_pydict() == {
        "id": [4, 2, 3],
        "site": ["k", None, None],
    }
    tasks = [{"id": 1, "data": {"id": "x", "n": at, "img": f"{at}.png"}} for at in (1, "2")]
    tasks = [task | {"id": at, "completions": []} for at, task in enumerate(tasks)]
    file = LabelStudio(write(tmp_path, tasks))
    assert (file.columns, file.path_column) == (["id", "n", "img", "data.id"], "img")
    with pytest.raises(InputError, match="the field 'n' of the tasks cannot be read as a column"):
        list(file.read_batches(["n"]))


def test_choices_of_several_controls_have_its_name(tmp_path):
    """Yes to one question is not yes to another; labels of regions are the same in all."""
    results = [
        result({"choices": ["yes"]}, "old"),
        result({"choices": ["yes", "no"]}, "new"),
        result(box("yes", 1, 1), "a"),
        result({"labels": ["yes"]}, "b"),
    ]
    tasks = [{"id": 1, "data": {"image": "a"}, "annotations": [{"result": results}]}]
    assert read(LabelStudio(write(tmp_path, tasks)))[0] == ["new=no", "new=yes", "old=yes", "yes"]
    tasks[0]["annotations"][0]["result"] = results[:1]
    assert read(LabelStudio(write(tmp_path, tasks)))[0] == ["yes"]


def test_objects_of_one_id_in_json_min_are_one_row(tmp_path):
    """Each is an annotation; a text among the answers is a class."""
    file = open_data(str(write(tmp_path, MIN)))
    names, labels, said = read(file)
    assert names == ["car", "day", "night"]
    assert labels == [[0, 1, 1], [1, 1, 1], [0, 0, 0]]
    assert said == [
        "The text of 'choice' is read as a class.",
        "1 of 3 images has several annotations. An image has the labels of all of them.",
        "1 of 3 images has no annotation, or only cancelled ones, and so no labels.",
    ]
    assert file.read_box_column("n_boxes").tolist() == [0, 2, 0]
    assert file.read_box_column("box_area").tolist() == pytest.approx([0, 0.11, 0])
    assert (file.columns, file.path_column) == (["id", "image"], "image")


def test_an_id_of_the_data_does_not_make_paths_classes(tmp_path):
    """In JSON-MIN it stands before the other fields of the data."""
    content = [
        {"id": at, "image": f"x/{at}.png", "answer": "ab"[at], "annotator": 1} for at in range(2)
    ]
    names, labels, _ = read(LabelStudio(write(tmp_path, content)))
    assert (names, labels) == (["a", "b"], [[1, 0], [0, 1]])
    del content[0]["annotator"]
    assert read(LabelStudio(write(tmp_path, content)))[1] == [[0], [1]]


@pytest.mark.parametrize("content", [TASKS, MIN])
def test_parts_keep_every_object_byte_for_byte(tmp_path, content):
    """Those of all annotations of a row; rows of part -1 are left out."""
    text = ",\n\n ".join(json.dumps(own, indent=3) for own in content)
    file = LabelStudio(write(tmp_path, f"\ufeff [{text}]"))
    targets = [tmp_path / f"{part}.json" for part in range(3)]
    file.write_parts(targets, np.array([1, -1, 0], np.int32))
    kept = {0: [content[2]], 1: [content[0]], 2: []}
    if content is MIN:
        kept = {0: [content[3]], 1: [content[0], content[2]], 2: []}
    for part, target in enumerate(targets):
        assert json.loads(target.read_text()) == kept[part]
        assert all(json.dumps(own, indent=3) in target.read_text() for own in kept[part])
    with pytest.raises(InputError, match="no longer holds the 4 rows whose labels were read"):
        file.write_parts(targets, np.zeros(4, np.int32))
    with pytest.raises(InputError, match="format labelstudio has no columns to add 'part' to"):
        file.check_new("part")


def test_nan_is_a_missing_value_and_is_written_again(tmp_path):
    """As Python writes it."""
    text = json.dumps(TASKS).replace('"k"', "NaN")
    file = LabelStudio(write(tmp_path, text))
    assert next(file.read_batches(["site"])).column(0).to_pylist() == [None] * 3
    file.write_parts([tmp_path / "out.json"], np.array([0, -1, -1], np.int32))
    assert '"site": NaN' in (tmp_path / "out.json").read_text()


def test_images_with_choices_alone_have_no_boxes(tmp_path):
    """Amounts need regions."""
    file = LabelStudio(write(tmp_path, [MIN[0]]))
    assert file.read_counts() is None
    assert file.read_box_column("n_boxes").tolist() == [0]


def full(*values, **more):
    """Return one task of a full export."""
    return [{"id": 5, "data": {"image": "a"}, "annotations": [annotate(*values)], **more}]


WRONG = {
    "a truncated file": (
        json.dumps(TASKS)[:-9],
        r"line 1 cannot be read as JSON: Unterminated string",
    ),
    "a wrong comma": ('[{"id": 1},\n,]', r"line 2 cannot be read as JSON: Expecting value"),
    "an empty file": ("", "line 1 cannot be read as JSON: Expecting value"),
    "another encoding": (b'[{"id": 1,\n"data": "\xff"}]', "line 2 is not UTF-8."),
    "deep lists": ("[" * 100_000, "cannot be read as JSON: "),
    "a list of numbers": ("[1, 2]", "is no export of Label Studio: not a list of objects. Export"),
    "an object": ('{"images": []}', "is no export of Label Studio: not a list of objects."),
    "other records": (
        [{"id": 1, "tags": "a"}],
        "its objects have neither 'data' and 'annotations' nor 'annotation_id'. Export it from",
    ),
    "no tasks": ([], "holds no images"),
    "tasks without annotations": ([{"id": 1, "data": {"image": "a"}}], "have no 'annotations'."),
    "no data": (
        [*full(), {"id": 6, "annotations": []}],
        "task 6: has no 'data' as the other tasks have.",
    ),
    "an id twice": (full() * 2, "task 5: another task has the same id. Give each its own."),
    "no list of annotations": (
        full(annotations={"result": []}),
        "task 5: 'annotations' must be a list of objects, got {'result': .*}. Export it",
    ),
    "no list of results": (
        [{"data": {"image": "a"}, "annotations": [{"id": 1}]}],
        r"task 0 \(from 0\): 'result' must be a list of objects, got None.",
    ),
    "a label that is no list": (
        full({"rectanglelabels": "car"}),
        "task 5: 'rectanglelabels' of 'tag' must be a list of names, got 'car'. Correct it.",
    ),
    "a label that is no name": (full({"choices": [1]}), r"'choices' of 'tag' must be a list of na"),
    "a wrong width": (
        full(box("a", "wide", 1)),
        "task 5: 'width' of a region must be a number, got 'wide'. Correct it.",
    ),
    "wrong corners": (
        full({"points": [[1, 2, 3]], "polygonlabels": ["a"]}),
        r"task 5: 'points' of a region must be pairs of numbers, got \[\[1, 2, 3\]\]. Correct it.",
    ),
    "a corner of text": (
        full({"points": [[1, "2"]], "polygonlabels": ["a"]}),
        "'points' of a region must be a number, got '2'.",
    ),
    "no labels": (full({"text": ["a"]}), "holds no labels: no annotation has choices, rectanglel"),
}


@pytest.mark.parametrize(("content", "message"), WRONG.values(), ids=WRONG)
def test_what_is_no_export_is_refused(tmp_path, content, message):
    """The message names the line, or the task by its id."""
    with pytest.raises(InputError, match=f"data.json: .*{message}"):
        read(LabelStudio(write(tmp_path, content)))


@pytest.mark.parametrize("content", [TASKS, MIN, [{"data": {}, "completions": []}]])
def test_a_list_is_label_studio_by_its_first_object(tmp_path, content):
    """After a byte order mark and blanks; by the keys that only its exports have."""
    path = write(tmp_path, "\ufeff\n " + json.dumps(content))
    assert open_data(str(path)).format == "labelstudio"


def test_a_first_task_past_the_first_megabyte_is_label_studio(tmp_path):
    """Annotations stand before the data, and may be long."""
    tasks = copy.deepcopy(TASKS)
    tasks[0] = {"id": 4, "annotations": [annotate({"rle": [1] * (1 << 19)})], "data": {}}
    assert open_data(str(write(tmp_path, tasks))).format == "labelstudio"


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "[1]",
        '[{"annotations": [1], "a": 2}]',
        '[{"data": {"a": 1}, "id": 2}]',
        '[{"annotation_id": 1, "annotator": 2}]',
        '[{"a": [1',
    ],
)
def test_other_lists_are_records_unless_the_format_is_named(tmp_path, content):
    """One of the keys is not enough; JSON-MIN without its usual keys needs --format."""
    path = write(tmp_path, content)
    assert find_format(path) == "json"
    path = write(tmp_path, [{"image": "a.jpg", "id": 1, "choice": "b", "annotator": 1}])
    assert open_data(str(path)).format == "json"
    assert open_data(str(path), "labelstudio").format == "labelstudio"
