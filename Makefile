# Each target does its own set-up: a .venv in this folder, made with PYTHON (3.11 or newer).
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-slow test-oldest test-wheel release-check lint docs bench bench-scale \
  properties fuzz bad-inputs faults environments mutants coverage reproduce reference clean

demo: .venv/.installed
	$(BIN)/evenfold demo

test: .venv/.installed-dev
	$(BIN)/python -m pytest -n auto

# The tests marked slow. They compare with the packages of the bench extra, read data of those of
# the integrations extra, start clusters of Dask and Spark (where Java is installed), and open
# reports in Chromium where it is installed.
test-slow: .venv/.installed-dev .venv/.installed-docs .venv/.installed-bench \
  .venv/.installed-integrations .venv/.installed-release
	$(BIN)/python -m pytest -n auto --dist loadfile -m slow

# The lowest versions that pyproject.toml allows. They have no wheels for the newest Python; choose
# another one: make test-oldest PYTHON=python3.11
test-oldest: .venv-oldest/.installed
	.venv-oldest/bin/python -m pytest -n auto

# The same tests, those of the sdist, with the wheel installed in a new environment.
test-wheel: .venv/.installed-release
	$(BIN)/python -m release.installed

# Builds both archives and checks them, the texts of the version and the links. FINAL=1 also fails
# on what is only missing before the upload; OUT=dir keeps the archives in a new folder.
release-check: .venv/.installed-release
	$(BIN)/python -m release $(if $(FINAL),--final) $(if $(TAG),--tag $(TAG)) \
	  $(if $(OUT),--outdir $(OUT))

lint: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff check --select C901 --config 'lint.mccabe.max-complexity = 25' \
	  --config 'lint.per-file-ignores = {}' src/evenfold/_kernels
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/numpydoc lint $$(find src -name '*.py')

# The pages are then in build/docs; open build/docs/index.html. A warning is an error.
docs: .venv/.installed-docs
	$(BIN)/python -m sphinx --quiet -W --keep-going -n -j auto -d build/doctrees docs build/docs

# With DATA=dir, the folder of real label matrices (dir/NAME/labels.npz), all sections are measured
# and recorded in benchmarks/results.json; without it, those of generated data are printed.
# ONLY=a,b selects sections; RESUME=1 continues a run that stopped.
bench: .venv/.installed-bench
	$(BIN)/python -m benchmarks.run $(if $(ONLY),--only $(ONLY)) $(if $(RESUME),--resume) \
	  $(if $(DATA),--data $(DATA) --json benchmarks/results.json)

# Splits past memory, and linked rows. WORK=dir keeps the large set and its splits there, instead of
# in a temporary folder. `python -m benchmarks.scale --help` names its sections.
bench-scale: .venv/.installed-bench
	$(BIN)/python -m benchmarks.scale $(if $(DATA),--data $(DATA)) $(if $(WORK),--work $(WORK)) \
	  --json benchmarks/scale.json

# Random cases of all that the docstrings promise: ten minutes or more on one core. CASES=n checks n
# instead of 100,000, JOBS=n takes n processes, SEED=n draws other cases.
properties: .venv/.installed-dev
	$(BIN)/python -m reliability.properties $(if $(CASES),--cases $(CASES)) \
	  $(if $(JOBS),--jobs $(JOBS)) $(if $(SEED),--seed $(SEED))
	$(BIN)/python -m reliability.page

# Reads more than 10,000 changed files, in some ten minutes.
fuzz: .venv/.installed-dev
	$(BIN)/python -m reliability.fuzz
	$(BIN)/python -m reliability.page

bad-inputs: .venv/.installed-dev
	$(BIN)/python -m reliability.bad_inputs
	$(BIN)/python -m reliability.page

# Injects faults into running commands: kills, full disks, other writers, denied permissions and
# more. As root, more of them are possible. The record is that of docs/reliability.md.
faults: .venv/.installed-dev
	$(BIN)/python -m reliability.faults --record
	$(BIN)/python -m reliability.page

# Golden splits on each Python that is here, in new environments.
environments: .venv/.installed-dev
	$(BIN)/python -m reliability.environments --record
	$(BIN)/python -m reliability.page

# Changes the code in 640 places, one at a time, and sees whether the tests notice. WORK=dir keeps
# what was done, so that a stopped run can continue. The page is then written anew.
mutants: .venv/.installed-proofs
	$(BIN)/python -m reliability.mutants $(if $(WORK),--work $(WORK))
	$(BIN)/python -m reliability.page

# Counts the lines and branches of src that the tests run, in twice the time of the tests.
coverage: .venv/.installed-proofs
	$(BIN)/python -m reliability.coverage_run -n auto
	$(BIN)/python -m reliability.page

# Writes docs/reproduction.md and docs/figures. Measures of splits are recorded in
# benchmarks/splits.json, scores of learners in benchmarks/estimates.json; records of a method that
# splits otherwise now are made again. FRESH=1 makes all splits again.
NO_DATA = reproduce needs the folder of label matrices: make reproduce DATA=dir
reproduce: .venv/.installed-dev .venv/.installed-bench
	$(BIN)/python -m benchmarks.reproduce --data $(or $(DATA),$(error $(NO_DATA))) \
	  $(if $(FRESH),--fresh)

reference: .venv/.installed
	$(BIN)/python -m evenfold.cli.reference > docs/commands.md
	$(BIN)/python -m evenfold.quality.reference > docs/reference/measures.md

clean:
	rm -rf .venv .venv-oldest .mypy_cache .pytest_cache .ruff_cache .hypothesis dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	  "evenfold needs Python 3.11 or newer; this is %d.%d. Choose one: make PYTHON=python3.12" \
	  % sys.version_info[:2])'
	$(PYTHON) -m venv .venv

.venv/.installed: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/.installed-dev: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@

.venv/.installed-docs: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@

.venv/.installed-bench: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	touch $@

.venv/.installed-integrations: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[integrations]"
	touch $@

.venv/.installed-proofs: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[proofs]"
	touch $@

.venv/.installed-release: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[release]"
	touch $@

.venv-oldest/.installed: pyproject.toml .ci/oldest.txt
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check \
	  -e ".[dev]" -c .ci/oldest.txt
	touch $@
