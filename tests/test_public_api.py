"""The public names: they are documented, and importing them loads nothing heavy."""

import inspect
import subprocess
import sys

import pytest
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import Validator, validate

import evenfold

HEAVY = (
    "sklearn",
    "numba",
    "pandas",
    "polars",
    "pyarrow",
    "matplotlib",
    "jinja2",
    "narwhals",
    "scipy.sparse",
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
    """The list of names is complete, and each of them can be loaded."""
    assert dir(evenfold) == evenfold.__all__
    for name in evenfold.__all__:
        assert getattr(evenfold, name) is not None


def find_public():
    """Return every public function and class by its full name."""
    modules = [
        evenfold,
        evenfold.datasets,
        evenfold.exceptions,
        evenfold.labels,
        evenfold.learn,
        evenfold.methods,
        evenfold.metrics,
        evenfold.model_selection,
        evenfold.plots,
    ]
    found = {}
    for module in modules:
        # The exceptions have no list: all classes of the module are public.
        for name in getattr(module, "__all__", dir(module)):
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                found[f"{module.__name__}.{name}"] = value
    return found


def find_bases(value):
    """Return a class and its bases that belong to evenfold, the class itself first."""
    return [base for base in inspect.getmro(value) if base.__module__.startswith("evenfold")]


def find_methods():
    """Return the full name of every public method of evenfold's own classes.

    A method that overrides another one is left out: the base describes it.
    """
    found = set()
    for value in find_public().values():
        for method in dir(value) if inspect.isclass(value) else ():
            function = getattr(value, method)
            is_method = inspect.isfunction(function) or inspect.ismethod(function)
            if is_method and function.__module__.startswith("evenfold") and method[0] != "_":
                owner = [base for base in find_bases(value) if method in vars(base)][-1]
                found.add(f"{owner.__module__}.{owner.__qualname__}.{method}")
    return sorted(found)


PUBLIC = find_public()
# What numpydoc checks: a docstring (GL08), parameters (PR), the return value (RT), yields (YD).
CHECKS = {"GL08", "PR01", "PR02", "PR03", "PR04", "PR07", "RT01", "RT03", "YD01"}


def parse_docstring(value):
    """Return the docstring, without the members that numpydoc adds to that of a class."""
    return Validator(get_doc_object(value, config={"show_class_members": False}))


def find_faults(name):
    """Return what is missing in the docstring of a public name."""
    faults = {code: text for code, text in validate(name)["errors"] if code in CHECKS}
    value = Validator._load_obj(name)
    if inspect.isclass(value):
        # Parameters may be described as attributes (results) or in the base that has __init__.
        documented = set()
        for base in find_bases(value):
            docstring = parse_docstring(base)
            documented |= {*docstring.doc_parameters}
            documented |= {attribute.name for attribute in docstring.doc["Attributes"]}
        parameters = parse_docstring(value).signature_parameters
        if all(name in documented or name.startswith("_") for name in parameters):
            faults.pop("PR01", None)
        for attribute in parse_docstring(value).doc["Attributes"]:
            if not attribute.type or not attribute.desc:
                faults[attribute.name] = f"Attribute {attribute.name!r} lacks type or description"
    return faults


@pytest.mark.parametrize("name", [name for name in PUBLIC if "exceptions" not in name])
def test_every_public_name_has_an_example(name):
    """The examples run as doctests."""
    assert ">>>" in (PUBLIC[name].__doc__ or "")


@pytest.mark.parametrize("name", [*PUBLIC, *find_methods()])
def test_every_public_name_is_fully_documented(name):
    """All parameters have types and descriptions, and return values are described."""
    assert find_faults(name) == {}


def test_an_unknown_name_is_refused():
    """The error is that of any module."""
    with pytest.raises(AttributeError, match="module 'evenfold' has no attribute 'splat'"):
        evenfold.splat  # noqa: B018 - the access is the test


def test_no_module_replaces_a_function():
    """Public functions stay functions after imports of modules with similar names."""
    code = (
        "import evenfold.splits.make_split, evenfold.quality, evenfold.cli.main, evenfold\n"
        "assert callable(evenfold.split) and callable(evenfold.measure)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_import_loads_nothing_heavy():
    """The package itself loads no heavy package."""
    assert loaded_after("import evenfold") == []


def test_help_loads_nothing_heavy():
    """The help of the command is shown without heavy packages."""
    code = (
        "from click.testing import CliRunner\n"
        "from evenfold.cli.main import evenfold\n"
        "assert CliRunner().invoke(evenfold, ['--help']).exit_code == 0"
    )
    assert loaded_after(code) == []


def test_splitting_an_array_loads_no_frame_library_nor_scikit_learn():
    """Optional and heavy packages are loaded when they are needed."""
    assert set(
        loaded_after("import evenfold, numpy as np; evenfold.split(np.eye(9), 3).quality")
    ) <= {"scipy", "scipy.sparse", "numpy", "numba"}


def test_splitting_a_small_array_loads_no_sparse_matrices():
    """SciPy loads its subpackages when they are first used: here they are not."""
    code = "import evenfold, numpy as np; evenfold.split(np.eye(9), 3, order=1).quality"
    assert set(loaded_after(code)) <= {"scipy", "numpy"}


def test_only_html_reports_load_matplotlib_and_jinja2():
    """Printing a split and a report in Markdown load neither."""
    code = (
        "import evenfold, numpy as np; s = evenfold.split(np.eye(9), 3); "
        "str(s); s._repr_html_(); evenfold.plots"
    )
    assert not {"matplotlib", "jinja2"} & set(loaded_after(code))
    in_folder = (
        "import tempfile, pathlib; kept = tempfile.TemporaryDirectory(); "
        "folder = pathlib.Path(kept.name)"
    )
    assert not {"matplotlib", "jinja2"} & set(
        loaded_after(f"{code}; {in_folder}; s.report(folder / 'r.md')")
    )
    assert {"matplotlib", "jinja2"} <= set(
        loaded_after(f"{code}; {in_folder}; s.report(folder / 'r.html')")
    )


def test_version_is_that_of_the_package():
    """The installed metadata has the version of the code."""
    from importlib.metadata import version

    assert version("evenfold") == evenfold.__version__
