# What a developer types. Needs Rust, Python 3.11 or newer, a C compiler and make. A second call does only what has changed.
# Benchmarks, slower checks, the study of the papers and proofs have Makefiles of their own: lab/, hardening/, papers/, proofs/.

include tools/common.mk

OUR_PYTHON := python demo java tools vectors crates/pingala-lab/peers crates/pingala-primes papers proofs crates/pingala-c/tests go

.PHONY: demo test check quick bench papers proofs docs dist clean install-c c-header border go-dist
.PHONY: test-rust test-library test-crates test-examples test-doctests test-licences test-python test-c test-go test-tcl java test-java js test-js
.PHONY: test-proofs test-constant-time prove-short

help:
	@echo 'make build     the package pingala in $(VENV)/ and the command target/release/pingala'
	@echo 'make demo      build, then raise real numbers to real powers, check them, and time them next to pow'
	@echo 'make test      every test: Rust, Python, C, Go, Tcl, Java, JavaScript, layers, licences, proofs, and the constant-time gate if valgrind is installed;'
	@echo '               SUITES="tcl licences" for some of $(SUITES)'
	@echo 'make check     format, lints, types, then make test'
	@echo 'make quick     what the change at hand needs of both, within 3 minutes, and what that leaves out; BASE=main'
	@echo 'make bench     times next to GMP, OpenSSL and other peers; WHAT=workloads and other kinds: lab/Makefile'
	@echo 'make docs      the documentation as a site: target/docs/html/index.html'
	@echo 'make install-c PREFIX=DIR  the C library: docs/c.md'
	@echo 'make tcl java js  the Tcl package, the jars, the npm package with the addon of this platform, in target/tcl, java, js: docs/'
	@echo 'make dist      a release, built for every platform that zig reaches and tried: dist/; takes long'
	@echo 'make clean     removes target/, dist/, $(VENV)/ and caches'
	@echo 'See lab/, hardening/, papers/ and proofs/ for more; CONTRIBUTING.md names them.'

demo: build
	@$(LAB_PYTHON) demo/run.py

# --- tests ----------------------------------------------------------------------------------------------------------

# Every suite runs, whatever became of those before it. The closing lines name what was skipped, have a line for each suite, and count.
RUST   := library crates examples doctests licences
SUITES := $(RUST) python c go tcl java js proofs constant-time
# The tests of Python keep one processor busy. The other one compiles for the constant-time gate meanwhile, which says what is wrong there.
BESIDE := --beside test-python tools/ct_gate.sh build

# SUITES="library tcl" for some.
test:
	@$(TALLY) make $(addprefix test-,$(SUITES)) $(BESIDE)

test-rust:
	@$(TALLY) make $(addprefix test-,$(RUST))

# The library's tests are compiled with every assertion. All others, the examples of the documentation among them, use the
# library as `make build` compiles it. The Python crate has no Rust tests: python/tests is its suite.
test-library:
	$(TALLY) run $(CARGO) test $(LOCKED) --no-fail-fast -p pingala-core --lib

# CRATES=pingala-primes for one.
CRATES := pingala pingala-cli pingala-rows pingala-lab pingala-c pingala-chains pingala-study pingala-verify pingala-primes pingala-proofs
test-crates:
	$(TALLY) run $(CARGO) test $(LOCKED) --no-fail-fast --release $(addprefix -p ,$(CRATES))

# They are compiled only.
test-examples:
	$(CARGO) build $(LOCKED) --release -p pingala --examples
	@$(TALLY) run echo 'examples: $(words $(wildcard crates/pingala/examples/*.rs)) passed, 0 failed'

test-doctests:
	$(TALLY) run $(CARGO) test $(LOCKED) --no-fail-fast --release -p pingala-core --doc

test-licences:
	$(TALLY) run $(PYTHON) tools/licences.py

# The tests of papers/energy.py run the lab's program `counts`, which `make test-crates` compiles; without it they are skipped by name.
test-python: build $(STAMPS)/test-tools
	$(TALLY) run $(BIN)/python -m pytest --quiet python/tests

test-c: $(STAMPS)/c $(STAMPS)/test-tools $(CBINDGEN)
	$(C_PREFIX)
	$(TALLY) run $(BIN)/python -m pytest --quiet crates/pingala-c/tests

# Without Go: skipped with a message. FUZZ_CASES=1000000 fuzzes for longer.
test-go: $(STAMPS)/c $(STAMPS)/test-tools
	$(C_PREFIX)
	$(TALLY) run $(BIN)/python -m pytest --quiet go

# Once on the extension and once on `expr`; what cannot run is skipped with a message.
test-tcl: tcl
	$(TALLY) run tcl/tests/run.sh target/tcl

# The jars with this platform's libraries, in target/java. tools/java.py finds the JDK.
java: $(STAMPS)/c
	$(PYTHON) tools/java.py build

# Without a JDK or Maven: skipped with a message.
test-java: $(STAMPS)/c
	$(TALLY) run $(PYTHON) tools/java.py test

# Once on the addon and once on WebAssembly; what cannot run is skipped with a message. PINGALA_CASES=1000000 compares more powers with BigInt.
test-js:
	@if command -v node >/dev/null && node -e 'process.exit(+(process.versions.node.split(".")[0] < 20))'; then \
	    CARGO='$(CARGO)' tools/js.sh tests && $(TALLY) run node js/tests/run.mjs; \
	else $(TALLY) run echo 'SKIPPED: JavaScript: there is no Node 20 or newer'; fi

