"""ARFF: what is read is what was written, by others and by evenfold itself."""

import arff as liac_arff
import numpy as np
import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.chain import Chain
from evenfold.files.formats.arff import Arff
from evenfold.files.label_columns import choose_label_columns

XML = """<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="sad"/><label name="calm"><label name="very calm"/></label></labels>
"""
DENSE = """% where it comes from
@relation music

@attribute tempo numeric
@attribute sad {0,1}
@ATTRIBUTE\t'very calm'\t{0, 1} % a remark
@attribute calm {0,1}
@attribute singer string
@attribute genre {rock,'hip, hop'}

@data
% not a row
1.5,0,1,1,'Nina S.',rock
?,1,?,0,"O\\"Neil",'hip, hop'

 2,1,0,0,?,rock
"""
SPARSE = """@relation 'music: -C 2'
@attribute sad {0,1}
@attribute calm {0,1}
@attribute genre {rock,pop}
@attribute tempo real
@attribute singer string
@data
{1 1, 3 2.5}
{}
{0 1,2 pop,3 ?, 4 'A B'}
"""


def write(folder, text, name="music.arff", xml=None):
    """Write an ARFF file, and its xml, and return the path."""
    path = folder / name
    path.write_bytes(text.encode())
    if xml is not None:
        path.with_suffix(".xml").write_text(xml, encoding="utf-8")
    return path


def read(file, columns=None):
    """Return columns of an ARFF file, all of them by default, as lists."""
    return pa.Table.from_batches(
        file.read_batches(file.columns if columns is None else columns)
    ).to_pydict()


def with_row(row, text=DENSE):
    """Return an ARFF file of one row only."""
    return text[: text.index("@data")] + "@data\n" + row + "\n"


def test_dense_values_are_read_by_the_types_of_the_header(tmp_path):
    """0/1 attributes become whole numbers, numeric ones floats, the rest text; `?` is null."""
    assert read(Arff(write(tmp_path, DENSE))) == {
        "tempo": [1.5, None, 2.0],
        "sad": [0, 1, 1],
        "very calm": [1, None, 0],
        "calm": [1, 0, 0],
        "singer": ["Nina S.", 'O"Neil', None],
        "genre": ["rock", "hip, hop", "rock"],
    }


def test_sparse_rows_leave_out_zeros_and_first_values(tmp_path):
    """A value left out is 0, the first nominal value, or null for text."""
    assert read(Arff(write(tmp_path, SPARSE))) == {
        "sad": [0, 0, 1],
        "calm": [1, 0, 0],
        "genre": ["rock", "rock", "pop"],
        "tempo": [2.5, 0.0, None],
        "singer": [None, None, "A B"],
    }


def test_first_nominal_value_of_a_sparse_row_can_be_one(tmp_path):
    """An attribute {1,0} that a sparse row leaves out is 1, as in Weka."""
    assert read(Arff(write(tmp_path, "@relation r\n@attribute a {1,0}\n@data\n{}\n{0 0}\n"))) == {
        "a": [1, 0]
    }


def test_a_few_columns_are_read_in_the_order_asked_for(tmp_path):
    """Other columns are not converted: the damaged genre is not noticed."""
    file = Arff(write(tmp_path, with_row("1,0,1,1,x,jazz")))
    assert read(file, ["calm", "sad"]) == {"calm": [1], "sad": [0]}


def test_rows_come_in_batches(tmp_path, monkeypatch):
    """A batch has a bounded number of cells, and the batches hold all rows in order."""
    monkeypatch.setattr("evenfold.files.formats.arff._CELLS_AT_ONCE", 12)
    path = write(tmp_path, DENSE + "".join(f"{row},0,1,1,x,rock\n" for row in range(7)))
    batches = list(Arff(path).read_batches(["tempo"]))
    assert [batch.num_rows for batch in batches] == [2, 2, 2, 2, 2]
    assert pa.Table.from_batches(batches)["tempo"].to_pylist()[3:] == list(range(7))


def test_labels_are_those_of_the_xml_in_the_order_of_the_columns(tmp_path):
    """Mulan's xml file names the labels, nested ones too, and has priority over MEKA's -C."""
    path = write(tmp_path, DENSE.replace("@relation music", "@relation 'music: -C 1'"), xml=XML)
    assert list(Arff(path).label_columns) == ["sad", "very calm", "calm"]


def test_labels_are_those_of_a_given_xml(tmp_path):
    """An xml file of another name can be given, and is the one that is copied."""
    path = write(tmp_path, DENSE)
    (tmp_path / "other.xml").write_text('<labels><label name="calm"/></labels>', encoding="utf-8")
    file = Arff(path, xml=tmp_path / "other.xml")
    assert list(file.label_columns) == ["calm"]
    assert file.companions(tmp_path / "part.1.arff") == [
        (tmp_path / "part.1.xml", b'<labels><label name="calm"/></labels>')
    ]


