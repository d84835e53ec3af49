"""The profiler's registers as the masters of cocotbext-axi see them: AXI4-Lite and APB, with and without pauses."""

import itertools
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import ApbBus, ApbMaster, AxiLiteBus, AxiLiteMaster

ID = 0x00
CONTROL = 0x10
STATUS = 0x18
PPCR_ROWS = 0x1C
PPCR_MODE = 0x20
TABLE_INDEX = 0x28
TABLE_DATA = 0x2C
NOTHING = 0x30
RECORDS = 0x40
PATHS = 0x48

BACKWARD = 1


def pauses(seed, of_4):
    """Whether to pause in each cycle, for ever."""
    choose = random.Random(seed)
    return (choose.randrange(4) < of_4 for _ in itertools.count())


async def start(dut, of_4):
    """A profiler just out of reset, and the bus's master, which pauses in so many of 4 cycles."""
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.br_valid.value = 0
    dut.rst.value = 1
    if os.environ["HPP_BUS"] == "apb":
        master = ApbMaster(ApbBus.from_prefix(dut, "s_apb"), dut.clk, dut.rst)
        paused = [master]
    else:
        master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.clk, dut.rst)
        write, read = master.write_if, master.read_if
        paused = [write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel]
    for seed, channel in enumerate(paused):
        channel.set_pause_generator(pauses(seed, of_4))
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 4)
    return master


async def read(master, offset):
    """A register."""
    answer = await master.read(offset, 4)
    return int.from_bytes(answer.data, "little")


async def write(master, offset, value):
    """A register, whole."""
    await master.write(offset, value.to_bytes(4, "little"))


async def records(dut, count):
    """A round of a loop in every cycle."""
    dut.br_kind.value = BACKWARD
    dut.br_taken.value = 1
    dut.br_target.value = 0x100
    dut.br_next.value = 0x200
    dut.br_events.value = 3
    dut.br_valid.value = 1
    for _ in range(count):
        await RisingEdge(dut.clk)
        while not dut.br_ready.value:
            await RisingEdge(dut.clk)
    dut.br_valid.value = 0


@cocotb.test(timeout_time=200, timeout_unit="us")
@cocotb.parametrize(of_4=[0, 2, 3])
async def registers_hold_what_was_written(dut, of_4):
    """Whole words, bytes by their lanes, and addresses without a register."""
    master = await start(dut, of_4)
    assert await read(master, ID) == 0x48505031
    await write(master, PPCR_ROWS, 0x12345678 & 0xEEEEEEEE)
    assert await read(master, PPCR_ROWS) == 0x12345678 & 0xEEEEEEEE
    await master.write(PPCR_ROWS + 2, bytes([0x8A]))
    assert await read(master, PPCR_ROWS) == 0x028A4668
    await master.write(PPCR_MODE, bytes([0x35, 0x02]))
    assert await read(master, PPCR_MODE) == 0x0235
    await write(master, NOTHING, 0xFFFFFFFF)
    assert await read(master, NOTHING) == 0


@cocotb.test(timeout_time=200, timeout_unit="us")
@cocotb.parametrize(of_4=[0, 2])
async def a_loop_is_in_the_table(dut, of_4):
    """Read while records come, and afterwards."""
    master = await start(dut, of_4)
    while await read(master, STATUS) & 1:
        pass
    await write(master, CONTROL, 1)
    assert await read(master, CONTROL) == 1
    running = cocotb.start_soon(records(dut, 1000))
    before = 0
    while not running.done():
        seen = await read(master, RECORDS)
        assert before <= seen <= 1000
        before = seen
    await ClockCycles(dut.clk, 64)
    assert await read(master, RECORDS) == 1000
    assert await read(master, PATHS) == 999
    await write(master, TABLE_INDEX, 0)
    entries = []
    for _ in range(int(os.environ["HPP_ENTRIES"])):
        entry = [await read(master, TABLE_DATA) for _ in range(4)]
        if entry[3]:
            entries.append(entry)
    assert entries == [[0x100, 1, 1, 999]]


@cocotb.test(timeout_time=200, timeout_unit="us")
@cocotb.parametrize(of_4=[0, 2])
async def reads_and_writes_at_once(dut, of_4):
    """Every one is answered, in the order of its kind, with what its register holds."""
    master = await start(dut, of_4)
    reads = [master.init_read(ID, 4) for _ in range(50)]
    writes = [master.init_write(PPCR_ROWS, bytes([0x11 * (i % 4)] * 4)) for i in range(50)]
    for answer in reads:
        await answer.wait()
        assert int.from_bytes(answer.data.data, "little") == 0x48505031
    for answer in writes:
        await answer.wait()
    assert await read(master, PPCR_ROWS) == 0x11111111
