"""The files for GitHub and conda-forge agree with the project, and their schemas accept them."""

import re
import subprocess
import sys

import pytest
import yaml
from packaging.requirements import Requirement
from release.project import ROOT, list_pythons, read_metadata, read_text, read_version

WORKFLOWS = sorted(path.name for path in (ROOT / ".github" / "workflows").glob("*.yml"))
# What conda-forge calls a package that it divides.
CONDA_NAMES = {"matplotlib": "matplotlib-base"}


def read_yaml(path):
    """Return the content of a YAML file of the repository."""
    return yaml.safe_load(read_text(path))


def list_steps(workflow):
    """Return all steps of a workflow."""
    jobs = read_yaml(f".github/workflows/{workflow}")["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


def test_every_python_that_is_claimed_is_tested():
    """The classifiers name the versions of the matrix, and begin with the lowest one."""
    matrix = read_yaml(".github/workflows/test.yml")["jobs"]["tests"]["strategy"]["matrix"]
    tested = {*matrix["python"], *(other["python"] for other in matrix["include"])}
    assert sorted(tested) == list_pythons()
    assert read_metadata()["requires-python"] == f">={list_pythons()[0]}"


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_steps_run_targets_that_exist(workflow):
    """All commands of make are in the Makefile; actions are named by commit."""
    targets = re.findall(r"^([\w-]+):", read_text("Makefile"), re.MULTILINE)
    for step in list_steps(workflow):
        for target in re.findall(r"\bmake ([\w-]+)", step.get("run", "")):
            assert target in targets
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"])


def test_only_the_upload_has_the_right_to_upload():
    """Every other job reads, or makes the release."""
    jobs = read_yaml(".github/workflows/release.yml")["jobs"]
    assert {name for name, job in jobs.items() if "id-token" in job.get("permissions", {})} == {
        "publish"
    }
    assert jobs["publish"]["environment"] == "pypi"
    for workflow in WORKFLOWS:
        assert read_yaml(f".github/workflows/{workflow}")["permissions"] == {"contents": "read"}


def test_the_recipe_has_the_dependencies_of_the_package():
    """With the same lowest versions."""
    recipe = read_yaml("release/conda/recipe.yaml")
    needed = [Requirement(text) for text in read_metadata()["dependencies"]]
    expected = [f"{CONDA_NAMES.get(one.name, one.name)} {one.specifier}" for one in needed]
    assert recipe["requirements"]["run"] == ["python >=${{ python_min }}", *expected]
    assert f">={recipe['context']['python_min']}" == read_metadata()["requires-python"]
    assert recipe["about"]["license"] == read_metadata()["license"]


def test_templates_of_issues_are_forms():
    """With a name, a description and questions that have names of their own."""
    for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")):
        if path.name == "config.yml":
            continue
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert form["name"]
        assert form["description"]
        names = [question["id"] for question in form["body"]]
        assert len(set(names)) == len(names) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "names"),
    [
        ("github-workflows", [f".github/workflows/{name}" for name in WORKFLOWS]),
        ("github-actions", ["action.yml"]),
    ],
)
def test_the_schemas_of_github_accept_the_files(schema, names):
    """The schemas are those that check-jsonschema carries."""
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_rattler_build_renders_the_recipe():
    """It reads all keys and evaluates all expressions."""
    rattler_build = pytest.importorskip("rattler_build", reason="py-rattler-build is missing")
    recipe = rattler_build.Stage0Recipe.from_file(ROOT / "release" / "conda" / "recipe.yaml")
    [rendered] = recipe.render(
        rattler_build.VariantConfig.from_yaml("{}"), rattler_build.RenderConfig()
    )
    recipe = rendered.recipe
    assert str(recipe.package.version) == read_version()
    assert str(recipe.requirements.run[0]) == "python >=3.11"
    assert "${{" not in f"{recipe.about.homepage} {list(map(str, recipe.requirements.host))}"
