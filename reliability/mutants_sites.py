"""Where the code can be changed, and how: cosmic-ray's operators, less what no test could see.

A site is one place and one kind of change, such as the sign in `a < b`. A sample draws sites, and
for each of them one change. So a sign that has eleven replacements is not drawn more often than
a condition that has one.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cosmic_ray.plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

# A sign is replaced by another one of its group.
SIGNS = (
    {"Add", "Sub", "Mul", "Div", "FloorDiv", "Mod"},
    {"BitOr", "BitAnd", "BitXor"},
    {"LShift", "RShift"},
    {"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE"},
    {"Is", "IsNot"},
)
# Operators that are not used: names at random, and decorators, which only say that a function is
# a kernel, a property or cached.
LEFT_OUT = ("VariableReplacer", "VariableInserter", "RemoveDecorator")
REPLACED_SIGN = re.compile(r"Replace(?:Binary|Comparison)Operator_(\w+)_(\w+)")

Position = tuple[int, int]


@dataclass(frozen=True)
class Mutation:
    """One change of one file: the operator, and which of the places where it applies."""

    path: str
    operator: str
    occurrence: int
    start: Position
    end: Position

    @property
    def kind(self) -> str:
        """The operator without what it replaces."""
        return self.operator.removeprefix("core/").split("_")[0]

    @cache  # noqa: B019 - one process has one sample
    def apply(self, source: str) -> str:
        """Return the changed source."""
        changed = mutate_code(source, load_operators()[self.operator], self.occurrence)
        assert changed is not None, self
        return changed


@cache
def load_operators() -> dict[str, Any]:
    """Return the operators that are used, by their names."""
    names = sorted(cosmic_ray.plugins.operator_names())
    return {name: cosmic_ray.plugins.get_operator(name)() for name in names if is_used(name)}


def is_used(name: str) -> bool:
    """Whether an operator makes changes that tests should see."""
    if name.removeprefix("core/") in LEFT_OUT:
        return False
    signs = REPLACED_SIGN.search(name)
    return signs is None or any({signs[1], signs[2]} <= group for group in SIGNS)


def list_sites(path: str, source: str) -> list[list[Mutation]]:
    """Return the changes of one file, those of one site together, in the order of the file."""
    hidden = list_hidden(ast.parse(source))
    sites: dict[tuple[Position, Position, str], list[Mutation]] = {}
    n_seen = dict.fromkeys(load_operators(), 0)
    for node in ast_nodes(get_ast(source)):
        for name, operator in load_operators().items():
            for start, end in operator.mutation_positions(node):
                mutation = Mutation(path, name, n_seen[name], start, end)
                n_seen[name] += 1
                if not any(first <= start < last for first, last in hidden):
                    sites.setdefault((start, end, mutation.kind), []).append(mutation)
    return [sites[place] for place in sorted(sites)]


def list_hidden(tree: ast.Module) -> list[tuple[Position, Position]]:
    """Return the ranges without behaviour: annotations, decorators, `__all__` and messages.

    That a message is right is tested where it is raised; a change of a number in it says little.
    """
    return [
        ((part.lineno, part.col_offset), (part.end_lineno or 0, part.end_col_offset or 0))
        for node in ast.walk(tree)
        for part in list_hidden_parts(node)
    ]


def list_hidden_parts(node: ast.AST) -> Iterator[Any]:
    """Yield the parts of a node that have no behaviour."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield from node.decorator_list
    if isinstance(node, ast.FunctionDef) and node.returns:
        yield node.returns
    if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
        yield node.annotation
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        yield from node.exc.args
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "warnings.warn":
        yield from node.args
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
        yield node
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        yield node
    if isinstance(node, ast.Assign) and is_type(node.value):
        yield node


def is_type(value: ast.expr) -> bool:
    """Whether a value is a type with a name, such as `int | None`."""
    return ast.unparse(value).startswith(("Callable[", "Mapping[", "Sequence[", "TypeVar("))


def draw_sample(sources: Mapping[str, str], n_mutants: int, seed: int) -> list[Mutation]:
    """Return a sample of changes: as many of each file as it has sites, in proportion.

    A change that gives the same code, or none that Python reads, is drawn again. Each file has
    draws of its own, so that a change of one file leaves the sample of the others.
    """
    sites = {path: list_sites(path, source) for path, source in sorted(sources.items())}
    n_of_file = share_out(n_mutants, [len(found) for found in sites.values()])
    sample = []
    for (path, found), n_drawn in zip(sites.items(), n_of_file, strict=True):
        draws = random.Random(f"{seed} {path}")
        drawn: list[Mutation] = []
        for site in draws.sample(found, len(found)):
            if len(drawn) == n_drawn:
                break
            drawn += next(
                (
                    [mutation]
                    for mutation in draws.sample(site, len(site))
                    if not is_bare_star(sources[path], mutation.start)
                    and is_other_code(sources[path], mutation.apply(sources[path]))
                ),
                [],
            )
        sample += sorted(drawn, key=lambda mutation: mutation.start)
    return sample


def share_out(total: int, sizes: Sequence[int]) -> list[int]:
    """Return whole shares of a total in proportion to sizes, by largest remainders."""
    exact = [total * size / sum(sizes) for size in sizes]
    shares = [int(share) for share in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda i: shares[i] - exact[i])
    for i in by_remainder[: total - sum(shares)]:
        shares[i] += 1
    return shares


def is_bare_star(source: str, start: Position) -> bool:
    """Whether this is the star before the parameters that are given by name: no multiplication."""
    line, column = start
    return source.splitlines()[line - 1].startswith("*,", column)


def is_other_code(source: str, changed: str) -> bool:
    """Whether the changed source is valid and means something else."""
    try:
        return ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False
