#!/bin/sh
# riscemu 2.2.7 and riscv-emulator 0.1.1 (PyPI), emulators of RV32.
# - `jalr ra, 0(ra)`, with which each `call` of a far function ends (`auipc ra`, `jalr ra, ra`), goes to the instruction after it in both: they write the return address first and
#   read the target then. We had expected the callee. `jalr ra, 0(t0)` is right.
# - A jump to itself, with which firmware waits for an interrupt or ends, goes on to the next instruction in riscv-emulator. We had expected that it stays.
# So a trace of a linked program has no calls of far functions (riscemu -vvv shows the instruction after the call), and runs into whatever lies behind the end.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check riscemu==2.2.7 riscv-emulator==0.1.1
cat >ra.asm <<'S'
.text
main:
    la ra, callee
    jalr ra, ra, 0
    li a7, 93
    ecall
callee:
    addi a0, a0, 1
    ret
S
sed 's/la ra/la t0/; s/jalr ra, ra/jalr ra, t0/' ra.asm >t0.asm
for register in ra t0; do
    status=0
    venv/bin/riscemu -vvv $register.asm >trace || status=$?
    echo "riscemu, by $register: the callee ran $status times; lines of it in the trace: $(grep -c 'addi.*a0' trace || true)"
    [ $status = "$([ $register = ra ] && echo 0 || echo 1)" ]
done
venv/bin/python - <<'P'
from riscv_emulator.emulator import emulator


def run(words, steps):
    """The registers after some instructions."""
    of = emulator()
    of.memory[: 4 * len(words)] = b"".join(word.to_bytes(4, "little") for word in words)
    for _ in range(steps):
        of.execute(int.from_bytes(of.memory[of.pc : of.pc + 4], "little"))
    return of


RA, T0 = 1, 5
for link in RA, T0:
    # auipc link, 0; jalr ra, 16(link); three nops; addi a0, zero, 1
    words = [0x17 | link << 7, 16 << 20 | link << 15 | RA << 7 | 0x67, 0x13, 0x13, 0x00100513]
    at = run(words, 2).pc
    print(f"riscv-emulator, by x{link}: the instruction after the call is at {at:#x}, the callee at 0x10")
    assert at == (0x18 if link == RA else 0x10), at
at = run([0x0000006F, 0x13], 1).pc
print(f"riscv-emulator: after `j .` at 0x0 it is at {at:#x}")
assert at == 4, at
P
