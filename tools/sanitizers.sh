#!/usr/bin/env bash
# The library's unit tests and the programs of the C library's tests under a sanitizer of LLVM, on a nightly pinned by date, with the
# standard library instrumented too. Inline assembly is not instrumented: what it reads and writes the sanitizer does not see. So
# the thread sanitizer runs as a CPU that has none of the kernels in assembly, and of the tests those parts that start threads.
#
# usage: tools/sanitizers.sh NIGHTLY address|thread build [tests] [programs]      without a part: both
#        tools/sanitizers.sh NIGHTLY address|thread run [tests] [programs]
set -euo pipefail
cd "$(dirname "$0")/.."
nightly=$1 sanitizer=$2 what=$3
shift 3
parts=" ${*:-tests programs} "
host=x86_64-unknown-linux-gnu
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "make -C hardening sanitizers runs on Linux on x86-64; nothing was checked" >&2; exit 1; }
source tools/nightly.sh
nightly sanitizers "$nightly" "sh -c 'test -e \$(rustc --print sysroot)/lib/rustlib/src/rust/library/std/Cargo.toml'" rust-src

target=${CARGO_TARGET_DIR:-$PWD/target}
place=$target/sanitizers/$sanitizer
mkdir -p "$place"
export CARGO_TARGET_DIR=$place/target
export RUSTFLAGS="-Zsanitizer=$sanitizer -Csymbol-mangling-version=v0" CARGO_PROFILE_TEST_DEBUG=line-tables-only CARGO_PROFILE_DEV_DEBUG=line-tables-only
# It makes code several times longer, which takes as much longer to optimise.
[ "$sanitizer" != thread ] || export CARGO_PROFILE_TEST_OPT_LEVEL=1
cargo=(cargo "+$nightly" --quiet)
flags=(--locked -Zbuild-std --target "$host")
# Built before, so that the record has only the time of the run. What is built for the programs is the developer's profile.
if [ "$what" = build ]; then
    case $parts in *" tests "*) "${cargo[@]}" test "${flags[@]}" -p pingala-core --lib --no-run ;; esac
    case $parts in *" programs "*) "${cargo[@]}" build "${flags[@]}" -p pingala-c ;; esac
    exit
fi

case $sanitizer in
    # The tests that want a process to die of a bad access need the signal itself; those that ask for too much memory, an answer.
    address)
        export ASAN_OPTIONS=handle_segv=0:detect_stack_use_after_return=1:allocator_may_return_null=1
        cpu= tests=()
        ;;
    # Children of a fork go on. The kernels in assembly need these.
    thread)
        export TSAN_OPTIONS=die_after_fork=0:allocator_may_return_null=1
        cpu=-adx tests=(execute:: work::{rows,secret,fixed_base}:: modulus:: table:: suite::{arrow,differential,factors,fixed_base::,fixed_base_tables}
            suite::{inverses,lists,rows,secret_lists,shape_powers,squaring,vectors})
        ;;
    *) echo "sanitizers: address or thread, not $sanitizer" >&2; exit 2 ;;
esac
export PINGALA_CPU=$cpu
[ -n "$cpu" ] || unset PINGALA_CPU

# One test reads all memory of its process, and the sanitizer's own has terabytes. Two read the text of the source.
skipped=(--skip suite::wiped --skip suite::layers --skip suite::comments)
status=0 passed=0 programs=0
case $parts in *" tests "*)
    "${cargo[@]}" test "${flags[@]}" -p pingala-core --lib -- "${tests[@]}" "${skipped[@]}" 2>&1 | tee "$place/log" || status=$?
    passed=$(sed -n 's/^test result: .* \([0-9]*\) passed.*/\1/p' "$place/log")
    ;;
esac

# The programs of the C tests. Their own accesses are instrumented too, by the compiler of C, whose calls the runtime of LLVM answers.
archive=$place/target/$host/debug/libpingala_c.a
case $sanitizer in address) runtime=asan ;; thread) runtime=tsan ;; esac
runtime=$(rustup run "$nightly" rustc --print sysroot)/lib/rustlib/$host/lib/librustc-nightly_rt.$runtime.a
for program in suite threads cancel verify; do
    case $parts in *" programs "*) ;; *) continue ;; esac
    cc -std=c99 -O1 -g -fsanitize=$sanitizer -Icrates/pingala-c/include -Icrates/pingala-c/tests -c "crates/pingala-c/tests/$program.c" -o "$place/$program.o"
    cc -o "$place/$program" "$place/$program.o" "$archive" -Wl,--whole-archive "$runtime" -Wl,--no-whole-archive -Wl,--export-dynamic -pthread -ldl -lm -lrt
    case $program in
        suite) mkdir -p "$place/files"; arguments=("$place/files") ;;
        verify) arguments=(crates/pingala-verify/tests/data) ;;
        # The lists are short for sanitizers, and may be done behind the stop.
        cancel) arguments=(2000 2000 3 1) ;;
        *) arguments=() ;;
    esac
    if "$place/$program" "${arguments[@]}" >"$place/$program.log" 2>&1; then
        programs=$((programs + 1))
    else
        status=1
        echo "$program: FAILED; $place/$program.log:"
        head -40 "$place/$program.log"
    fi
done
echo "$sanitizer: $passed tests of the library, $programs programs of the C library"
echo "$sanitizer: cases: $((passed + programs))"
exit $status
