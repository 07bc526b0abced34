# shellcheck shell=bash
# Sourced by the scripts of this folder: an empty temporary folder that is removed at the end, and pinned packages in it.
set -euo pipefail

folder=$(mktemp -d)
trap 'chmod -R u+w "$folder" && rm -rf "$folder"' EXIT
cd "$folder"

# python PACKAGE==VERSION...: runs the program on standard input with these packages of PyPI.
python() {
    python3 -m venv environment
    environment/bin/python -m pip install --quiet --disable-pip-version-check "$@"
    environment/bin/python -
}

# node PACKAGE@VERSION...: runs the program on standard input with these packages of npm.
node() {
    npm install --silent --no-audit --no-fund --ignore-scripts "$@" >&2
    command node -
}
