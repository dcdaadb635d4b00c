# Two commands for everybody: make run, make test. The rest is for those who work on the program.
PYTHON ?= python3
BIN := .venv/bin
PYTEST := PYTHONDONTWRITEBYTECODE= QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest

.PHONY: run test repeat bench fuzz soak mutants lint screenshots package check-package check-fresh constraints clean \
	setup-run setup-test setup-package

run: setup-run
	@$(BIN)/python -m anonymizer_gui $(ARGS)

test: setup-test
	@$(PYTEST) -n 2 --dist loadfile --no-loadscope-reorder $(ARGS)

# make repeat N=5: the whole suite several times, in random order, on a machine kept busy.
repeat: setup-test
	@tests/repeat.sh $(or $(N),5) $(ARGS)

bench: setup-test
	@$(PYTEST) tests/benchmarks -m bench -s $(ARGS)

fuzz: setup-test
	@ANONYMIZER_HYPOTHESIS=long $(PYTEST) -m fuzz $(ARGS)

soak: setup-test
	@ANONYMIZER_HYPOTHESIS=long $(PYTEST) -m soak $(ARGS)

mutants: setup-test
	@$(BIN)/python -m tests.mutants $(ARGS)

lint: setup-test
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(PYTEST) tests/test_habits.py tests/test_architecture.py -q

screenshots: setup-run
	@$(BIN)/anonymizer-gui demo --screenshots packaging/screenshots

package: setup-package
	@packaging/build

check-package:
	@packaging/test_package

check-fresh:
	@packaging/check_fresh_machine

constraints: setup-test setup-package
	@{ head -n 1 packaging/constraints.txt; $(BIN)/pip freeze --exclude-editable; } > packaging/constraints.new
	@mv packaging/constraints.new packaging/constraints.txt

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

setup-run:
	@$(PYTHON) packaging/setup_project.py run

setup-test:
	@$(PYTHON) packaging/setup_project.py test

setup-package:
	@$(PYTHON) packaging/setup_project.py package
