"""Bad arguments of what makes, measures, links and saves splits, by area."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

import evenfold
from evenfold import labels as label_functions
from evenfold import methods, scale

from .bad_inputs_calls import (
    HALVES,
    INF,
    LISTS,
    N_ROWS,
    NAN,
    Wrong,
    X,
    Y,
    each,
    said,
    typed,
)

_split = functools.partial(evenfold.split, Y, 2)
_split_in = functools.partial(evenfold.split, Y)
_labels = functools.partial(evenfold.split, parts=2)
_sample = functools.partial(evenfold.sample, Y)
_measure = functools.partial(evenfold.measure, Y, HALVES)
_link = functools.partial(evenfold.link, text=[f"text {at}" for at in range(N_ROWS)])
_compare = functools.partial(evenfold.compare, Y, 2, methods=["random"], repeats=1)
_object = object()


def list_cases(folder: Path) -> dict[str, list[Wrong]]:
    """Return the calls by area; a few read files, which are made in a folder."""
    split = evenfold.split(Y, 2)
    (folder / "text.json").write_text("{")
    (folder / "other.json").write_text("[]")
    (folder / "deep.json").write_text("[" * 200_000)
    return {
        "labels": [
            *each(
                _labels,
                "y",
                [
                    typed(None, "None"),
                    typed(5, "int"),
                    typed("a,b", "str"),
                    typed(_object, "object"),
                    typed({1, 2}, "set"),
                    typed(b"ab", "bytes"),
                    said([], "at least one row"),
                    said(np.empty((0, 3)), "at least one row"),
                    said(np.zeros((4, 3, 2)), "3"),
                    said(np.array(3), "0"),
                    said(np.full((4, 2), 2), "2"),
                    said(np.full((4, 2), -1), "-1"),
                    said(np.full((4, 2), 0.5), "0.5"),
                    said(np.full((4, 2), INF), "inf"),
                    typed(Y * 1j, "complex"),
                    typed([["a"], 3], "row 1"),
                    typed([["a"], [["b"]]], "row 1"),
                    said([["a"], [None]], "row 1"),
                    typed([["a"], [1]], "strings and numbers"),
                    typed([{"a": 1}, {"b": 2}], "dict"),
                    said(pd.DataFrame({"a": [0, 1], "b": [0, 7]}), "7"),
                    said(pd.DataFrame({"a": [0, 1], "b": ["x", "y"]}), "b"),
                    said(sparse.csr_array(Y * 3), "3"),
                    said(sparse.csr_array((0, 3)), "at least one row"),
                    typed(np.array(["2020-01-01"] * 4, "M8[D]"), "datetime64"),
                ],
            ),
            *each(label_functions.from_text, "y", [typed(3, "int"), typed([1, 2], "1")]),
            *each(
                functools.partial(label_functions.from_text, ["a|b"]),
                "separator",
                [typed(3, "3"), typed("", "''")],
            ),
            *each(label_functions.from_classes, "classes", [typed(3, "int")]),
            *each(
                functools.partial(label_functions.propagate, LISTS),
                "parents",
                [
                    typed(3, "int"),
                    said({"l0": ["l1"], "l1": ["l0"]}, "circle"),
                    said({"l0": ["l0"]}, "l0"),
                ],
            ),
        ],
        "parts": [
            *each(
                _split_in,
                "parts",
                [
                    typed(None, "None"),
                    typed("half", "'half'"),
                    0,
                    1,
                    -2,
                    25,
                    said(10**30, "1,000,000"),
                    typed(True, "True"),
                    typed(2.5, "2.5"),
                    said([], "0"),
                    said([0.5], "1"),
                    said([0.5, 0.4], "0.9"),
                    said([0.5, 0.6], "1.1"),
                    said([12, 13], "25"),
                    said([24, 0], "0"),
                    said([25, -1], "-1"),
                    said([0.5, NAN], "nan"),
                    said([0.5, INF], "inf"),
                    typed([0.5, "a"], "'a'"),
                    typed([None, 1], "None"),
                    said({"a": 0.5}, "1"),
                    said({"a": 0.5, "b": 0.4}, "0.9"),
                    said([1e-9, 1 - 1e-9], "row"),
                    typed([[0.5], [0.5]], "[0.5]"),
                ],
            ),
            *each(
                _split,
                "names",
                [
                    said(["a"], "1", "2"),
                    said(["a", "b", "c"], "3"),
                    said(["a", "a"], "'a'"),
                    typed("ab", "'ab'"),
                    typed([1, 2], "1"),
                    typed(7, "7"),
                    typed([None, "b"], "None"),
                ],
            ),
            *each(
                _split,
                "holdout",
                [0, -1, 1.0, 1.5, 24, 99, NAN, typed("x", "'x'"), typed([1], "[1]")],
            ),
        ],
        "groups, balance, fixed, start": [
            *each(
                _split,
                "groups",
                [
                    said([0] * 3, "24", "3"),
                    typed(5, "int"),
                    typed("abc", "str"),
                    said(np.zeros((N_ROWS, 2, 2)), "3"),
                    typed([{1}] * N_ROWS, "{1}"),
                    said([0] * 20 + [1] * 4, "20"),
                ],
            ),
            *each(
                _split,
                "balance",
                [
                    typed(5, "int"),
                    said({"age": [1]}, "1", "age"),
                    said({"age": [INF] * N_ROWS}, "inf"),
                    said(np.zeros((3, 2)), "3"),
                ],
            ),
            *each(
                _split,
                "fixed",
                [
                    said([0] * 3, "24", "3"),
                    said([7] * N_ROWS, "7"),
                    said([-2] * N_ROWS, "-2"),
                    typed(5, "int"),
                    said(["x"] * N_ROWS, "'x'"),
                    said([0] * N_ROWS, "24"),
                    said([0.5] * N_ROWS, "0.5"),
                ],
            ),
            *each(
                _split,
                "start",
                [
                    said([0] * 3, "24", "3"),
                    said([7] * N_ROWS, "7"),
                    typed(5, "int"),
                    said([-1] * N_ROWS, "-1"),
                    said(["x"] * N_ROWS, "'x'"),
                ],
            ),
        ],
        "methods and their options": [
            *each(
                _split,
                "method",
                [
                    "evn",
                    typed(5, "5"),
                    typed(None, "None"),
                    typed(methods.Even, "Even"),
                    "",
                    typed(["even"], "list"),
                ],
            ),
            *each(_split, "order", [3, 0, "first", [1], 1.5, True]),
            *each(_split, "cover", [-1, 1.5, typed("x", "'x'"), NAN]),
            *each(
                _split,
                "size_tolerance",
                [-1, 1.5, typed("x", "'x'"), NAN, INF, typed(True, "True")],
            ),
            *each(_split, "effort", ["fst", -3, 0, NAN, INF, typed([1], "[1]"), True]),
            *each(
                _split,
                "random_state",
                [-1, typed(1.5, "float"), typed("x", "str"), typed([1, 2], "list")],
            ),
            *each(methods.Random, "tries", [0, -1, 1.5, typed("x", "'x'")]),
            *each(methods.Random, "aggregator", ["mean2", 3]),
            *each(methods.Random, "norm", [0, -1, NAN, "x"]),
            *each(methods.OptiSplit, "measure", ["rdl", 3]),
            *each(methods.OptiSplit, "max_epochs", [0, -1, 1.5]),
            *each(methods.Sampling, "epochs", [-1, 1.5, typed("x", "'x'")]),
            *each(methods.Svd, "tries", [0, typed("x", "'x'")]),
            *each(methods.Assignment, "order", [7, "x"]),
            *each(methods.Iterative, "order", [7, "x"]),
            *each(methods.Even, "cover", [-1, 1.5]),
            *each(
                functools.partial(methods.bound_residuals, Y),
                "part_of_unit",
                [said([0], "24"), said([-1] * N_ROWS, "-1")],
            ),
        ],
        "sample, extend, measure, compare": [
            *each(
                _sample,
                "n",
                [
                    0,
                    -1,
                    24,
                    1.0,
                    1.5,
                    NAN,
                    INF,
                    typed("x", "'x'"),
                    typed(None, "None"),
                    said(True, "True"),
                ],
            ),
            *each(
                functools.partial(evenfold.extend, split),
                "y_all",
                [said(Y[:3], "24", "3"), typed(5, "int")],
            ),
            *each(
                functools.partial(evenfold.extend, y_all=Y),
                "s",
                [typed(5, "int"), typed(None, "None"), said([0, 1], "24")],
            ),
            *each(
                functools.partial(evenfold.extend, split, Y), "parts", [3, said([0.9, 0.2], "1.1")]
            ),
            *each(
                functools.partial(evenfold.measure, Y),
                "part_of_row",
                [
                    said([0], "24", "1"),
                    typed(5, "int"),
                    said([-1] * N_ROWS, "-1"),
                    typed("x", "str"),
                    typed([0.5] * N_ROWS, "0.5"),
                    said([10**9] * N_ROWS, "1,000,000,000"),
                    said([None] * N_ROWS, "24"),
                ],
            ),
            *each(_measure, "bound", ["tigt", typed(3, "3")]),
            *each(_measure, "names", [said(["a", "a"], "'a'"), typed("ab", "'ab'")]),
            *each(
                _measure, "parts", [said([0.5, 0.4], "0.9"), said({"a": 1, "b": 1, "c": 1}, "3")]
            ),
            *each(
                _compare,
                "methods",
                [
                    said(["evn"], "'evn'"),
                    typed(5, "5"),
                    said([], "none"),
                    typed([5], "5"),
                ],
            ),
            *each(_compare, "repeats", [0, -1, 1.5, typed("x", "'x'")]),
            *each(_compare, "max_seconds", [-1, NAN, typed("x", "'x'")]),
            *each(evenfold.split(Y, 2).quality.value_of, "measure", ["rdl", typed(3, "3")]),
        ],
        "links": [
            *each(
                _link,
                "at",
                [
                    0,
                    1.5,
                    -1,
                    NAN,
                    typed("x", "'x'"),
                    said({"txt": 0.5}, "'txt'"),
                    said({"text": 2}, "2"),
                ],
            ),
            *each(_link, "metric", ["cosin", typed(3, "3")]),
            *each(_link, "recall", [0, 1.5, NAN, typed("x", "'x'")]),
            *each(_link, "max_group", [0, -1, 1.5, typed("x", "'x'")]),
            *each(_link, "exact", [typed("yes", "'yes'"), typed(3, "3")]),
            *each(
                evenfold.link,
                "text",
                [typed(5, "int"), typed([1, 2], "1"), typed("abc", "str")],
            ),
            *each(
                evenfold.link,
                "similar",
                [
                    typed(5, "int"),
                    said(np.full((3, 2), NAN), "nan"),
                    said(np.zeros(3), "1"),
                    said([[1, 2], [3]], "1"),
                    typed(X * 1j, "0j", "row 0"),
                    typed([["a"], ["b"]], "'a'"),
                ],
            ),
            *each(
                functools.partial(evenfold.link, groups=HALVES),
                "pairs",
                [
                    said([(0, 99)], "99"),
                    said([(0, -1)], "-1"),
                    said([(0,)], "1 columns"),
                    typed(5, "int"),
                    said([(0, 1, NAN)], "nan"),
                    said([("a", "b")], "'a'"),
                    said(np.zeros((3, 5)), "5"),
                ],
            ),
            *each(
                evenfold.link,
                "files",
                [
                    said(["no such file"], "no such file", "row 0"),
                    typed([5], "5"),
                    said(["a\0"], "row 0"),
                ],
            ),
            *each(
                evenfold.link,
                "images",
                [said([str(folder / "text.json")], "text.json"), typed([5], "5")],
            ),
            *each(evenfold.link, "groups", [typed(5, "int")]),
            *each(
                functools.partial(evenfold.check, split),
                "ids",
                [said([1], "24", "1"), typed(5, "int")],
            ),
            *each(evenfold.check, "s", [typed(5, "int"), typed("x", "str"), typed(None, "None")]),
            *each(
                functools.partial(evenfold.audit, Y),
                "part_of_row",
                [said([0], "24"), typed(None, "None"), said([0] * N_ROWS, "part0")],
            ),
        ],
        "saved splits": [
            *each(
                evenfold.load_split,
                "path",
                [
                    said(folder / "text.json", "text.json"),
                    said(folder / "other.json", "other.json"),
                    said(folder / "deep.json", "deep.json"),
                ],
            ),
            *each(scale.load, "folder", [said(folder, str(folder))]),
        ],
    }
