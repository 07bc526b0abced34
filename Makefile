# Everything that a developer types. Needs Rust, Python 3.11 or newer, a C compiler and make; the rest is put into .venv/
# and target/. A second call does only what has changed.

# On Windows by the make and the shell of MSYS2 or Git.
ifeq ($(OS),Windows_NT)
PYTHON ?= python
BIN    := .venv/Scripts
else
PYTHON ?= python3
BIN    := .venv/bin
endif
export CARGO_TARGET_DIR := $(CURDIR)/target
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

VENV   := .venv
STAMPS := target/stamps
CARGO  := cargo
LOCKED := --locked

# Miri comes with nightlies only. The date is pinned so that a run means the same tomorrow.
MIRI_NIGHTLY ?= nightly-2026-05-20
MIRI_TESTS   ?= kernel::row::tests kernel::row::kcm kernel::lanes::tests::lanes_in_plain_rust kernel::limb_lanes kernel::fma_lanes::tests::fma_lanes_are_right \
                kernel::ntt::tests::products kernel::ntt::tests::low_products kernel::ntt::tests::factors kernel::ntt::tests::a_team kernel::ntt::tests::parts::carries \
                kernel::team::tests::a_team_does kernel::team::tests::each_item natural::digits suite::arrow on_operands onto_their_operands

RUST_SOURCES   := $(shell find crates -name '*.rs' -o -name '*.txt' -path '*/src/*' -o -name Cargo.toml) \
                  Cargo.toml Cargo.lock .cargo/config.toml
PYTHON_SOURCES := $(shell find python/pingala -name '*.py' -o -name '*.pyi' -o -name py.typed 2>/dev/null) pyproject.toml
OUR_PYTHON     := python demo tools vectors crates/pingala-lab/peers crates/pingala-lab/papers crates/pingala-c/tests go
LAB_PYTHON     := PYTHONPATH=crates/pingala-lab $(BIN)/python

.PHONY: help build demo test check bench bench-workloads miri aarch64 ct clean test-rust test-python
.PHONY: chain-lengths
.PHONY: install-c c-header test-c bench-c test-go bench-go go-dist tcl test-tcl bench-tcl
.PHONY: arm-counts
.DELETE_ON_ERROR:

