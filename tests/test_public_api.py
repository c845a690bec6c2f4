"""The door: what it offers and what it does not load."""

import inspect
import subprocess
import sys

import pytest

import evenfold

HEAVY = (
    "sklearn",
    "numba",
    "pandas",
    "polars",
    "pyarrow",
    "matplotlib",
    "jinja2",
    "scipy",
    "numpy",
)


def loaded_after(code):
    """Return which heavy packages a fresh Python has loaded after running code."""
    code += f"\nimport sys; print(*[name for name in {HEAVY} if name in sys.modules])"
    return (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        .stdout.split("\n")[-2]
        .split()
    )


def test_every_public_name_is_there():
    """Names can be had and are listed."""
    assert dir(evenfold) == evenfold.__all__
    for name in evenfold.__all__:
        assert getattr(evenfold, name) is not None


def public_things():
    """Yield every public function and class with its full name."""
    for module in (
        evenfold,
        evenfold.labels,
        evenfold.methods,
        evenfold.metrics,
        evenfold.model_selection,
        evenfold.datasets,
        evenfold.learn,
        evenfold.plots,
    ):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                yield f"{module.__name__}.{name}", thing


@pytest.mark.parametrize("name", [name for name, _ in public_things()])
def test_every_public_name_is_documented_with_an_example(name):
    """The examples run as doctests."""
    thing = dict(public_things())[name]
    assert ">>>" in (thing.__doc__ or "")


def test_a_name_that_is_not_there():
    """As of any module."""
    with pytest.raises(AttributeError, match="module 'evenfold' has no attribute 'splat'"):
        evenfold.splat  # noqa: B018 - asking is the test


def test_the_function_stays_a_function_whatever_is_imported():
    """No module hides behind a public name."""
    code = "import evenfold.splits.make_split, evenfold.quality, evenfold.cli.main, evenfold; assert callable(evenfold.split) and callable(evenfold.measure)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_import_loads_nothing_heavy():
    """The door alone."""
    assert loaded_after("import evenfold") == []


def test_help_loads_nothing_heavy():
    """Nor does the command's help."""
    code = "from click.testing import CliRunner\nfrom evenfold.cli.main import evenfold\nassert CliRunner().invoke(evenfold, ['--help']).exit_code == 0"
    assert loaded_after(code) == []


def test_splitting_an_array_loads_no_frame_library_nor_scikit_learn():
    """Optional and heavy packages wait until they are needed."""
    assert set(
        loaded_after("import evenfold, numpy as np; evenfold.split(np.eye(9), 3).quality")
    ) <= {"scipy", "numpy", "numba"}


def test_saying_how_even_a_split_is_loads_nothing_to_draw_or_lay_out_with():
    """Nor does a report as Markdown; figures and pages load what they need."""
    code = "import evenfold, numpy as np; s = evenfold.split(np.eye(9), 3); str(s); s._repr_html_(); evenfold.plots"
    assert not {"matplotlib", "jinja2"} & set(loaded_after(code))
    in_folder = "import tempfile, pathlib; kept = tempfile.TemporaryDirectory(); folder = pathlib.Path(kept.name)"
    assert not {"matplotlib", "jinja2"} & set(
        loaded_after(f"{code}; {in_folder}; s.report(folder / 'r.md')")
    )
    assert {"matplotlib", "jinja2"} <= set(
        loaded_after(f"{code}; {in_folder}; s.report(folder / 'r.html')")
    )


def test_version_is_that_of_the_package():
    """One place says it."""
    from importlib.metadata import version

    assert version("evenfold") == evenfold.__version__
