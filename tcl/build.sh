#!/usr/bin/env bash
# Puts the Tcl package into a folder: tcl/build.sh PREFIX FOLDER, with the C library that is installed below PREFIX.
#
# TCL_CONFIG names another tclConfig.sh. Without one, or without a C compiler, the package has no extension, and computes only
# powers and inverses, by expr; the last line says which it is.
set -euo pipefail
prefix=${1:?the folder where the C library is installed}
out=${2:?the folder of the package}
cd "$(dirname "$0")/.."

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
mkdir -p "$out"
rm -f "$out"/*
cp tcl/pingala.tcl tcl/expr.tcl tcl/bignum.tcl LICENSE-MIT LICENSE-APACHE THIRD-PARTY-NOTICES.txt "$out"
sed "s/@VERSION@/$version/g" tcl/pkgIndex.tcl.in >"$out/pkgIndex.tcl"

config=${TCL_CONFIG:-}
if [ -z "$config" ]; then
    for folder in "/usr/lib/$(cc -dumpmachine 2>/dev/null || true)" /usr/lib /usr/lib64 /usr/local/lib /opt/homebrew/lib; do
        for found in "$folder"/tcl8.6/tclConfig.sh "$folder"/tclConfig.sh "$folder"/tcl9.0/tclConfig.sh; do
            [ -n "$config" ] || [ ! -e "$found" ] || config=$found
        done
    done
fi
without() { echo "tcl package without the extension: $1"; exit 0; }
[ -n "$config" ] || without "no tclConfig.sh; install tcl8.6-dev, or name it in TCL_CONFIG"
# shellcheck disable=SC1090
. "$config"
command -v "${CC:-cc}" >/dev/null || without "no C compiler"
[ -e "$prefix/lib/libpingala.a" ] || without "no $prefix/lib/libpingala.a"

warnings="-Wall -Wextra -Wshadow -Wstrict-prototypes -Werror"
# shellcheck disable=SC2086
"${CC:-cc}" -std=c99 -O2 $warnings ${TCL_SHLIB_CFLAGS:-} -fvisibility=hidden -DUSE_TCL_STUBS $TCL_INCLUDE_SPEC "-I$prefix/include" -shared \
    -o "$out/libpingala_tcl${TCL_SHLIB_SUFFIX:-.so}" tcl/*.c \
    "$prefix/lib/libpingala.a" $TCL_STUB_LIB_SPEC -lpthread -lm -ldl -Wl,--exclude-libs,ALL -Wl,--strip-debug
echo "tcl package for Tcl $TCL_VERSION in $out"