help:
	@echo 'make build   the package pingala in $(VENV)/ and the command target/release/pingala'
	@echo 'make demo    build, then raise real numbers to real powers, check them, and time them beside pow'
	@echo 'make test    every test: Rust, Python, C, Go, Tcl, layers, licences, and the constant-time gate where valgrind is'
	@echo 'make install-c PREFIX=DIR  the C library: header, shared library, archive, pkg-config file; docs/c.md'
	@echo 'make go-dist GO_MODULE=PATH GO_VERSION=vX.Y.Z  the Go module as a publisher tags it; docs/go.md'
	@echo 'make tcl     the Tcl package, in target/tcl; needs tcl8.6-dev, otherwise it computes by expr; docs/tcl.md'
	@echo 'make check   format, lints, types, then make test'
	@echo 'make ct      the constant-time gate alone (valgrind, objdump); make ct-figure adds its verdicts to the record'
	@echo 'make miri    the unsafe code that needs no CPU feature under Miri, on $(MIRI_NIGHTLY), kept in target/miri/'
	@echo 'make aarch64  the kernels of aarch64, cross-compiled, and run under qemu-user where it is; make aarch64-figure adds to the record'
	@echo 'make arm-counts  ARM instructions of every product, executed under qemu-user and compared with those checked in'
	@echo 'make bench   beside GMP, OpenSSL and other peers that this machine has; answers compared; BENCH=--quick for less'
	@echo 'make bench-workloads  workloads that share work, beside gmpy2, native GMP and a Go package; BENCH="lists fixed" for some'
	@echo 'make bench-lengths  one call beside gmpy2 at 64 lengths from 33 bits to 2^21; BENCH="--quick --to 16384" for less'
	@echo 'make bench-secrets  RSA private keys beside OpenSSL, secret exponents on fixed bases; BENCH="rsa table" for some'
	@echo 'make bench-signatures  signatures of DSA and RSA verified beside OpenSSL 3, with the verdicts compared'
	@echo 'make bench-columns  a row of a column beside the same power of numbers that are ready, in Rust and in Python'
	@echo 'make chain-lengths  the lengths of the shortest addition chains up to 2^16 and of the hardest up to 2^20, proved: minutes'
	@echo 'make papers  the tables of five papers beside ours, a verdict on each claim: target/papers/papers.html; PAPERS=001 for one'
	@echo 'make job-kills  a job killed at 200 random moments; what came of it is added to target/job-kills.txt; KILLS=1000'
	@echo 'make cluster  jobs on a Ray of two processors on this machine (700 MB from PyPI, kept in target/ray)'
	@echo 'make differential SECONDS=600  products and powers beside an oracle, on from where the record ends; docs/records/differential.tsv'
	@echo 'make guard-pages  every kernel with pages around its operands and around every allocation that nothing may touch'
	@echo 'make sanitizers  tests of the library and programs of the C library under the address and the thread sanitizer, on $(FUZZ_NIGHTLY)'
	@echo 'make chaos SECONDS=600  commands and the package killed, starved, interrupted, beside each other'
	@echo 'make fuzz SECONDS=1600  parsers, file formats and kernels, guided by coverage, on $(FUZZ_NIGHTLY); FUZZ="key parquet_file" for some'
	@echo 'make mutants SECONDS=3600  mutants of the source in the order of a seed, on from where the record ends; WHERE=rest AGAIN=again; docs/records/mutants.tsv'
	@echo 'make models  what threads share under loom and shuttle: the team of a product, lists, prepared rings, blinding pairs'
	@echo 'make timing  whether the time of a secret power tells anything, statistically, on the shared library; for a quiet machine'
	@echo 'make figures  the table of docs/testing.md, from the records of differential and the like'
	@echo 'make docs    the documentation as a site: target/docs/html/index.html'
	@echo 'make dist    what a release hands out, built for every platform that zig reaches and tried: dist/; long'
	@echo 'make clean   removes target/, $(VENV)/ and caches'

# --- build ----------------------------------------------------------------------------------------------------------

build: $(STAMPS)/command $(STAMPS)/package

$(STAMPS)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo 'Python 3.11 or newer is needed; name it: make PYTHON=python3.12' >&2; exit 1; }
	@command -v $(CARGO) >/dev/null || { echo 'Rust is needed: https://rustup.rs' >&2; exit 1; }
	@mkdir -p $(STAMPS)
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

# maturin, as pyproject.toml asks for it.
$(STAMPS)/maturin: $(STAMPS)/venv pyproject.toml
	$(BIN)/python tools/requirements.py build >$@.txt
	$(BIN)/python -m pip install --quiet -r $@.txt
	@touch $@

$(STAMPS)/command: $(RUST_SOURCES)
	@mkdir -p $(STAMPS)
	$(CARGO) build $(LOCKED) --release -p pingala-cli
	@touch $@

# The wheel that users get, not a link into the source tree: what is tested is what is shipped.
$(STAMPS)/package: $(STAMPS)/maturin $(RUST_SOURCES) $(PYTHON_SOURCES)
	rm -f target/wheels/pingala-*.whl
	$(BIN)/maturin build $(LOCKED) --release --quiet --interpreter $(BIN)/python --out target/wheels
	$(BIN)/python -m pip install --quiet --no-deps --force-reinstall target/wheels/pingala-*.whl
	@touch $@

# What the tests and checks need besides: the optional dependencies `test` of pyproject.toml.
$(STAMPS)/test-tools: $(STAMPS)/venv pyproject.toml
	$(BIN)/python tools/requirements.py test >$@.txt
	$(BIN)/python -m pip install --quiet -r $@.txt
	@touch $@

# --- the C library --------------------------------------------------------------------------------------------------

PREFIX   ?= /usr/local
CBINDGEN := target/tools/bin/cbindgen

