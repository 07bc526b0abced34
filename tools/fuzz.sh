#!/usr/bin/env bash
# Coverage-guided fuzzing by libFuzzer, with the address sanitizer, on a nightly pinned by date: builds fuzz/, then runs each target for
# the same time. Inputs that reach something new go to target/fuzz/corpus/; `merge` takes those that reach most into
# fuzz/corpus/.
#
# usage: tools/fuzz.sh NIGHTLY build
#        tools/fuzz.sh NIGHTLY SECONDS [TARGET...]
#        tools/fuzz.sh NIGHTLY merge [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
nightly=$1
seconds=$2
shift 2
target=${CARGO_TARGET_DIR:-$PWD/target}
host=x86_64-unknown-linux-gnu
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "make -C hardening fuzz runs on Linux on x86-64; nothing was fuzzed" >&2; exit 1; }
source tools/nightly.sh
nightly fuzz "$nightly" 'rustc --version'
coverage="-sanitizer-coverage-level=4 -sanitizer-coverage-inline-8bit-counters -sanitizer-coverage-pc-table -sanitizer-coverage-trace-compares"
flags="-Cpasses=sancov-module"
for flag in $coverage; do flags+=" -Cllvm-args=$flag"; done
export RUSTFLAGS="$flags --cfg fuzzing -Zsanitizer=address" CARGO_TARGET_DIR=$target/fuzz/target
# Named for the host: programs that build, and their libraries, are not instrumented.
rustup run "$nightly" cargo build --locked --release --manifest-path fuzz/Cargo.toml --target "$host"
fuzz=$CARGO_TARGET_DIR/$host/release/fuzz
[ "$seconds" != build ] || exit 0

# The program knows its targets.
names=${*:-$(env -u PINGALA_FUZZ "$fuzz")}
# Files of the targets, in memory if the system has a folder there.
memory=/dev/shm
[ -w "$memory" ] || memory=${TMPDIR:-/tmp}
TMPDIR=$(mktemp -d "$memory/pingala-fuzz-XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# Bytes of the longest input: a file of Parquet takes some.
longest() {
    [ "$1" = parquet_file ] && echo 32768 || echo 4096
}
if [ "$seconds" = merge ]; then
    for name in $names; do
        mkdir -p "fuzz/corpus/$name" "$target/fuzz/corpus/$name"
        PINGALA_FUZZ=$name "$fuzz" -merge=1 -rss_limit_mb=4096 -max_len="$(longest "$name")" "fuzz/corpus/$name" "$target/fuzz/corpus/$name"
    done
    exit
fi
each=$((seconds / $(wc -w <<<"$names")))
for name in $names; do
    mkdir -p "fuzz/corpus/$name" "$target/fuzz/corpus/$name" "$target/fuzz/failures/$name"
    echo "fuzzing $name for $each s"
    # Both limits are of the clock: a shared machine may stop a program for minutes. A slow input is only noted by libFuzzer.
    if ! PINGALA_FUZZ=$name "$fuzz" -max_total_time=$each -timeout=300 -report_slow_units=60 -rss_limit_mb=4096 \
        -max_len="$(longest "$name")" -print_final_stats=1 -verbosity=1 \
        -artifact_prefix="$target/fuzz/failures/$name/" "$target/fuzz/corpus/$name" "fuzz/corpus/$name" \
        >"$target/fuzz/$name.log" 2>&1 || grep -aq '^Slowest unit' "$target/fuzz/$name.log"; then
        echo "$name: FAILED; the input is in $target/fuzz/failures/$name/, the end of $target/fuzz/$name.log:"
        grep -a -B2 -A12 'panicked\|ERROR\|SUMMARY\|^Slowest unit' "$target/fuzz/$name.log" | head -60
        failed=1
    fi
    echo "$name: cases: $(sed -n 's/^stat::number_of_executed_units: *//p' "$target/fuzz/$name.log" | tail -1)"
done
exit "${failed:-0}"
