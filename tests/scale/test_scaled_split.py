"""A scaled split is measured, printed, written and read from its counts."""

import dataclasses
import json

import numpy as np
import pytest

import evenfold
from evenfold.exceptions import InputError
from evenfold.problem.parts import check_parts
from evenfold.scale.manifest import FileRecord
from evenfold.scale.scaled_split import ScaledSplit, load

from .made_manifests import make_groups, make_manifest, write_files


@pytest.fixture
def split():
    """Return a split without files."""
    return ScaledSplit(make_manifest())


def make_equal_pair():
    """Return a split of rows in memory, and the same split known by its counts."""
    matrix = np.random.default_rng(0).random((600, 30)) < 0.1
    s = evenfold.split(matrix, [0.7, 0.3])
    counts = np.array([matrix[s[part]].sum(axis=0) for part in range(2)])
    manifest = make_manifest(
        parts=check_parts([0.7, 0.3], 600),
        sizes=s.sizes,
        labels=list(range(counts.shape[1])),
        counts=counts,
        files=[FileRecord("a.parquet", 600, "0" * 64)],
    )
    return s, ScaledSplit(manifest)


def test_the_quality_is_that_of_the_rows():
    """Counts give the same numbers as `evenfold.measure` on data that fits."""
    s, scaled = make_equal_pair()
    assert scaled.quality.rld == s.quality.rld
    assert scaled.excess == s.quality.excess
    assert str(scaled.quality) == str(s.quality)


def test_the_manifest_says_what_a_split_is(split):
    """Its attributes are those of the manifest."""
    own = split.manifest
    assert split.names == ("train", "test")
    assert len(split) == 2
    assert split.sizes.tolist() == [20, 10]
    assert split.shares.tolist() == [2 / 3, 1 / 3]
    assert split.counts.tolist() == own.counts.tolist()
    assert split.labels == ["war", "art", 7]
    assert (split.n_rows, split.scheme, split.seed, split.budget) == (30, "gather", 3, 5)
    assert split.notes == ["Labelsets were left to chance."]
    assert split.digest == own.digest
    assert split.files == []
    assert split.path is None
    assert split.frame is None
    assert repr(split) == "<ScaledSplit train: 20, test: 10; scheme gather>"


def test_the_excess_is_always_printed(split):
    """With the scheme, the notes and the tables, in 80 columns."""
    text = str(split)
    title = "2 parts of 30 rows, 3 labels, 16 label entries, 2 partitions, seed 3"
    assert text.startswith(f"{title}\nScheme gather: ")
    assert f"rLD is {100 * split.excess:.0f} % over its bound." in text
    assert "(at most 5 label entries)." in " ".join(text.split())
    assert "Labelsets were left to chance." in text
    assert text.endswith(str(split.quality))
    assert max(map(len, text.splitlines())) <= 80
    assert "over its bound" in split._repr_html_()
    perfect = {"sizes": np.array([20, 10]), "counts": np.array([[8, 2, 2], [4, 1, 1]])}
    assert "rLD is 0 % over its bound." in str(ScaledSplit(make_manifest(**perfect)))
    uneven = {"counts": np.array([[9, 2, 2], [3, 1, 1]])}
    text = str(ScaledSplit(make_manifest(**uneven)))
    assert "its bound is 0." in text


@pytest.mark.parametrize(
    ("excess", "shown"),
    [
        (3.309e-6, "0.00033 %"),
        (0.0123456, "1.2 %"),
        (14.3, "1,430 %"),
        (1e-9, "less than 0.0001 %"),
    ],
)
def test_the_excess_has_few_digits(monkeypatch, excess, shown):
    """Two of small numbers, and no power of ten."""
    monkeypatch.setattr(ScaledSplit, "excess", excess)
    assert ScaledSplit(make_manifest()).describe_excess() == f"rLD is {shown} over its bound."


