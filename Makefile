# The commands of this project; `make` alone lists them. Tools the machine lacks are fetched
# into .venv and .tools by scripts/setup-tools.sh (no root needed); what is built goes to target and build.

CARGO ?= cargo
comma := ,
PROFILE = release

# Crates that stay in this repository.
UNPUBLISHED = hpp-research hpp-fpga hpp-lockstep hpp-soc verilated

# What its users do not build.
RESEARCH = hpp-research

# What has tests that take seconds, and of these those that need fetched tools or, without optimisation, take longer.
FAST = hpp-golden hpp-paths hpp-riscv hpp-hdl hpp-hdl-macros hpp-gen hpp-driver hpp-fpga hpp-report hpp-explore hpp-qemu hpp
SLOW = cli/hpp/tests/etrace cli/hpp/tests/live fpga/flow/tests gen/tests/documentation gen/tests/driver gen/tests/generator gen/tests/random_ gen/tests/testbench gen/tests/writer \
    golden-model/behaviour/tests/table golden-model/paths/tests/large_graphs golden-model/paths/tests/numbering golden-model/paths/tests/subpath hdl/tests/instructions hdl/tests/profiler

.PHONY: help tools check test research lint clippy scripts figures demo linux machines bench evidence accuracy soak mutants rust-mutants fuzz prove coverage netlist release release-test firmware litex waveforms fpga fpga-table fpga-tools pgo-tools deny doc package prune clean distclean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | \
	    awk -F'|' '{ printf "%-22s %s\n", $$1, $$2 }'

tools: ## fetch the tools the machine lacks
	@scripts/setup-tools.sh

check: PROFILE = quick
check: clippy ## formatting, clippy, and the tests that take seconds and need no fetched tool
	CARGO='$(CARGO)' python3 scripts/run-tests.py --profile $(PROFILE) $(addprefix -p ,$(FAST)) --tests $(addprefix --without ,$(SLOW))

test: ## lint and every test: model, circuits, generator, lockstep, SoC
	@scripts/setup-tools.sh & tools=$$!; trap 'kill $$tools; exit 1' INT TERM HUP; status=0; \
	    $(MAKE) --no-print-directory lint || status=1; \
	    wait $$tools || exit 1; \
	    CARGO='$(CARGO)' python3 scripts/run-tests.py || status=1; exit $$status

research: tools ## the crate research: clippy and tests
	$(CARGO) clippy --workspace --all-targets --release -- -D warnings
	CARGO='$(CARGO)' python3 scripts/run-tests.py $(addprefix -p ,$(RESEARCH))

lint: clippy doc package scripts ## formatting, clippy, rustdoc, packages and scripts, without a warning

clippy:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --lib --bins --tests --examples --profile $(PROFILE) -- -D warnings
	$(CARGO) clippy --package hpp-paths --no-default-features --profile $(PROFILE) -- -D warnings

doc: ## the documentation of the crates, without a warning
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --quiet --no-deps --release

scripts: tools ## shellcheck of the scripts; no figure of the pages typed by hand
	@.venv/bin/shellcheck --external-sources $$(git ls-files | xargs grep -lE '^#!/bin/(ba)?sh')
	@scripts/figures.py check

# Packed, and with BUILD=1 built from the packages alone.
package: ## the crates as a registry would take them, in build/package (BUILD=1: each built from its package, some minutes)
	$(CARGO) package --quiet --workspace $(addprefix --exclude ,$(UNPUBLISHED)) $(if $(BUILD),,--no-verify) --allow-dirty --target-dir build/package

deny: ## licences, sources and known vulnerabilities of the dependencies, against deny.toml (OFFLINE=1: vulnerabilities known before)
	@scripts/setup-tools.sh --deny
	@"$$(scripts/tool-paths cargo-deny)" $(if $(OFFLINE),--offline) check

prune: ## remove built models, recordings and fuzzing corpora not changed for 30 days (DAYS=)
	@[ ! -d build ] || find build -mindepth 2 -maxdepth 2 -mtime +$(or $(DAYS),30) -print -exec rm -rf {} +

