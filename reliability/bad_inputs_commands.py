"""Bad options, values and files of the commands, by area."""

from __future__ import annotations

from typing import NamedTuple

from .bad_inputs_files import FILES


class Bad(NamedTuple):
    """A command that must be refused.

    Attributes
    ----------
    words : str
        The command, with blanks between its words; `~` stands for a blank in a word.
    code : int
        Its exit code.
    says : tuple of str
        What its message must have: the option or the file, and what is wrong in it.
    """

    words: str
    code: int
    says: tuple[str, ...]


_SPLIT = "split data.csv --labels tags --folds 2 -o out"
_CHECK = "check data.csv --labels tags --part-column part"
_NEW = "split data.csv --labels tags --folds 2 --column new"
_LINK = "link data.csv -o out.csv"
_EXTEND = "extend data.csv --labels tags --part-column part -o out.csv"
_EVALUATE = "evaluate data.csv --labels tags --folds 2 --learner br:tree"
_PAST = "split data.parquet --labels tags --folds 2 -o out --column new"


def _values(base: str, option: str, code: int, *values: str | tuple[str, ...]) -> list[Bad]:
    """Return a command for each value of an option; a tuple adds what the message must have."""
    cases = []
    for value in values:
        text, *says = (value,) if isinstance(value, str) else value
        told = tuple(says) or (text.replace("~", " "),)
        cases.append(Bad(f"{base} {option} {text or '~~'}", code, (option.split()[-1], *told)))
    return cases


