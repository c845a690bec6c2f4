"""What the tests of refused commands share: files to refuse, and the checks of a refusal."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evenfold

from ..files.made_files import GENRES, WRITERS

DATA = "data.csv"
ROWS = b"id,tags,who\n" + b"".join(
    b"%d,%s,%d\n" % (at, b"a|b" if at % 2 else b"b", at // 2) for at in range(12)
)
PARTED = b"tags,fold\n" + b"".join(
    b"%s,%s\n" % (b"a|b" if at % 2 else b"b", b"train" if at % 3 else b"test") for at in range(12)
)
GAPS = PARTED.replace(b"a|b,train", b"a|b,", 2)
MULAN = (
    b"@relation r\n@attribute f numeric\n@attribute a {0,1}\n@attribute b {0,1}\n"
    b"@data\n1,0,1\n2,1,0\n3,1,1\n4,0,0\n"
)
MULAN_LABELS = b'<labels><label name="a"/><label name="b"/></labels>'


def truncated_parquet(path):
    """Write a file whose end is missing."""
    WRITERS["data.parquet"](path)
    path.write_bytes(path.read_bytes()[:-20])


def damaged_parquet(path):
    """Write a file with its footer whole and its rows overwritten."""
    WRITERS["data.parquet"](path)
    content = path.read_bytes()
    path.write_bytes(content[:4] + b"\xff" * 200 + content[204:])


def parquet_with_numbered_parts(path):
    """Write a file with parts 0, 1 and none."""
    pq.write_table(
        pa.table({"tags": [["a"], ["b"], ["a"], ["b"]], "fold": pa.array([0, 1, None, None])}), path
    )


def manifest_of_other_data(path):
    """Save a split of other rows."""
    evenfold.split(GENRES, 2).save(path)


def split_into(folder):
    """Make a folder with a part in it already."""
    folder.mkdir()
    (folder / "train.csv").write_text("precious")


def link_to_data(path):
    """Make another name of the input."""
    path.symlink_to(path.with_name(DATA))


def link_to_folder(path):
    """Make another name of the folder that it is in."""
    path.symlink_to(path.parent, target_is_directory=True)


def read_all(folder):
    """Return all files below a folder, and what is in them."""
    return {
        path: path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))
    }


def make_files(folder, files):
    """Write the good file, and those given as bytes or by a function."""
    for name, content in {DATA: ROWS, **files}.items():
        if callable(content):
            content(folder / name)
        else:
            (folder / name).write_bytes(content)


def check_refusal(done, code, message):
    """Check that there is one message with the expected text, and no data."""
    errors = [
        line for line in done.stderr.splitlines() if line.startswith(("evenfold: ", "Error: "))
    ]
    assert len(errors) == 1, done.stderr
    assert message in errors[0]
    assert "Traceback" not in done.stderr
    assert (done.code, done.stdout) == (code, "")


def fail_with(error):
    """Return a function that raises."""

    def fail(*_, **__):
        raise error

    return fail


def each(cases):
    """Return a decorator that runs a test with each case: its name, words, message and files."""
    names = [case[0] for case in cases]
    assert len(set(names)) == len(names)
    return pytest.mark.parametrize(
        ("words", "message", "files"), [pytest.param(*case[1:], id=case[0]) for case in cases]
    )


def check_wrong_usage(command, words, message, files, folder):
    """Check that a command ends with code 2 and one message, and changes no file."""
    make_files(folder, files)
    before = read_all(folder)
    check_refusal(command(words), 2, message)
    assert read_all(folder) == before


def check_wrong_data(command, words, message, files, folder):
    """Check that a command ends with code 1 and one message, and leaves no output behind."""
    make_files(folder, files)
    before = read_all(folder)
    can_write = words.startswith(("split ", "extend ")) and " -o " not in words
    outputs = " -o new_out --indices new.json --manifest new_m.json" if can_write else ""
    check_refusal(command(words + outputs), 1, message)
    assert read_all(folder) == before