@pytest.mark.parametrize(
    ("relation", "labels"),
    [
        ("music", []),
        ("'music: -C 2'", ["tempo", "sad"]),
        ('"music: -split 3 -c -2"', ["singer", "genre"]),
        ("'music-C 2'", []),
        ("'music: -C 0'", []),
    ],
)
def test_labels_are_those_of_meka(tmp_path, relation, labels):
    """-C n means the first n attributes, -C -n the last n; without -C no label is known."""
    file = Arff(write(tmp_path, DENSE.replace("@relation music", f"@relation {relation}")))
    assert list(file.label_columns) == labels
    assert file.companions(tmp_path / "part.arff") == []


@pytest.mark.parametrize(
    "text",
    [DENSE, SPARSE, DENSE.replace("\n", "\r\n"), DENSE.removesuffix("\n"), "\ufeff" + SPARSE],
    ids=["dense", "sparse", "crlf", "cut", "bom"],
)
def test_parts_hold_the_header_and_their_lines_byte_for_byte(tmp_path, text):
    """Parts have bytes of the input, are read as its rows, and lack the rows of part -1."""
    file = Arff(write(tmp_path, text))
    targets = [tmp_path / "a.arff", tmp_path / "b.arff", tmp_path / "none.arff"]
    file.write_parts(targets, np.array([1, 0, 1], np.int32))
    lines = text.encode().splitlines(keepends=True)
    n_before = next(place for place, line in enumerate(lines) if line.startswith(b"@data")) + 1
    rows = [line for line in lines[n_before:] if line.strip() and not line.startswith(b"%")]
    head = b"".join(lines[:n_before])
    assert [target.read_bytes() for target in targets] == [
        head + rows[1],
        head + rows[0] + rows[2],
        head,
    ]
    values = read(file)
    for target, places in zip(targets[:2], ([1], [0, 2]), strict=True):
        assert read(Arff(target)) == {
            name: [cells[place] for place in places] for name, cells in values.items()
        }
    file.write_parts(targets[:1], np.array([-1, -1, 0], np.int32))
    assert targets[0].read_bytes() == head + rows[2]


def test_a_column_is_added_to_dense_rows(tmp_path):
    """The new attribute is the last one; liac-arff reads it, and the others as before."""
    file = Arff(write(tmp_path, DENSE.replace("\t", " ").replace(" % a remark", "")))
    target = tmp_path / "out.arff"
    file.write_with_column(target, "my part", ["", "it's\t{1}"], np.array([1, 0, -1], np.int32))
    assert read(Arff(target)) == read(file) | {"my part": ["it's\t{1}", "", None]}
    assert [row[-1] for row in liac_arff.loads(target.read_text(encoding="utf-8"))["data"]] == [
        "it's\t{1}",
        "",
        None,
    ]


@pytest.mark.parametrize("kind", [liac_arff.DENSE, liac_arff.LOD])
def test_a_column_is_added_to_sparse_rows(tmp_path, kind):
    """Every sparse row has the value, also the first nominal one, which it could leave out."""
    file = Arff(write(tmp_path, SPARSE))
    target = tmp_path / "out.arff"
    file.write_with_column(target, "part", ["train", "test"], np.array([1, 0, 1], np.int32))
    assert read(Arff(target)) == read(file) | {"part": ["test", "train", "test"]}
    assert [row[5] for row in liac_arff.loads(target.read_text(), return_type=kind)["data"]] == [
        "test",
        "train",
        "test",
    ]
    assert list(Arff(target).label_columns) == ["sad", "calm"]


def test_line_ends_stay_when_a_column_is_added(tmp_path):
    """A file with Windows line ends has only those afterwards."""
    target = tmp_path / "out.arff"
    Arff(write(tmp_path, DENSE.replace("\n", "\r\n"))).write_with_column(
        target, "part", ["a"], np.zeros(3, np.int32)
    )
    assert (
        target.read_bytes().count(b"\n")
        == target.read_bytes().count(b"\r\n")
        == DENSE.count("\n") - 2 + 1
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("@relation music", "@relation 'm: -C 7'", "says -C 7, but it has 6 attributes"),
        ("@data", "1,2", r"line 11 of the ARFF header is '1,2'\. Only @relation"),
        ("@data", "% data", 'line 13 of the ARFF header is "1.5,0,1,1'),
        ("{0,1}", "{0,1", "line 5 does not name an attribute and its type: '@attribute sad {0,1'"),
        (
            "string",
            "relational",
            "line 8 does not name an attribute and its type: '@attribute singer relational'",
        ),
        ("@attribute sad", "@attribute calm", "more than one column is named 'calm'"),
    ],
)
def test_damaged_headers_are_refused(tmp_path, old, new, message):
    """The message has the line, or the attributes."""
    with pytest.raises(InputError, match=message):
        Arff(write(tmp_path, DENSE.replace(old, new, 1)))


