# `make demo` and `make test` need only Python 3.11 or newer, pip and make: they set up .venv themselves, once.

PYTHON ?= $(shell for python in python3.13 python3.12 python3.11 python3 python; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$python"; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
WORKERS ?= auto
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 8 --dist loadgroup
EXAMPLES ?= 5000
TESTS ?= tests
COMPILED := tests/engines tests/plan tests/idioms tests/lower tests/rewrite tests/schedule tests/language tests/gallery tests/properties tests/program tests/library tests/onnx
EMULATED := tests/engines/test_halves.py tests/engines/test_callees.py
GUARDED := tests/engines tests/plan tests/idioms tests/lower tests/rewrite tests/schedule tests/language tests/gallery tests/properties --deselect tests/engines/test_signals.py

unexport PYTHONPATH PYTHONHOME
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test thorough processors bridges cluster docs conformance fuzz bench models lint format clean

help: ## print this help
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

demo: .venv/for-demo ## show what ToLang can do: a new operator, a real model (fetched), a report
	@$(BIN)/tol demo $$($(BIN)/python -m benchmarks.models.fetch magika)

test: .venv/for-test ## check style, run the tests, and check types beside them
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check
	@$(BIN)/mypy --no-error-summary >.venv/types.txt 2>&1 & types=$$!; $(PYTEST) $(TESTS); tested=$$?; \
		wait $$types || { cat .venv/types.txt; exit 1; }; exit $$tested

thorough: .venv/for-test ## run every test, also those of large families that make test takes samples of
	@TOLANG_ALL=1 $(PYTEST) $(TESTS)
	@$(MAKE) processors

processors: .venv/for-test ## run the tests of compiled code as on older processors, and emulated ones where qemu-user is installed
	@for one in $$($(BIN)/python -m tests.engines.processors); do echo "as on $$one"; \
		TOL_PROCESSOR=$$one $(PYTEST) $(COMPILED) || exit 1; done
	@if command -v qemu-x86_64-static >/dev/null && [ "$$(uname -m)" = x86_64 ]; then \
		echo "emulated Nehalem"; qemu-x86_64-static -cpu Nehalem $(BIN)/python -m pytest -n 0 $(EMULATED) || exit 1; \
	else echo "qemu-x86_64-static is not installed: nothing is emulated"; fi

bridges: .venv/for-bridges ## run the tests of ToLang in PyTorch, JAX, Polars and pandas, which it installs
	@$(PYTEST) tests/bridges tests/docs/test_docs.py tests/pieces/test_clusters.py \
		-k 'bridges or README or in-pytorch-and-jax or dask_frames'

cluster: .venv/for-test ## run programs in pieces: all tests of it, then every example and test program beside an ordinary run
	@TOLANG_CLUSTER=1 $(PYTEST) tests/pieces
	@$(BIN)/python -m tests.pieces.corpus

docs: .venv/for-docs ## build the documentation as a site, in site/
	@$(BIN)/python -m documentation.playground_files || true
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "site/index.html"

conformance: .venv/for-test ## run all official tests of ONNX, the large models too, in code compiled as users have it
	@$(BIN)/python -m tests.onnx.conformance --kind all --engine cpu --limit 120 --failed
	@$(BIN)/python -m tests.onnx.conformance --kind node --engine interpret --failed
	@$(BIN)/python -m tests.onnx.derivatives

fuzz: .venv/for-test ## run the generators of tests on many cases (EXAMPLES=5000 each), and all of compiled code in guarded memory
	@TOL_COMPILE=full TOLANG_ALL=1 TOLANG_FUZZ_EXAMPLES=$(EXAMPLES) $(PYTEST) --hypothesis-profile=fuzz -m hypothesis $(TESTS)
	@$(BIN)/python -m tests.fuzz.checker 100000
	@$(BIN)/python -m tests.fuzz.coordinates $(EXAMPLES)
	@for kind in bits caches files folds invariants models pieces programs prompt; do $(BIN)/python -m tests.fuzz.$$kind $(EXAMPLES) || exit 1; done
	@for guard in end start; do TOL_GUARD=$$guard $(PYTEST) $(GUARDED) || exit 1; done
	@$(BIN)/python -m tests.fuzz.interrupts 1000 --commands 50

bench: .venv/for-bench ## measure ToLang beside its peers (BENCH="--quick --rows products": those rows only)
	@$(BIN)/python -m benchmarks $(BENCH)

models: .venv/for-models ## fetch and export some 130 ONNX models, count and run them beside onnxruntime (MODELS="lstm 'gpt2*'")
	@$(BIN)/python -m benchmarks.models $(MODELS)

lint: .venv/for-test ## check style and types only
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check
	@$(BIN)/mypy --no-error-summary

format: .venv/for-test ## format the source and mend what ruff can mend
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format

clean: ## remove .venv, if it was made here, and everything else that was
	@if [ -e .venv/made-by-make ] || [ -e .venv/created ]; then rm -rf .venv; fi
	@rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist site
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# A .venv that make did not make is left alone: a mark in it tells, also where making it was interrupted.
# Some systems ship Python without ensurepip; there the environment is made without pip, and pip put into it.
.venv/created:
	@test -n "$(PYTHON)" || { echo "tolang needs Python 3.11 or newer, and none was found."; exit 1; }
	@if [ -e .venv ] && [ ! -e .venv/made-by-make ]; then \
		echo "There is a .venv that make did not make, and so it is left as it is."; \
		echo "Move it away, or install into it yourself: .venv/bin/pip install --no-compile --editable '.[test]'"; exit 1; fi
	@echo "Setting up .venv with $$($(PYTHON) --version) ..."
	@rm -rf .venv && mkdir .venv && touch .venv/made-by-make
	@$(PYTHON) -m venv .venv >/dev/null 2>&1 || { $(PYTHON) -m venv --without-pip .venv && \
		$(PYTHON) -m pip --python $(BIN)/python install -qq pip; }
	@touch $@

.venv/for-demo: pyproject.toml | .venv/created
	@echo "Installing tolang into .venv (once) ..."
	@$(PIP) install --no-compile --editable '.[demo]'
	@touch $@

.venv/for-test: pyproject.toml | .venv/created
	@echo "Installing tolang and what its tests need into .venv (once, about a minute) ..."
	@$(PIP) install --no-compile --editable '.[test]'
	@touch $@

.venv/for-bench: pyproject.toml | .venv/created
	@echo "Installing tolang and the libraries it is measured beside into .venv (once, several minutes) ..."
	@$(PIP) install --no-compile --editable '.[bench]'
	@touch .venv/for-demo $@

.venv/for-models: pyproject.toml | .venv/created
	@echo "Installing tolang and the libraries that models come from into .venv (once, several minutes) ..."
	@$(PIP) install --no-compile --editable '.[models]'
	@touch .venv/for-demo $@

.venv/for-bridges: pyproject.toml | .venv/created
	@echo "Installing tolang and the libraries it works inside into .venv (once, several minutes) ..."
	@$(PIP) install --no-compile --editable '.[bridges]'
	@touch .venv/for-test $@

.venv/for-docs: pyproject.toml | .venv/created
	@echo "Installing tolang and what builds its documentation into .venv (once) ..."
	@$(PIP) install --no-compile --editable '.[docs]'
	@touch $@
