# Two commands need nothing but Python >= 3.11, git and make: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
export UV_LINK_MODE := copy

.PHONY: demo test check lint types imports docs bench clean

demo: $(VENV)/demo
	$(BIN)/contextpack demo

test: $(VENV)/ready
	$(BIN)/python -m pytest

check: lint types imports test

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready
	$(BIN)/mypy

imports: $(VENV)/ready
	PYTHONPATH=shared:. $(BIN)/lint-imports

# The demo needs what a user of the command line needs, and no more.
$(VENV)/demo: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[cli,fast]'
	@touch $@

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist build
