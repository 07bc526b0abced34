#!/usr/bin/env bash
# Installs the C library: tools/install_c.sh PREFIX, of the build in target/release or $PINGALA_BUILT, below $DESTDIR. Needs binutils.
#
#   include/pingala.h  lib/libpingala.so.1 and its link  lib/libpingala.a  lib/pkgconfig/pingala.pc, pingala-static.pc  share/doc/pingala/
#
# The archive is one object whose only global symbols are ours, so that a program can also link another Rust archive.
set -euo pipefail
prefix=${1:?the folder to install below}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
root=${DESTDIR:-}$prefix
cd "$(dirname "$0")/.."
built=${PINGALA_BUILT:-${CARGO_TARGET_DIR:-target}/release}
abi=1

[ "$(uname -s)" = Linux ] || { echo "install-c is for Linux; elsewhere use $built/libpingala_c.* and the header" >&2; exit 1; }
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed 's/^/-u /' crates/pingala-c/symbols.txt >"$work/roots"
# shellcheck disable=SC2046
ld -r --gc-sections $(cat "$work/roots") -o "$work/reached.o" "$built/libpingala_c.a"
# Our functions keep a section each, under a short name, so that a program links what it needs; so does what refers to functions. The
# functions of the standard library and of other crates, most of which any program needs, become one section, and so do the constants:
# many of them are shorter than what a section of its own takes.
readelf -rW "$work/reached.o" | awk '/^Relocation section/ { section = $3; gsub(/\047(\.rela)?/, "", section) }
    $3 ~ /^R_/ && $5 !~ /^\.(rodata|data\.rel\.ro)/ { print section }' | sort -u >"$work/referring"
objdump -hw "$work/reached.o" | awk 'NR == FNR { refers[$1]; next } $2 ~ /^\.(text|rodata|data\.rel\.ro|gcc_except_table)\../ {
    kind = substr($2, 2); sub(/\..*/, "", kind); if ($2 ~ /^\.data\.rel\.ro/) kind = "data.rel.ro"
    apart = kind == "text" ? $2 ~ /pingala/ : $2 in refers
    print "--rename-section " $2 "=." kind (apart ? "." FNR : "")
}' "$work/referring" - >"$work/renames"
# The bitcode of the standard library, which binutils cannot read, and what only a debugger reads.
objcopy "@$work/renames" -R .llvmbc -R .llvmcmd --strip-debug "$work/reached.o"
ld -r -o "$work/pingala.o" "$work/reached.o"
# Local names are long, and only the linker reads them.
nm "$work/pingala.o" | awk 'NF == 3 && $2 !~ /w/ && $3 !~ /^(pingala_|DW\.ref)/ { print $3, "p." NR }' | sort -u -k1,1 >"$work/names"
objcopy --strip-unneeded --keep-global-symbols=crates/pingala-c/symbols.txt --redefine-syms="$work/names" "$work/pingala.o"
ar rcsD "$work/libpingala.a" "$work/pingala.o"
strip -o "$work/libpingala.so" "$built/libpingala_c.so"

cat >"$work/pingala.pc" <<EOF
prefix=$prefix
includedir=\${prefix}/include
libdir=\${prefix}/lib

Name: pingala
Description: Modular exponentiation
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lpingala
Libs.private: -lpthread -lm -ldl
EOF
# Links the archive even if the shared library is in the same folder; no flag of pkg-config selects it.
sed -e '/^Libs.private/d' -e 's/^Name: .*/&-static/' -e 's/^Description: .*/&, as an archive/' \
    -e 's|^Libs: .*|Libs: ${libdir}/libpingala.a -lpthread -lm -ldl|' "$work/pingala.pc" >"$work/pingala-static.pc"

install -d "$root/include" "$root/lib/pkgconfig" "$root/share/doc/pingala"
install -m 644 crates/pingala-c/include/pingala.h "$root/include/"
install -m 755 "$work/libpingala.so" "$root/lib/libpingala.so.$abi"
ln -sfn libpingala.so.$abi "$root/lib/libpingala.so"
install -m 644 "$work/libpingala.a" "$root/lib/"
install -m 644 "$work/pingala.pc" "$work/pingala-static.pc" "$root/lib/pkgconfig/"
install -m 644 LICENSE-MIT LICENSE-APACHE THIRD-PARTY-NOTICES.txt docs/c.md "$root/share/doc/pingala/"
echo "installed pingala $version below $root"
