"""Outputs of commands, read back."""

import numpy as np


def read_parts(path, column="part"):
    """Return the last column of a csv file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].endswith(f",{column}")
    return [line.rpartition(",")[2] for line in lines[1:]]


def names_of(s):
    """Return the name of each row's part."""
    return [s.names[part] for part in s.part_of_row]


def read_rows_labels(path):
    """Return the labels of a file as a 0/1 array, in the order of the label names."""
    from evenfold.cli.options import Reading
    from evenfold.cli.reading import read_rows

    # Some rows of text are too few to guess what holds labels.
    named = (
        {"labels": ("genres",), "separator": "|"}
        if path.suffixes[:1] in ([".csv"], [".tsv"], [".xlsx"], [".sqlite"])
        else {"labels": (), "separator": None}
    )
    labels = read_rows([str(path)], Reading(format=None, xml=None, propagate=None, **named)).labels
    dense = labels.to_csr().toarray()
    return dense[:, np.argsort([str(name) for name in labels.names])]