def test_groups_and_balanced_columns_are_remarked():
    """Groups of a stream are brought together; balanced columns are not measured."""
    groups = "The rows of each group were brought together before."
    assert groups in ScaledSplit(make_manifest(scheme="stream", groups=make_groups())).remarks()
    assert groups not in ScaledSplit(make_manifest(scheme="stream")).remarks()
    columns = make_manifest().columns | {"balance": ["age", "site"]}
    said = (
        "Balanced columns (age, site) were kept even in the search, but are not measured at scale."
    )
    assert said in ScaledSplit(make_manifest(columns=columns)).remarks()
    assert not any("Balanced" in line for line in ScaledSplit(make_manifest()).remarks())


def test_groups_are_printed_and_certified():
    """Whether they are whole is a figure of the certificate."""
    columns = {"groups": "patient", "key": "id"}
    split = ScaledSplit(make_manifest(groups=make_groups(), columns=columns))
    assert str(split).startswith("2 parts of 30 rows in 22 groups, 3 labels")
    certificate = split.certificate()
    assert certificate.passed
    record = certificate.to_dict()
    assert record["groups"][0]["column"] == "patient"
    assert (record["groups"][0]["values"], record["groups"][0]["missing"]) == (18, 4)
    assert record["ids"]["values"] == 30
    assert record["fingerprints"]["parts"] == split.digest
    cut = make_groups()._replace(in_part=np.array([16, 7]))
    certificate = ScaledSplit(make_manifest(groups=cut, columns=columns)).certificate()
    assert not certificate.passed
    assert "patient: 1 value is in more than one part" in str(certificate)


def test_a_split_is_loaded_as_it_was_saved(tmp_path, split):
    """The manifest has all that is needed, the certificate and the excess."""
    write_files(tmp_path, split.manifest)
    saved = split.save(str(tmp_path))
    found = load(tmp_path)
    assert found == saved == split
    assert str(found) == str(split)
    assert found.files == [str(tmp_path / "a.parquet"), str(tmp_path / "b/c.parquet")]
    assert found.path == str(tmp_path / "_manifest.json")
    record = json.loads((tmp_path / "_manifest.json").read_text())
    assert record["format"] == "evenfold scaled split"
    assert record["evenness"] == {
        "rld": split.quality.rld,
        "bound": split.quality.bound.rld,
        "excess": split.excess,
    }
    assert record["certificate"]["passed"]
    with pytest.raises(InputError, match=r"has no _manifest.json"):
        load(tmp_path / "b")


def test_splits_are_equal_if_their_rows_are(split):
    """The seed and the notes do not matter, the parts of the rows do."""
    assert ScaledSplit(make_manifest(seed=5, notes=[])) == split
    files = [FileRecord("a.parquet", 18, "2" * 64), make_manifest().files[1]]
    assert ScaledSplit(make_manifest(files=files)) != split
    assert split != split.digest


def test_the_record_is_plain(split):
    """The command prints it as JSON."""
    record = json.loads(json.dumps(split.to_dict()))
    assert record["sizes"] == [20, 10]
    assert record["excess"] == split.excess
    assert record["quality"]["rld"] == split.quality.rld
    assert record["files"] == []


@pytest.mark.parametrize("suffix", ["html", "md", "json"])
def test_a_report_is_written(tmp_path, split, suffix):
    """It has the remarks of the split."""
    path = tmp_path / f"report.{suffix}"
    split.report(path)
    assert "Labelsets were left to chance." in path.read_text()
    assert "over its bound" in path.read_text()


def test_every_scheme_is_explained():
    """The first remark says how the split was made."""
    for scheme in ("memory", "stream", "gather", "gather with groups"):
        split = ScaledSplit(dataclasses.replace(make_manifest(), scheme=scheme, budget=None))
        assert split.remarks()[0].startswith(f"Scheme {scheme}: ")
        assert "at most" not in split.remarks()[0]
