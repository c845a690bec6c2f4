"""Files of several tables: which one is read, and what is said if that is not clear."""

import pytest

from evenfold.exceptions import InputError
from evenfold.files.content import begins_as, tell_apart
from evenfold.files.extras import import_extra
from evenfold.files.registry import find_format, find_new_suffix, open_data
from evenfold.files.tables import choose_table, split_table

from .made_files import write_csv, write_duckdb, write_sqlite


def test_a_table_is_named_after_two_colons(tmp_path):
    """Unless there is a file of the whole name."""
    assert split_table("a/data.db::t::u") == ("a/data.db", "t::u")
    odd = tmp_path / "a::b.csv"
    odd.write_text("x\n")
    assert split_table(str(odd)) == (str(odd), None)
    assert split_table("s3://bucket/data.csv") == ("s3://bucket/data.csv", None)


def test_the_only_table_is_taken_and_others_are_asked_for():
    """Errors name the tables, at most a dozen, and the one that may be meant."""
    assert choose_table("x.db", None, ["a"], "table") == "a"
    assert choose_table("x.db::b", "b", ["a", "b"], "table") == "b"
    with pytest.raises(
        InputError, match=r"^x\.db: holds 2 tables\. Name one of them: x\.db::a, x\.db::b\.$"
    ):
        choose_table("x.db", None, ["a", "b"], "table")
    with pytest.raises(InputError, match=r"holds 99 tables\. .*x\.db::11, …\.$"):
        choose_table("x.db", None, list(map(str, range(99))), "table")
    with pytest.raises(
        InputError,
        match=r"^x\.xlsx: has no sheet 'Flims'\. Sheets: Films, Old\. Did you mean 'Films'\?$",
    ):
        choose_table("x.xlsx::Flims", "Flims", ["Films", "Old"], "sheet")
    with pytest.raises(InputError, match=r"has no table 'zz'\. Tables: a\.$"):
        choose_table("x.db::zz", "zz", ["a"], "table")
    with pytest.raises(InputError, match=r"^x\.db: holds no table to read\. Check how it"):
        choose_table("x.db", None, [], "table")


def test_formats_without_tables_refuse_one(tmp_path):
    """So does a file that is not there."""
    path = write_csv(tmp_path / "data.csv")
    with pytest.raises(
        InputError,
        match=r"data\.csv::x: a table is named after ::, and only files of xlsx, sqlite, duckdb "
        r"have tables, got csv\. Name the file alone\.",
    ):
        open_data(f"{path}::x")
    with pytest.raises(InputError, match=r"no\.db: no such file\. Check the name"):
        open_data("no.db::t")


def test_databases_of_one_suffix_are_told_apart_by_their_content(tmp_path):
    """A file that is not there, or is neither, is taken for the first format."""
    lite, duck, text = tmp_path / "l.db", tmp_path / "d.db", tmp_path / "t.db"
    write_sqlite(lite), write_duckdb(duck), text.write_text("a,b\n")
    assert (find_format(lite), find_format(duck)) == ("sqlite", "duckdb")
    assert find_format(text) == find_format(tmp_path / "none.db") == "sqlite"
    assert tell_apart(duck, ["sqlite", "duckdb"]) == "duckdb"
    assert not begins_as(tmp_path / "none.db", "duckdb")
    assert open_data(str(duck)).format == "duckdb"
    assert find_new_suffix(duck, "duckdb") == ".db"
    assert find_new_suffix(duck.with_suffix(".bin"), "duckdb") == ".duckdb"


def test_a_missing_package_is_named_with_its_extra():
    """The message has the line that installs it."""
    with pytest.raises(
        InputError,
        match=r"^x\.xlsx: needs the package no_such_package, which is not installed\. "
        r"Run: pip install 'evenfold\[excel\]'$",
    ):
        import_extra("no_such_package", "x.xlsx", "excel")


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("a.xlsx", "python_calamine", "excel"), ("a.duckdb", "duckdb", "duckdb")],
)
def test_a_format_without_its_package_says_so(name, package, extra, tmp_path, monkeypatch):
    """When the file is opened."""
    monkeypatch.setitem(__import__("sys").modules, package, None)
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(
        InputError, match=rf"{name}: needs the package {package}, .*'evenfold\[{extra}\]'"
    ):
        open_data(str(tmp_path / name))
