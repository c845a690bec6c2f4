"""The certificate of a split known by counts only: figures handed in, the form as usual."""

import json

import numpy as np
import pytest

import evenfold
from evenfold.links.group_columns import CountedColumn
from evenfold.quality import measure_counts
from evenfold.splits.certificate import certify_counts
from evenfold.splits.leaks import ValuesCheck

DIGEST = "0f" * 32
Y = np.random.default_rng(0).random((60, 4)) < 0.4
PATIENTS = np.arange(60) // 3


@pytest.fixture(scope="module")
def split():
    """A split of 20 patients."""
    return evenfold.split(Y, [0.5, 0.3, 0.2], groups={"patient": PATIENTS})


def certify(split, n_leaking=0):
    """Return its certificate, made from counts."""
    rows = split.quality.placement
    quality = measure_counts(
        rows.label_names,
        rows.count_labels(),
        rows.sizes,
        rows.parts,
        rows.find_groups_of_label(),
        rows.count_groups().in_part,
    )
    groups = ValuesCheck(CountedColumn("patient", 20), n_leaking, "")
    return certify_counts(quality, DIGEST, [groups], ValuesCheck(CountedColumn("ids", 60), 0, ""))


def test_it_is_the_certificate_of_the_rows_but_for_fingerprints(split):
    """Sizes, groups, ids and evenness are equal; the digest of the parts is the one given."""
    of_rows = split.certificate(ids=[f"id{row}" for row in range(60)]).to_dict()
    of_counts = certify(split).to_dict()
    assert list(of_counts) == list(of_rows)
    for record in (of_rows, of_counts):
        for entry in (*record["groups"], record["ids"]):
            del entry["fingerprint"]
    assert of_rows.pop("fingerprints").keys() == {"labels", "parts"}
    assert of_counts.pop("fingerprints") == {"labels": None, "parts": DIGEST}
    assert json.loads(json.dumps(of_counts)) == of_rows


def test_its_text_is_that_of_the_rows_but_for_the_fingerprint(split):
    """Each check has its line."""
    *lines, made = str(certify(split)).splitlines()
    of_rows = str(split.certificate(ids=[f"id{row}" for row in range(60)])).splitlines()
    assert lines == of_rows[: len(lines)]
    assert lines[1] == "ok     patient: 20 values; each value is in one part"
    assert made.startswith("       evenfold ")


def test_values_in_two_parts_make_it_fail(split):
    """The number handed in is shown."""
    certificate = certify(split, n_leaking=2)
    assert not certificate.passed
    assert certificate.failures == ["patient: 2 values are in more than one part"]
    assert certificate.to_dict()["groups"][0]["in_two_parts"] == 2


def test_ids_that_repeat_are_shown(split):
    """Rows whose id is there before are counted, not a failure."""
    ids = ValuesCheck(CountedColumn("ids", 58, n_missing=1, n_repeated=1), 0, "")
    certificate = certify_counts(split.quality, DIGEST, ids=ids)
    assert "ids: not unique, repeated in 1 row" in str(certificate)
    assert certificate.to_dict()["ids"] == {
        "values": 58,
        "repeated": 1,
        "missing": 1,
        "in_two_parts": 0,
        "fingerprint": None,
    }
