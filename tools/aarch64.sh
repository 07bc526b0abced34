#!/usr/bin/env bash
# Builds the library's unit tests for aarch64 and runs those whose name contains a FILTER under qemu-user (`qemu-aarch64`,
# or the program that QEMU_AARCH64 names). Without an emulator they are built only, and a message says so. Then the kernels
# that take secrets are disassembled, as they ship: docs/constant-time.md. Without binutils for aarch64 a message says that they are not.
#
# usage: tools/aarch64.sh FILTER...
set -euo pipefail
cd "$(dirname "$0")/.."
# musl: a static program that needs neither a C compiler nor a C library for aarch64.
triple=aarch64-unknown-linux-musl
target=${CARGO_TARGET_DIR:-$PWD/target}

if [ ! -e "$(rustc --print sysroot)/lib/rustlib/$triple" ]; then
    command -v rustup >/dev/null || { echo "SKIPPED: make -C hardening aarch64 needs rustup, which fetches $triple" >&2; exit 0; }
    toolchain=$(rustc --version | cut -d ' ' -f 2)
    # A private home: the toolchains of this account are not changed.
    export RUSTUP_HOME=$target/aarch64/rustup RUSTUP_TOOLCHAIN=$toolchain
    mkdir -p "$RUSTUP_HOME"
    echo "fetching Rust $toolchain for $triple into $RUSTUP_HOME (700 MB)"
    if ! rustup toolchain install "$toolchain" --no-self-update --profile minimal --target "$triple"; then
        echo "SKIPPED: Rust $toolchain for $triple cannot be had here; nothing was checked" >&2
        exit 0
    fi
fi
host=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR=$target/aarch64/target
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=$(rustc --print sysroot)/lib/rustlib/$host/bin/rust-lld
qemu=${QEMU_AARCH64:-$(command -v qemu-aarch64 || command -v qemu-aarch64-static || true)}
if [ -z "$qemu" ]; then
    cargo test --locked -p pingala-core --lib --target "$triple" --no-run
    echo "SKIPPED: no qemu-aarch64 here; the tests for aarch64 were built and not run" >&2
else
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER=$qemu cargo test --locked -p pingala-core --lib --target "$triple" -- "$@"
fi

objdump=$(command -v aarch64-linux-gnu-objdump || true)
[ -n "$objdump" ] || { echo "SKIPPED: no aarch64-linux-gnu-objdump (Debian: binutils-aarch64-linux-gnu); no code was walked" >&2; exit 0; }
source tools/cfg_wrapper.sh
place=$target/aarch64/constant-time
mkdir -p "$place"
walk() { # walk NAME ARGUMENTS...: the program that is built last
    cp "$CARGO_TARGET_DIR/$triple/release/ct_gate" "$place/$1"
    python3 tools/ct_disasm.py --objdump "$objdump" "$place/$@"
}
build=(cargo build --quiet --locked --release -p pingala-lab --bin ct_gate --target "$triple")
RUSTC_WORKSPACE_WRAPPER=$(cfg_wrapper "$place" 'pingala_planted_leak="word_branch"' 'pingala_planted_leak="word_index"') "${build[@]}"
walk planted --planted branch address
"${build[@]}"
walk clean
