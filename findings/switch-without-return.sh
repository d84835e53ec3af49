#!/bin/sh
# glibc 2.36 (Debian 12: libc6-riscv64-cross) and Boost.Context 1.83 (Debian 13, riscv64: libboost-context1.83.0), whose code capstone 5.0.9 and pyelftools 0.32
# (PyPI) read:
# - `swapcontext` and `setcontext` leave by `jr t1`, and `jump_fcontext` and `ontop_fcontext` by `jr a2`: jumps through registers that are no link registers.
#   We had expected `ret`, as `getcontext` ends, or the `jalr t0, ra` that the hints have for coroutines.
# - A call leads there, so each switch pushes an entry of a return-address stack that nothing pops. It overflows after as many switches as it is deep, in a
#   program whose own stacks are never deep.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages capstone==5.0.9 pyelftools==0.32
apt-get -qq download libc6-riscv64-cross 2>/dev/null
# Lists of their own for another release and architecture.
archive=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1)
mkdir -p state/lists/partial cache/archives/partial
: >status
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive trixie main" >sources.list
other() {
    apt-get -qq -o "Dir::State=$folder/state" -o "Dir::State::status=$folder/status" -o "Dir::Cache=$folder/cache" -o "Dir::Etc::sourcelist=$folder/sources.list" \
        -o Dir::Etc::sourceparts=/dev/null -o APT::Architecture=riscv64 -o APT::Architectures=riscv64 -o "APT::Sandbox::User=$(id -un)" "$@"
}
other update
other download libboost-context1.83.0
set -- libc6-riscv64-cross_2.36-*.deb libboost-context1.83.0_1.83.0-*.deb
[ -e "$1" ] && [ -e "$2" ] || { ls; exit 1; }
for package in "$@"; do
    dpkg -x "$package" root
done
PYTHONPATH=packages python3 - <<'P'
import glob

import capstone
from elftools.elf.elffile import ELFFile

EXPECTED = {
    "libc.so.6": {"swapcontext": {"c.jr t1", "c.jr ra"}, "setcontext": {"c.jr t1"}, "getcontext": {"c.jr ra"}},
    "libboost_context.so.1.83.0": {"jump_fcontext": {"c.jr a2"}, "ontop_fcontext": {"c.jr a2"}},
}
reader = capstone.Cs(capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV64 | capstone.CS_MODE_RISCVC)
for name, expected in EXPECTED.items():
    (path,) = glob.glob(f"root/**/{name}", recursive=True)
    elf = ELFFile(open(path, "rb"))
    code = elf.get_section_by_name(".text")
    seen = {}
    for symbol in elf.get_section_by_name(".dynsym").iter_symbols():
        if symbol.name in expected:
            start = symbol["st_value"] - code["sh_addr"]
            text = reader.disasm(code.data()[start : start + symbol["st_size"]], symbol["st_value"])
            seen[symbol.name] = {f"{one.mnemonic} {one.op_str}" for one in text if one.mnemonic in ("c.jr", "jalr", "jr", "ret")}
    print(f"{name}: {seen}")
    # The return of swapcontext is that of an error.
    assert seen == expected, seen
P
