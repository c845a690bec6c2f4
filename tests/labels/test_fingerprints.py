"""Fingerprints of labels: the content counts, the form does not."""

import numpy as np

from evenfold.labels import make_labels
from evenfold.labels.fingerprints import make_fingerprint

Y = np.random.default_rng(0).random((120, 6)) < [0.5, 0.3, 0.2, 0.1, 0.05, 0.05]


def test_fingerprints_know_content_not_form():
    """A label, row or unknown entry more changes it; names, order and empty columns do not."""
    own = make_fingerprint(make_labels(Y))
    assert own == make_fingerprint(make_labels(np.column_stack((np.zeros(120), Y[:, ::-1]))))
    assert own != make_fingerprint(make_labels(np.vstack((Y, np.zeros(6)))))
    unknown = Y.astype(float)
    unknown[0, 0] = np.nan
    known = Y.copy()
    known[0, 0] = False
    assert make_fingerprint(make_labels(unknown)) != make_fingerprint(make_labels(known))
