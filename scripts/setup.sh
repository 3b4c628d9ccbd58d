#!/usr/bin/env bash
# Create or update .venv from requirements/dev.txt and install the package in place.
# A stamp with the digest of what was installed makes the second run a no-op.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=.venv
stamp=$venv/.setup-stamp

fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3.13 python3.12 python3.11 python3 python; do
        [ -n "$candidate" ] || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    return 1
}

# A broker starts in a fifth of a second with compiled modules, in three times that without; some
# environments forbid writing them at run time.
compile_modules() { $venv/bin/python -m compileall -q src; }

# The loops between records and Arrow, where there is a C compiler; it says so where there is none.
build_kernel() { $venv/bin/python scripts/build_kernel.py; }

digest() { cat pyproject.toml requirements/dev.txt scripts/setup.sh | cksum; }

# The lock keeps two `make` runs in one clone from installing at the same time.
if command -v flock >/dev/null; then
    mkdir -p .cache
    exec 9>.cache/setup.lock
    flock 9
fi

if [ -x $venv/bin/python ] && [ "$(cat $stamp 2>/dev/null)" = "$(digest)" ]; then
    build_kernel
    compile_modules
    exit 0
fi

if ! [ -x $venv/bin/python ] || ! $venv/bin/python -m pip --version >/dev/null 2>&1; then
    python=$(find_python) || fail "Python 3.11 or newer is needed and was not found; on Debian: apt-get install python3 python3-venv"
    echo "setup: creating $venv with $("$python" --version)"
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        fail "$python has no venv module; on Debian or Ubuntu: apt-get install python3-venv"
    fi
    "$python" -m venv --clear $venv
fi

echo "setup: installing pinned packages into $venv"
$venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
# hatchling is pinned above, so building in place needs nothing more from outside.
$venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
build_kernel
compile_modules
digest > $stamp
echo "setup: ready"
