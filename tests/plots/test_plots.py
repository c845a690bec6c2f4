"""Figures: axes in, the same axes out, with what the quality says on them."""

import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

import evenfold
from evenfold import plots
from evenfold.exceptions import InputError
from evenfold.plots.figure_data import find_balance

Y = np.random.default_rng(0).random((300, 12)) < np.geomspace(0.6, 0.01, 12)
FIGURES = [getattr(plots, name) for name in plots.__all__]


@pytest.fixture(autouse=True)
def _close_figures():
    plt.close("all")  # those that a page of the documentation has drawn
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def quality():
    """The quality of a random split, in which no label is quite even."""
    balance = {"age": np.arange(300) % 83}
    return evenfold.split(Y, 4, method="random", balance=balance).quality


def axes():
    """Return new axes without a window."""
    return Figure().subplots()


@pytest.mark.parametrize("draw", FIGURES)
def test_axes_come_back_with_title_and_names(draw, quality):
    """A figure is drawn on the given axes, which get a title and axis names."""
    ax = axes()
    assert draw(quality, ax=ax) is ax
    assert ax.get_title()
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    assert plt.get_fignums() == []
    ax.figure.canvas.draw()


def test_without_axes_there_are_new_ones(quality):
    """Without axes, each figure is drawn on new ones."""
    with mpl.rc_context({"backend": "agg"}):
        first, second = plots.cardinality(quality), plots.cardinality(quality)
    assert first is not second
    assert len(plt.get_fignums()) == 2
    plt.close("all")


@pytest.mark.parametrize("measure", ["rld", "ld", "dcp"])
def test_points_are_the_labels(quality, measure):
    """Each label is a point, rows against the measure, and so is its bound."""
    ax = plots.label_evenness(quality, measure, axes())
    drawn = {line.get_label(): line.get_xydata() for line in ax.get_lines()}
    per_label = quality.per_label
    for title, column in (
        ("this split", per_label[measure]),
        ("best possible", per_label[f"{measure}_bound"]),
    ):
        expected = sorted(zip(per_label.rows.tolist(), column.tolist(), strict=True))
        assert np.array(sorted(map(tuple, drawn[title].tolist()))) == pytest.approx(
            np.array(expected)
        )


def test_labels_too_close_to_be_distinguished_are_drawn_once():
    """Of 3,000 labels, at most 600 are drawn, and each label is near one that is."""
    rng = np.random.default_rng(1)
    y = rng.random((200, 3000)) < rng.uniform(0.05, 0.5, 3000)
    quality = evenfold.measure(y, rng.integers(3, size=200))
    lines = plots.label_evenness(quality, "rld", axes()).get_lines()
    drawn = next(own.get_xydata() for own in lines if own.get_label() == "this split")
    assert 100 < len(drawn) <= 600
    points = np.log(np.column_stack([quality.per_label.rows, quality.per_label.rld]))
    drawn = np.log(drawn)
    span = np.ptp(points, axis=0)
    off = np.abs((points[:, None] - drawn) / span).max(axis=2).min(axis=1)
    assert off.max() < 0.05


@pytest.mark.parametrize(
    ("measure", "advice"), [("nope", "Take one of these."), ("rdl", "Did you mean 'rld'?")]
)
def test_unknown_measures_are_refused(quality, measure, advice):
    """Only measures that are a mean over labels are drawn."""
    message = f"'measure' must be one of rld, ld, dcp, got '{measure}'. {advice}"
    with pytest.raises(InputError, match=re.escape(message)):
        plots.label_evenness(quality, measure, axes())


@pytest.mark.parametrize("measure", ["flz", "kl", "rld_pairs"])
def test_measures_that_are_no_mean_over_labels_are_not_drawn(quality, measure):
    """Counts, and measures of parts or label pairs, are refused."""
    message = f"'measure' must be one of rld, ld, dcp, got '{measure}'."
    with pytest.raises(InputError, match=re.escape(message)):
        plots.label_evenness(quality, measure, axes())


