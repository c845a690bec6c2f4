"""Running the blocks of a page in their order, as a reader would type them."""

import doctest
import json
import re

import yaml

from .shell import run_shell

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


class PageError(AssertionError):
    """A block of a page that does not do what the page says."""


def run_page(name, blocks, command, folder):
    """Run all blocks that can be run; those of Python share their names."""
    names = {"__name__": "__main__"}
    printed = None
    for block in blocks:
        where = f"{name}.md, line {block.line}"
        if block.remark == "not run":
            continue
        if block.language == "bash":
            printed = _run_bash(block, command, folder, where)
        elif block.language == "python" and ">>> " in block.code:
            _run_examples(block, names, where)
        elif block.language == "python":
            # Blank lines put the lines of a traceback where they are on the page.
            lines = "\n" * (block.line - 1) + block.code
            exec(compile(lines, f"{name}.md", "exec"), names)
        elif block.remark == "printed":
            _compare_printed(block.code, printed, where)
        elif block.language == "json":
            json.loads(block.code)
        elif block.language == "yaml":
            yaml.safe_load(block.code)


def _run_bash(block, command, folder, where):
    try:
        return run_shell(block.code, command, folder)
    except AssertionError as error:
        raise PageError(f"{where}: {error}") from error


def _run_examples(block, names, where):
    """Run the lines that begin with >>> and compare what they print."""
    report = []
    # doctest runs the examples in a copy of the names and clears it at the end.
    test = doctest.DocTestParser().get_doctest(block.code, {}, where, None, block.line - 1)
    test.globs = names
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    if runner.run(test, out=report.append, clear_globs=False).failed:
        raise PageError("".join(report))


def _compare_printed(shown, printed, where):
    """Check that a page shows what was printed; ... stands for anything."""
    texts = [text for text in (printed.stdout, printed.stderr) if text]
    pieces = [re.escape(" ".join(piece.split())) for piece in shown.split("...")]
    wanted = ".*".join(pieces)
    if not any(re.search(wanted, " ".join(text.split())) for text in texts):
        raise PageError(f"{where}: {printed.line} does not print this, but\n" + "".join(texts))
