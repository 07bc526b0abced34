# Sourced by the constant-time gates: cfg_wrapper FOLDER CFG... writes a wrapper of rustc that sets these cfgs and prints its path, for
# RUSTC_WORKSPACE_WRAPPER. A wrapper of its own path makes cargo build the workspace's crates anew, and nothing else.
cfg_wrapper() {
    local folder=$1 place
    shift
    place=$folder/$(printf '%s' "$*" | cksum | cut -d' ' -f1)
    mkdir -p "$place"
    { printf '#!/bin/sh\nexec "$@"'; printf " --cfg '%s'" "$@"; echo; } >"$place/rustc"
    chmod +x "$place/rustc"
    printf '%s' "$place/rustc"
}
