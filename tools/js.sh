#!/bin/sh
# Builds the package for JavaScript and this platform's addon into target/js. `make js` and `make test-js` call it.
#
#     tools/js.sh           both
#     tools/js.sh tests     what this machine can build, for the tests: without the target for WebAssembly the addon alone
#
# If the compiler lacks the target for WebAssembly, rustup adds it to the toolchain that is used.
set -eu

CARGO=${CARGO:-cargo}
TARGET=${CARGO_TARGET_DIR:-target}
WASM=wasm32-unknown-unknown

if ! command -v node >/dev/null || ! node -e 'process.exit(+(process.versions.node.split(".")[0] < 20))'; then
    echo 'Node 20 or newer is needed: https://nodejs.org' >&2
    exit 1
fi

# Whether the compiler has the target. It is asked anew, because a compiler that is not rustup's does not get what rustup adds.
has_wasm() {
    libdir=$(rustc --print target-libdir --target $WASM 2>/dev/null) && [ -d "$libdir" ]
}
if ! has_wasm && command -v rustup >/dev/null; then
    echo "adding the target for WebAssembly to the toolchain (20 MB): rustup target add $WASM"
    rustup target add $WASM || echo "rustup could not add it"
fi

wasm=
if has_wasm; then
    # The small module, then that of all operations, which cargo writes to the same place.
    wasm=$TARGET/$WASM/wasm/pingala_js.wasm
    powers=$TARGET/$WASM/wasm/pingala_powers.wasm
    $CARGO build --locked --profile wasm --target $WASM -p pingala-js --no-default-features
    cmp -s "$wasm" "$powers" || cp "$wasm" "$powers"
    $CARGO build --locked --profile wasm --target $WASM -p pingala-js
elif [ "${1:-}" != tests ]; then
    echo "the package needs Rust's target for WebAssembly, $WASM; with rustup: rustup target add $WASM" >&2
    exit 1
else
    echo "there is no target for WebAssembly: the tests run on the addon alone, and name what they skip"
fi

$CARGO build --locked --release -p pingala-js
case $(uname -s) in
    Darwin) addon=$TARGET/release/libpingala_js.dylib ;;
    Linux) addon=$TARGET/release/libpingala_js.so ;;
    *) addon=$TARGET/release/pingala_js.dll ;;
esac

# The tools, as the lock file has them.
if [ ! -e js/node_modules/.package-lock.json ] || [ js/package-lock.json -nt js/node_modules/.package-lock.json ]; then
    (cd js && npm ci --no-audit --no-fund --loglevel=error)
    touch js/node_modules/.package-lock.json
fi
rm -f "$TARGET"/js/*.tgz
node js/build.mjs ${wasm:+--wasm "$wasm" --powers "$powers"} --addon "$addon" --out "$TARGET/js"
