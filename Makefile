# make demo   lint the example estate; needs Python 3.11 or newer, no Java
# make quick  the tests that a change needs first: some cases of each fast test, in half a minute;
#             make quick ROOM=policy  the fast tests of tests/policy, at most 250 cases of each
# make test   everything that must hold: linters, types, import contracts, tests (with Spark)
# make lint   the same without the tests
# make test-long  what `make test` tries in part or not at all: all cases, huge texts, and for each
#             target four thousand times the texts made by a seed
# make fuzz   inputs that a fuzzer makes, for FUZZ_MINUTES, or of one TARGET; goes on where it was
# make fuzz-keep   write tests/fuzz/kept: the fewest inputs that reach all that was reached
# make recall mistakes planted into clean configurations, and which of them are found, in minutes;
#             make recall HELD=1  those kept aside for the last measurement
# make bench  the benchmarks' table
# make bench-scan  the figures of scans of estates: hours, on a machine that does nothing else
# make docs   docs/vocabulary, docs/policies, docs/catalogue.md, docs/policy-language.md, schemas,
#             and the output of the commands in docs/tutorial.md and docs/guides
# make site   the documentation as a site, .make/site/html/index.html; a warning is an error
# make man    manual pages of the commands, .make/man/man1; docs/cli.md says how to install them
# make release  what a release of HEAD consists of, in dist/: wheel, source, mqlint.pyz, wheelhouse,
#             bill of materials, checksums (docs/offline.md)
# make clean  remove what the others made

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -I -m pip --disable-pip-version-check
EXTRAS := spark,lsp,dev,docs
METADATA := setup.cfg pyproject.toml

# Images of containers set it: then each process of the tests would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

# On two cores, a third worker did not show a gain.
WORKERS ?= 2
FUZZ_MINUTES := 10
ROOM :=
HELD :=
FAST := not slow and not long and not spark and not fuzz and not growth and not mutants and not huge

.PHONY: demo quick test test-long fuzz fuzz-keep recall lint bench bench-scan docs site man release clean
.DELETE_ON_ERROR:

# Status 1 is what findings give, and what a broken install gives: --version tells them apart.
demo: .make/demo
	@$(BIN)/mqlint --version
	@echo "mqlint check examples/estate"; echo
	@$(BIN)/mqlint check examples/estate; status=$$?; \
	case $$status in \
	0|1) echo; \
	     echo "These mistakes were put there on purpose: examples/estate/MISTAKES.md lists them."; \
	     echo "Try your own: $(BIN)/mqlint check PATH";; \
	*) exit $$status;; \
	esac

quick: .make/test
	$(BIN)/python -m pytest -q -n 2 -m "$(FAST)" --at-most $(if $(ROOM),250 tests/$(ROOM),2 --hypothesis-profile few)

test: .make/java .make/test lint
	JAVA_HOME="$$(cat .make/java)" $(BIN)/python -m pytest -n $(WORKERS)

test-long: .make/java .make/test
	JAVA_HOME="$$(cat .make/java)" $(BIN)/python -m pytest -m "huge or long"
	MQLINT_FUZZ_TIMES=4000 $(BIN)/python -m pytest -m fuzz

fuzz: .make/test
	$(BIN)/python -m tests.fuzz --minutes $(FUZZ_MINUTES) $(addprefix --target ,$(TARGET))

fuzz-keep: .make/test
	$(BIN)/python -m tests.fuzz --keep $(addprefix --target ,$(TARGET))

recall: .make/test
	$(BIN)/python -m tests.recall --page $(if $(HELD),--held)

lint: .make/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers 2
	$(BIN)/lint-imports

bench: .make/java .make/test
	JAVA_HOME="$$(cat .make/java)" $(BIN)/python -m benchmarks

bench-scan: .make/java .make/test
	JAVA_HOME="$$(cat .make/java)" $(BIN)/python -m benchmarks.scan --work .make/scan

docs: .make/test
	$(BIN)/python .ci/docs.py

man: .make/demo
	$(BIN)/python .ci/man_pages.py .make/man

# From what git has of HEAD: nothing untracked and nothing built is in it.
release: .make/test
	rm -rf .make/release && mkdir -p .make/release
	git archive HEAD | tar x -C .make/release
	$(BIN)/python .ci/release.py .make/release dist

site: .make/test
	$(BIN)/python .ci/site_pages.py .make/site

clean:
	rm -rf .make $(VENV) build dist artifacts *.egg-info spark-warehouse metastore_db derby.log
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find benchmarks grammar mqlint policies tests -name __pycache__ -prune -exec rm -rf {} +

# An environment that is there and new enough is kept.
.make/venv: .ci/python
	@mkdir -p .make
	@if $(BIN)/python -I -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then :; \
	else python=$$(.ci/python) && "$$python" -I -m venv --clear $(VENV); fi
	@touch $@

.make/demo: .make/venv $(METADATA)
	$(PIP) install --quiet --editable .
	@touch $@

# One install: pip resolves and builds once. It compiles in one process, compileall in two; without
# bytecode, a warning of the compiler would fail the test that imports the module first.
.make/test: .make/venv $(METADATA)
	$(PIP) install --quiet --no-compile --only-binary greenlet,playwright --editable '.[$(EXTRAS),browser]' \
	|| { echo "no Playwright here: its tests are skipped"; \
	$(PIP) install --quiet --no-compile --editable '.[$(EXTRAS)]'; }
	@$(BIN)/python -m compileall -qq -j 2 $(VENV)/lib mqlint || true
	@touch $@ .make/demo

# Looked for each time: the Java of this shell may be another than last time's.
.PHONY: .make/java
.make/java:
	@mkdir -p .make
	@.ci/java > $@
