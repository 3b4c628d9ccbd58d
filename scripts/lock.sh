#!/usr/bin/env bash
# Write requirements/*.txt from pyproject.toml: exact versions with hashes, no address of an index.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=.cache/lock-venv
[ -x $tools/bin/pip-compile ] || { .venv/bin/python -m venv $tools; $tools/bin/pip install --quiet pip-tools; }
compile() {
    $tools/bin/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe --no-header \
        --no-emit-index-url --no-emit-find-links --no-emit-trusted-host "$@" pyproject.toml
}
compile -o requirements/base.txt
compile -o requirements/client.txt --extra client
compile -o requirements/dev.txt --extra dev
compile -o requirements/spark.txt --extra spark --extra jdk
