#!/usr/bin/env bash
# Runs the unit tests of the library and of the C library whose name contains a FILTER under Miri, on a nightly pinned by date.
#
# usage: tools/miri.sh NIGHTLY FILTER...
set -euo pipefail
cd "$(dirname "$0")/.."
nightly=$1
shift
target=${CARGO_TARGET_DIR:-$PWD/target}

source tools/nightly.sh
nightly miri "$nightly" 'cargo miri --version' miri rust-src || { echo "make -C hardening miri: nothing was checked" >&2; exit 1; }
# Files and clocks are allowed: proptest looks for the seeds of earlier failures.
export MIRIFLAGS="${MIRIFLAGS:-} -Zmiri-disable-isolation"
export XDG_CACHE_HOME=$target/miri/cache CARGO_TARGET_DIR=$target/miri/target PROPTEST_CASES=${PROPTEST_CASES:-4}
log=$target/miri/log
mkdir -p "${log%/*}"
status=0
cargo "+$nightly" miri test --locked -p pingala-core -p pingala-c --lib -- -Zunstable-options --report-time "$@" 2>&1 | tee "$log" || status=$?
cases=$(awk '/^test result: / { sum += $4 } END { print sum + 0 }' "$log")
# What Miri finds ends a program before it has counted: that run is a case, and it failed.
! grep -q 'error: Undefined Behavior' "$log" || cases=$((cases + 1))
if [ "$cases" = 0 ]; then
    echo "make -C hardening miri: no test of '$*' ran; nothing was checked" >&2
    exit 1
fi
echo "miri: cases: $cases"
exit "$status"