def test_distribution_has_a_mark_for_each_label_and_part(quality):
    """A mark is at the percentage of the part's rows that hold the label."""
    ax = plots.label_distribution(quality, axes())
    order = np.argsort(-Y.sum(axis=0), kind="stable")
    assert [bar.get_height() for bar in ax.patches] == pytest.approx((100 * Y.mean(axis=0))[order])
    assert len(ax.get_lines()) == 4
    for part, line in enumerate(ax.get_lines()):
        assert line.get_ydata() == pytest.approx(
            100 * Y[quality.placement.part_of_row == part].mean(axis=0)[order]
        )
    assert [text.get_text() for text in ax.get_xticklabels()] == [str(label) for label in order]


def test_cardinality_counts_the_labels_of_rows(quality):
    """Bars sum to all rows, marks to the rows of a part."""
    ax = plots.cardinality(quality, axes())
    assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(100)
    assert [line.get_ydata().sum() for line in ax.get_lines()] == pytest.approx([100] * 4)
    assert ax.patches[2].get_height() == pytest.approx(100 * (Y.sum(axis=1) == 2).mean())


def test_deviation_is_labels_by_parts(quality):
    """The least even label comes first, and the colours are centred on 0."""
    ax = plots.label_deviation(quality, 5, axes())
    percent = ax.collections[0].get_array()
    assert percent.shape == (5, 4)
    assert ax.collections[0].norm.vmin == -ax.collections[0].norm.vmax
    first = int(ax.get_yticklabels()[0].get_text())
    over = quality.per_label.rld - quality.per_label.rld_bound
    assert first == over.argmax()
    part = quality.placement.part_of_row == 0
    assert percent[0, 0] == pytest.approx(100 * (Y[part, first].mean() / Y[:, first].mean() - 1))


@pytest.mark.parametrize("draw", FIGURES)
def test_names_are_no_formulas(draw):
    """Dollar signs and underscores in names are drawn as they are, in the legend too."""
    labels = [["$\\frac{$"], ["_a"], ["$\\frac{$", "_a"], []] * 10
    balance = {"_b": ["$c$", "_d"] * 20}
    s = evenfold.split(labels, 2, names=["_train", "$x"], balance=balance)
    ax = draw(s.quality, ax=axes())
    ax.figure.canvas.draw()
    texts = {
        text.get_text()
        for text in [
            *ax.get_xticklabels(),
            *ax.get_yticklabels(),
            *(ax.get_legend().get_texts() if ax.get_legend() else []),
        ]
    }
    if draw in (plots.label_distribution, plots.label_deviation):
        assert {"$\\frac{$", "_a", "_train", "$x"} <= texts
    if draw is plots.cardinality:
        assert {"_train", "$x"} <= texts
    if draw is plots.balance:
        assert {"$c$", "_d", "_train", "$x"} <= texts
        assert ax.get_xlabel() == "_b"


@pytest.mark.parametrize("draw", FIGURES)
@pytest.mark.parametrize(
    "y",
    [np.zeros((9, 2)), np.ones((9, 1)), np.eye(9)[:, :1]],
    ids=["no label", "in every row", "one row"],
)
def test_what_is_hardly_there_can_be_drawn(draw, y):
    """Data without labels, or with labels that do not differ, can be drawn."""
    balance = {"age": [1.0] * 9}
    s = evenfold.split(y, 3, method="random", balance=balance)
    draw(s.quality, ax=axes()).figure.canvas.draw()