figures: ## renew outdated figures of README and docs (ONLY=small,tiny: these; LIST=1: list them; FILL=1: the pages from figures.toml)
	@scripts/figures.py $(if $(FILL),fill,$(if $(LIST),list,renew) $(subst $(comma), ,$(ONLY)))

demo: tools ## CoreMark on a simulated PicoRV32 with the profiler: its hottest paths (CORE=, PROGRAM=, COUNT=, ENGINE=, TOP=; RECORD=1: into the README)
	@$(if $(filter rocket,$(CORE)),scripts/setup-tools.sh --rv64)
	@$(CARGO) run --release --bin demo -- $(if $(RECORD),--record) $(if $(CORE),--core $(CORE)) $(if $(COUNT),--count $(COUNT)) $(if $(ENGINE),--engine $(ENGINE)) $(if $(TOP),--top $(TOP)) $(PROGRAM)

linux: tools ## Linux on a simulated VexRiscv with the profiler: a process's paths, read by a program there (TOP=; ONLY=uio, perf, harts or faults; RECORD=1: into docs/linux.md)
	@scripts/setup-tools.sh --linux
	@$(MAKE) -s -C fpga/linux checkpatch
	@$(CARGO) run --quiet --release -p hpp-soc --bin linux -- $(if $(RECORD),--record) $(if $(TOP),--top $(TOP)) $(if $(ONLY),--only $(ONLY))

machines: ## Debian's kernels with two programs under hpp trace --system, for RV64 and x86-64, into docs/tracing.md
	@scripts/setup-tools.sh --system
	@$(CARGO) build --quiet --release --bin hpp
	@$(CARGO) build --quiet --release -p hpp-qemu --lib
	@CARGO='$(CARGO)' python3 scripts/measure-machines.py

bench: tools ## benchmarks of the golden model and of the numberings (RECORD=1: into the README)
	$(CARGO) bench -p hpp-research
	@$(if $(RECORD),CARGO='$(CARGO)' python3 scripts/record-bench.py)

evidence: pgo-tools ## the tables of research/docs/evidence.md: what the documents measure, on our programs (SECTION=)
	@$(CARGO) build --quiet --release --bin hpp
	@$(CARGO) run --quiet --release -p hpp-research --bin evidence $(SECTION)

accuracy: ## how well tables hold the profiles of real programs under QEMU, into research/docs/accuracy.md (LIMIT= instructions of each, AGAIN=shadow, PLOTS=1; ONLY=speed: into docs/tracing.md)
	@scripts/setup-tools.sh --study
	@$(CARGO) build --quiet --release --bin hpp
	@$(CARGO) build --quiet --release -p hpp-qemu --lib
	@$(CC) -O2 -shared -fPIC -o target/release/libcallback.so research/accuracy/callback.c
	@.venv/bin/python research/accuracy $(if $(PLOTS),--plots) $(if $(ONLY),--only $(ONLY)) $(if $(LIMIT),--limit $(LIMIT)) $(if $(OTHERS),--others $(OTHERS)) $(addprefix --again ,$(AGAIN))

soak: tools ## lockstep with new seeds until one fails, for an hour (MINUTES=)
	@end=$$(($$(date +%s) + 60 * $(or $(MINUTES),60))); while [ $$(date +%s) -lt $$end ]; do \
	    HPP_SEED=$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ') \
	    $(CARGO) test --quiet --release -p hpp-lockstep --test lockstep --test ingresses --test tiny || exit 1; done

mutants: tools ## mutants that Yosys makes of the emitted Verilog, and how many lockstep finds (ARGS=--profiler NAME, --mutants N, --seed N)
	@$(CARGO) run --quiet --release -p hpp-lockstep --bin mutants -- $(ARGS)

