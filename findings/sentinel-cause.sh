#!/bin/sh
# Sentinel 0.1.0b2 (PyPI: sentinel-cpu), a core of RV32I_Zicsr in Amaranth 0.5.10 (PyPI), with its RVFI (`FormalTop`), simulated by Amaranth; zig 0.17.1 (PyPI:
# ziglang) assembles the program.
# - After the first interrupt, bit 31 of `mcause` stays 1: an `ecall`, cause 11, then reads 0x8000000b, which is the external interrupt. Before it reads
#   0x0000000b. We had expected that each trap writes all of `mcause`. A handler that asks for the sign takes every exception for an interrupt from then on.
# - RVFI shows an interrupt as an exception: the instruction that it displaces retires with `trap` at 1 and the handler's address in `pc_wdata`, and again after
#   `mret`. `intr` is 1 for the first instruction of every handler. We had expected that a displaced instruction does not retire.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages sentinel-cpu==0.1.0b2 amaranth==0.5.10 ziglang==0.17.1
cat >program.s <<'S'
.globl _start
_start:
    la t0, handler
    csrw mtvec, t0
    li t0, 0x800            # the external interrupt
    csrw mie, t0
    csrsi mstatus, 8
loop:
    ecall
    li t0, 30
1:  addi t0, t0, -1
    bnez t0, 1b
    j loop
.balign 4
handler:
    csrr a0, mcause
    lui a1, 0x80000
    sw a0, 0(a1)            # reports it, which takes the request back
    csrr a1, mepc
    lw a2, 0(a1)
    addi a2, a2, -0x73      # ecall
    bnez a2, 1f
    addi a1, a1, 4
    csrw mepc, a1
1:  mret
S
echo 'SECTIONS { . = 0; .text : { *(.text) } }' >program.ld
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
packages/ziglang/zig cc --target=riscv32-freestanding-none -mcpu=generic_rv32+zicsr -nostdlib -static -T program.ld -o program program.s
packages/ziglang/zig objcopy -O binary program program.bin
PYTHONPATH=packages python3 - <<'P'
from amaranth.sim import Simulator
from sentinel_cpu.formal import FormalTop

text = open("program.bin", "rb").read()
memory = [int.from_bytes(text[at : at + 4], "little") for at in range(0, len(text), 4)]
top = FormalTop()
causes, retired = [], []


async def bench(ctx):
    acknowledged = False
    for cycle in range(4000):
        if cycle == 2000:
            ctx.set(top.irq, 1)
        asked = ctx.get(top.bus.cyc) and ctx.get(top.bus.stb) and not acknowledged
        if asked:
            address = ctx.get(top.bus.adr)
            if ctx.get(top.bus.we):
                causes.append((cycle > 2000, ctx.get(top.bus.dat_w)))
                ctx.set(top.irq, 0)
            else:
                ctx.set(top.bus.dat_r, memory[address] if address < len(memory) else 0)
        if ctx.get(top.rvfi.valid):
            rvfi = top.rvfi
            retired.append(tuple(ctx.get(field) for field in (rvfi.pc_rdata, rvfi.insn, rvfi.trap, rvfi.intr, rvfi.pc_wdata)))
        await ctx.tick()
        acknowledged = bool(asked)
        ctx.set(top.bus.ack, acknowledged)


simulator = Simulator(top)
simulator.add_clock(1e-6)
simulator.add_testbench(bench)
simulator.run()

before = [cause for later, cause in causes if not later]
after = [cause for later, cause in causes if later]
print(f"mcause before the interrupt: {len(before)} times {before[0]:08x}; from it on: {[f'{cause:08x}' for cause in after]}")
assert len(before) > 2 and set(before) == {0x0000000B}, before
assert len(after) > 2 and set(after) == {0x8000000B}, after
displaced = [number for number, (_, insn, trap, _, _) in enumerate(retired) if trap and insn != 0x73]
assert len(displaced) == 1, displaced
(place,) = displaced
pc, insn, _, _, leads = retired[place]
assert retired[place + 1][0] == leads and retired[place + 1][3] == 1, retired[place + 1]
back = next(number for number in range(place, len(retired)) if retired[number][1] == 0x30200073)
assert retired[back + 1][:3] == (pc, insn, 0), retired[back + 1]
assert all(retired[number + 1][3] == retired[number][2] for number in range(len(retired) - 1)), "intr follows trap"
print(f"{pc:#x} retires with trap, then {leads:#x} with intr, and {pc:#x} again after mret")
P