def test_many_parts_are_a_span_and_many_labels_ranks():
    """Many parts are drawn as a range, many labels by rank."""
    y = np.random.default_rng(0).random((400, 80)) < np.geomspace(0.5, 0.004, 80)
    quality = evenfold.split(y, 20, method="random").quality
    ax = plots.label_distribution(quality, axes())
    assert ax.get_xlabel() == "rank of the label, most common first"
    assert "lowest to highest part" in [text.get_text() for text in ax.get_legend().get_texts()]
    ax = plots.cardinality(quality, axes())
    assert "lowest to highest part" in [text.get_text() for text in ax.get_legend().get_texts()]


def test_ld_grows_with_labels_that_are_shared_out_alike():
    """LD ranks equally well spread labels by their size, rLD does not."""
    quality = evenfold.measure(*evenfold.datasets.make_measure_experiment("difference"))
    rld, ld = (
        plots.label_evenness(quality, measure, axes()).get_lines()[1].get_xydata()
        for measure in ("rld", "ld")
    )
    assert rld[:, 1] == pytest.approx(0.04)
    assert (np.diff(ld[np.argsort(ld[:, 0]), 1]) > 0).all()


def measure_balance(values):
    """Return the data of the figure of a column, in two parts of alternating rows."""
    y = np.ones((len(values), 1))
    quality = evenfold.measure(y, np.arange(len(values)) % 2, balance={"own": values})
    return find_balance(quality, 0)


def test_a_balanced_column_is_drawn_as_counted_by_hand():
    """Shares of all rows and of each part; few numbers and categories keep their values."""
    data = measure_balance([1, 2, 2, 3] * 10)
    assert data["names"] == ["1", "2", "3"]
    assert data["all"] == [25, 50, 25]
    assert [part["share"] for part in data["parts"]] == [[50, 50, 0], [0, 50, 50]]
    data = measure_balance(["b", "a", None, "a"] * 10)
    assert dict(zip(data["names"], data["all"], strict=True)) == {"b": 25, "a": 50, "missing": 25}
    data = measure_balance([0.5, None, 1.5, 0.5] * 10)
    assert data["names"] == ["0.5", "1.5", "missing"]
    assert data["all"] == [50, 25, 25]


def test_many_values_of_a_balanced_column_are_joined():
    """Numbers are counted in steps, of which the last has what is beyond; rare categories join."""
    numbers = np.arange(1000.0)
    numbers[-1] = 1e9
    data = measure_balance(numbers)
    assert len(data["names"]) <= 16
    assert sum(data["all"]) == pytest.approx(100)
    steps = [float(name.replace(",", "")) for name in data["names"]]
    assert steps[0] == 9
    widths = np.diff(steps)
    assert widths.min() == widths.max() == 62
    inner = [((numbers >= low) & (numbers < low + 62)).mean() * 100 for low in steps[1:-1]]
    assert data["all"][1:-1] == pytest.approx(inner)
    data = measure_balance([f"c{min(n, 20)}" for n in range(200)])
    assert len(data["names"]) == 12
    assert data["names"][0] == "c20"
    assert data["names"][-1] == "others"
    assert sum(data["all"]) == pytest.approx(100)
    data = measure_balance([*np.linspace(0, 1, 60), *[None] * 20])
    assert data["names"][-1] == "missing"
    assert data["all"][-1] == 25


def test_a_column_is_chosen_by_name():
    """The first is drawn by default; an unknown name and a split without any are refused."""
    y = np.ones((40, 1))
    balance = {"age": np.arange(40), "sex": ["F", "M"] * 20}
    quality = evenfold.split(y, 2, balance=balance).quality
    assert plots.balance(quality, ax=axes()).get_xlabel() == "age (from)"
    assert plots.balance(quality, "sex", axes()).get_xlabel() == "sex"
    with pytest.raises(InputError, match=r"of age, sex, got 'sexe'\. Did you mean 'sex'"):
        plots.balance(quality, "sexe")
    with pytest.raises(
        InputError,
        match=r"'quality' must be of a split with balanced columns, got one without\. "
        r"Pass balance= to split or measure\.",
    ):
        plots.balance(evenfold.split(y, 2).quality)
