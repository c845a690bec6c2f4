"""YAML files: a mapping, and the line of each of its keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from ...exceptions import InputError
from ..damage import damaged
from ..encoding import find_wrong_line, not_utf8

_ADVICE = "Correct it."


class YamlMapping(NamedTuple):
    """The content of a YAML file.

    Attributes
    ----------
    values : dict of str to value
        The values by key.
    line_of : dict of str to int
        The line of each key, from 1.
    """

    values: dict[str, Any]
    line_of: dict[str, int]


def read_yaml(path: Path, name: str) -> YamlMapping:
    """Read a file that must hold a mapping; messages call it `name`."""
    yaml = _import_yaml(name)
    content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise not_utf8(f"{name}: line {find_wrong_line(content)}") from None
    try:
        # Not the loader in C, whose messages say less.
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        values = None if node is None else loader.construct_document(node)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise damaged(f"{name}: line {line} is not YAML", error.reason, _ADVICE) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{name}: line {mark.line + 1} is not YAML" if mark else f"{name}: is not YAML"
        raise damaged(where, error.problem, _ADVICE) from None
    except (ValueError, RecursionError) as error:
        raise damaged(f"{name}: is not YAML", error, _ADVICE) from None
    if not isinstance(values, dict):
        raise InputError(
            f"{name}: holds no keys with values, such as 'names: [cat, dog]'. Is it a YOLO dataset?"
        )
    lines = {str(key.value): key.start_mark.line + 1 for key, _ in node.value}
    return YamlMapping({str(key): value for key, value in values.items()}, lines)


def write_yaml(values: dict[str, Any], name: str) -> bytes:
    """Return a mapping as YAML, keys in their order."""
    text: str = _import_yaml(name).safe_dump(values, sort_keys=False, allow_unicode=True)
    return text.encode()


def _import_yaml(name: str) -> Any:
    try:
        import yaml
    except ImportError:
        raise InputError(
            f"{name}: YAML needs the package PyYAML. Install it with: "
            "pip install 'evenfold[vision]'"
        ) from None
    return yaml
