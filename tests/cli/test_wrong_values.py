"""Columns, sizes and parts that do not fit the data: exit code 1, one message."""

import re

from ..files.made_files import WRITERS
from .refusals import (
    DATA,
    GAPS,
    PARTED,
    ROWS,
    check_wrong_data,
    each,
    manifest_of_other_data,
    parquet_with_numbered_parts,
)

CASES = [
    (
        "no such label column",
        "split data.csv --labels tgs --folds 2",
        "--labels 'tgs' is not a column of data.csv.",
        {},
    ),
    (
        "no such group column",
        "split data.csv --labels tags --folds 2 --groups hwo",
        "--groups 'hwo' is not a column of data.csv. Columns: id, tags, who. Did you mean 'who'?",
        {},
    ),
    (
        "no such balance column",
        "split data.csv --labels tags --folds 2 --balance age",
        "--balance 'age' is not a column of data.csv.",
        {},
    ),
    (
        "no such id column",
        "split data.csv --labels tags --folds 2 --id key",
        "--id 'key' is not a column of data.csv.",
        {},
    ),
    (
        "separator for labels in no column",
        "split x.svm --folds 2 --separator ';'",
        "--separator cuts a column of text, and in the format svmlight labels are in none.",
        {"x.svm": b"1 1:1\n2 1:1\n"},
    ),
    (
        "no labels to guess",
        "split x.csv --folds 2",
        "no column looks like labels",
        {"x.csv": b"a,b\nx,1.5\ny,2.5\n"},
    ),
    (
        "separator for several columns",
        "split data.csv --labels id,who --separator '|' --folds 2",
        "a separator cuts one column of text",
        {},
    ),
    (
        "cover with a method that cannot",
        "split data.csv --labels tags --folds 2 --method iterative --cover 1",
        "--cover can be used only with the method 'even', got method 'iterative'. "
        "Leave out one of the two.",
        {},
    ),
    (
        "sizes that do not add up",
        "split data.csv --labels tags --parts 0.5,0.2",
        "--parts must sum to 1, to 100 (percent) or to the 12 rows, got 0.7. Did you leave out a "
        "part?",
        {},
    ),
    (
        "counts that do not add up",
        "split data.csv --labels tags --parts 5,5",
        "--parts must sum to 1, to 100 (percent) or to the 12 rows, got 10.",
        {},
    ),
    (
        "one size",
        "split data.csv --labels tags --parts 12",
        "--parts must have at least 2 sizes, got 1.",
        {},
    ),
    (
        "more folds than rows",
        "split data.csv --labels tags --folds 13",
        "--folds must be at most the number of rows, got 13 parts for 12 rows.",
        {},
    ),
    (
        "too few names",
        "split data.csv --labels tags --folds 2 --names a",
        "--names must have one name per part, got 1 for 2 parts.",
        {},
    ),
    (
        "holdout too large",
        "split data.csv --labels tags --folds 2 --holdout 12",
        "--holdout must be a fraction below 1 or a number of rows below 12",
        {},
    ),
    (
        "effort of another method",
        "split data.csv --labels tags --folds 2 --method random --effort fast",
        "--effort can be used only with the method 'even', got method 'random'.",
        {},
    ),
    (
        "group larger than a part",
        "split data.csv --labels tags --folds 2 --groups who",
        "--groups puts 10 of 12 rows into one group",
        {DATA: re.sub(rb",[1-5]\n", b",x\n", ROWS)},
    ),
    (
        "xml of csv",
        "split data.csv --labels tags --folds 2 --xml l.xml",
        "a list of labels in xml goes with ARFF files, got one in the format csv.",
        {"l.xml": b"<labels/>"},
    ),
    (
        "amounts of csv",
        "split data.csv --labels tags --folds 2 --amounts",
        "--amounts is of images with boxes, and this csv has none.",
        {},
    ),
    (
        "hierarchy in a circle",
        "split data.csv --labels tags --folds 2 --propagate h.csv",
        "--propagate must not go in a circle",
        {"h.csv": b"label,parent\na,b\nb,a\n"},
    ),
    (
        "hierarchy of other labels",
        "split data.csv --labels tags --folds 2 --propagate h.csv",
        "h.csv: none of its labels (GO:1) is one of data.csv (",
        {"h.csv": b"label,parent\nGO:1,GO:2\n"},
    ),
    (
        "hierarchy of another kind",
        "split data.csv --labels tags --folds 2 --propagate h.txt",
        "a hierarchy must end in .csv, .tsv or .obo.",
        {"h.txt": b"a,b\n"},
    ),
    (
        "no such part column",
        "check data.csv --labels tags --part-column fld",
        "--part-column 'fld' is not a column",
        {},
    ),
    (
        "part column with gaps",
        "check p.csv --labels tags --part-column fold",
        "--part-column 'fold' is empty in 2 of 12 rows",
        {"p.csv": GAPS},
    ),
    (
        "unknown part",
        "check p.csv --labels tags --part-column fold --parts 0.5,0.2,0.3",
        "got sizes for train, val, test and rows in train, tset. Name the part of each size.",
        {"p.csv": PARTED.replace(b"test", b"tset")},
    ),
    (
        "unknown part to extend",
        "extend p.csv --labels tags --part-column fold --parts 0.6,0.4",
        "rows in train, tset",
        {"p.csv": GAPS.replace(b"test", b"tset")},
    ),
    (
        "parts of other names, all of one size",
        "check p.csv --labels tags --part-column fold --parts a=0.5,b=0.5",
        "--parts must say which part wants which share, "
        "got sizes for a, b and rows in train, test.",
        {"p.csv": PARTED},
    ),
    (
        "a part of another name to extend",
        "extend p.csv --labels tags --part-column fold --parts train=0.5,val=0.5",
        "got sizes for train, val and rows in train, test.",
        {"p.csv": GAPS},
    ),
    (
        "nothing to extend",
        "extend p.csv --labels tags --part-column fold",
        "names 0 parts",
        {"p.csv": b"tags,fold\na,\nb,\n"},
    ),
    (
        "old groups in two parts",
        "extend p.csv --labels tags --part-column fold --groups tags",
        "--part-column must keep groups whole",
        {"p.csv": GAPS},
    ),
    (
        "manifest of other data",
        "check data.csv --labels tags --manifest m.json",
        "is of 40 rows, data.csv has 12",
        {"m.json": manifest_of_other_data},
    ),
    (
        "damaged manifest",
        "check data.csv --labels tags --manifest m.json",
        "'m.json' must be a split saved by evenfold",
        {"m.json": b'{"format"'},
    ),
    (
        "manifest of something else",
        "check data.csv --labels tags --manifest m.json",
        "got other JSON",
        {"m.json": b"[]"},
    ),
    (
        "part column of numbers for a part with a name",
        "extend x.parquet --labels tags --part-column fold --parts 0=2,1=1,new=1 -o out.parquet",
        "x.parquet: 'fold' is of type int64, which cannot hold 0, 1, new. "
        "Name a new column with --column.",
        {"x.parquet": parquet_with_numbered_parts},
    ),
    (
        "part column of ARFF",
        "extend x.arff --labels a --part-column fold -o out.arff",
        "x.arff: in the format arff, 'fold' cannot be filled. Name a new column with --column.",
        {
            "x.arff": b"@relation r\n@attribute a {0,1}\n@attribute fold {x,y}\n"
            b"@data\n1,x\n0,y\n1,?\n0,?\n"
        },
    ),
    (
        "sample of too many",
        "sample data.csv --labels tags -n 12 --json",
        "-n must be a fraction below 1 or a number of rows below 12, got 12. Ask for fewer rows.",
        {},
    ),
    (
        "ids that are lists",
        "check x.parquet --labels genres --part-column patient --id genres",
        "must hold one name or number in each row",
        {"x.parquet": WRITERS["data.parquet"]},
    ),
]


@each(CASES)
def test_wrong_values_are_refused(words, message, files, command, tmp_path):
    """Exit code 1, one message in terms of the options, and no output."""
    check_wrong_data(command, words, message, files, tmp_path)
