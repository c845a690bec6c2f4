"""Options at scale that are refused: exit code 2, one message, nothing written."""

from .refusals import check_refusal, check_wrong_usage, each

CASES = [
    (
        "no such engine",
        "split data.csv --folds 2 --engine dusk",
        "'dusk' is not one of sync, dask, spark. Did you mean 'dask'?",
        {},
    ),
    (
        "workers without an engine",
        "split data.csv --folds 2 --workers 2",
        "--workers is for --engine dask or spark. Add one of them, or leave it out.",
        {},
    ),
    (
        "workers of one process",
        "split data.csv --folds 2 --engine sync --workers 2",
        "--workers is for --engine dask or spark",
        {},
    ),
    (
        "a budget that is no number",
        "split data.csv --folds 2 --engine sync --budget much",
        "'much' is neither a number of label entries nor a share below 1. Try 1000000, 0.05 or 5%.",
        {},
    ),
    (
        "an option that needs all rows",
        "split data.csv --folds 2 --engine sync --holdout 0.1",
        "--holdout does not go with --engine. Leave it out, or leave out --engine if the data fits",
        {},
    ),
    (
        "several options that need all rows",
        "split data.csv --folds 2 --memory 1GB --method even --text who --at 0.8 --exact "
        "--indices a.json --manifest m.json --bound tight --max-group 9 --effort best",
        "--text, --at, --exact, --max-group, --method, --effort, --bound, --indices, --manifest "
        "do not go with --memory. Leave them out, or leave out --memory",
        {},
    ),
    (
        "an option that needs all rows, and a URL",
        "split memory://data --folds 2 --compare --report r.html",
        "--compare does not go with a URL.",
        {},
    ),
    (
        "no output",
        "split data.csv --folds 2 --engine sync --report r.html",
        "Say where the split goes: --engine needs -o FOLDER.",
        {},
    ),
    (
        "a file as output",
        "split data.csv --folds 2 --engine sync -o out.parquet",
        "-o out.parquet: must be a folder with --engine, which gets one file for each file of",
        {},
    ),
    (
        "stdout as output",
        "split data.csv --folds 2 --budget 5% -o -",
        "-o -: must be a folder with --budget",
        {},
    ),
    (
        "another format",
        "split data.csv --folds 2 --engine sync --format csv -o out",
        "--format csv does not go with --engine, which reads parquet files.",
        {},
    ),
    (
        "fixed rows in memory",
        "split data.csv --labels tags --folds 2 --fixed who",
        "--fixed is for data past memory, with --engine, --memory, --budget or --work.",
        {},
    ),
    (
        "a report of no format",
        "extend out --new data.csv --report r.pdf",
        "--report r.pdf: must end in .html, .md or .json.",
        {},
    ),
    (
        "columns of new files",
        "extend out --new data.csv --labels tags --part-column part -o more/",
        "--labels, --part-column, --output do not go with --new of a split past memory.",
        {},
    ),
    (
        "an engine without new files",
        "extend data.csv --part-column who --engine sync",
        "--engine is for --new. Leave it out, or name new parquet files with --new.",
        {},
    ),
    (
        "new files in workers of no engine",
        "extend out --new data.csv --workers 2",
        "--workers is for --engine dask or spark",
        {},
    ),
]


def test_a_pattern_of_new_files_that_the_shell_expanded_is_to_be_quoted(command, tmp_path):
    """The other files would be taken for the folder of the split."""
    for name in ("1.parquet", "2.parquet", "3.parquet"):
        (tmp_path / name).write_bytes(b"")
    check_refusal(
        command("extend out --new 1.parquet 2.parquet 3.parquet"),
        2,
        "DATA must be the folder of one split past memory, got 3 paths. Name the folder, and put a "
        "pattern of new files in quotes: 'new/*.parquet'.",
    )


@each(CASES)
def test_wrong_options_at_scale_are_refused(words, message, files, command, tmp_path):
    """Exit code 2, one message, and every file as it was."""
    check_wrong_usage(command, words, message, files, tmp_path)
