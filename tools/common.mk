# What the Makefiles of the root, lab/, hardening/, papers/ and proofs/ share: places, tools and what is built. Every recipe runs in the
# root of the repository. The environment goes into .venv/, everything else into target/.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# On Windows: the make and the shell of MSYS2 or Git.
ifeq ($(OS),Windows_NT)
PYTHON ?= python
BIN    := .venv/Scripts
else
PYTHON ?= python3
BIN    := .venv/bin
endif
# tools/tally.py and tools/busy.py call it. A recipe that names it would run under `make -n`.
export MAKE
export CARGO_TARGET_DIR := $(CURDIR)/target
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

VENV   := .venv
STAMPS := target/stamps
CARGO  := cargo
LOCKED := --locked
TALLY  := $(PYTHON) tools/tally.py

RUST_SOURCES   := $(shell find crates -name '*.rs' -o -name '*.txt' -path '*/src/*' -o -name Cargo.toml) \
                  Cargo.toml Cargo.lock .cargo/config.toml
PYTHON_SOURCES := $(shell find python/pingala -name '*.py' -o -name '*.pyi' -o -name py.typed 2>/dev/null) pyproject.toml
LAB_PYTHON     := PYTHONPATH=crates/pingala-lab $(BIN)/python

.PHONY: help build
build: $(STAMPS)/command $(STAMPS)/package

$(STAMPS)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo 'Python 3.11 or newer is needed; name it: make PYTHON=python3.12' >&2; exit 1; }
	@command -v $(CARGO) >/dev/null || { echo 'Rust is needed: https://rustup.rs' >&2; exit 1; }
	@mkdir -p $(STAMPS)
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

# maturin, in the version that pyproject.toml requires.
$(STAMPS)/maturin: $(STAMPS)/venv pyproject.toml
	$(BIN)/python tools/requirements.py build >$@.txt
	$(BIN)/python -m pip install --quiet -r $@.txt
	@touch $@

$(STAMPS)/command: $(RUST_SOURCES)
	@mkdir -p $(STAMPS)
	$(CARGO) build $(LOCKED) --release -p pingala-cli
	@touch $@

# The wheel that users get, not a link into the source tree: tests run on what is shipped.
$(STAMPS)/package: $(STAMPS)/maturin $(RUST_SOURCES) $(PYTHON_SOURCES)
	rm -f target/wheels/pingala-*.whl
	$(BIN)/maturin build $(LOCKED) --release --quiet --interpreter $(BIN)/python --out target/wheels
	$(BIN)/python -m pip install --quiet --no-deps --force-reinstall target/wheels/pingala-*.whl
	@touch $@

# The C library, by what `make build` has compiled.
$(STAMPS)/c: $(RUST_SOURCES)
	@mkdir -p $(STAMPS)
	$(CARGO) build $(LOCKED) --release -p pingala-c
	@touch $@

# The C library installed below target/. install_c.sh runs on Linux only.
C_PREFIX := [ "$$(uname -s)" != Linux ] || DESTDIR= tools/install_c.sh target/c/prefix

# Under MPL-2.0: a tool; nothing of it is linked.
CBINDGEN := target/tools/bin/cbindgen
$(CBINDGEN):
	CARGO_PROFILE_DEV_DEBUG=false $(CARGO) install --locked --debug --quiet cbindgen@0.29.4 --root target/tools --target-dir target/tools/build

# The tools of tests and checks: the optional dependencies `test` of pyproject.toml.
$(STAMPS)/test-tools: $(STAMPS)/venv pyproject.toml
	$(BIN)/python tools/requirements.py test >$@.txt
	$(BIN)/python -m pip install --quiet -r $@.txt
	@touch $@

# The Tcl package in target/tcl, as auto_path needs it. Without Tcl's headers it has the Tcl files only.
.PHONY: tcl
tcl: $(STAMPS)/c
	$(C_PREFIX)
	tcl/build.sh target/c/prefix target/tcl
