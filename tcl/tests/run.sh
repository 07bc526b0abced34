#!/usr/bin/env bash
# Tests the package in a folder: tcl/tests/run.sh FOLDER, with the extension and without it. tools/tally.py counts.
set -euo pipefail
folder=$(cd "${1:?the folder of the package}" && pwd)
tests=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
tclsh=${TCLSH:-tclsh}

if ! command -v "$tclsh" >/dev/null; then
    echo "Tcl package SKIPPED: no tclsh"
    exit 0
fi
if ! echo 'package require Tcl 8.6-; package require tcltest 2.5' | "$tclsh" 2>/dev/null; then
    echo "Tcl package SKIPPED: $tclsh is older than Tcl 8.6 with tcltest 2.5"
    exit 0
fi
status=0
"$tclsh" "$tests/all.tcl" "$folder" expr || status=1
if compgen -G "$folder/libpingala_tcl.*" >/dev/null; then
    "$tclsh" "$tests/all.tcl" "$folder" c || status=1
else
    echo "Tcl extension SKIPPED: it was not compiled, as make tcl says"
fi
exit $status
