# Sourced by the tools that need a nightly pinned by date: nightly TARGET NAME PROGRAM COMPONENT... makes `rustup run NAME` work, where
# PROGRAM says whether all that is needed is there. What is missing goes into a private home below target/: the toolchains of this account are
# not changed. The status is not 0 if it cannot be fetched.
nightly() {
    local for=$1 name=$2 there=$3 component components=()
    shift 3
    for component in "$@"; do components+=(-c "$component"); done
    command -v rustup >/dev/null || { echo "make $for needs rustup, which fetches $name" >&2; return 1; }
    ! eval "rustup run $name $there" >/dev/null 2>&1 || return 0
    export RUSTUP_HOME=${CARGO_TARGET_DIR:-$PWD/target}/miri/rustup
    mkdir -p "$RUSTUP_HOME"
    ! eval "rustup run $name $there" >/dev/null 2>&1 || return 0
    echo "fetching $name into $RUSTUP_HOME"
    rustup toolchain install "$name" --no-self-update --profile minimal "${components[@]}"
}
