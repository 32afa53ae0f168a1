# Everything a fresh machine needs is Python 3.11 or newer and make:
#   make verify     check the library of papers
#   make test       run the tests
#   make quick      the tests nearest to what you touched, under two minutes
#   make nightly    what takes hours: tests/README.md lists it
# An interpreter of your choice: make test PYTHON=python3.12

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# a process that a test starts reads what another has compiled, whatever the shell prefers
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help verify test quick nightly campaigns lowest pythons smoke browser rocq lint types bench notebooks clean

help:
	@echo "make verify | test | quick | nightly | lowest | browser | rocq | lint | types | bench | notebooks | clean"

verify: $(READY)
	$(BIN)/lapdp verify

test: $(READY)
	PYTHONHASHSEED=0 $(BIN)/python -m pytest -n auto

quick: $(READY)
	PYTHONHASHSEED=0 $(BIN)/python -m tests.quick

nightly: $(READY)
	PYTHONHASHSEED=0 $(BIN)/python -m pytest -n auto -m nightly
	$(MAKE) lowest pythons
	$(MAKE) campaigns
	@if command -v chromedriver >/dev/null; then $(MAKE) browser; else \
	  echo "no browser here: install chromium and chromedriver for make browser"; fi
	@if command -v coqc >/dev/null; then $(MAKE) rocq; else \
	  echo "no coqc here: install coq, libcoq-coquelicot and libcoq-interval for make rocq"; fi

# every lower bound of pyproject.toml installed, and tests that use each of them
SMOKE := tests/unit/kernel tests/unit/test_balls_decimals.py tests/unit/test_balls_integrals.py \
  tests/unit/test_field.py tests/unit/test_lattice_sums.py tests/unit/test_numeric_quadrature.py \
  tests/unit/test_code.py tests/unit/test_render.py tests/unit/test_cards.py \
  tests/unit/test_plots.py tests/unit/test_numpy_code.py tests/unit/test_doubles.py \
  tests/properties/test_exact.py tests/properties/test_strategies.py tests/unit/test_audit.py \
  tests/unit/test_sweeps.py tests/unit/test_pytest_plugin.py tests/notebooks tests/packaging
LOWEST := $(VENV)-lowest

lowest:
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python tests/lowest.py > $(LOWEST)/constraints.txt
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --constraint $(LOWEST)/constraints.txt -e ".[dev]"
	$(LOWEST)/bin/ruff check .
	$(LOWEST)/bin/mypy
	PYTHONHASHSEED=0 $(LOWEST)/bin/python -m pytest -n auto $(SMOKE)

# the same with the Pythons of this machine, and the newest of all else
PYTHONS ?= python3.11 python3.12 python3.13

pythons:
	@set -e; for python in $(PYTHONS); do \
	  if $$python -c '' 2>/dev/null; then $(MAKE) smoke PYTHON=$$python VENV=$(VENV)-$$python; \
	  else echo "there is no $$python here"; fi; \
	done

smoke: $(READY)
	PYTHONHASHSEED=0 $(BIN)/python -m pytest -n auto $(SMOKE)

# ends where one of them finds something
campaigns: $(READY)
	$(BIN)/python -m tests.mutation.campaign --every 20
	$(BIN)/python -m tests.campaigns.laws --examples 1000
	$(BIN)/python -m tests.campaigns.routes
	$(BIN)/python -m tests.campaigns.conformance
	$(BIN)/python -m tests.campaigns.containment --queries 2000
	$(BIN)/python -m tests.campaigns.references --queries 2000
	$(BIN)/python -m tests.campaigns.rare --queries 300
	$(BIN)/python -m tests.campaigns.relations --mechanisms 500
	$(BIN)/python -m tests.campaigns.sessions --queries 300
	$(BIN)/python -m tests.campaigns.accountants
	$(BIN)/python -m tests.campaigns.alarms

# needs chromium and chromedriver, Debian's packages chromium and chromium-driver
browser: $(READY)
	@command -v chromedriver >/dev/null || { \
	  echo "make browser needs chromium and chromedriver on the path" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[browser]"
	PYTHONHASHSEED=0 $(BIN)/python -m pytest -o addopts= tests/browser

# printed derivations in Rocq, and one in twenty of all that are kept
rocq: $(READY)
	@command -v coqc >/dev/null || { \
	  echo "make rocq needs coqc on the path, Debian's coq, libcoq-coquelicot, libcoq-interval" >&2; \
	  exit 1; }
	PYTHONHASHSEED=0 $(BIN)/python -m pytest -o addopts= tests/rocq
	$(BIN)/python -m tests.rocq.share --every 20

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy --num-workers auto

bench: $(READY)
	@set -e; for script in tests/benchmarks/*.py; do \
	  echo "== $$script"; $(BIN)/python "$$script"; \
	done

notebooks: $(READY)
	$(BIN)/jupyter execute --inplace notebooks/*.ipynb

clean:
	rm -rf $(VENV) $(VENV)-* dist

# the stamp comes last: an interrupted installation starts again
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "lapdp needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)." \
	       "Name another one: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $(READY)
