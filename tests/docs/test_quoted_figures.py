"""Figures that pages quote are those of the records, or of the page that has the whole table."""

import re
from math import comb

from benchmarks.pages import read_records

from .blocks import ROOT

RECORDS = read_records()
SECTIONS = RECORDS["results"]["sections"]
DOCS = ROOT / "docs"


def read(name):
    """Return a page on one line."""
    return " ".join((DOCS / name).read_text(encoding="utf-8").split())


def test_intervals_are_those_of_the_evaluation_page():
    """Every value with a 95 % interval is in the page that is linked."""
    table = read("evaluation.md")
    quoted = re.findall(r"\d\.\d\d \[[\d., ]+\]", read("explanation/what-even-is-worth.md"))
    assert len(quoted) == 9
    assert [value for value in quoted if value not in table] == []


def test_how_often_a_random_fold_lacks_a_label_is_computed():
    """20 rows in ten folds, by inclusion and exclusion of empty folds."""
    full = sum((-1) ** empty * comb(10, empty) * (1 - empty / 10) ** 20 for empty in range(11))
    sentence = "20 rows of a label and ten random folds, some fold has none of them in {:.0f} %"
    assert sentence.format(100 * (1 - full)) in read("explanation/what-even-is-worth.md")


def test_methods_with_a_lower_rld_have_other_sizes():
    """As the page on choosing a method says of the comparison with all methods."""
    assert "Where another method has a lower rLD, its sizes are off" in read("how-to/choose.md")
    table = read("reproduction.md").partition("### `even` with its defaults")[2]
    worse = table.partition("Worse:")[2].partition("###")[0]
    off = re.findall(r", rLD: [\d.]+, best other [\d.]+ \(.*?, ED ([\d.]+)\)", worse)
    assert len(off) == worse.count(", rLD:") > 0
    assert min(map(float, off)) > 1


def test_the_bias_of_means_is_that_of_the_evaluation_page():
    """The range of the mean over folds, and that of the pooled value."""
    text, table = read("explanation/pooled-estimates.md"), read("evaluation.md")
    mean, pooled = (
        [float(value) for value in re.findall(r"([+-]?\d+\.\d) %", row)]
        for row in (
            re.search(r"\| MAP, mean over folds \|([^\n]*?) \| MAP, pooled", table)[1],
            re.search(r"\| MAP, pooled \|(.*?) \| macro-F1", table)[1],
        )
    )
    assert f"{min(mean):.0f} to {max(mean):.0f} % too high" in text
    assert f"between {-min(pooled)} % too low and {max(pooled)} % too high" in text


def test_what_is_said_of_iterative_stratification_holds():
    """The number of sets, and that no split of evenfold is less even."""
    records = [record for record in SECTIONS["default"]["records"] if "peer rLD" in record]
    text = read("coming-from/iterative-stratification.md")
    assert f"on {len({record['data'] for record in records})} data sets" in text
    assert "evenfold is never less even there" in text
    assert all(record["rLD"] <= record["peer rLD"] + 1e-9 for record in records)


def test_what_is_said_of_scikit_learn_holds():
    """The rLD of bibtex in five folds."""
    rld = {
        record["package"]: record["rLD"]
        for record in SECTIONS["packages"]["records"]
        if record["data"] == "bibtex"
    }
    sentence = f"is {rld['scikit-learn']:.4f} there and {rld['evenfold']:.4f} with evenfold"
    assert sentence in read("coming-from/scikit-learn.md")


def test_what_is_said_of_optisplit_is_in_the_tables():
    """The ratio of times and both rLDs on delicious, and ED on bibtex."""
    times, theirs, ours = re.search(
        r"\| optisplit 0.2 \| `optisplit` \| (\d+) \| ([\d.]+) \| ([\d.]+) \|",
        read("reference/benchmarks.md"),
    ).groups()
    text = read("coming-from/optisplit.md")
    assert f"{times} times as long" in text
    assert f"rLD of {theirs} instead of {ours}" in text
    ed = re.search(r"\| bibtex \| 5 folds \| optisplit \| ([\d.]+)", read("reproduction.md"))[1]
    assert f"{float(ed):.0f} rows off on average" in text


def test_what_is_said_of_randomsplit_is_in_the_tables():
    """The residuals of a split 50/50 with ten tries."""
    table = read("reproduction.md").partition("### split 50/50")[2]
    published, ours, even = re.search(
        r"\| 10 \| ([\d.]+) \([\d.]+\) \| ([\d.]+) .*?\| ([\d.]+) \([\d.]+\) \| \| 100 ", table
    ).groups()
    sentence = f"{published} as published, {ours} with `svd`, and {even} with `even`"
    assert sentence in read("coming-from/randomsplit.md")


def test_what_is_said_of_scores_over_seeds_is_in_the_figure():
    """Means and standard deviations of even and of random folds."""
    figure = (DOCS / "figures" / "chance.svg").read_text(encoding="utf-8")
    found = re.findall(r"(even|random): mean ([\d.]+), standard deviation ([\d.]+)", figure)
    (_, even, even_std), (_, random, random_std) = found
    text = read("explanation/chance.md")
    assert f"is {even_std} for even folds and {random_std} for random ones" in text
    assert f"The means differ more: {even} and {random}." in text
    assert figure.count("<circle") == 200


