"""Hierarchies from files, and labels that are propagated over them."""

import pytest

from evenfold.exceptions import InputError
from evenfold.files.hierarchies import read_hierarchy
from evenfold.labels import propagate

OBO = """format-version: 1.2
ontology: go

[Term]
id: GO:1
name: function ! not a comment of an id
alt_id: GO:9

[Term]
id: GO:2 ! binding
is_a: GO:1 ! function
is_a: GO:1 {source="twice"} ! function
def: "starts
[in brackets]" [GOC:x]

[Term]
id: GO:3
is_a: GO:2
relationship: part_of GO:4 ! whole
relationship: regulates GO:5

[Term]
id: GO:6
is_a: GO:1
is_obsolete: true

[Typedef]
id: part_of
is_a: overlaps
"""


def write(folder, text, name="tree.csv"):
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        "kinase,enzyme\nkinase,protein\nenzyme,function\nfunction,\n",
        "child,parent\nkinase,enzyme\nkinase,protein\n"
        "kinase,enzyme\n\nenzyme,function\nfunction,\n",
        "\ufeffParent,Label\r\nenzyme,kinase\r\nprotein, kinase\r\nfunction,enzyme\r\n"
        ",function\r\n",
        "parent_go_id,go_id\nenzyme,kinase\nprotein,kinase\nfunction,enzyme\n,function\n",
    ],
    ids=["plain", "header", "parent first", "a header of its own words"],
)
def test_tables_give_label_and_parents(tmp_path, text):
    """A header is known by its words and says which column is which; repeated lines count once."""
    assert read_hierarchy(write(tmp_path, text)) == {
        "kinase": ["enzyme", "protein"],
        "enzyme": ["function"],
        "function": [],
    }


def test_a_first_line_of_labels_is_no_header(tmp_path):
    """Both words must be those of a header, or a label named like one would be lost."""
    assert read_hierarchy(write(tmp_path, "mothers,parents\nname,word\n")) == {
        "mothers": ["parents"],
        "name": ["word"],
    }


def test_tabs_separate_in_tsv(tmp_path):
    """In tsv files, commas are part of the labels."""
    assert read_hierarchy(write(tmp_path, 'a, b\tc\n"d"\tc\n', "tree.tsv")) == {
        "a, b": ["c"],
        "d": ["c"],
    }


def test_obo_gives_is_a_and_part_of(tmp_path):
    """Obsolete terms, other relations, alternative ids and other stanzas are left out."""
    assert read_hierarchy(write(tmp_path, OBO, "go.obo")) == {
        "GO:1": [],
        "GO:2": ["GO:1"],
        "GO:3": ["GO:2", "GO:4"],
    }
    assert read_hierarchy(write(tmp_path, OBO.replace("\n", "\r\n"), "go.obo"))["GO:3"] == [
        "GO:2",
        "GO:4",
    ]


def test_labels_are_propagated_over_what_was_read(tmp_path):
    """What was read is what `propagate` takes."""
    labels = propagate([["GO:3"], []], read_hierarchy(write(tmp_path, OBO, "go.obo")))
    assert dict(zip(labels.names, labels.count_of_label.tolist(), strict=True)) == {
        "GO:3": 1,
        "GO:2": 1,
        "GO:1": 1,
        "GO:4": 1,
    }


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("tree.txt", "a,b\n", r"tree.txt: a hierarchy must end in .csv, .tsv or .obo"),
        ("tree.csv", "a,b\nc\n", "tree.csv: line 2 has 1 columns"),
        ("tree.csv", "a,b\n\nc,d,e\n", "tree.csv: line 3 has 3 columns"),
        ("tree.csv", "a,b\n ,d\n", "tree.csv: line 2 has the parent 'd' and no label"),
        ("tree.csv", 'a,b\n"c"x,d\n', "tree.csv: line 2 cannot be read: .*Check its quotes"),
        ("tree.csv", b"a,b\n\xe9,d\n", "tree.csv: line 2 is not UTF-8"),
        ("tree.csv", "child,parent\n", "tree.csv: holds no labels"),
        ("go.obo", "[Typedef]\nid: x\n", r"go.obo: holds no \[Term\]"),
        ("go.obo", "x: y\n\n[Term]\nis_a: a\n", r"go.obo: the \[Term\] at line 3 has 0 ids"),
        ("go.obo", "[Term]\nid: a\nid: b\n", r"go.obo: the \[Term\] at line 1 has 2 ids"),
    ],
)
def test_what_is_no_hierarchy_is_refused(tmp_path, name, text, message):
    """The message has the path, and the line where there is one."""
    with pytest.raises(InputError, match=message):
        read_hierarchy(write(tmp_path, text, name))