def list_cases() -> dict[str, list[Bad]]:
    """Return the commands by area."""
    of_files = [
        Bad(command.format(name), 1, says if "--" in "".join(says[:1]) else (name, *says))
        for name, (_, command, says) in FILES.items()
    ]
    return {
        "files": of_files,
        "paths": [
            Bad("info no.csv --labels tags", 1, ("no.csv", "no such file")),
            Bad("info no/*.parquet --labels tags", 1, ("no/*.parquet",)),
            Bad("info folder --labels tags", 1, ("folder", "parquet")),
            Bad("info folder --format csv", 1, ("folder", "csv")),
            Bad("info data.csv::t --labels tags", 1, ("data.csv::t", "sqlite")),
            Bad("info two.db --labels tags", 1, ("two.db::a", "two.db::b")),
            Bad("info two.db::c --labels tags", 1, ("'c'", "a, b")),
            Bad("info data.csv --xml l.xml --labels tags", 1, ("--xml", "data.csv")),
            Bad("info data.csv --format arff", 1, ("data.csv",)),
            Bad("info data.csv --format npz", 1, ("data.csv", "npz")),
            Bad("info data.csv --format coco", 1, ("data.csv",)),
            Bad("info data.csv --format yolo", 1, ("data.csv",)),
            Bad("info data.csv data.parquet --labels tags", 1, ("data.parquet",)),
            Bad("info data.csv header.csv --labels tags", 1, ("header.csv",)),
            *_values(_SPLIT, "--propagate", 2, "no.csv"),
            *_values("check data.csv", "--from-manifest", 2, "no.json", ("folder", "folder")),
            *_values(_LINK, "--pairs", 2, "no.csv"),
            *_values(_LINK, "--similar", 1, "no.npy", "no.npz"),
            Bad("check folder2", 1, ("folder2",)),
            Bad("extend folder2 --new data.csv", 1, ("folder2",)),
        ],
        "commands and missing options": [
            Bad("splt data.csv", 2, ("splt", "split")),
            Bad("split data.csv --labels tags", 2, ("--parts", "--folds")),
            Bad("split --folds 2", 2, ("DATA",)),
            Bad(f"{_SPLIT} --paarts 3", 2, ("--paarts", "--parts")),
            Bad(f"{_SPLIT} --parts 0.5,0.5", 2, ("--parts", "--folds")),
            Bad("check data.csv --labels tags", 2, ("--part-column",)),
            Bad("extend data.csv --labels tags", 2, ("--part-column",)),
            Bad("link data.csv", 2, ("--groups", "--similar")),
            Bad("sample data.csv --labels tags", 2, ("-n",)),
            Bad("sample data.csv --labels tags -n 3", 2, ("-o", "--indices")),
            Bad(f"{_SPLIT} --features e0", 2, ("--features", "--difficulty")),
            Bad(f"{_SPLIT} --at 0.5", 2, ("--at", "--text")),
            Bad(f"{_SPLIT} --metric cosine", 2, ("--metric", "--similar")),
            Bad(f"{_SPLIT} --recall 0.9", 2, ("--recall", "--similar")),
            Bad(f"{_SPLIT} --exact", 2, ("--exact", "--similar")),
            Bad(f"{_SPLIT} --max-group 3", 2, ("--max-group", "--similar")),
            Bad(f"{_SPLIT} --amounts --balance age", 2, ("--amounts", "--balance")),
            Bad(f"{_SPLIT} --long id,tags", 2, ("--long", "--labels")),
            Bad("split data.csv --long id,tags --separator | --folds 2", 2, ("--separator",)),
            Bad("check data.csv --labels tags --part-column", 2, ("--part-column",)),
            Bad("split data.csv --labels tags --folds", 2, ("--folds",)),
            Bad("completion", 2, ("bash",)),
            Bad("completion bsh", 2, ("bsh", "bash")),
            Bad("demo -o movies.txt", 2, ("movies.txt", ".csv")),
            Bad("demo --seed x", 2, ("--seed", "x")),
            Bad("info data.csv data.csv data.csv --part", 2, ("--part",)),
        ],
        "columns": [
            *(
                case
                for base, options in {
                    _SPLIT: ("--groups", "--balance", "--id", "--text", "--copies", "--files"),
                    _CHECK: ("--groups", "--id", "--copies", "--text", "--images"),
                    _EXTEND: ("--groups", "--balance", "--id"),
                    _LINK: ("--groups", "--copies", "--files", "--text", "--images"),
                    "audit data.csv --labels tags --part-column part": ("--groups", "--id"),
                    "sample data.csv --labels tags -n 5 -o out.csv": ("--groups", "--balance"),
                    "compare data.csv --labels tags --method random": ("--groups", "--balance"),
                    "info data.csv --labels tags": ("--groups",),
                }.items()
                for option in options
                for case in _values(base, option, 1, ("whoo", "whoo", "data.csv"))
            ),
            *_values(
                "split data.csv --folds 2", "--labels", 1, "tgs", "x*", "e0:zz", ("zz:e0", "zz")
            ),
            *_values("check data.csv --labels tags", "--part-column", 1, "prt", ("tags", "tags")),
            *_values("extend data.csv --labels tags", "--part-column", 1, "prt"),
            *_values(
                "split data.csv --folds 2",
                "--long",
                1,
                ("id", "id"),
                ("id,tgs", "tgs"),
                ("idd,tags", "idd"),
            ),
            *_values(_SPLIT, "--groups", 1, ("text:([", "text:(["), ("text:zzz", "zzz")),
            *_values(_SPLIT, "--text", 1, ("id,who", "id,who")),
            *_values(f"{_SPLIT} --difficulty", "--features", 1, "xx", ("text", "text")),
            Bad(
                "split data.csv --labels tags,who --folds 2 --separator |", 1, ("separator", "'|'")
            ),
            Bad("split data.csv --labels age,e0 --folds 2 -o out", 1, ("age",)),
            Bad("split data.csv --labels text,id --folds 2 -o out", 1, ("text",)),
        ],
        "sizes and names": [
            *_values(
                "split data.csv --labels tags -o out",
                "--parts",
                2,
                ("half,half", "'half'"),
                ("0.5,,0.5", "0.5,,0.5"),
                ("a=0.5,a=0.5", "a=0.5"),
                ("a=0.5,0.5", "a=0.5"),
                ("50%,40%", "50%,40%"),
                ("=0.5,b=0.5", "=0.5"),
                ("a=x,b=1", "'x'"),
                ("", "''"),
                ("0.5;0.5", "0.5;0.5"),
                ("1e999x,2", "1e999x"),
                ("inf,1", "inf"),
                ("nan,0.5", "nan"),
                ("0,24", "0"),
                ("1.5,-0.5", "-0.5"),
            ),
            *_values(
                "split data.csv --labels tags -o out",
                "--parts",
                1,
                ("0.5,0.4", "0.9"),
                ("0.5,0.6", "1.1"),
                ("12,11", "23"),
                ("24", "1"),
                ("23.5,0.5", "23.5"),
                ("1e-12,1", "9.31e-10"),
            ),
            *_values(
                "split data.csv --labels tags -o out", "--folds", 2, "1", "0", "-2", "2.5", "x"
            ),
            *_values(
                "split data.csv --labels tags -o out",
                "--folds",
                1,
                "25",
                ("999999999", "999,999,999"),
            ),
            *_values(_SPLIT, "--holdout", 2, "x", "1.0", "0", "-1", "1.5", "nan"),
            *_values(_SPLIT, "--holdout", 1, "24"),
            *_values(_SPLIT, "--names", 1, ("a", "1"), ("a,b,c", "3"), ("a,a", "'a'")),
            *_values(_SPLIT, "--names", 2, ("a,,b", "a,,b"), ("", "''")),
            *_values(
                "sample data.csv --labels tags -o out.csv",
                "-n",
                2,
                "x",
                "1.0",
                "0",
                "-3",
                "1.5",
                "nan",
            ),
            *_values("sample data.csv --labels tags -o out.csv", "-n", 1, "24"),
            *_values(_CHECK, "--parts", 1, ("0.5,0.4", "0.9"), ("a=0.5,b=0.5", "a, b")),
            *_values(_EXTEND, "--parts", 1, ("0.9,0.2", "1.1"), ("a=0.5,b=0.5", "a, b")),
        ],
        "methods and how to search": [
            *_values(_SPLIT, "--method", 2, "evn", "", "Even"),
            *_values(_SPLIT, "--order", 2, "3", "0", "x"),
            *_values(_SPLIT, "--cover", 2, "-1", "x", "1.5"),
            *_values(_SPLIT, "--size-tolerance", 2, "-1", "x", "1.5", "200%"),
            *_values(_SPLIT, "--effort", 2, "fst", "-3", "0", "nan", "inf"),
            *_values(_SPLIT, "--seed", 2, "-1", "x", "1.5"),
            *_values(_SPLIT, "--bound", 2, "tigt"),
            *_values(f"{_SPLIT} --method random", "--effort", 1, ("fast", "'random'")),
            *_values(f"{_SPLIT} --method random", "--cover", 1, ("1", "'random'")),
            *_values(_SPLIT, "--with-images", 2, "cpy"),
            *_values(_SPLIT, "--format", 2, "cvs", "CSV"),
            *_values(_SPLIT, "--difficulty-learner", 2, ("br:tre", "'tre'"), "bx"),
            *_values(
                "compare data.csv --labels tags",
                "--method",
                2,
                ("evn,random", "'evn'"),
                "random,,even",
            ),
            *_values(
                "compare data.csv --labels tags --method random", "--repeats", 2, "0", "-1", "x"
            ),
        ],
        "links": [
            *_values(
                f"{_LINK} --text text", "--at", 2, "x", "nan", ("txt=0.5", "txt"), ("text=x", "x")
            ),
            *_values(f"{_LINK} --text text", "--at", 1, "1.5", ("0", "0")),
            *_values(f"{_LINK} --text text", "--at", 2, "-1"),
            *_values(f"{_LINK} --text text", "--at", 1, ("similar=0.5", "similar")),
            *_values(f"{_LINK} --text text", "--at", 2, ("text=0.5,text=0.6", "text")),
            *_values(f"{_LINK} --similar e0,e1", "--metric", 2, "cosin"),
            *_values(
                f"{_LINK} --similar e0,e1",
                "--metric",
                1,
                ("jaccard", "jaccard"),
                ("hamming", "hamming"),
            ),
            *_values(f"{_LINK} --text text", "--recall", 2, "0", "1.5", "x", "nan"),
            *_values(f"{_LINK} --text text", "--max-group", 2, "0", "x", "1.5"),
            *_values(f"{_LINK} --text text --similar e0,e1", "--at", 2, ("0.5", "0.5", "text")),
            *_values(_LINK, "--similar", 1, ("text,who", "'who'")),
            *_values(_LINK, "--files", 1, ("text", "text~0".replace("~", " "), "row 0")),
            *_values(_LINK, "--images", 1, ("text", "text~0".replace("~", " "), "row 0")),
            *_values(f"{_CHECK} --text text", "--at", 2, "x"),
        ],
        "outputs": [
            Bad(f"{_NEW} -o data.csv", 2, ("data.csv",)),
            Bad(f"{_NEW} -o old.csv", 2, ("old.csv", "--force")),
            Bad(f"{_NEW} -o folder3", 2, ("folder3",)),
            Bad(f"{_NEW} -o no/out.csv", 2, ("no",)),
            Bad(f"{_NEW} -o out.xyz", 2, ("out.xyz",)),
            Bad(f"{_NEW} -o data.csv/x", 2, ("data.csv",)),
            Bad(f"{_SPLIT} --indices i.txt", 2, ("--indices", "i.txt", ".json")),
            Bad(f"{_SPLIT} --report r.pdf", 2, ("--report", "r.pdf", ".html")),
            Bad(f"{_SPLIT} --indices a.json --manifest a.json", 2, ("a.json",)),
            Bad(
                "split data.csv --labels tags --folds 2 -o out.csv --column tags",
                2,
                ("'tags'", "--column"),
            ),
            Bad("split data.csv --labels tags --folds 2 -o out.csv --hive", 2, ("--hive",)),
            Bad("split data.csv --labels tags --folds 2 --hive", 2, ("--hive", "-o")),
            Bad("split data.csv --labels tags --folds 2 --mirror", 2, ("--mirror", "-o")),
            Bad("split data.csv --labels tags --folds 2 -o - --json", 2, ("--json", "-o")),
            Bad(f"{_LINK} --groups who --indices i.csv", 2, ("--indices", "i.csv")),
            Bad("link data.csv --groups who -o out", 2, ("out", ".csv")),
            Bad("link data.csv --groups who -o out.csv --column tags", 2, ("tags",)),
            Bad("compare data.csv --labels tags --method random -o t.doc", 2, ("t.doc",)),
            Bad("compare data.csv --labels tags --method random --report t.csv", 2, ("t.csv",)),
            *_values("split data.csv --labels tags --folds 2", "-o", 2, ""),
            *_values(_SPLIT, "--manifest", 2, "", "folder"),
            Bad("sample data.csv --labels tags -n 3 -o out.parquet2", 2, ("out.parquet2",)),
        ],
        "checks": [
            *_values(_CHECK, "--max-excess", 2, "-1", "x", "nan"),
            *_values(_CHECK, "--max-off-rows", 2, "-1", "x", "nan"),
            *_values(_CHECK, "--max-off-percent", 2, "-1", "x", "nan"),
            *_values(_CHECK, "--max-empty", 2, "-1", "1.5", "x"),
            *_values(_CHECK, "--bound", 2, "tigt"),
            Bad("check other24.csv --from-manifest split.json", 1, ("other24.csv",)),
            Bad(
                "check two.csv --labels x --from-manifest split.json", 1, ("two.csv", "24", "Name")
            ),
        ],
        "evaluate": [
            *_values(
                _EVALUATE.replace(" --learner br:tree", ""),
                "--learner",
                2,
                ("br:tre", "'tre'"),
                "bx",
                "tree",
            ),
            *_values(_EVALUATE, "--metrics", 2, "f1", "f1_macro,", "hamming"),
            *_values(_EVALUATE, "--undefined", 2, "x"),
            *_values(_EVALUATE, "--samples", 2, "-1", "x"),
            *_values(_EVALUATE, "--jobs", 2, "0", "x"),
            *_values(_EVALUATE, "--repeats", 2, "0", "x"),
            *_values(_EVALUATE, "--features", 1, "xx", ("text", "text")),
            *_values(_EVALUATE, "--cache", 2, ("data.csv", "data.csv")),
            *_values(_EVALUATE, "--method", 2, "evn"),
        ],
        "data past memory": [
            *_values(_PAST, "--engine", 2, "dsk"),
            *_values(f"{_PAST} --engine sync", "--budget", 2, "x", "-1", "150%"),
            *_values(f"{_PAST} --engine sync", "--workers", 2, "0", "x"),
            *_values(f"{_PAST} --memory 1KB", "--fixed", 1, "prt"),
            *_values(f"{_PAST} --memory 1KB", "--groups", 1, "whoo"),
            *_values(
                "split data.parquet --folds 2 -o out --column new --memory 1KB",
                "--labels",
                1,
                "tgs",
            ),
            Bad(f"{_SPLIT} --memory 1KB", 1, ("data.csv", "parquet")),
            Bad("split data.parquet --labels tags --folds 2 --memory 1KB", 2, ("-o",)),
            Bad("split no.parquet --labels tags --folds 2 --memory 1KB -o out", 1, ("no.parquet",)),
        ],
    }


def split_words(words: str) -> list[str]:
    """Return the words of a command: `~~` is an empty one, `~` a blank."""
    return [word.replace("~~", "").replace("~", " ") for word in words.split(" ")]