def find(section, **wanted):
    """Return the records of a section with these values."""
    return [
        record
        for record in SECTIONS[section]["records"]
        if all(record[column] == value for column, value in wanted.items())
    ]


def test_tight_bounds_are_those_of_the_records():
    """How far two splits are above the bound of each label alone, and above the tight bound."""
    text = read("methods.md")
    for record, sentence in (
        (
            find("tight", data="wiki10_31k")[0],
            "Wiki10-31K at 80/10/10 is {:.1f} % above the bound of each label alone, "
            "and {:.1f} % above the tight bound",
        ),
        (
            find("tight", data="go_sp2014_mf", parts="5 folds")[0],
            "go_sp2014_mf with groups in 5 folds is {:.1f} % above the bound of each label alone, "
            "and {:.1f} % above the tight bound",
        ),
    ):
        assert sentence.format(record["excess %"], record["tight excess %"]) in text


def test_coverage_of_intervals_is_that_of_the_populations():
    """Of MAP, and the range of the other metrics; and the bias of average precision on few rows."""
    text = read("evaluation.md")
    own = [round(record["coverage %"]) for record in find("populations", metric="MAP")]
    others = [
        round(record["coverage %"])
        for record in SECTIONS["populations"]["records"]
        if record["metric"] != "MAP"
    ]
    assert f"of MAP in {min(own)} to {max(own)} % of cases" in text
    assert f"that of other metrics in {min(others)} to {max(others)} %" in text
    [nearest] = find("populations", metric="MAP", learner="k-NN")
    assert f"is {nearest['blocks %']:.1f} % above that on 6,000" in text


def test_costs_past_memory_are_those_of_the_records():
    """What the page says beside its tables: resident memory, and the passes on Dask."""
    text = read("scale.md")
    large = RECORDS["scale"]["sections"]["large"]["records"]
    splits = [record for record in large if "wall s" in record]
    assert max(record["rows off"] for record in splits) < 1
    resident = max(record["RSS GB"] for record in splits)
    assert f"the resident set size was at most {resident:.1f} GB" in text
    tenth, whole = (
        {name: 1e9 * own["CPU"] / record["n_entries"] for name, own in record["passes"].items()}
        for record in splits
        if record["way"] == "Dask"
    )
    assert f"it took {tenth['centre']:.0f} ns an entry" in text
    of_workers = ("read", "ladder", "stay", "place", "parts", "write")
    assert f"passes take {sum(whole[name] for name in of_workers):.0f} ns an entry" in text


def test_linked_rows_are_split_as_the_page_says():
    """The split of a million linked rows has exact sizes, and rLD at its bound."""
    [linked] = [
        record
        for record in RECORDS["scale"]["sections"]["links"]["records"]
        if record["search"] == "link and split"
    ]
    rld, bound = re.search(r"rLD ([\d.]+) of ([\d.]+)", linked["found"]).groups()
    assert rld == bound
    assert f"rLD is at its bound ({rld})" in read("leaks.md")
    n_rows = linked["rows"]
    assert f"sizes [{n_rows * 8 // 10}, {n_rows // 10}, {n_rows // 10}]" in linked["found"]
    assert "leaking pairs found 0" in linked["found"]


def test_a_split_by_one_number_is_described_as_measured():
    """Means are far closer than with bins, deciles about as close as with ten bins."""
    of = {record["splitter"]: record for record in SECTIONS["one-target"]["records"]}
    ours, bins = of["evenfold"], of["StratifiedKFold on 10 bins"]
    assert ours["mean"] < bins["mean"] / 50
    assert 0.9 * bins["deciles"] < ours["deciles"] < bins["deciles"]


def test_a_tolerance_is_not_less_even_than_none():
    """On all data of the table, and a larger one not less than a smaller one."""
    rld = {}
    for record in SECTIONS["tolerance"]["records"]:
        rld.setdefault((record["data"], record["parts"]), []).append(record["rLD"])
    assert all(own == sorted(own, reverse=True) for own in rld.values())


def test_what_is_said_of_audited_splits_is_in_the_records():
    """Pairs with different labels, relations without a test triple, and half of nations."""
    records = {own["data"]: own for own in RECORDS["audits"]["sections"]["audits"]["records"]}
    text = read("audit.md")
    [pairs] = records["ACSF1"]["problems"]
    number = re.search(r": (\d+) by similar", pairs)[1]
    assert f"{number} pairs have different labels" in text
    for name in ("nations", "kinships", "umls"):
        [lacking] = [
            own for own in records[name]["problems"] if own.startswith("labels not in test")
        ]
        numbers = re.search(r"test: (\d+ of \d+)", lacking)[1]
        assert f"{numbers} in {name}" in text
    nations = records["nations"]
    assert 0.5 < nations["near-duplicates"]["test"] / nations["rows"]["test"] < 0.55


def test_what_a_split_is_worth_is_that_of_the_published_results():
    """Every value with a 95 % interval; those of the learner that defines the difficulty too."""
    table = read("reproduction.md").partition("## What a split is worth")[2]
    own = read("evaluation.md").partition("## What a split is worth")[2].partition("<!--")[0]
    quoted = re.findall(r"\d\.\d\d \[[\d., ]+\]", own)
    assert len(quoted) == 19
    assert [value for value in quoted if value not in table] == []
    assert (
        re.findall(r"\((0\.\d\d)\)", own)
        == re.findall(r"\| even \+ difficulty(?:, of even)? \| (0\.\d\d)", table)[:2]
    )