# What `make build` has compiled, with the C ABI around it.
$(STAMPS)/c: $(RUST_SOURCES)
	@mkdir -p $(STAMPS)
	$(CARGO) build $(LOCKED) --release -p pingala-c
	@touch $@

install-c: $(STAMPS)/c
	tools/install_c.sh '$(PREFIX)'

# Under MPL-2.0: a tool, of which nothing is linked.
$(CBINDGEN):
	CARGO_PROFILE_DEV_DEBUG=false $(CARGO) install --locked --debug --quiet cbindgen@0.29.4 --root target/tools --target-dir target/tools/build

# After a change of the ABI: the header and the list of symbols, which are checked in.
c-header: $(CBINDGEN)
	$(CBINDGEN) --quiet --config crates/pingala-c/cbindgen.toml --output crates/pingala-c/include/pingala.h crates/pingala-c
	grep -o '\bpingala_[a-z0-9_]*(' crates/pingala-c/include/pingala.h | tr -d '(' | grep -v '^pingala_abi_fits$$' \
	    | LC_ALL=C sort -u > crates/pingala-c/symbols.txt

# --- documentation --------------------------------------------------------------------------------------------------

$(STAMPS)/docs-tools: $(STAMPS)/venv pyproject.toml
	$(BIN)/python tools/requirements.py docs >$@.txt
	$(BIN)/python -m pip install --quiet -r $@.txt
	@touch $@

# The site: target/docs/html/index.html. A warning is an error.
.PHONY: docs
docs: build $(STAMPS)/docs-tools
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc $(LOCKED) -p pingala -p pingala-verify --no-deps --quiet
	PYTHONPATH=tools:crates/pingala-lab $(BIN)/python -m docs

# --- release --------------------------------------------------------------------------------------------------------

# Beside what `pip` brings, and each only for a part: RELEASING.md names it; what is missing, the report calls NOT RUN.
$(STAMPS)/dist-tools: $(STAMPS)/maturin pyproject.toml
	$(BIN)/python tools/requirements.py dist >$@.txt
	$(BIN)/python -m pip install --quiet -r $@.txt
	@touch $@

# Wheels, archives, sums, each tried where it can be: dist/. `make dist DIST="--only linux-x86_64 wheels trials"` for a part.
.PHONY: dist
dist: $(STAMPS)/command $(STAMPS)/dist-tools
	PYTHONPATH=tools $(BIN)/python -m dist $(DIST)

# --- use ------------------------------------------------------------------------------------------------------------

demo: build
	@$(BIN)/python demo/run.py

# GMP as this CPU can run it, a peer of the bench and of nothing else; skipped with a message where it cannot be built.
$(STAMPS)/native-gmp: tools/native_gmp.sh
	@mkdir -p $(STAMPS)
	tools/native_gmp.sh
	@test ! -e target/lab/gmp/lib/libgmp.so || touch $@

# Every table for the whole CPU, then as an AVX2 machine (`PINGALA_CPU=...` masks what it says instead, once). `BENCH=--quick`
# takes three minutes; `BENCH="--core 1 call list"` chooses processor and tables.
bench: build $(STAMPS)/test-tools $(STAMPS)/native-gmp
	$(CARGO) run $(LOCKED) --release --quiet -p pingala-lab --bin bench -- $(BENCH)

# Parts by name: `make bench-workloads BENCH="lists products"`; `BENCH=--long` has exponents of 2,000,000 bits.
bench-workloads: build $(STAMPS)/test-tools $(STAMPS)/native-gmp
	$(LAB_PYTHON) -m peers.workloads $(BENCH)

# Secrets: RSA beside OpenSSL in the wheel of `cryptography`, tables beside single powers. `make bench-secrets BENCH=rsa`.
.PHONY: bench-secrets
bench-secrets: build
	$(BIN)/python -m pip install --quiet cryptography
	$(LAB_PYTHON) -m peers.secrets $(BENCH)

# Every length beside gmpy2; goes on where an earlier run ended. `make bench-lengths BENCH="--quick --to 16384"`.
.PHONY: bench-lengths
bench-lengths: build $(STAMPS)/test-tools
	$(LAB_PYTHON) -m peers.lengths $(BENCH)

