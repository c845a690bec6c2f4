"""The manifest describes the files that are there, whatever other runs did to them."""

import pytest

from evenfold.exceptions import EvenfoldError, InputError
from evenfold.scale import split, writing

from .made_files import check_split, cut, find_part_of_row, make_table, write_files


@pytest.fixture(scope="module")
def table():
    """Return the rows."""
    return make_table(400, 12)


@pytest.fixture
def data(table, tmp_path):
    """Return a folder of four files."""
    return write_files(tmp_path / "data", cut(table, 4))


def stop_before_manifest(context):
    """Stop runs when all files are written."""

    def stop(*_):
        raise KeyboardInterrupt

    context.setattr("evenfold.scale.scaled_split.write_manifest", stop)


@pytest.mark.parametrize("second_ends", [True, False])
def test_files_that_another_run_replaced_are_written_again(
    second_ends, data, table, tmp_path, monkeypatch
):
    """Also where the work folders of both runs are elsewhere, and the other run died too."""
    settings = {"labels": "labels", "output": tmp_path / "out", "work": tmp_path / "work"}
    with monkeypatch.context() as context:
        stop_before_manifest(context)
        with pytest.raises(KeyboardInterrupt):
            split(data, 2, random_state=1, **settings)
        if not second_ends:
            with pytest.raises(KeyboardInterrupt):
                split(data, 2, random_state=2, force=True, **settings)
    if second_ends:
        split(data, 2, random_state=2, force=True, **settings)
    s = split(data, 2, random_state=1, force=True, **settings)
    check_split(s, table)
    digests = [file.digest for file in s.manifest.files]
    parts, start = find_part_of_row(s), 0
    for file, digest in zip(s.manifest.files, digests, strict=True):
        assert writing.digest_parts(parts[start : start + file.rows]) == digest
        start += file.rows


def test_files_that_were_not_replaced_are_not_written_again(data, tmp_path, monkeypatch):
    """They are as they were written, so the second run only writes the manifest."""
    with monkeypatch.context() as context:
        stop_before_manifest(context)
        with pytest.raises(KeyboardInterrupt):
            split(data, 2, labels="labels", output=tmp_path / "out")
    (tmp_path / "out" / "001.parquet").unlink()
    times = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*.parquet")}
    s = split(data, 2, labels="labels", output=tmp_path / "out")
    assert len(s.files) == 4
    assert {name: (tmp_path / "out" / name).stat().st_mtime_ns for name in times} == times


def test_two_outputs_can_have_one_work_folder(data, table, tmp_path, monkeypatch):
    """Files that were written to one are not taken for those of the other."""
    settings = {"labels": "labels", "work": tmp_path / "work"}
    with monkeypatch.context() as context:
        stop_before_manifest(context)
        with pytest.raises(KeyboardInterrupt):
            split(data, 2, output=tmp_path / "one", **settings)
    check_split(split(data, 2, output=tmp_path / "two", **settings), table)
    check_split(split(data, 2, output=tmp_path / "one", **settings), table)
    assert list((tmp_path / "work").iterdir()) == []


def test_finished_split_without_one_of_its_files_is_refused(data, table, tmp_path):
    """It would be taken for a whole split; with force it is made again."""
    s = split(data, 2, labels="labels", output=tmp_path / "out")
    (tmp_path / "out" / "002.parquet").unlink()
    with pytest.raises(InputError, match=r"without 002\.parquet. Make the split again with force"):
        split(data, 2, labels="labels", output=tmp_path / "out")
    again = split(data, 2, labels="labels", output=tmp_path / "out", force=True)
    assert again == s
    check_split(again, table)


def test_written_rows_are_compared_with_the_split(data, tmp_path, monkeypatch):
    """Files that do not fit the manifest are an error of evenfold, and are removed."""
    from evenfold.scale import job

    write = job.write_partition

    def write_wrong(task, shared, work):
        record = write(task, shared, work)
        return record | {"rows_of_part": record["rows_of_part"][::-1] + 1}

    monkeypatch.setattr(job, "write_partition", write_wrong)
    with pytest.raises(EvenfoldError, match=r"have \[204, 204\] rows .* please report it"):
        split(data, 2, labels="labels", output=tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_budget_that_has_no_effect_is_noted(data, tmp_path):
    """Once, since without an engine nothing is gathered."""
    settings = {"labels": "labels", "memory": 0, "budget": 0.5}
    s = split(data, 2, output=tmp_path / "stream", **settings)
    [note] = [note for note in s.notes if "budget" in note]
    assert note.startswith("The budget was not used: without an engine")
    s = split(data, 2, output=tmp_path / "gather", engine="sync", **settings)
    assert not any("budget" in note for note in s.notes)
