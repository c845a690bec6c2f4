"""The wheel and the sdist: those of this repository are right, wrong ones are found."""

import io
import tarfile
import zipfile
from email.message import Message

import pytest
from release.archives import Archives

from release import archives

FILES = {"evenfold/__init__.py": b'__version__ = "1.0"\n', "evenfold/py.typed": b""}


def write_source(root, files=FILES):
    """Write the files of a package below src, and a cache of Numba that no archive has."""
    for name, content in {**files, "evenfold/kernel.py310.nbi": b"cache"}.items():
        (root / "src" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "src" / name).write_bytes(content)


def write_wheel(path, files):
    """Write a wheel with some files and metadata."""
    with zipfile.ZipFile(path, "w") as opened:
        for name, content in {**files, "evenfold-1.0.dist-info/METADATA": b"Version: 1"}.items():
            opened.writestr(name, content)
    return path


def write_sdist(path, names):
    """Write an sdist with some files, all in its folder."""
    with tarfile.open(path, "w:gz") as opened:
        for name in [*names, "PKG-INFO"]:
            opened.addfile(tarfile.TarInfo(f"evenfold-1.0/{name}"), io.BytesIO())
    return path


@pytest.mark.parametrize(
    ("held", "problems"),
    [
        (FILES, []),
        ({"evenfold/__init__.py": FILES["evenfold/__init__.py"]}, ["lacks evenfold/py.typed."]),
        ({**FILES, "tests/a.py": b""}, ["has, and src has not, tests/a.py."]),
        ({**FILES, "evenfold/py.typed": b"x"}, ["differs from src in evenfold/py.typed."]),
    ],
)
def test_a_wheel_has_the_files_of_the_source(held, problems, tmp_path):
    """All of them with their bytes, and no others; caches are left out."""
    write_source(tmp_path)
    wheel = write_wheel(tmp_path / "a.whl", held)
    assert archives.check_wheel(wheel, tmp_path) == [f"a.whl: {text}" for text in problems]


def test_many_files_are_counted(tmp_path):
    """Five are named."""
    write_source(tmp_path, {f"evenfold/{name}.py": b"" for name in "abcdefg"})
    wheel = write_wheel(tmp_path / "a.whl", {})
    [problem] = archives.check_wheel(wheel, tmp_path)
    assert problem.endswith("evenfold/d.py, evenfold/e.py and 2 more.")


def test_an_sdist_has_the_files_of_the_repository(tmp_path):
    """Without Git, all files that are there; the tests may need each of them."""
    root = tmp_path / "root"
    write_source(root, {"evenfold/a.py": b""})
    (root / "src" / "evenfold" / "kernel.py310.nbi").unlink()
    (root / ".ci").mkdir()
    (root / ".ci" / "run").write_text("only in a clone")
    good = write_sdist(tmp_path / "a.tar.gz", ["src/evenfold/a.py"])
    assert archives.check_sdist(good, root) == []
    assert archives.check_sdist(write_sdist(tmp_path / "b.tar.gz", ["note.txt"]), root) == [
        "b.tar.gz: lacks src/evenfold/a.py.",
        "b.tar.gz: has, and Git does not know, note.txt.",
    ]


def test_a_wheel_of_a_megabyte_is_too_large(tmp_path):
    """The message has both numbers."""
    wheel = tmp_path / "a.whl"
    wheel.write_bytes(bytes(999_999))
    assert archives.check_size(wheel) == []
    wheel.write_bytes(bytes(1_000_000))
    assert archives.check_size(wheel) == [
        "a.whl: has 1,000,000 bytes. It must have less than 1,000,000."
    ]


def test_metadata_are_those_of_the_project(tmp_path):
    """Version, Pythons, addresses, and a description without links into the repository."""
    write_source(tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nrequires-python = ">=3.11"\n'
        'classifiers = ["Programming Language :: Python :: 3.12"]\n'
    )
    metadata = Message()
    metadata["Version"] = "1.1"
    for name in ("Repository", "Documentation", "Changelog"):
        metadata["Project-URL"] = f"{name}, https://example.org"
    metadata.set_payload("[a](docs/a.md), [b](#b), ![c](https://example.org/c.svg)")
    assert archives.check_metadata(metadata, tmp_path) == [
        "the wheel has version 1.1, the package has 1.0.",
        "the classifiers of Python begin with another version than 3.11.",
        "the description links to docs/a.md, which only works in the repository.",
        "pyproject.toml: has no address of Issues.",
    ]


@pytest.mark.slow
def test_the_archives_of_this_repository_are_right(tmp_path):
    """They are built, complete and small, and an index can show the description."""
    built = archives.build_archives(tmp_path)
    assert archives.find_problems(built) == []
    with zipfile.ZipFile(built.wheel) as opened:
        names = set(opened.namelist())
    assert {"evenfold/py.typed", "evenfold/report/page.html.jinja"} <= names
    (tmp_path / "broken.whl").write_bytes(b"")
    assert archives.check_rendering(Archives(tmp_path / "broken.whl", built.sdist))