# DSA and RSA beside OpenSSL 3, on one thread.
.PHONY: bench-signatures
bench-signatures:
	$(CARGO) run $(LOCKED) --release --quiet -p pingala-lab --bin signatures

# A row of a column beside the same power of numbers that are ready, on one thread.
.PHONY: bench-columns
bench-columns: build $(STAMPS)/test-tools
	$(CARGO) run $(LOCKED) --release --quiet -p pingala-lab --bin columns
	$(LAB_PYTHON) -m peers.columns

# `make papers PAPERS="001 --long"` measures one paper, here with exponents of 2,000,000 bits; `PAPERS=--keep` refreshes the
# record that docs/papers/ shows.
.PHONY: papers
papers: build $(STAMPS)/test-tools
	$(LAB_PYTHON) -m papers $(PAPERS)

# --- test -----------------------------------------------------------------------------------------------------------

# In this order, and the count at the end: what was skipped is named there.
TALLY := $(PYTHON) tools/tally.py

test:
	@$(TALLY) begin
	@$(MAKE) --no-print-directory test-rust test-python test-c test-go test-tcl ct
	@$(TALLY) end

# The library's tests have every assertion on. All others, the examples of the documentation among them, use the library as
# `make build` has it, which is compiled already. (The Python crate has no Rust tests: python/tests is its suite.)
test-rust:
	$(TALLY) run $(CARGO) test $(LOCKED) -p pingala --lib
	$(TALLY) run $(CARGO) test $(LOCKED) --release -p pingala-cli -p pingala-rows -p pingala-lab -p pingala-c -p pingala-chains -p pingala-verify
	$(CARGO) build $(LOCKED) --release -p pingala --features study --examples
	$(TALLY) run $(CARGO) test $(LOCKED) --release -p pingala --features study --doc
	$(TALLY) run $(PYTHON) tools/licences.py

# Shortest chains of all numbers up to 2^16, and of the hardest up to 2^20, against the first number to need each length: minutes.
chain-lengths:
	$(CARGO) test $(LOCKED) --release -p pingala-chains --test suite -- --ignored every_length

test-python: build $(STAMPS)/test-tools
	$(TALLY) run $(BIN)/python -m pytest --quiet python/tests

# `make test-python` kills it a few times only.
.PHONY: job-kills cluster
KILLS ?= 200

job-kills: build $(STAMPS)/test-tools
	PINGALA_KILLS=$(KILLS) PINGALA_KILLS_RECORD=$(CURDIR)/target/job-kills.txt $(BIN)/python -m pytest --quiet \
	    python/tests/test_jobs_killed.py
	@tail -1 target/job-kills.txt

# Ray has its own environment: it is large, and the other tests must pass without it.
$(STAMPS)/ray: $(STAMPS)/test-tools
	$(PYTHON) -m venv --clear target/ray
	$(PYTHON) tools/requirements.py test ray >$@.txt
	target/ray/$(notdir $(BIN))/python -m pip install --quiet -r $@.txt
	@touch $@

cluster: build $(STAMPS)/ray
	target/ray/$(notdir $(BIN))/python -m pip install --quiet --no-deps --force-reinstall target/wheels/pingala-*.whl
	target/ray/$(notdir $(BIN))/python -m pytest --quiet python/cluster

# Figures of hardening. Each adds to a record in docs/records, and `figures` puts the sums on docs/testing.md.
.PHONY: differential guard-pages sanitizers chaos fuzz mutants models timing figures
SECONDS ?= 600
# The same as Miri's, so that one download serves both.
FUZZ_NIGHTLY ?= $(MIRI_NIGHTLY)
HARDENING := $(PYTHON) tools/hardening.py

differential:
	PINGALA_DIFFERENTIAL=$(CURDIR)/docs/records/differential.tsv PINGALA_DIFFERENTIAL_SECONDS=$$(($(SECONDS) / 2)) \
	    PINGALA_DIFFERENTIAL_RUN="$$($(HARDENING) run)" $(CARGO) test $(LOCKED) -p pingala --lib -- --test-threads=1 without_an_end
	$(HARDENING) page

