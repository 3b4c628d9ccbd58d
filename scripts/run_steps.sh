#!/usr/bin/env bash
# Run make targets one after the other and end with one line per step. A failed step does not hide
# the ones after it; the exit code says whether all passed.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0
summary=()
for step in "$@"; do
    printf '\n== %s\n' "$step"
    started=$SECONDS
    if make --no-print-directory "$step"; then verdict=ok; else verdict=FAILED; failed=1; fi
    summary+=("$(printf '%-10s %-7s %4d s' "$step" "$verdict" $((SECONDS - started)))")
done
printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
if [ -s .cache/test-summary.txt ] && [[ " $* " == *" tests "* || " $* " == *" unit "* ]]; then
    cat .cache/test-summary.txt
fi
exit $failed
