#!/usr/bin/env bash
# Runs the library's unit tests whose name contains a FILTER under Miri, on a nightly pinned by date.
#
# usage: tools/miri.sh NIGHTLY FILTER...
set -euo pipefail
cd "$(dirname "$0")/.."
nightly=$1
shift
target=${CARGO_TARGET_DIR:-$PWD/target}

command -v rustup >/dev/null || { echo "make miri needs rustup, which fetches $nightly" >&2; exit 1; }
if rustup run "$nightly" cargo miri --version >/dev/null 2>&1; then
    echo "Miri of the installed $nightly"
else
    # A private home: the toolchains of this account stay as they are.
    export RUSTUP_HOME=$target/miri/rustup
    mkdir -p "$RUSTUP_HOME"
    if ! rustup run "$nightly" cargo miri --version >/dev/null 2>&1; then
        echo "fetching $nightly with Miri into $RUSTUP_HOME (700 MB)"
        if ! rustup toolchain install "$nightly" --no-self-update --profile minimal -c miri -c rust-src; then
            echo "make miri: $nightly with the components miri and rust-src cannot be had here; nothing was checked" >&2
            exit 1
        fi
    fi
fi
# Files and clocks are allowed: proptest looks for the seeds of earlier failures.
export MIRIFLAGS="${MIRIFLAGS:-} -Zmiri-disable-isolation"
export XDG_CACHE_HOME=$target/miri/cache CARGO_TARGET_DIR=$target/miri/target PROPTEST_CASES=${PROPTEST_CASES:-4}
log=$target/miri/log
cargo "+$nightly" miri test --locked -p pingala --lib -- "$@" 2>&1 | tee "$log"
if grep -q '^running 0 tests' "$log"; then
    echo "make miri: no test matches '$*'; nothing was checked" >&2
    exit 1
fi
