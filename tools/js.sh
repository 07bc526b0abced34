#!/bin/sh
# Builds the package for JavaScript and this platform's addon into target/js. `make js` and `make test-js` call it.
#
#     tools/js.sh           both
#     tools/js.sh tests     what this machine can build, for the tests: without the target for WebAssembly the addon alone
set -eu

CARGO=${CARGO:-cargo}
TARGET=${CARGO_TARGET_DIR:-target}
WASM=wasm32-unknown-unknown

if ! command -v node >/dev/null || ! node -e 'process.exit(+(process.versions.node.split(".")[0] < 20))'; then
    echo 'Node 20 or newer is needed: https://nodejs.org' >&2
    exit 1
fi

wasm=
libdir=$(rustc --print target-libdir --target $WASM 2>/dev/null || true)
if [ -n "$libdir" ] && [ -d "$libdir" ]; then
    # The small module, then that of all operations, which cargo writes to the same place.
    wasm=$TARGET/$WASM/wasm/pingala_js.wasm
    powers=$TARGET/$WASM/wasm/pingala_powers.wasm
    $CARGO build --locked --profile wasm --target $WASM -p pingala-js --no-default-features
    cmp -s "$wasm" "$powers" || cp "$wasm" "$powers"
    $CARGO build --locked --profile wasm --target $WASM -p pingala-js
elif [ "${1:-}" != tests ]; then
    echo "the package needs the target for WebAssembly: rustup target add $WASM" >&2
    exit 1
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
