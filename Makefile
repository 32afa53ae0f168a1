# Everything a fresh machine needs is Python 3.11 or newer and make:
#   make verify     check the library of papers
#   make test       run all tests
# An interpreter of your choice: make test PYTHON=python3.12

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help verify test browser lint types bench notebooks clean

help:
	@echo "make verify | test | browser | lint | types | bench | notebooks | clean"

verify: $(READY)
	$(BIN)/lapdp verify

test: $(READY)
	PYTHONHASHSEED=0 $(BIN)/python -m pytest -n auto

# needs chromium and chromedriver, Debian's packages chromium and chromium-driver
browser: $(READY)
	@command -v chromedriver >/dev/null || { \
	  echo "make browser needs chromium and chromedriver on the path" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[browser]"
	PYTHONHASHSEED=0 $(BIN)/python -m pytest -o addopts= tests/browser

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

bench: $(READY)
	@set -e; for script in tests/benchmarks/*.py; do \
	  echo "== $$script"; $(BIN)/python "$$script"; \
	done

notebooks: $(READY)
	$(BIN)/jupyter execute --inplace notebooks/*.ipynb

clean:
	rm -rf $(VENV) dist

# the stamp comes last: an interrupted installation starts again
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "lapdp needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)." \
	       "Name another one: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $(READY)
