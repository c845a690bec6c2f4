"""Tasks: the rows of a Label Studio export, in its full form and in JSON-MIN."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..._checks.values import show_value
from ...exceptions import InputError
from .image_paths import is_image
from .studio_regions import Mark, read_value

# Fields of JSON-MIN that say who annotated, and when; answers are between the id and the first.
_ABOUT = ("annotator", "annotation_id", "created_at", "updated_at", "lead_time")
_ABOUT_ALSO = ("agreement", "history", "was_cancelled", "skipped")
_LISTS = ("annotations", "completions")
_ADVICE = "Export it from Label Studio as JSON or JSON-MIN."
_Record = dict[str, Any]


class Task(NamedTuple):
    """A row: an image with its annotations.

    Attributes
    ----------
    fields : dict
        The id, and what the task says of the image.
    annotations : list of list of Mark
        The labels of each annotation that was not cancelled.
    records : list of int
        The objects of the file that the task is in.
    """

    fields: _Record
    annotations: list[list[Mark]]
    records: list[int]


class Tasks(NamedTuple):
    """All tasks, and the fields of JSON-MIN whose text is read as a class."""

    tasks: list[Task]
    texts: list[str]


def read_tasks(content: Any, name: str) -> Tasks:
    """Read the objects of a file, called `name` in messages."""
    if not isinstance(content, list) or not all(isinstance(own, dict) for own in content):
        raise InputError(f"{name}: is no export of Label Studio: not a list of objects. {_ADVICE}")
    if any(isinstance(own.get("data"), dict) for own in content):
        return Tasks(_read_full(content, name), [])
    if content and not any({"annotator", "annotation_id"} & own.keys() for own in content):
        raise InputError(
            f"{name}: is no export of Label Studio: its objects have neither 'data' and "
            f"'annotations' nor 'annotation_id'. {_ADVICE}"
        )
    return _read_min(content, name)


def _read_full(content: Sequence[_Record], name: str) -> list[Task]:
    if not any(key in record for record in content for key in _LISTS):
        raise InputError(f"{name}: its tasks have no 'annotations'. {_ADVICE}")
    tasks: list[Task] = []
    seen: set[str] = set()
    for number, record in enumerate(content):
        place = _name_task(name, number, record)
        if not isinstance(record.get("data"), dict):
            raise InputError(f"{place}: has no 'data' as the other tasks have. {_ADVICE}")
        if record.get("id") is not None:
            own = str(record["id"])
            if own in seen:
                raise InputError(f"{place}: another task has the same id. Give each its own.")
            seen.add(own)
        given: Any = next((record[key] for key in _LISTS if record.get(key) is not None), [])
        marks = [
            list(_read_results(annotation, place))
            for annotation in _check_list(given, "annotations", place)
            if not _is_cancelled(annotation)
        ]
        fields = {"id": record.get("id"), **record["data"]}
        if "id" in record["data"]:
            fields |= {"id": record.get("id"), "data.id": record["data"]["id"]}
        tasks.append(Task(fields, marks, [number]))
    return tasks


def _read_results(annotation: _Record, place: str) -> Iterator[Mark]:
    for result in _check_list(annotation.get("result"), "result", place):
        yield from read_value(str(result.get("from_name")), result.get("value"), place)


def _read_min(content: Sequence[_Record], name: str) -> Tasks:
    """Read JSON-MIN, which has an object for each annotation."""
    answers = [_list_answers(record) for record in content]
    texts = {
        key: None
        for record, keys in zip(content, answers, strict=True)
        for key in keys
        if _is_text(record[key])
    }
    tasks: dict[str, Task] = {}
    for number, (record, keys) in enumerate(zip(content, answers, strict=True)):
        place = _name_task(name, number, record)
        marks = [
            mark
            for key, value in record.items()
            for mark in _read_answer(key, value, key in keys, place)
        ]
        known = "" if record.get("id") is None else str(record["id"])
        fields = {
            key: value
            for key, value in {"id": record.get("id"), **record}.items()
            if key not in (*_ABOUT, *_ABOUT_ALSO)
        }
        task = tasks.setdefault(known or f"#{number}", Task(fields, [], []))
        task.records.append(number)
        is_annotated = marks or record.get("annotation_id") is not None
        if is_annotated and not _is_cancelled(record):
            task.annotations.append(marks)
    return Tasks(list(tasks.values()), list(texts))


def _list_answers(record: _Record) -> list[str]:
    """Return the fields between the id and those about the annotation, which are answers.

    An id of the data stands before its other fields, so paths of images may be among them.
    """
    keys = list(record)
    if not {"id", "annotator"} <= record.keys():
        return []
    between = keys[keys.index("id") + 1 : keys.index("annotator")]
    return [key for key in between if not is_image(str(record[key]).rpartition("/")[2])]


def _is_text(value: Any) -> bool:
    values = value if isinstance(value, list) else [value]
    return bool(values) and all(isinstance(own, str) for own in values)


def _read_answer(key: str, value: Any, is_answer: bool, place: str) -> Iterator[Mark]:
    """Yield the labels of a field: a text is a single choice, objects are choices and regions."""
    for own in value if isinstance(value, list) else [value]:
        if isinstance(own, str) and is_answer:
            yield Mark(key, own, None)
        else:
            yield from read_value(key, own, place)


def _is_cancelled(annotation: _Record) -> bool:
    return bool(annotation.get("was_cancelled") or annotation.get("skipped"))


def _check_list(value: Any, what: str, place: str) -> list[_Record]:
    if not isinstance(value, list) or not all(isinstance(own, dict) for own in value):
        raise InputError(
            f"{place}: '{what}' must be a list of objects, got {show_value(value)}. {_ADVICE}"
        )
    return value


def _name_task(name: str, number: int, record: _Record) -> str:
    """Say which task, by its id or by its place from 0."""
    own = record.get("id")
    return f"{name}: task {number} (from 0)" if own is None else f"{name}: task {own}"
