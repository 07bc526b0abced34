#!/usr/bin/env bash
# Compiles the library's products over u32 for a 32-bit ARM (ARMv4T, the instruction set of the StrongARM), runs them under
# qemu-arm with a plugin that counts instructions by class, checks every result, and compares the counts with those
# that are checked in (crates/pingala-lab/arm/counts.json). `--write` replaces these. docs/records/arm-counts.md has the rest.
#
# Needs gcc-arm-linux-gnueabi, libc6-dev-armel-cross and qemu-user (by Debian's names of the packages), a C compiler and rustup. If one is missing it prints SKIPPED, and nothing is counted as passed.
#
# usage: tools/arm_counts.sh [--write]
set -euo pipefail
cd "$(dirname "$0")/.."
# Counts belong to a compiler: this one, whatever else is installed.
toolchain=1.95.0
triple=armv4t-unknown-linux-gnueabi
target=${CARGO_TARGET_DIR:-$PWD/target}/arm

skip() { echo "SKIPPED: make -C lab arm-counts: $1; nothing was counted" >&2; exit 0; }
for tool in arm-linux-gnueabi-gcc qemu-arm cc rustup; do
    command -v "$tool" >/dev/null || skip "no $tool here"
done
qemu-arm -h | grep -e -plugin >/dev/null || skip "this qemu-arm takes no plugin"
# A private home: the toolchains of this account are not changed.
export RUSTUP_HOME=$target/rustup RUSTUP_TOOLCHAIN=$toolchain
mkdir -p "$RUSTUP_HOME"
if [ ! -e "$(rustc --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library/core" ]; then
    echo "fetching Rust $toolchain with its source into $RUSTUP_HOME (700 MB)"
    rustup toolchain install "$toolchain" --no-self-update --profile minimal -c rust-src \
        || skip "Rust $toolchain with rust-src cannot be had"
fi

# `core` comes from source, which a stable compiler does only when told to.
RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$target/build cargo build --locked --quiet --release -Zbuild-std=core,alloc \
    --target "$triple" --manifest-path crates/pingala-lab/arm/Cargo.toml
arm-linux-gnueabi-gcc -static -Wl,--gc-sections -o "$target/products" "$target/build/$triple/release/libpingala_arm.a"
cc -O2 -Wall -Wextra -shared -fPIC -fvisibility=hidden -o "$target/plugin.so" crates/pingala-lab/arm/plugin.c
"${PYTHON:-python3}" tools/arm_counts.py --program "$target/products" --plugin "$target/plugin.so" "$@"
