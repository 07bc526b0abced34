#!/usr/bin/env bash
# The constant-time gate: docs/constant-time.md. Runs ct_gate under valgrind's memcheck, with the library as `make build` has it
# and with one of opt-level 2: the engine's secret path must be clean, and planted leaks must be reported.
#
# usage: tools/ct_gate.sh [KERNEL...]      without a name: every kernel that claims to be constant-time
#        tools/ct_gate.sh build            only compiles what the gate runs
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
    echo "constant-time gate SKIPPED: $1. Nothing was checked; this is not a pass."
    echo "constant-time: 0 passed, 0 failed, 1 skipped"
    exit 0
}
# What was not looked at, a line each for the summary.
omitted=()
omit() { omitted+=("$1"); echo "  SKIPPED $1"; }
[ "$(uname -sm)" = "Linux x86_64" ] || skip "needs Linux on x86-64"
command -v valgrind >/dev/null || skip "valgrind not found (Debian: apt-get install valgrind)"

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
place=$target/constant-time
mkdir -p "$place"
log=$place/log
kernels=("$@")
[ ${#kernels[@]} -gt 0 ] || kernels=("")
passed=0 failed=0
verdict() { # verdict NAME WANTED GOT
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1)); echo "  ok      $1"
    else
        failed=$((failed + 1)); echo "  FAILED  $1: exit status $3, wanted $2"
        # The first of memcheck's reports, with the place in the source.
        grep '^==' "$log" | head -n 25 | sed 's/^/            /' || true
    fi
}
memcheck() { # memcheck ARGUMENTS...: leaves the output in $log, prints the status
    local status=0
    # Every repeat counts, and no report may be dropped: --error-limit=no. 99 tells memcheck's verdict from the gate's own.
    valgrind --tool=memcheck -q --error-exitcode=99 --error-limit=no --suppressions=/dev/null \
        "$program" "$@" >"$log" 2>&1 </dev/null || status=$?
    echo "$status"
}

source tools/cfg_wrapper.sh
valgrind --version
[ -z "${RUSTFLAGS:-}${CARGO_ENCODED_RUSTFLAGS:-}" ] || echo "RUSTFLAGS is set: what it makes of the library is not checked"
# The flags of the shell are set aside: a native build may hold AVX-512, which valgrind cannot run.
build() { # build PROFILE CFG...: without a cfg, the library that `make build` has made
    local profile=$1 wrapper=
    shift
    [ $# -eq 0 ] || wrapper=$(cfg_wrapper "$place" "$@")
    env -u RUSTFLAGS -u CARGO_ENCODED_RUSTFLAGS ${wrapper:+RUSTC_WORKSPACE_WRAPPER="$wrapper"} \
        cargo build --quiet --locked -p pingala-lab --bin ct_gate --profile "$profile"
}
build_all() {
    # Kernels that memcheck cannot run are left out of programs that only memcheck checks.
    build ct-o2 'pingala_without="lanes"' 'pingala_without="rows"' &
    local at_level_2=$!
    # The program with planted leaks: two in the kernels, which valgrind cannot run, and one each on the ways of secret factors, of tables,
    # of lists, of chains, of blinded bases, of primes, of digits and of keys that are read.
    build release 'pingala_without="lanes"' 'pingala_planted_leak="row_branch"' 'pingala_planted_leak="row_index"' \
        'pingala_planted_leak="factor"' 'pingala_planted_leak="table"' 'pingala_planted_leak="list"' 'pingala_planted_leak="chain"' \
        'pingala_planted_leak="blinding"' 'pingala_planted_leak="digits"' 'pingala_planted_leak="key"' \
        'pingala_planted_leak="prime"'
    cp "$target/release/ct_gate" "$place/planted"
    build release
    cp "$target/release/ct_gate" "$place/clean"
    wait "$at_level_2"
}
disassembly() { # disassembly NAME ARGUMENTS...
    local name=$1 status=0
    shift
    command -v objdump >/dev/null || { omit "$name: objdump not found (Debian: apt-get install binutils)"; return; }
    python3 tools/ct_disasm.py "$@" >"$log" 2>&1 || status=$?
    verdict "$name" 0 "$status"
    # `NAME: N functions walked, ...` of all that it found in the program.
    [ "$status" -ne 0 ] || sed -n 's/^\([a-z0-9_]*\): [1-9][0-9]* functions walked.*/\1/p' "$log" >>"$place/disassembled"
    [ "$status" -eq 0 ] || head -n 20 "$log" | sed 's/^/            /'
}
build_all
[ "$*" != build ] || exit 0
: >"$place/seen-2"; : >"$place/seen-3"; : >"$place/disassembled"
for level in 2 3; do
    case $level in 2) program=$target/ct-o2/ct_gate ;; 3) program=$place/clean ;; esac
    echo "opt-level $level"
    for kernel in "${kernels[@]}"; do
        status=$(memcheck clean ${kernel:+--kernel "$kernel"})
        grep -E '^(FAILED|seen|unseen|constant-time:) ' "$log" | sed 's/^/    /' || true
        verdict "clean${kernel:+, kernel $kernel}" 0 "$status"
        sed -n 's/^seen *kernel \([^:]*\): .*/\1/p' "$log" >>"$place/seen-$level"
    done
    # What no kernel is forced on runs on the portable kernel too.
    [ -n "${kernels[*]}" ] \
        || verdict "clean, without mulx_r64: chains, secret factors, blinded bases, primes, digits, keys" 0 "$(PINGALA_CPU=-adx memcheck planned)"
    for leak in branch index; do
        verdict "planted leak '$leak' is reported" 99 "$(memcheck --plant $leak)"
    done
