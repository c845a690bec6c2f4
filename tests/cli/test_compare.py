"""`evenfold compare`: the table of the library."""

import json

import evenfold

from ..files.made_files import GENRES, N_ROWS, PATIENT, write_csv


def test_compare_is_that_of_the_library(command, tmp_path):
    """Labels, sizes, methods, repeats, seed, groups and balance go in; text or JSON comes back."""
    data = write_csv(tmp_path / "data.csv")
    options = [
        "--labels",
        "genres",
        "--methods",
        "even,random",
        "--repeats",
        "2",
        "--seed",
        "4",
        "--groups",
        "patient",
        "--balance",
        "age",
    ]
    done = command(f"compare {data}", *options)
    assert done.code == 0
    age = [at * 7 % 30 for at in range(N_ROWS)]
    table = evenfold.compare(
        GENRES,
        5,
        methods=["even", "random"],
        repeats=2,
        random_state=4,
        groups=PATIENT,
        balance={"age": age},
    )
    assert [line.split("  ")[0] for line in done.stdout.splitlines()] == [
        line.split("  ")[0] for line in str(table).splitlines()
    ]
    read = json.loads(command(f"compare {data}", *options, "--json").stdout)
    assert [method["rld"] for method in read["methods"]] == [
        method["rld"] for method in table.to_dict()["methods"]
    ]
