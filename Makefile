# Everything runs inside .venv; every command sets it up first (quick when nothing changed).
.DEFAULT_GOAL := help
.PHONY: help setup demo test check lint types contracts tests unit format sim bench conformance soak lock clean
SHELL := /bin/bash
BIN := .venv/bin
SEEDS ?= 100
PYTEST_ARGS ?=

help: ## what can be done here
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/^([a-z]+):[^#]*## ?/\1\t/' | expand -t 14

setup: ## create or update .venv (pinned, with hashes)
	@scripts/setup.sh

demo: setup ## brokers killed with -9 under load and under a Spark query; everything verified
	@$(BIN)/riverlog demo

test: setup ## everything CI runs: lint, types, import contracts, all tests
	@scripts/run_steps.sh lint types contracts tests

check: setup ## the quick half of `make test`: no conformance, no end-to-end runs
	@scripts/run_steps.sh lint types contracts unit

lint: setup ## style, format, house rules
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/python scripts/tidy.py

types: setup ## mypy --strict on src and codegen
	@$(BIN)/mypy

contracts: setup ## who may import whom
	@$(BIN)/lint-imports --no-logo

tests: setup ## all tests (without the long ones of `make soak`)
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

unit: setup ## unit and data-driven tests, and the pinned simulator seeds
	@$(BIN)/python -m pytest $(wildcard tests/unit tests/datadriven tests/sim) $(PYTEST_ARGS)

format: setup ## let ruff rewrite
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

sim: setup ## SEEDS=n fresh simulator runs
	@RIVERLOG_SIM_SEEDS=$(SEEDS) $(BIN)/python -m pytest tests/sim $(PYTEST_ARGS)

bench: setup ## riverlog beside Apache Kafka, one table
	@$(BIN)/python -m bench

conformance: setup ## foreign clients and Kafka's tools; RIVERLOG_CONFORMANCE_TARGET=kafka checks the tests
	@$(BIN)/python -m pytest tests/conformance $(PYTEST_ARGS)

soak: setup ## long load and fault runs, bounded; never part of `make test`
	@RIVERLOG_SOAK=1 $(BIN)/python -m pytest -m soak tests $(PYTEST_ARGS)

lock: setup ## write requirements/*.txt anew from pyproject.toml
	@scripts/lock.sh

clean: ## remove what can be made again
	rm -rf .venv .cache build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src -name "*.so" -delete