# Built before, so that the record has the time of the run alone.
guard-pages:
	$(CARGO) test $(LOCKED) -p pingala --lib --no-run
	$(CARGO) test $(LOCKED) --release -p pingala-lab --test guarded_heap --no-run
	$(HARDENING) ran guard 'operands of every kernel' $(CARGO) test $(LOCKED) -p pingala --lib -- --nocapture guard_pages
	$(HARDENING) ran guard 'allocations of every kernel' $(CARGO) test $(LOCKED) --release -p pingala-lab --test guarded_heap -- --nocapture
	$(HARDENING) page

# SANITIZERS=thread for one of them.
SANITIZERS ?= address thread
sanitizers:
	for one in $(SANITIZERS); do \
	    tools/sanitizers.sh $(FUZZ_NIGHTLY) $$one build || exit; \
	    $(HARDENING) ran sanitizers "the library's tests and the C library's programs: $$one" tools/sanitizers.sh $(FUZZ_NIGHTLY) $$one run || exit; \
	done
	$(HARDENING) page

chaos: build $(STAMPS)/test-tools
	$(HARDENING) ran chaos 'the commands and the package, keys and tables among them' env -C python ../$(BIN)/python -m chaos --seconds $(SECONDS) \
	    --command ../target/release/pingala
	$(HARDENING) page

fuzz:
	tools/fuzz.sh $(FUZZ_NIGHTLY) build
	$(HARDENING) ran fuzz 'parsers, file formats, kernels' tools/fuzz.sh $(FUZZ_NIGHTLY) $(SECONDS) $(FUZZ)
	$(HARDENING) page

WHERE ?= kernel
CARGO_MUTANTS := target/tools/mutants/bin/cargo-mutants
$(CARGO_MUTANTS):
	CARGO_PROFILE_DEV_DEBUG=false $(CARGO) install --quiet --locked --debug --root target/tools/mutants \
	    --target-dir target/tools/build cargo-mutants@27.1.0

$(STAMPS)/mutants-tools: $(STAMPS)/venv pyproject.toml
	$(BIN)/python tools/requirements.py mutants >$@.txt
	$(BIN)/python -m pip install --quiet -r $@.txt
	@touch $@

# AGAIN=again: those that were missed without a reason, after new tests. MUTANTS_JOBS=2: two at a time.
mutants: $(CARGO_MUTANTS) $(STAMPS)/mutants-tools
	$(BIN)/python tools/mutants.py $(CARGO_MUTANTS) $(SECONDS) $(WHERE) $(AGAIN)
	$(HARDENING) page

# Built before, so that the record has the time of the run alone.
MODELS := env CARGO_TARGET_DIR=$(CURDIR)/target/models $(CARGO) test $(LOCKED) --quiet --manifest-path models/Cargo.toml
models:
	$(MODELS) --no-run
	$(HARDENING) ran models 'orders of events: team, lists, rings, blinding pairs' $(MODELS) -- --nocapture --test-threads=1
	$(HARDENING) page

timing: $(STAMPS)/c
	$(C_PREFIX)
	$(HARDENING) ran timing 'pow_sec of the shared library, 1024 bits, exponents of 64' $(PYTHON) crates/pingala-c/tests/timing.py
	$(HARDENING) page

figures:
	$(HARDENING) page

# The library as it is installed, which is on Linux only.
C_PREFIX := [ "$$(uname -s)" != Linux ] || DESTDIR= tools/install_c.sh target/c/prefix

test-c: $(STAMPS)/c $(STAMPS)/test-tools $(CBINDGEN)
	$(C_PREFIX)
	$(TALLY) run $(BIN)/python -m pytest --quiet crates/pingala-c/tests

# Skipped with a message where Go is missing; FUZZ_CASES=1000000 fuzzes for longer.
test-go: $(STAMPS)/c $(STAMPS)/test-tools
	$(C_PREFIX)
	$(TALLY) run $(BIN)/python -m pytest --quiet go