# In a work tree of its own, so that nobody finds a mistake in theirs.
rust-mutants: ## mutants of the Rust code of the last commit, and whether its tests detect them (PACKAGE=, FILE=, SINCE= a commit: of what changed since, AGAIN=1)
	@scripts/setup-tools.sh --mutants
	@git worktree prune
	@[ -d build/rust-mutants/tree ] || git worktree add --quiet --detach build/rust-mutants/tree
	@git -C build/rust-mutants/tree checkout --quiet --force --detach "$$(git rev-parse HEAD)"
	@ln -sfn "$(CURDIR)/.tools" "$(CURDIR)/.venv" build/rust-mutants/tree
	@$(if $(SINCE),git diff $(SINCE) HEAD >build/rust-mutants/change.diff)
	@cd build/rust-mutants/tree && "$$("$(CURDIR)/scripts/tool-paths" cargo-mutants)" mutants --in-place --output .. \
	    $(addprefix --package ,$(or $(PACKAGE),hpp-golden hpp-paths hpp-gen)) $(addprefix --file ,$(FILE)) \
	    $(if $(SINCE),--in-diff ../change.diff) $(if $(AGAIN),--iterate)

fuzz: ## every parser under libFuzzer for a minute each (TARGET=, FLAGS= libFuzzer's, such as -max_total_time=3600; KEEP=1: into verif/soc/tests/fuzz/corpus)
	@scripts/fuzz.py $(TARGET) $(FLAGS) $(if $(KEEP),--keep)

coverage: tools ## branches and toggles that a test of lockstep reaches, annotated in build/coverage/annotated (TEST=lockstep)
	@scripts/setup-tools.sh --coverage
	@rm -rf build/coverage && mkdir -p build/coverage
	@HPP_COVERAGE=$(CURDIR)/build/coverage $(CARGO) test --release -p hpp-lockstep --test $(or $(TEST),lockstep)
	@"$$(scripts/tool-paths verilator_coverage)" --annotate build/coverage/annotated build/coverage/*.dat

netlist: tools ## the synthesised netlists of every geometry in lockstep with the model: iCE40, ECP5 and Gowin
	@$(CARGO) test --release -p hpp-lockstep --test netlist -- --ignored

prove: tools ## properties of the circuits, proved without a bound, and the mutations that they detect (PROPERTY=; RECORD=1: into docs/verification-properties.md)
	@HPP_FRESH=1 $(CARGO) run --quiet --release -p hpp-lockstep --bin prove -- $(PROPERTY) $(if $(RECORD),--record)

fpga: fpga-tools ## bitstreams of the boards (BOARD=ulx3s, icebreaker, icebreaker-serv, hx8k or tangnano9k: of one; RECORD=1: their sizes into docs/fpga.md)
	@$(CARGO) run --quiet --release --bin fpga-flow -- board $(BOARD) $(if $(RECORD),--record)

fpga-table: fpga-tools ## size and speed of the configurations, into README and docs (ONLY=small: of one)
	@$(CARGO) run --quiet --release --bin fpga-flow -- table --record $(if $(ONLY),--only $(ONLY))

fpga-tools:
	@scripts/setup-tools.sh --fpga

firmware: tools ## the programs of the SoC, as build/firmware/*.elf
	$(CARGO) run --release --bin gen-verilog -- --config fpga/soc/hpp.toml --out build/soc/hpp
	$(MAKE) -C fpga/firmware PROFILER=$(CURDIR)/build/soc/hpp

litex: tools ## a LiteX system with the profiler, in build/litex (CPU=vexriscv or picorv32, VARIANT=)
	@$(MAKE) --no-print-directory -C fpga/litex

waveforms: tools ## the timing diagrams of docs/images, drawn from their WaveDrom sources
	@for source in docs/images/*.json; do .venv/bin/wavedrompy --input $$source --svg $${source%.json}.svg || exit 1; done

release: ## what a release hands out, into dist: Verilog, wheels, static binaries, checksums (some minutes for each machine)
	@CARGO='$(CARGO)' scripts/release.sh

release-test: ## the wheel of dist in a Debian without Rust and compilers: generates, simulates, reports; how long each takes
	@scripts/release-test.sh

pgo-tools:
	@scripts/setup-tools.sh --pgo

clean: ## remove what was built
	$(CARGO) clean
	rm -rf build dist

distclean: clean ## and the fetched tools
	rm -rf .venv .tools
