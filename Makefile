# Each target does its own set-up: a .venv in this folder, made with PYTHON (3.11 or newer).
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-slow test-oldest test-wheel release-check lint docs bench bench-scale \
  reproduce reference clean

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

# DATA=dir adds the real label matrices of that folder: dir/NAME/labels.npz
bench: .venv/.installed-bench
	$(BIN)/python -m benchmarks.default $(if $(DATA),--data $(DATA))
	$(BIN)/python -m benchmarks.optimum
	$(if $(DATA),$(BIN)/python -m benchmarks.packages --data $(DATA))
	$(BIN)/python -m benchmarks.peers $(if $(DATA),--data $(DATA))
	$(BIN)/python -m benchmarks.files
	$(BIN)/python -m benchmarks.compressed
	$(BIN)/python -m benchmarks.images
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.bench $(if $(DATA),--data $(DATA))
	$(BIN)/python -m benchmarks.amounts $(if $(DATA),--data $(DATA))
	$(BIN)/python -m benchmarks.links
	$(BIN)/python -m benchmarks.populations
	$(BIN)/python -m benchmarks.evaluation_time
	$(if $(DATA),$(BIN)/python -m benchmarks.learners --data $(DATA))
	$(if $(DATA),$(BIN)/python -m benchmarks.one_target --data $(DATA))

# Splits past memory. WORK=dir keeps the large set and its splits there, instead of in a temporary
# folder. `python -m benchmarks.scale --help` names its sections.
bench-scale: .venv/.installed-bench
	$(BIN)/python -m benchmarks.scale $(if $(DATA),--data $(DATA)) $(if $(WORK),--work $(WORK)) \
	  --json benchmarks/scale.json

# Writes docs/reproduction.md and docs/figures, in half an hour to an hour. The scores of learners
# are kept in .cache, so that a stopped run can continue.
NO_DATA = reproduce needs the folder of label matrices: make reproduce DATA=dir
reproduce: .venv/.installed-dev .venv/.installed-bench
	$(BIN)/python -m benchmarks.reproduce --data $(or $(DATA),$(error $(NO_DATA)))

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

.venv/.installed-release: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[release]"
	touch $@

.venv-oldest/.installed: pyproject.toml .ci/oldest.txt
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check \
	  -e ".[dev]" -c .ci/oldest.txt
	touch $@
