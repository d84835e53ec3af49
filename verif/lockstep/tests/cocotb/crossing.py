"""The manual's FIFO of two clocks: what is read is what was written, in order, and what is dropped shows."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge, Timer

SEED = int(os.environ["HPP_SEED"])
PATHS = 400


async def writes(dut, rng, of_8, given):
    """Paths in so many of 8 cycles, and those that find no room."""
    dropped = 0
    for word in range(1, PATHS + 1):
        while rng.randrange(8) >= of_8:
            await RisingEdge(dut.clk)
        dut.path_valid.value, dut.path.value = 1, word
        await ReadOnly()
        if int(dut.full.value):
            dropped += 1
        else:
            given.append(word)
        await RisingEdge(dut.clk)
        dut.path_valid.value = 0
    await ClockCycles(dut.clk, 2)
    assert int(dut.lost.value) == (dropped > 0)
    return dropped


async def reads(dut, rng, of_8, taken):
    """Takes what is there, in so many of 8 cycles."""
    while True:
        dut.read_ready.value = rng.randrange(8) < of_8
        await ReadOnly()
        if int(dut.read_valid.value) and int(dut.read_ready.value):
            taken.append(int(dut.read_path.value))
        await RisingEdge(dut.read_clk)


@cocotb.test()
@cocotb.parametrize(turn=list(range(8)))
async def what_is_read_is_what_was_written(dut, turn):
    """Clocks of any ratio and phase; the first half with a reader that keeps up."""
    rng = random.Random(SEED + turn)
    keeps_up = turn < 4
    write_period, read_period = 2 * rng.randint(3, 40), 2 * rng.randint(3, 40)
    if keeps_up:
        read_period = min(read_period, write_period)
    where = f"HPP_SEED={SEED}, turn {turn}, periods {write_period} and {read_period}"
    dut.path_valid.value = dut.read_ready.value = 0
    dut.rst.value = dut.read_rst.value = 1
    cocotb.start_soon(Clock(dut.clk, write_period, unit="step").start())
    await Timer(rng.randint(1, 50), unit="step")
    cocotb.start_soon(Clock(dut.read_clk, read_period, unit="step").start())
    await Timer(4 * max(write_period, read_period), unit="step")
    await RisingEdge(dut.clk)
    dut.rst.value = 0
    await RisingEdge(dut.read_clk)
    dut.read_rst.value = 0
    given, taken = [], []
    cocotb.start_soon(reads(dut, rng, 8 if keeps_up else rng.randint(1, 8), taken))
    await RisingEdge(dut.clk)
    dropped = await cocotb.start_soon(writes(dut, rng, rng.randint(1, 8), given))
    await Timer(60 * 8 * max(write_period, read_period), unit="step")
    assert taken == given, where
    assert not (keeps_up and dropped), where
