"""The table of rooms in CONTRIBUTING.md is the architecture: every import is read and compared with it."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "evenfold"


def read_table():
    """Return room → (rooms it may import, other packages it may import) as CONTRIBUTING.md has it."""
    rooms = {}
    for line in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and re.fullmatch(r"`\w+`", cells[0]):
            rooms[cells[0].strip("`")] = tuple(set(re.findall(r"`(\w+)`", cell)) for cell in cells[2:])
    return rooms


def read_imports(path):
    """Return the rooms and the outside packages that a file imports, inside functions too."""
    package = ["evenfold", *path.relative_to(SOURCE).with_suffix("").parts]
    rooms, outside = set(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level]) + "." if node.level else ""
            stem = base + (node.module or "")
            names = [f"{stem.rstrip('.')}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            top, _, rest = name.partition(".")
            if top == "evenfold":
                room = rest.split(".")[0]
                rooms |= {room} if (SOURCE / room).is_dir() or (SOURCE / f"{room}.py").exists() else set()
            else:
                outside.add(top)
    return rooms, outside


def test_every_room_is_in_the_table_and_no_other():
    """A new room comes with its line."""
    rooms = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()} - {"__init__", "py"}
    assert rooms == set(read_table())


def test_rooms_import_what_the_table_allows():
    """Data walks one way; nobody walks back."""
    import sys

    table = read_table()
    wrong = []
    used = {room: (set(), set()) for room in table}
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if room == "__init__":
            continue
        rooms, outside = read_imports(path)
        rooms -= {room}
        outside -= set(sys.stdlib_module_names)
        used[room][0].update(rooms)
        used[room][1].update(outside)
        wrong += [f"{path.name} imports {name}" for name in (rooms - table[room][0]) | (outside - table[room][1])]
    assert not wrong
    assert used == table, "the table allows more than is used"


def test_the_table_has_no_circle():
    """Rooms can be laid in one row, each importing only from those before it."""
    left = {room: set(may) for room, (may, _) in read_table().items()}
    while left:
        free = [room for room, may in left.items() if not may & set(left)]
        assert free, f"these import each other: {sorted(left)}"
        for room in free:
            del left[room]