done
# The level that ships. At level 2 the compiler divides lengths in the kernel's loops (how many tiles), after spills that
# the model cannot tell from spilled residues: an alarm, and no news.
disassembly "vector kernels, disassembled" "$program"
program=$place/planted
disassembly "vector kernels, a planted branch and a planted address are found in each" "$program" --planted branch address
verdict "a planted branch on a secret factor is reported" 99 "$(memcheck factors)"
verdict "a planted look-up in a table is reported" 99 "$(memcheck tables)"
verdict "a planted branch in a list is reported" 99 "$(memcheck lists)"
verdict "a planted branch on what blinds a base is reported" 99 "$(memcheck blinded)"
verdict "a planted branch on a secret base of an addition chain is reported" 99 "$(memcheck chains)"
verdict "a planted branch on a secret prime is reported" 99 "$(memcheck primes)"
verdict "a planted branch on the digits of a secret is reported" 99 "$(memcheck digits)"
verdict "a planted branch on a private key that is read is reported" 99 "$(memcheck keys)"

# Every kernel of the registry that claims to be constant-time has been run under memcheck at both levels, or walked.
looked_at() {
    grep -qx "$1" "$place/disassembled" || { grep -qx "$1" "$place/seen-2" && grep -qx "$1" "$place/seen-3"; }
}
all=$("$place/clean" kernels)
[ -n "$all" ] || { failed=$((failed + 1)); echo "  FAILED  the registry lists no constant-time kernel"; }
while read -r kernel architecture; do
    case " ${kernels[*]} " in "  " | *" $kernel "*) ;; *) continue ;; esac
    if looked_at "$kernel"; then
        passed=$((passed + 1)); echo "  ok      $kernel was looked at"
    elif [ "$architecture" != any ] && [ "$architecture" != "$(uname -m)" ]; then
        omit "$kernel: it needs $architecture, where this gate does not run (make -C hardening aarch64 walks its code)"
    elif ! command -v objdump >/dev/null && python3 tools/ct_disasm.py --list | grep -qx "$kernel"; then
        omit "$kernel: valgrind cannot run it, and objdump was not found"
    else
        failed=$((failed + 1)); echo "  FAILED  nothing looked at $kernel, which claims to be constant-time"
    fi
done <<<"$all"
[ ${#omitted[@]} -eq 0 ] || printf 'not looked at: %s\n' "${omitted[@]}"
echo "constant-time: $passed passed, $failed failed, ${#omitted[@]} skipped"
[ "$failed" -eq 0 ]
