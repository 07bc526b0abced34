#!/bin/sh
# The core without the standard library: it compiles for processors without an operating system, and raises numbers to powers. `make check` calls it.
# If the compiler lacks a target, rustup adds it; what cannot be had is skipped with a message.
set -eu

CARGO=${CARGO:-cargo}
cd "$(dirname "$0")/.."

# Whether the compiler has a target.
has() {
    libdir=$(rustc --print target-libdir --target "$1" 2>/dev/null) && [ -d "$libdir" ]
}

for target in thumbv7em-none-eabi wasm32v1-none; do
    if ! has "$target" && command -v rustup >/dev/null; then
        echo "adding a target to the toolchain: rustup target add $target"
        rustup target add "$target" || echo "rustup could not add it"
    fi
    if has "$target"; then
        $CARGO check --locked --quiet -p pingala-core --no-default-features --target "$target"
    else
        echo "SKIPPED: the core without the standard library for $target: the compiler has no such target"
    fi
done
$CARGO test --locked --quiet -p pingala-core --no-default-features --test no_std
