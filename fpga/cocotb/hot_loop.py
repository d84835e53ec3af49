"""A profiler in a cocotb test: a loop of records goes in, and the table comes out. Take it as a start for a test of your own system.

    python hot_loop.py HPP_V [icarus | verilator]        HPP_V: the file that `gen-verilog --bus native --out DIR` writes
"""

import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from cocotb_tools.runner import get_results, get_runner

CONTROL, STATUS, TABLE_INDEX, TABLE_DATA = 0x10, 0x18, 0x28, 0x2C  # byte offsets; hpp.md has all
FORWARD, BACKWARD = 0, 1  # kinds of records
ENTRIES, WORDS = 512, 4  # of the default geometry


async def access(dut, offset, word=None):
    """Writes `word`, or reads a register."""
    dut.reg_address.value = offset // 4
    dut.reg_write.value = word is not None
    dut.reg_wdata.value = word or 0
    dut.reg_wstrb.value = 0b1111
    dut.reg_request.value = 1
    await RisingEdge(dut.clk)
    while not int(dut.reg_done.value):
        await RisingEdge(dut.clk)
    dut.reg_request.value = 0
    return int(dut.reg_rdata.value)


async def record(dut, kind, taken, target):
    """What a core tells when a branch retires; the profiler may let it wait."""
    dut.br_kind.value, dut.br_taken.value, dut.br_target.value = kind, taken, target
    dut.br_valid.value = 1
    await RisingEdge(dut.clk)
    while not int(dut.br_ready.value):
        await RisingEdge(dut.clk)
    dut.br_valid.value = 0


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_loop_with_a_branch_in_it(dut):
    """Of 30 rounds from 0x100 on, every third takes its branch."""
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.reg_request.value = dut.br_valid.value = dut.br_next.value = dut.br_events.value = 0
    dut.rst.value = 1
    await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    dut.rst.value = 0
    while await access(dut, STATUS) & 1:  # the table is being emptied
        pass
    await access(dut, CONTROL, 1)
    await record(dut, BACKWARD, 1, 0x100)
    for turn in range(30):
        await record(dut, FORWARD, turn % 3 == 0, 0x120)
        await record(dut, BACKWARD, 1, 0x100)
    await access(dut, TABLE_INDEX, 0)
    table = {}
    for _ in range(ENTRIES):
        start, outcomes, length, count = [await access(dut, TABLE_DATA) for _ in range(WORDS)]
        if count:
            print(f"0x{start:x}  {outcomes:0{length}b}  {count} times")  # the first branch is the last digit
            table[start, length, outcomes] = count
    assert table == {(0x100, 2, 0b11): 10, (0x100, 2, 0b10): 20}


if __name__ == "__main__":
    runner = get_runner(sys.argv[2] if len(sys.argv) > 2 else "icarus")
    runner.build(sources=[sys.argv[1]], hdl_toplevel="hpp", build_dir="build/cocotb", always=True, timescale=("1ns", "1ns"))
    path = str(Path(__file__).parent)
    results = runner.test(test_module="hot_loop", hdl_toplevel="hpp", build_dir="build/cocotb", extra_env={"PYTHONPATH": path})
    sys.exit(get_results(Path(results))[1] > 0)
