"""The page that makes the papers' tables again: what was copied from them, what is counted, how it is rendered."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks import reproduce
from benchmarks.reproduction import (
    blog,
    figures,
    first,
    optisplit_paper,
    random_split,
    sechidis,
    sechidis_ranks,
)
from benchmarks.reproduction.cells import Cell
from benchmarks.reproduction.label_statistics import describe
from benchmarks.reproduction.markdown import show, show_against, show_list, to_page, to_table
from benchmarks.reproduction.runs import CANDIDATES, MEASURES, SHUFFLED, Runs, Workbench
from scipy import sparse

import evenfold


@pytest.fixture
def bench(tmp_path):
    """A folder with one small set that bears the name of a published one, and one that none of the papers has."""
    rng = np.random.default_rng(0)
    for name, n_rows, n_labels in (("emotions", 60, 4), ("other", 30, 3)):
        (tmp_path / name).mkdir()
        y = sparse.csr_array((rng.random((n_rows, n_labels)) < 0.4).astype(np.int8))
        sparse.save_npz(tmp_path / name / "labels.npz", y)
    return Workbench(tmp_path)


def test_published_tables_of_sechidis_are_whole():
    """Ten of the thirteen sets are at hand; folds have four measures, holdouts two; three methods each."""
    assert sechidis.TABLE_1.keys() == sechidis.TABLE_2.keys()
    assert len(sechidis.TABLE_1) + len(sechidis.ABSENT) == 13
    assert {len(line) for line in sechidis.TABLE_1.values()} == {10}
    for name, lines in sechidis.TABLE_2.items():
        holdout = sechidis.TABLE_1[name][1] > sechidis.MOST_ROWS_FOR_FOLDS
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
def test_published_lines_of_sechidis_are_the_papers(name, method, line):
    """Lines read from the paper a second time."""
    assert sechidis.TABLE_2[name][method] == line


def test_published_table_1_of_sechidis_agrees_with_itself():
    """Labelsets per example, and examples per labelset, follow from the counts beside them, but for rounding."""
    for _, rows, labelsets, ratio, least, mean, most, *per_label in sechidis.TABLE_1.values():
        assert labelsets / rows == pytest.approx(ratio, abs=0.0051)
        assert rows / labelsets == pytest.approx(mean, abs=0.51)
        assert least <= mean <= most
        assert per_label == sorted(per_label)


def test_published_tables_of_optisplit_are_whole():
    """Two sets have all seven methods, Wiki10-31K four; every method is one of ours."""
    assert [len(own) for own in optisplit_paper.TABLE_2.values()] == [7, 7, 4]
    assert optisplit_paper.TABLE_1.keys() == optisplit_paper.TABLE_2.keys()
    assert optisplit_paper.TABLE_2["bibtex"]["optisplit (rLD)"] == (27, 0.0004, 0.0073, 0.0234)
    assert optisplit_paper.TABLE_2["delicious"]["sampling"] == (75, 0.0007, 0.0221, 0.0625)
    assert optisplit_paper.TABLE_2["wiki10_31k"]["pmbsrs"] == (2, 0.0002, 0.3013, 0.9323)
    for own in optisplit_paper.TABLE_2.values():
        assert own.keys() <= CANDIDATES.keys()
        assert {len(line) for line in own.values()} == {len(optisplit_paper.MEASURES)}


def test_published_tables_of_randomsplit_fall_with_tries():
    """Four tables of four lines; more tries are never worse, and SVD never worse than random."""
    assert list(random_split.TABLES) == [2, 3, 5, 10]
    assert random_split.TABLES[5][10] == (0.24, 0.02, 0.27, 0.02)
    for table in random_split.TABLES.values():
        lines = np.array(list(table.values()))
        assert lines.shape == (4, 4)
        assert (np.diff(lines[:, [0, 2]], axis=0) < 0).all()
        assert (lines[:, 0] <= lines[:, 2]).all()
        assert table.keys() == random_split.N_RUNS_OF_TRIES.keys()


def test_statistics_of_a_small_matrix():
    """Six rows; label 2 is held by none and label 3 by all, so both are left out, and the rest are the sets a, a, ab, b, nothing, nothing."""
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


def test_tables_line_up_numbers_at_the_right():
    """Text columns from the left; a bar inside a cell does not end it."""
    assert (
        to_table(["data", "LD"], [["a|b", "0.1"]])
        == "| data | LD |\n| --- | ---: |\n| a\\|b | 0.1 |"
    )
    assert to_table(["a", "b"], [], n_text_columns=2) == "| a | b |\n| --- | --- |"


def test_a_row_of_other_length_than_the_heading_is_refused():
    """A lost cell would shift every figure after it under the wrong heading."""
    with pytest.raises(ValueError, match=r"as many cells as the heading, 2, got \[1, 2\]"):
        to_table(["data", "LD"], [["a"]])


def test_numbers_are_shown_with_their_digits():
    """Thousands apart; what is missing as a dash."""
    assert [show(1234.5678, 2), show(0.00052, 5), show(7, 0), show(None, 4)] == [
        "1,234.57",
        "0.00052",
        "7",
        "–",
    ]
    assert [show_list([]), show_list(["a"]), show_list(["a", "b", "c"])] == ["", "a", "a, b and c"]
    assert to_page("a", "", "b") == "a\n\nb"


def test_a_figure_that_rounds_to_the_published_one_is_shown_as_published():
    """731.5 is printed as 731 in one paper, 129.5 as 130 in the other; 16,105 is not 16,015."""
    assert show_against(731.5, 731, 0) == "731"
    assert show_against(129.5, 130, 0) == "130"
    assert show_against(16105, 16015, 0) == "**16,105** (published: 16,015)"


@pytest.mark.parametrize(
    ("published", "agrees"),
    [(0.42, True), (0.4, True), (0.394, False), (0.455, True), (0.456, False)],
)
def test_a_published_mean_agrees_within_the_spread_and_its_rounding(published, agrees):
    """Between .40 and .45, and half a digit more."""
    assert Cell(published, 0.42, 0.40, 0.45, 2).agrees == agrees


def test_runs_say_where_the_mean_of_few_more_is_expected():
    """Values 1, 2, 3: mean 2, deviation 1; of 3 more runs 1.96 · sqrt(1/3 + 1/3) either side."""
    values = np.zeros((3, len(MEASURES)))
    values[:, MEASURES.index("ld")] = [1, 2, 3]
    runs = Runs(values, values / 2)
    low, high = runs.expect("ld", 3)
    assert (runs.mean("ld"), runs.bound("ld")) == (2, 1)
    assert (low, high) == pytest.approx((2 - 1.96 * np.sqrt(2 / 3), 2 + 1.96 * np.sqrt(2 / 3)))


def test_workbench_makes_every_split_once(bench, monkeypatch, capsys):
    """Asking for fewer runs makes none, for more only the missing ones, with the seeds that follow; progress goes to stderr."""
    seeds = []

    def split(*arguments, random_state, **options):
        seeds.append(random_state)
        return evenfold_split(*arguments, random_state=random_state, **options)

    evenfold_split = evenfold.split
    monkeypatch.setattr(evenfold, "split", split)
    two = bench.run("emotions", 5, "random", 2)
    one = bench.run("emotions", 5, "random", 1)
    bench.run("emotions", 5, "random", 3)
    assert seeds == [0, 1, 2]
    assert (one.values == two.values[:1]).all()
    assert two.mean("ld") == pytest.approx(
        np.mean(
            [
                evenfold_split(
                    bench.read("emotions"), 5, method="random", random_state=seed
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


def test_workbench_knows_what_is_at_hand(bench):
    """What has no file is not at hand."""
    assert bench.at_hand(["scene", "emotions", "other"]) == ["emotions", "other"]


def test_ranks_share_ties_and_put_even_beside_the_three():
    """Published 3, 1, 1 and ours 3, 2, 1, to one digit, with even at 1.04, which prints as 1.0."""
    methods = ["random", "labelset", SHUFFLED]
    published, ours = (0.3, 0.1, 0.1), (0.31, 0.2, 0.1)
    cells = {
        ("a", "ld", method): Cell(published[at], ours[at], 0, 1, 1)
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
        (0.02114, 0.02113, first.TIED),
        (0.0211, 0.0212, first.FIRST),
        (922.5, 918.0, first.BEATEN),
        (0.0, 0.0, first.TIED),
    ],
)
def test_a_standing_compares_three_digits(ours, best, verdict):
    """Beaten only by what shows in three digits."""
    assert first.Standing("a", 5, "rld", ours, best, "iterative", 0.0, 0.0).verdict == verdict


def test_an_exception_is_named_with_its_figures():
    """Data, cut, measure, both figures, the other method and how far off its sizes are, the bound."""
    standing = first.Standing(
        "a", sechidis.TWO_THIRDS, "flz", 922.5, 918.0, "sampling", 448.3, 915.0
    )
    line = "- a, 2/3 and 1/3, FLZ: 922.5 against 918 of sampling (ED 448.3); bound 915. The paper has FZ and FLZ for folds only."
    assert first.describe_exception(standing) == line


def test_section_of_a_paper_shows_published_and_ours(bench, tmp_path, monkeypatch):
    """The one set at hand, whose name is a published one, with a line per measure; the others are named as absent."""
    monkeypatch.setattr(sechidis, "N_RUNS", 3)
    monkeypatch.setattr(sechidis, "N_RUNS_EVEN", 1)
    section = sechidis.write(bench, tmp_path / "figures")
    ours = bench.run("emotions", 10, "random", 3).mean("ld")
    line = next(line for line in section.splitlines() if line.startswith("| emotions | LD"))
    assert line.split(" | ")[2:4] in (["0.0973", f"{ours:.4f}"], ["0.0973", f"{ours:.4f} †"])
    assert "not at hand: Mediamill, Bookmarks, ImageCLEF2010, scene" in section
    assert (tmp_path / "figures" / "sechidis_ld.svg").exists()


def test_the_same_figure_has_the_same_bytes(tmp_path):
    """No date, no random ids."""
    for name in ("a.svg", "b.svg"):
        figures.draw_over_bound(
            tmp_path / name, ["scene", "yeast"], {"even": [1.0, 1.1], "svd": [2.0, None]}
        )
    one, two = ((tmp_path / name).read_bytes() for name in ("a.svg", "b.svg"))
    assert one == two
    assert b"dc:date" not in one


def test_blog_line_shows_sizes_and_divergence():
    """Two parts alike: nothing diverges, and the sizes are shown as the post does."""
    quality = evenfold.measure([["a"], ["a"], ["b"], ["b"]], [0, 1, 0, 1])
    assert blog.describe([quality]) == [
        "2 / 2",
        "0.0e+00, 0.0e+00",
        "0.0e+00 (0.0e+00)",
        "0.0 (0.0)",
        "0.00000 (0.00000)",
        "0.00000",
    ]


def test_page_is_written_whole(tmp_path, monkeypatch):
    """Introduction with versions, the sections asked for, an end of line."""
    monkeypatch.setattr(
        reproduce, "SECTIONS", {"one": lambda bench, folder: f"## One\n\nfigures in {folder.name}"}
    )
    reproduce.write_page(tmp_path / "new" / "page.md", Workbench(tmp_path), ["one"])
    page = (tmp_path / "new" / "page.md").read_text(encoding="utf-8")
    assert page.startswith("# The papers made again\n")
    assert f"evenfold {evenfold.__version__}" in page
    assert page.endswith("## One\n\nfigures in figures\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--data", "nowhere"], "--data nowhere is not a folder"),
        (["--data", ".", "--only", "blog"], "Say where it should go with --output"),
        (["--data", ".", "--only", "chapter"], "invalid choice: 'chapter'"),
    ],
)
def test_wrong_asking_is_refused(arguments, message, monkeypatch, capsys):
    """Before anything is made; a part never replaces the whole page."""
    monkeypatch.setattr("sys.argv", ["reproduce", *arguments])
    with pytest.raises(SystemExit):
        reproduce.main()
    assert message in capsys.readouterr().err


def test_page_in_the_repository_shows_its_figures():
    """Every figure the page names is beside it."""
    docs = Path(__file__).parents[1] / "docs"
    page = (docs / "reproduction.md").read_text(encoding="utf-8")
    shown = [line.split("](")[1].rstrip(")") for line in page.splitlines() if line.startswith("![")]
    assert len(shown) == 4
    assert all((docs / name).is_file() for name in shown)


def test_nearest_rows_are_those_of_scikit_learn():
    """Distances measured once give the probabilities of neighbours found anew in the training rows."""
    from benchmarks.reproduction.estimates import NearestRows
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


def test_where_even_is_first_is_said_as_it_is():
    """First on one measure, not on the others."""
    from benchmarks.reproduction.estimates import METHODS, METRICS, say_where_even_is_first

    from evenfold.evaluation import Estimate, Evaluation

    def estimate(method, spreads):
        values = np.array([[[-spread, spread][fold] for spread in spreads] for fold in (0, 1)])[
            None
        ]
        return Estimate("learner", method, list(METRICS), values, [])

    spreads = {
        "random": [4, 4, 4, 4, 4, 4],
        "labelset": [2, 1, 2, 2, 2, 1],
        "iterative": [3, 3, 3, 3, 3, 3],
        "even": [1, 2, 1, 1, 1, 1],
    }
    found = {"made": Evaluation({}, [estimate(method, spreads[method]) for method in METHODS])}
    assert say_where_even_is_first(found) == (
        "`even` has the lowest average rank on Hamming loss, coverage, ranking loss and mean average precision; it shares it on micro-AUC; "
        "it does not have it on subset accuracy."
    )