# The package as it is for auto_path; without Tcl's headers its Tcl files alone.
tcl: $(STAMPS)/c
	$(C_PREFIX)
	tcl/build.sh target/c/prefix target/tcl

# Both ways in which the package computes; what cannot run is skipped with a message.
test-tcl: tcl
	$(TALLY) run tcl/test.sh target/tcl

# Beside expr and tcllib; BENCH=--quick leaves out tcllib's powm.
bench-tcl: tcl
	tclsh tcl/tests/bench.tcl target/tcl $(BENCH)

# The Go module as a publisher tags it, with the library inside, for this machine's platform: docs/go.md.
GO_MODULE  ?= example.org/pingala
GO_VERSION ?= v$(shell sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)

go-dist: $(STAMPS)/c
	$(C_PREFIX)
	$(PYTHON) tools/go_dist.py '$(GO_MODULE)' '$(GO_VERSION)'

# What a call from C costs beside one from Rust.
bench-c: $(STAMPS)/c $(STAMPS)/test-tools
	DESTDIR= tools/install_c.sh target/c/prefix
	$(BIN)/python crates/pingala-c/tests/cost.py

# What a call from Go costs, and package multiexp beside the one that it replaces.
bench-go: $(STAMPS)/c $(STAMPS)/test-tools
	$(C_PREFIX)
	$(LAB_PYTHON) -m peers.go_cost

ct:
	$(TALLY) run tools/ct_gate.sh

# The checks themselves are `ct` and `aarch64`, which leave the record as it is and skip what a tool is missing for.
.PHONY: ct-figure aarch64-figure
ct-figure:
	$(HARDENING) ran ct 'verdicts on the ways of secrets, on kernels and on planted leaks' tools/ct_gate.sh
	$(HARDENING) page

aarch64-figure:
	$(HARDENING) ran aarch64 'functions of the three kernels that are walked' tools/aarch64.sh kernel::conformance
	$(HARDENING) page

check: build $(STAMPS)/test-tools
	$(CARGO) fmt --all --check
	for apart in fuzz models; do \
	    $(CARGO) fmt --manifest-path $$apart/Cargo.toml --check && $(CARGO) fetch $(LOCKED) --quiet --manifest-path $$apart/Cargo.toml || exit 1; \
	done
	$(CARGO) clippy $(LOCKED) --workspace --all-targets --quiet -- -D warnings
	$(CARGO) clippy $(LOCKED) -p pingala --features study --test suite --quiet -- -D warnings
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc $(LOCKED) --workspace --exclude pingala-python --no-deps --quiet
	CARGO_TARGET_DIR=target/models $(CARGO) check $(LOCKED) --tests --quiet --manifest-path models/Cargo.toml
	$(BIN)/ruff check $(OUR_PYTHON)
	$(BIN)/ruff format --check $(OUR_PYTHON)
	$(BIN)/mypy
	$(BIN)/mypy --strict demo tools crates/pingala-lab/peers crates/pingala-lab/papers
	cd target && ../$(BIN)/python -m mypy.stubtest pingala
	$(CARGO) check $(LOCKED) -p pingala --no-default-features --quiet
	$(CARGO) check $(LOCKED) -p pingala --features num-bigint,crypto-bigint --quiet
	$(BIN)/python tools/public_api.py
	$(MAKE) test

# Miri where this toolchain is installed already, otherwise a private copy below target/: no shared toolchain changes.
miri:
	$(HARDENING) ran miri 'portable unsafe code of the library' tools/miri.sh $(MIRI_NIGHTLY) $(MIRI_TESTS)
	$(HARDENING) page

# Needs no C compiler for aarch64; the toolchain, if it has to be fetched, goes below target/.
aarch64:
	tools/aarch64.sh kernel::conformance

# Needs a C compiler for 32-bit ARM and qemu-arm; `make arm-counts COUNTS=--write` replaces the counts that are checked in.
arm-counts:
	PYTHON=$(PYTHON) tools/arm_counts.sh $(COUNTS)

clean:
	rm -rf target dist $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis demo-output