def test_headers_without_attributes_or_data_are_refused(tmp_path):
    """The message says what is missing in a file that is cut, or not ARFF."""
    with pytest.raises(InputError, match=r"music.arff: has no line @data"):
        Arff(write(tmp_path, DENSE[: DENSE.index("@data")]))
    with pytest.raises(InputError, match=r"music.arff: has no line @attribute"):
        Arff(write(tmp_path, "@relation music\n@data\n"))


@pytest.mark.parametrize("place", ["@attribute tempo", "Nina"])
def test_other_encodings_are_refused(tmp_path, place):
    """The message has the line that is not UTF-8, in the header and below it."""
    path = write(tmp_path, DENSE)
    path.write_bytes(DENSE.encode().replace(place.encode(), place.encode() + b"\xe9"))
    with pytest.raises(InputError, match=f"line {4 if place != 'Nina' else 13} is not UTF-8"):
        read(Arff(path))


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("<labels><label", "music.xml: cannot be read as XML: .*line 1, column 8"),
        ("<other/>", 'music.xml: must hold <label name="…"/> for every label'),
        ("<labels><label/></labels>", 'music.xml: must hold <label name="…"/> for every label'),
        (
            '<labels><label name="sad"/><label name="glad"/></labels>',
            "music.xml: names 1 labels that .*music.arff has no attribute for: 'glad'",
        ),
    ],
)
def test_wrong_xml_is_refused(tmp_path, xml, message):
    """An xml file that does not name labels of the file is an error, not ignored."""
    with pytest.raises(InputError, match=message):
        _ = Arff(write(tmp_path, DENSE, xml=xml)).label_columns
    with pytest.raises(InputError, match=message):
        Arff(write(tmp_path, DENSE), xml=tmp_path / "music.xml")


def test_an_unrelated_xml_is_ignored_if_labels_are_named(tmp_path):
    """The file is opened, read and written; the xml is not copied to the parts."""
    file = Arff(write(tmp_path, DENSE, xml="<settings/>"))
    assert choose_label_columns(file, ["sad", "calm"]).columns == ["sad", "calm"]
    assert choose_label_columns(Chain([file, file], ["a", "b"]), ["sad", "calm"]).columns == [
        "sad",
        "calm",
    ]
    assert file.companions(tmp_path / "part.arff") == []


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1,0,1", "line 12 does not fit the 6 attributes"),
        ("1,0,1,1,'open,rock", "line 12 cannot be read as a row"),
        ("1,0,1,1,'a\\q',rock", "line 12 cannot be read as a row"),
        ("1,0,1,1," + "x" * 200_000 + ",rock", "line 12 cannot be read as a row"),
        ("fast,0,1,1,x,rock", "line 12 has 'fast' for 'tempo', which must be a number"),
        ("1,0,1,2,x,rock", "line 12 has '2' for 'calm', which must be one of {0,1}"),
        ("1,0,1,1,x,jazz", "line 12 has 'jazz' for 'genre', which must be one of {rock,hip, hop}"),
        ("1,0,1,1,x,rock\n{0 1}", "line 13 is sparse, the rows before are not"),
        ("{0 1}\n1,0,1,1,x,rock", "line 13 is dense, the rows before are not"),
        ("{6 1}", "line 12 does not fit the 6 attributes"),
        ("{0 1, 2}", "line 12 cannot be read as a row"),
    ],
)
def test_damaged_rows_are_refused_with_their_line(tmp_path, row, message):
    """Errors of liac-arff become messages with the file and the line."""
    with pytest.raises(InputError, match=message):
        read(Arff(write(tmp_path, with_row(row))))


def test_columns_that_would_damage_the_file_are_refused(tmp_path):
    """A second attribute of that name, one that becomes a label, a row without closing brace."""
    target, codes = tmp_path / "out.arff", np.zeros(3, np.int32)
    with pytest.raises(InputError, match="has an attribute 'tempo' already"):
        Arff(write(tmp_path, DENSE)).write_with_column(target, "tempo", ["a"], codes)
    with pytest.raises(InputError, match="says -C -2, so 'part' would become a label"):
        Arff(write(tmp_path, SPARSE.replace("-C 2", "-C -2"))).write_with_column(
            target, "part", ["a"], codes
        )
    with pytest.raises(InputError, match="line 8 has no closing brace"):
        Arff(write(tmp_path, SPARSE.replace("2.5}", "2.5"))).write_with_column(
            target, "part", ["a"], codes
        )


@pytest.mark.parametrize("n_rows", [2, 4])
def test_a_file_that_changed_since_is_refused(tmp_path, n_rows):
    """There must be as many rows as parts of rows."""
    with pytest.raises(
        InputError, match=f"music.arff: no longer holds the {n_rows} rows whose labels were read"
    ):
        Arff(write(tmp_path, DENSE)).write_parts([tmp_path / "a"], np.zeros(n_rows, np.int32))
