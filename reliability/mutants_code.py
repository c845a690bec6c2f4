"""Gives the functions of a loaded module the code of a changed source.

So one process can import evenfold and its tests once, and each mutant needs only a fork.
"""

from __future__ import annotations

import gc
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType


def replace_code(file: Path, source: str, changed: str) -> bool:
    """Replace the code of the functions that differ, and return whether that was possible.

    It is not where the change has its effect at import: in a constant of the module, in the body
    of a class, in the default of a parameter.
    """
    old = list(list_codes(compile(source, str(file), "exec")))
    new = list(list_codes(compile(changed, str(file), "exec")))
    if [code.co_qualname for code in old] != [code.co_qualname for code in new]:
        return False
    pairs = list(zip(old, new, strict=True))
    if not all(is_same_body(*pair) for pair in pairs if not is_function(pair[0])):
        return False
    code_at = {(code.co_qualname, code.co_firstlineno): (code, by) for code, by in pairs}
    for function in list_functions(file):
        code = function.__code__
        before, after = code_at[code.co_qualname, code.co_firstlineno]
        if before != after:
            if code.co_freevars != after.co_freevars:
                return False
            function.__code__ = after
    return True


def list_codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all that are in it, in the order of the source."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from list_codes(constant)


def is_function(code: CodeType) -> bool:
    """Whether this is the code of a function, and not the body of a module or a class."""
    return bool(code.co_flags & inspect.CO_OPTIMIZED)


def is_same_body(old: CodeType, new: CodeType) -> bool:
    """Whether two bodies of a module or a class do the same when they are imported."""
    constants = [
        [(type(value), value) for value in code.co_consts if not isinstance(value, CodeType)]
        for code in (old, new)
    ]
    return old.co_code == new.co_code and constants[0] == constants[1]


def list_functions(file: Path) -> list[FunctionType]:
    """Return the loaded functions of a file."""
    return [
        value
        for value in gc.get_objects()
        if isinstance(value, FunctionType) and value.__code__.co_filename == str(file)
    ]
