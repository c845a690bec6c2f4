"""The page of reproduced tables: published values, statistics and Markdown."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks import reproduce
from benchmarks.reproduction import (
    blog,
    even_comparison,
    figures,
    optisplit_paper,
    published_modes,
    random_split,
    sechidis,
    sechidis_ranks,
)
from benchmarks.reproduction.estimates import METRICS, describe_ranks_of_even
from benchmarks.reproduction.experiments import MEASURES, SETTINGS, SHUFFLED, Experiments, Runs
from benchmarks.reproduction.label_statistics import describe
from benchmarks.reproduction.published_values import PublishedValue
from scipy import sparse

import evenfold
from evenfold.evaluation import Estimate, Evaluation


@pytest.fixture
def experiments(tmp_path):
    """A folder with two small data sets. One has the name of a published data set."""
    rng = np.random.default_rng(0)
    for name, n_rows, n_labels in (("emotions", 60, 4), ("other", 30, 3)):
        (tmp_path / name).mkdir()
        y = sparse.csr_array((rng.random((n_rows, n_labels)) < 0.4).astype(np.int8))
        sparse.save_npz(tmp_path / name / "labels.npz", y)
    return Experiments(tmp_path)


def test_published_tables_of_sechidis_are_complete():
    """Folds have four measures and holdouts two; ten of the thirteen data sets are available."""
    assert sechidis.TABLE_1.keys() == sechidis.TABLE_2.keys()
    assert len(sechidis.TABLE_1) + len(sechidis.MISSING_DATA) == 13
    assert {len(line) for line in sechidis.TABLE_1.values()} == {10}
    for name, lines in sechidis.TABLE_2.items():
        holdout = sechidis.TABLE_1[name][1] > sechidis.MAX_ROWS_FOR_FOLDS
        assert [len(line) for line in lines] == [2 if holdout else 4] * 3


@pytest.mark.parametrize(
    ("name", "method", "line"),
    [
        ("scene", 2, (2.77, 0.0043, 0, 0)),
        ("tmc2007", 2, (27.4, 0.00052)),
        ("corel5k", 0, (0.0, 0.0026, 10, 1140)),
        ("yeast", 1, (0.42, 0.0273, 0, 0)),
    ],
)
def test_published_rows_of_sechidis_equal_the_paper(name, method, line):
    """These rows were read from the paper a second time."""
    assert sechidis.TABLE_2[name][method] == line


def test_published_table_1_of_sechidis_is_consistent():
    """Labelsets per row and rows per labelset follow from the counts, apart from rounding."""
    for _, rows, labelsets, ratio, least, mean, most, *per_label in sechidis.TABLE_1.values():
        assert labelsets / rows == pytest.approx(ratio, abs=0.0051)
        assert rows / labelsets == pytest.approx(mean, abs=0.51)
        assert least <= mean <= most
        assert per_label == sorted(per_label)


def test_published_tables_of_optisplit_are_complete():
    """Two data sets have seven methods, Wiki10-31K four; every method is one of ours."""
    assert [len(own) for own in optisplit_paper.TABLE_2.values()] == [7, 7, 4]
    assert optisplit_paper.TABLE_1.keys() == optisplit_paper.TABLE_2.keys()
    published = "optisplit-published (rLD)"
    assert optisplit_paper.TABLE_2["bibtex"][published] == (27, 0.0004, 0.0073, 0.0234)
    assert optisplit_paper.TABLE_2["delicious"]["sampling-published"] == (
        75,
        0.0007,
        0.0221,
        0.0625,
    )
    assert optisplit_paper.TABLE_2["wiki10_31k"]["pmbsrs"] == (2, 0.0002, 0.3013, 0.9323)
    for own in optisplit_paper.TABLE_2.values():
        assert own.keys() <= SETTINGS.keys()
        assert {len(line) for line in own.values()} == {len(optisplit_paper.MEASURES)}
    for name, seconds in optisplit_paper.SECONDS.items():
        assert seconds.keys() == optisplit_paper.TABLE_2[name].keys()
    assert optisplit_paper.SECONDS["delicious"]["iterative (order 2)"] == 381
    assert optisplit_paper.SECONDS["wiki10_31k"][published] == 3065


def test_published_residuals_of_randomsplit_decrease_with_tries():
    """More tries are always better, and SVD is never worse than random."""
    assert list(random_split.TABLES) == [2, 3, 5, 10]
    assert random_split.TABLES[5][10] == (0.24, 0.02, 0.27, 0.02)
    for table in random_split.TABLES.values():
        lines = np.array(list(table.values()))
        assert lines.shape == (4, 4)
        assert (np.diff(lines[:, [0, 2]], axis=0) < 0).all()
        assert (lines[:, 0] <= lines[:, 2]).all()
        assert table.keys() == random_split.N_RUNS_OF_TRIES.keys()


def test_statistics_leave_out_labels_of_no_row_and_of_all_rows():
    """Labels 2 and 3 are left out, which leaves the labelsets a, ab, b and the empty set."""
    y = sparse.csr_array(
        [[1, 0, 0, 1], [1, 0, 0, 1], [1, 1, 0, 1], [0, 1, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1]]
    )
    own = describe(y)
    assert (own.n_labels, own.n_rows, own.n_labelsets) == (2, 6, 4)
    assert own.density == pytest.approx(5 / 12)
    assert own.ratio == pytest.approx(4 / 6)
    assert own.rows_per_labelset == (1, 1.5, 2)
    assert own.rows_per_label == (2, 2.5, 3)
    assert own.label_quartiles == (2, 2.25, 2.5, 2.75, 3)


@pytest.mark.parametrize(
    ("published", "agrees"),
    [(0.42, True), (0.4, True), (0.394, False), (0.455, True), (0.456, False)],
)
def test_a_published_mean_agrees_within_the_range_and_its_rounding(published, agrees):
    """The range is .40 to .45, plus half of the last digit on both sides."""
    assert PublishedValue(published, 0.42, 0.40, 0.45, 2).agrees == agrees


def test_runs_give_the_range_of_the_mean_of_more_runs():
    """Values 1, 2, 3 have mean 2 and std 1, so the range is 2 ± 1.96 · sqrt(1/3 + 1/3)."""
    values = np.zeros((3, len(MEASURES)))
    values[:, MEASURES.index("ld")] = [1, 2, 3]
    runs = Runs(values, values / 2, np.array([9.0, 1.0, 2.0]))
    low, high = runs.expect("ld", 3)
    assert (runs.mean("ld"), runs.bound("ld")) == (2, 1)
    assert (low, high) == pytest.approx((2 - 1.96 * np.sqrt(2 / 3), 2 + 1.96 * np.sqrt(2 / 3)))
    assert runs.median_seconds() == 2


def test_experiments_make_every_split_once(experiments, monkeypatch, capsys):
    """Only missing runs are made, with the next seeds, and progress is printed on stderr."""
    seeds = []

    def split(*arguments, random_state, **options):
        seeds.append(random_state)
        return evenfold_split(*arguments, random_state=random_state, **options)

    evenfold_split = evenfold.split
    monkeypatch.setattr(evenfold, "split", split)
    two = experiments.run("emotions", 5, "random", 2)
    one = experiments.run("emotions", 5, "random", 1)
    experiments.run("emotions", 5, "random", 3)
    assert seeds == [0, 1, 2]
    assert (one.values == two.values[:1]).all()
    assert two.mean("ld") == pytest.approx(
        np.mean(
            [
                evenfold_split(
                    experiments.read("emotions"), 5, method="random", random_state=seed
                ).quality.ld
                for seed in (0, 1)
            ]
        )
    )
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == [
        "emotions, 5 folds, random, 2 runs",
        "emotions, 5 folds, random, 3 runs",
    ]


def test_published_modes_have_a_row_for_each_cut_and_method(experiments):
    """The data set that is available in three cuts, for two methods, each in two modes."""
    page = published_modes.write_published_modes(experiments)
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| emotions")]
    assert [(row[1], row[2]) for row in rows] == [
        (parts, method)
        for parts in ("10 folds", "5 folds", "4/5 and 1/5")
        for method in ("optisplit", "sampling")
    ]
    n_not_higher = sum(float(row[7]) <= float(row[4]) for row in rows if row[2] == "sampling")
    assert f"and in {n_not_higher} of 3 cases for sampling." in page


def test_experiments_list_the_available_data(experiments):
    """A data set without a file is not available."""
    assert experiments.available(["scene", "emotions", "other"]) == ["emotions", "other"]


def test_values_that_print_the_same_share_their_ranks():
    """`even` has 0.104, which prints as 0.1, the value of iterative."""
    methods = ["random", "labelset", SHUFFLED]
    published, ours = (0.3, 0.1, 0.1), (0.31, 0.2, 0.1)
    cells = {
        ("a", "ld", method): PublishedValue(published[at], ours[at], 0, 1, 1)
        for at, method in enumerate(methods)
    }
    assert sechidis_ranks.rank(cells, methods, {("a", "ld"): 0.104}, "a", "ld") == [
        3,
        3,
        1.5,
        2,
        1.5,
        1,
        4,
        3,
        1.5,
        1.5,
    ]


@pytest.mark.parametrize(
    ("ours", "best", "verdict"),
    [
        (0.02114, 0.02113, even_comparison.EQUAL),
        (0.0211, 0.0212, even_comparison.BETTER),
        (922.5, 918.0, even_comparison.WORSE),
        (0.0, 0.0, even_comparison.EQUAL),
    ],
)
def test_a_comparison_uses_three_digits(ours, best, verdict):
    """A smaller difference counts as equal."""
    assert (
        even_comparison.Comparison("a", 5, "rld", ours, best, "iterative", 0.0, 0.0).verdict
        == verdict
    )


def test_a_comparison_is_described_with_its_values():
    """The text has the data, parts, measure, both values, the other method and the bound."""
    comparison = even_comparison.Comparison(
        "a", sechidis.TWO_THIRDS, "flz", 922.5, 918.0, "sampling", 448.3, 915.0
    )
    line = (
        "- a, 2/3 and 1/3, FLZ: 922.5, best other 918 (sampling, ED 448.3), bound 915. "
        "The paper has FZ and FLZ only for folds."
    )
    assert even_comparison.describe_comparison(comparison) == line


def test_section_of_a_paper_shows_published_and_ours(experiments, tmp_path, monkeypatch):
    """The available data set has one row per measure; the others are listed as not available."""
    monkeypatch.setattr(sechidis, "N_RUNS", 3)
    monkeypatch.setattr(sechidis, "N_RUNS_EVEN", 1)
    section = sechidis.write_section(experiments, tmp_path / "figures")
    ours = experiments.run("emotions", 10, "random", 3).mean("ld")
    line = next(line for line in section.splitlines() if line.startswith("| emotions | LD"))
    assert line.split(" | ")[2:4] in (["0.0973", f"{ours:.4f}"], ["0.0973", f"{ours:.4f} †"])
    assert "not available: Mediamill, Bookmarks, ImageCLEF2010, scene" in section
    assert (tmp_path / "figures" / "sechidis_ld.svg").exists()


def test_the_same_figure_has_the_same_bytes(tmp_path):
    """The file has no date and no random ids."""
    for name in ("a.svg", "b.svg"):
        figures.draw_over_bound(
            tmp_path / name, ["scene", "yeast"], {"even": [1.0, 1.1], "svd": [2.0, None]}
        )
    one, two = ((tmp_path / name).read_bytes() for name in ("a.svg", "b.svg"))
    assert one == two
    assert b"dc:date" not in one


def test_blog_row_has_sizes_and_divergences():
    """Two equal parts have no divergence, and sizes have the form of the post."""
    quality = evenfold.measure([["a"], ["a"], ["b"], ["b"]], [0, 1, 0, 1])
    assert blog.describe([quality]) == [
        "2 / 2",
        "0.0e+00, 0.0e+00",
        "0.0e+00 (0.0e+00)",
        "0.0 (0.0)",
        "0.00000 (0.00000)",
        "0.00000",
    ]


def test_page_has_introduction_and_sections(tmp_path, monkeypatch):
    """The introduction names the versions, and the page ends with a newline."""
    monkeypatch.setattr(
        reproduce,
        "SECTIONS",
        {"one": lambda experiments, folder: f"## One\n\nfigures in {folder.name}"},
    )
    reproduce.write_page(tmp_path / "new" / "page.md", Experiments(tmp_path), ["one"])
    page = (tmp_path / "new" / "page.md").read_text(encoding="utf-8")
    assert page.startswith("# Published results, reproduced\n")
    assert f"evenfold {evenfold.__version__}" in page
    assert page.endswith("## One\n\nfigures in figures\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--data", "nowhere"], "--data nowhere is not a folder"),
        (["--data", ".", "--only", "blog"], "Choose another file with --output"),
        (["--data", ".", "--only", "chapter"], "invalid choice: 'chapter'"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message, monkeypatch, capsys):
    """A part of the page never replaces the whole page."""
    monkeypatch.setattr("sys.argv", ["reproduce", *arguments])
    with pytest.raises(SystemExit):
        reproduce.main()
    assert message in capsys.readouterr().err


def test_page_in_the_repository_has_its_figures():
    """Every figure that the page shows exists."""
    docs = Path(__file__).parents[1] / "docs"
    page = (docs / "reproduction.md").read_text(encoding="utf-8")
    shown = [line.split("](")[1].rstrip(")") for line in page.splitlines() if line.startswith("![")]
    assert len(shown) == 5
    assert all((docs / name).is_file() for name in shown)


def test_nearest_rows_equal_those_of_scikit_learn():
    """Distances computed once give the same probabilities as a new search in each training part."""
    from benchmarks.reproduction.nearest_rows import NearestRows
    from sklearn.metrics import pairwise_distances
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(0)
    features, y = rng.normal(size=(60, 3)), (rng.random((60, 2)) < 0.4).astype(int)
    distance = pairwise_distances(features)
    np.fill_diagonal(distance, np.inf)
    rows, training = np.arange(60)[:, None], np.arange(60) % 4 > 0
    ours = NearestRows(np.argsort(distance, axis=1), k=5).fit(rows[training], y[training])
    theirs = KNeighborsClassifier(5).fit(features[training], y[training])
    expected = np.column_stack(
        [chances[:, 1] for chances in theirs.predict_proba(features[~training])]
    )
    assert ours.predict_proba(rows[~training]).tolist() == expected.tolist()
    assert ours.predict(rows[~training]).tolist() == theirs.predict(features[~training]).tolist()


@pytest.mark.parametrize(
    ("stds_of_even", "text"),
    [
        (
            [1, 2, 1, 1, 1, 1],
            "Hamming loss, coverage, ranking loss and mean average precision; it shares it on "
            "micro-AUC; it does not have it on subset accuracy.",
        ),
        (
            [5, 5, 5, 5, 5, 1],
            "no metric; it shares it on micro-AUC; it does not have it on Hamming loss, subset "
            "accuracy, coverage, ranking loss and mean average precision.",
        ),
    ],
)
def test_ranks_of_even_are_described_by_metric(stds_of_even, text):
    """The text says where the rank is the lowest, shared, or higher."""
    stds = {
        "random": [4, 4, 4, 4, 4, 4],
        "labelset": [2, 1, 2, 2, 2, 1],
        "iterative": [3, 3, 3, 3, 3, 3],
        "even": stds_of_even,
    }
    found = [
        # One repeat of two folds, whose scores are -std and std.
        Estimate("learner", method, list(METRICS), np.multiply.outer([-1, 1], own)[None], [])
        for method, own in stds.items()
    ]
    described = describe_ranks_of_even({"made": Evaluation({}, found)})
    assert described == f"`even` has the lowest average rank on {text}"
