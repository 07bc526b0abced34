#!/usr/bin/env bash
# Builds GMP 6.3 for this CPU into target/lab/gmp/, as a peer of the benchmark: nothing that is shipped,
# built by `make build` or tested by `make test` needs it or links it.
#
# The source is the one that a crate bundles, fetched by cargo. It is configured without --enable-fat: the fat and generic
# builds that distributions, crates and wheels carry do not know recent CPUs and are up to 1.75 times slower on them.
# GMP_HOST=zen4 (or skylake, ...) names the CPU where GMP's own guess is too modest.
#
# Writes target/lab/gmp/lib/libgmp.so and target/lab/gmp/about.txt: `key value` lines that the benchmark reads.
set -euo pipefail
cd "$(dirname "$0")/.."

CRATE=gmp-mpfr-sys
CRATE_VERSION=1.6.8 # bundles gmp-6.3.0-c
LAB=$PWD/target/lab
OUT=$LAB/gmp

skip() {
    echo "native GMP: skipped: $1" >&2
    exit 0
}

[ "$(uname -m)" = x86_64 ] || skip "this script knows x86-64 only"
for tool in cargo cc make nm objdump; do
    command -v "$tool" >/dev/null || skip "there is no '$tool'"
done

# GMP's assembly goes through m4. If it is missing and this is a Debian, its package is unpacked below target/.
if ! command -v m4 >/dev/null; then
    mkdir -p "$LAB/m4"
    (cd "$LAB/m4" && apt-get download -qq m4 && dpkg-deb -x m4_*.deb .) 2>/dev/null || skip "there is no 'm4'"
    export PATH=$LAB/m4/usr/bin:$PATH
fi

mkdir -p "$LAB/fetch/src"
printf '[package]\nname = "fetch"\nedition = "2021"\n[workspace]\n[dependencies]\n%s = { version = "=%s", default-features = false }\n' \
    "$CRATE" "$CRATE_VERSION" >"$LAB/fetch/Cargo.toml"
: >"$LAB/fetch/src/lib.rs"
cargo fetch --quiet --manifest-path "$LAB/fetch/Cargo.toml" || skip "cargo cannot fetch $CRATE"
SOURCE=$(cargo metadata --quiet --format-version 1 --manifest-path "$LAB/fetch/Cargo.toml" |
    grep -o '"manifest_path":"[^"]*'"$CRATE-$CRATE_VERSION"'/Cargo.toml"' | cut -d'"' -f4 | xargs dirname)/gmp-6.3.0-c

# AMD's family 26 (Zen 5) is younger than GMP 6.3, whose guess is then plain x86_64: the newest that it knows takes its place.
guess=$(sh "$SOURCE/config.guess")
host=${GMP_HOST:+$GMP_HOST-pc-linux-gnu}
if [ -z "$host" ]; then
    host=$guess
    family=$(sed -n 's/^cpu family[^0-9]*//p' /proc/cpuinfo | head -n1)
    if [ "$guess" = x86_64-pc-linux-gnu ] && grep -q adx /proc/cpuinfo; then
        grep -q AuthenticAMD /proc/cpuinfo && host=zen4-pc-linux-gnu || host=skylake-pc-linux-gnu
        echo "native GMP: config.guess does not know this CPU (family $family); configured as $host"
    fi
fi

rm -rf "$OUT" "$LAB/gmp-build"
mkdir -p "$LAB/gmp-build"
cd "$LAB/gmp-build"
echo "native GMP: building for $host"
"$SOURCE/configure" --build="$host" --host="$host" --enable-shared --disable-static --with-pic --prefix="$OUT" >configure.log 2>&1 ||
    skip "configure failed: target/lab/gmp-build/configure.log"
make -j2 >make.log 2>&1 || skip "make failed: target/lab/gmp-build/make.log"
make install >install.log 2>&1 || skip "make install failed: target/lab/gmp-build/install.log"

library=$OUT/lib/libgmp.so
{
    echo "source $CRATE $CRATE_VERSION"
    echo "guess $guess"
    echo "host $host"
    sed -n 's/^ *CFLAGS="\(.*\)"/cflags \1/p' configure.log | head -n1
    # The dispatch table of a fat build; and whether the assembly for BMI2 was taken.
    echo "dispatch_vectors $(nm -a "$library" 2>/dev/null | grep -c __gmpn_cpuvec || true)"
    echo "mulx $(objdump -d "$library" | grep -c mulx || true)"
} >"$OUT/about.txt"
cat "$OUT/about.txt"