js:
	@CARGO='$(CARGO)' tools/js.sh

test-proofs: prove-short
test-constant-time:
	@$(MAKE) --no-print-directory -C hardening ct

# Each of these is one test in the closing lines. All run, and then the suites.
CHECKS := format clippy rustdoc models style types stub features no-std public-api
.PHONY: $(addprefix check-,$(CHECKS))
check:
	@$(TALLY) make $(addprefix check-,$(CHECKS)) $(addprefix test-,$(SUITES)) $(BESIDE)

# What differs from BASE; if nothing does, the last commit.
BASE ?= main
quick: $(STAMPS)/test-tools
	@$(BIN)/python tools/quick.py $(BASE)

check-format:
	$(CARGO) fmt --all --check
	for apart in fuzz models; do \
	    $(CARGO) fmt --manifest-path $$apart/Cargo.toml --check && $(CARGO) fetch $(LOCKED) --quiet --manifest-path $$apart/Cargo.toml || exit 1; \
	done

check-clippy:
	$(CARGO) clippy $(LOCKED) --workspace --all-targets --quiet -- -D warnings
	$(CARGO) clippy $(LOCKED) -p pingala-core --test suite --quiet -- -D warnings

check-rustdoc:
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc $(LOCKED) --workspace --exclude pingala-python --no-deps --quiet

check-models:
	CARGO_TARGET_DIR=target/models $(CARGO) check $(LOCKED) --tests --quiet --manifest-path models/Cargo.toml

check-style: $(STAMPS)/test-tools
	$(BIN)/ruff check $(OUR_PYTHON)
	$(BIN)/ruff format --check $(OUR_PYTHON)

check-types: $(STAMPS)/test-tools
	$(BIN)/mypy
	$(BIN)/mypy --strict demo tools crates/pingala-lab/peers papers proofs

check-stub: build $(STAMPS)/test-tools
	cd target && ../$(BIN)/python -m mypy.stubtest pingala

check-features:
	$(CARGO) check $(LOCKED) -p pingala --no-default-features --quiet
	$(CARGO) check $(LOCKED) -p pingala --features num-bigint,num-bigint-04,crypto-bigint --quiet

# The core without the standard library, for processors without an operating system, and powers that it raises so.
check-no-std:
	CARGO='$(CARGO)' tools/no_std.sh

check-public-api: $(STAMPS)/venv
	$(BIN)/python tools/public_api.py

# --- the other folders ----------------------------------------------------------------------------------------------

bench:
	@$(MAKE) --no-print-directory -C lab bench

papers:
	@$(MAKE) --no-print-directory -C papers measure

proofs:
	@$(MAKE) --no-print-directory -C proofs prove
prove-short:
	@$(MAKE) --no-print-directory -C proofs prove-short

# --- C, Go, documentation, release ----------------------------------------------------------------------------------

PREFIX ?= /usr/local
install-c: $(STAMPS)/c
	tools/install_c.sh '$(PREFIX)'

# After a change of the ABI: the header, the list of symbols and the calls of Go and Java, which are checked in.
c-header: $(STAMPS)/c $(CBINDGEN)
	$(PYTHON) tools/c_header.py
	@$(MAKE) --no-print-directory border

# After a change of border/, or of what crates/pingala-python declares: what is written from the description of calls and options, by the header that is checked in.
border:
	cd tools && $(PYTHON) -m border
	$(PYTHON) tools/go_abi.py
	$(PYTHON) tools/java_abi.py

# The Go module with the library for this machine's platform inside.
GO_MODULE  ?= example.org/pingala
GO_VERSION ?= v$(shell sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
go-dist: $(STAMPS)/c
	$(C_PREFIX)
	$(PYTHON) tools/go_dist.py '$(GO_MODULE)' '$(GO_VERSION)'

$(STAMPS)/docs-tools: $(STAMPS)/venv pyproject.toml
	$(BIN)/python tools/requirements.py docs >$@.txt
	$(BIN)/python -m pip install --quiet -r $@.txt
	@touch $@

# A warning is an error. The demo in the browser is left out, with a message, where `make js` cannot build it.
docs: build $(STAMPS)/docs-tools
	@CARGO='$(CARGO)' tools/js.sh || echo 'the site will have no demo'
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc $(LOCKED) -p pingala -p pingala-core -p pingala-verify -p pingala-primes -p pingala-proofs --no-deps --quiet
	PYTHONPATH=tools:. $(BIN)/python -m docs

# RELEASING.md names tools that pip does not install. The report calls a trial NOT RUN if its tool is missing.
$(STAMPS)/dist-tools: $(STAMPS)/maturin pyproject.toml
	$(BIN)/python tools/requirements.py dist >$@.txt
	$(BIN)/python -m pip install --quiet -r $@.txt
	@touch $@

# `make dist DIST="--only linux-x86_64 wheels trials"` for a part.
dist: $(STAMPS)/command $(STAMPS)/dist-tools
	PYTHONPATH=tools $(BIN)/python -m dist $(DIST)

clean:
	rm -rf target dist $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis demo-output
