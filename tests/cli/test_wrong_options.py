"""Options that are refused: exit code 2, one message, nothing written."""

from .refusals import check_wrong_usage, each

CASES = [
    ("no such command", "splt data.csv", "Did you mean", {}),
    (
        "no such option",
        "split data.csv --labels tags --folds 2 --paarts 1",
        # The rest of the message is that of the version of click.
        "No such option",
        {},
    ),
    ("no data", "split --folds 2", "Missing argument 'DATA...'", {}),
    (
        "no such method",
        "split data.csv --labels tags --folds 2 --method evn",
        "pmbsrs, random. Did you mean 'even'?",
        {},
    ),
    (
        "no such method to compare",
        "compare data.csv --methods even,randm",
        "Did you mean 'random'?",
        {},
    ),
    (
        "no such effort",
        "split data.csv --labels tags --folds 2 --effort fst",
        "'fst' is not one of fast, normal, best, nor a number of seconds. Did you mean 'fast'?",
        {},
    ),
    (
        "negative effort",
        "split data.csv --labels tags --folds 2 --effort -3",
        "'-3' is not a number of seconds above 0",
        {},
    ),
    (
        "no such order",
        "split data.csv --labels tags --folds 2 --order 3",
        "'3' is not one of auto, 1, 2",
        {},
    ),
    (
        "cover not a number",
        "split data.csv --labels tags --folds 2 --cover yes",
        "Invalid value for '--cover': 'yes' is not a number of rows. Write 1 for a row of each "
        "label in every part, or 0 for no rule.",
        {},
    ),
    (
        "negative cover",
        "extend data.csv --labels tags --part-column who --cover -1",
        "Invalid value for '--cover': '-1' is not a number of rows.",
        {},
    ),
    (
        "no such format",
        "split data.csv --labels tags --folds 2 --format parket",
        "Did you mean 'parquet'?",
        {},
    ),
    (
        "no jobs",
        "evaluate data.csv --labels tags --jobs 0",
        "0 fits nothing. Pass 1 or more, or -1 for all processors.",
        {},
    ),
    (
        "no such shell",
        "completion bsh",
        "'bsh' is not one of bash, zsh, fish. Did you mean 'bash'?",
        {},
    ),
    (
        "seed not a number",
        "split data.csv --labels tags --folds 2 --seed x",
        "'x' is not a whole number. Try 5.",
        {},
    ),
    (
        "folds with a fraction",
        "split data.csv --labels tags --folds 2.5",
        "'2.5' is not a whole number. Try 5.",
        {},
    ),
    (
        "jobs not a number",
        "evaluate data.csv --labels tags --folds 2 --jobs many",
        "'many' is not a whole number. Try 5.",
        {},
    ),
    (
        "negative seed",
        "split data.csv --labels tags --folds 2 --seed -1",
        "-1 is not in the range x>=0",
        {},
    ),
    (
        "neither parts nor folds",
        "split data.csv",
        "Say how to cut the data: --parts 0.8,0.1,0.1 or --folds 5.",
        {},
    ),
    (
        "parts and folds",
        "split data.csv --labels tags --parts 0.5,0.5 --folds 2",
        "--parts and --folds both say how to cut. Give one of them.",
        {},
    ),
    ("one fold", "split data.csv --labels tags --folds 1", "1 is not in the range x>=2", {}),
    (
        "parts that are no numbers",
        "split data.csv --labels tags --parts half,half",
        "'half' is not a number. Try 0.8,0.1,0.1 or 800,100,100.",
        {},
    ),
    (
        "negative sizes",
        "split data.csv --labels tags --parts 1.5,-0.5",
        "--parts must hold sizes above 0, got -0.5.",
        {},
    ),
    (
        "an empty part",
        "split data.csv --labels tags --parts 0.5,,0.5",
        "'0.5,,0.5' has an empty name in it.",
        {},
    ),
    (
        "a part named twice",
        "split data.csv --labels tags --parts a=0.5,a=0.5",
        "does not name each part once",
        {},
    ),
    (
        "a part without a name",
        "split data.csv --labels tags --parts a=0.5,0.5",
        "does not name each part once",
        {},
    ),
    (
        "amounts and balance",
        "split data.csv --labels tags --folds 2 --amounts --balance who",
        "--amounts and --balance do not go together.",
        {},
    ),
    (
        "no such hierarchy",
        "split data.csv --labels tags --folds 2 --propagate no.csv",
        "File 'no.csv' does not exist",
        {},
    ),
    ("no such manifest", "check data.csv --manifest no.json", "File 'no.json' does not exist", {}),
    (
        "check without parts",
        "check data.csv",
        "Say what the parts are: --part-column COL, or one file for each part, or "
        "--from-manifest FILE.",
        {},
    ),
    (
        "negative limit",
        "check data.csv --part-column who --max-excess -1",
        "-1.0 is not in the range x>=0",
        {},
    ),
    (
        "a limit that is no number",
        "check data.csv --part-column who --max-excess nan",
        "'nan' is not a number. Try 0.05.",
        {},
    ),
    ("extend without a column", "extend data.csv", "Missing option '--part-column'", {}),
    (
        "sample without a place",
        "sample data.csv -n 3",
        "Say where the sample goes: -o FILE, --indices FILE or --json.",
        {},
    ),
    (
        "sample of no number",
        "sample data.csv -n few --json",
        "'few' is not a number. Try 1000 or 0.1.",
        {},
    ),
    (
        "sample of everything",
        "sample data.csv -n 1.0 --json",
        "'1.0' is a fraction that leaves no row over. Write 1 for one row",
        {},
    ),
    (
        "holdout of everything",
        "split data.csv --labels tags --folds 2 --holdout 1.0",
        "'1.0' is a fraction that leaves no row over. Write 1 for one row",
        {},
    ),
]


@each(CASES)
def test_wrong_options_are_refused(words, message, files, command, tmp_path):
    """Exit code 2, one message, and every file as it was."""
    check_wrong_usage(command, words, message, files, tmp_path)
