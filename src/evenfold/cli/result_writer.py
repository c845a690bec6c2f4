"""ResultWriter: a comparison or an evaluation as tables, as data, as a figure or as a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .options import FILE_OUT, bundle, force_option
from .output_checks import check_paths, check_report, expand_pattern

if TYPE_CHECKING:
    from ..evaluation.results import Evaluation
    from ..splits import Comparison

_FIGURES = (".png", ".svg", ".pdf")


class ResultTarget(NamedTuple):
    """Where a result is written."""

    output: tuple[Path, ...]
    report: Path | None
    force: bool


result_options = bundle(
    ResultTarget,
    "target",
    click.option(
        "-o",
        "--output",
        type=FILE_OUT,
        metavar="FILE",
        multiple=True,
        help="Write the result to a file: .csv and .json have all numbers, unrounded; .md and .tex "
        "the tables, .tex for the package booktabs; .png, .svg and .pdf a figure. Repeatable.",
    ),
    click.option(
        "--report",
        type=FILE_OUT,
        metavar="FILE",
        help="Write a report for people, with the tables, the figure and the command. Ends in "
        ".html (one page), .md or .json.",
    ),
    force_option,
)


class ResultWriter:
    """Writes a result. Made before the work begins, to refuse early what cannot be written."""

    def __init__(self, target: ResultTarget, inputs: Sequence[str]) -> None:
        for path in target.output:
            if path.suffix.lower() not in (".json", *_WRITERS):
                raise click.UsageError(
                    f"-o {path}: must end in .csv, .json, .md, .tex, .png, .svg or .pdf. Rename it."
                )
        check_report(target.report)
        self._targets = [*target.output, *([target.report] if target.report else [])]
        self._report, self._force = target.report, target.force
        self._inputs = [path for given in inputs for path in expand_pattern(given)]
        check_paths(self._targets, target.force, self._inputs)

    def write(self, result: Comparison | Evaluation, record: dict[str, Any]) -> list[str]:
        """Write all files or none, and return their names; `record` is what --json prints."""
        if self._targets:
            from .writing import staged_unless_stopped

            with staged_unless_stopped(
                self._targets, force=self._force, inputs=self._inputs
            ) as paths:
                for target, path in zip(self._targets, paths, strict=True):
                    suffix = target.suffix.lower()
                    if suffix == ".json":
                        path.write_text(json.dumps(record) + "\n", encoding="utf-8")
                    else:
                        writers = _REPORT_WRITERS if target == self._report else _WRITERS
                        writers[suffix](result, path, suffix)
        return [str(path) for path in self._targets]


def _write_csv(result: Comparison | Evaluation, path: Path, suffix: str) -> None:
    """Write one line for each method; of evaluations, for each learner, method and metric."""
    from ..files.new_tables import open_new_table

    table = result.to_frame("pyarrow")
    with open_new_table("csv", path, table.schema) as writer:
        writer.write_table(table)


def _write_markdown(result: Comparison | Evaluation, path: Path, suffix: str) -> None:
    from ..report.markdown import escape, render_table, show_code
    from .writing import command_line

    blocks = [f"**{escape(result.title())}**"]
    blocks += [block for table in result.tables() for block in render_table(table) if block]
    blocks += [*map(escape, result.notes()), show_code(command_line())]
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def _write_latex(result: Comparison | Evaluation, path: Path, suffix: str) -> None:
    from .latex import to_latex
    from .writing import command_line

    text = to_latex(result.title(), result.tables(), result.notes(), command_line())
    path.write_text(text, encoding="utf-8")


def _write_figure(result: Comparison | Evaluation, path: Path, suffix: str) -> None:
    from .result_figures import write_figure

    write_figure(result, path, suffix)


def _write_page(result: Comparison | Evaluation, path: Path, suffix: str) -> None:
    from ..report.result_writing import to_result_html
    from .result_figures import to_panels
    from .writing import command_line

    page = to_result_html(result, command_line(), to_panels(result), "today")
    path.write_text(page, encoding="utf-8")


def _write_markdown_page(result: Comparison | Evaluation, path: Path, suffix: str) -> None:
    from ..report.result_writing import to_result_markdown
    from .writing import command_line

    path.write_text(to_result_markdown(result, command_line(), "today"), encoding="utf-8")


_WRITERS: dict[str, Callable[[Any, Path, str], None]] = {
    ".csv": _write_csv,
    ".md": _write_markdown,
    ".tex": _write_latex,
    **dict.fromkeys(_FIGURES, _write_figure),
}
_REPORT_WRITERS: dict[str, Callable[[Any, Path, str], None]] = {
    ".md": _write_markdown_page,
    ".html": _write_page,
}
