"""The profiler's registers as masters see them that others wrote: those of cocotbext-axi, -obi, -ahb and -avalon, with and without pauses.

TileLink's is ours.
"""

import itertools
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.ahb import AHBBus, AHBLiteMaster
from cocotbext.axi import ApbBus, ApbMaster, AxiLiteBus, AxiLiteMaster
from cocotbext.obi import ObiBus, ObiHost

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


class Word:
    """An answer."""

    def __init__(self, word):
        self.data = word.to_bytes(4, "little")


class Words:
    """A master whose accesses are words with lanes, or bytes of a size; it pauses in so many of 4 cycles."""

    def __init__(self, dut, of_4):
        self.dut, self.pauses = dut, pauses(0, of_4)

    async def read(self, address, length):
        """A word."""
        return Word(await self.get(address, length))

    async def write(self, address, data):
        """A word, or the bytes of one from an address on."""
        shift = address % 4
        lanes = ((1 << len(data)) - 1) << shift
        await self.put(address, int.from_bytes(data, "little") << 8 * shift, lanes, len(data))

    async def pause(self):
        """Sometimes, before an access."""
        while next(self.pauses):
            await RisingEdge(self.dut.clk)


class Obi(Words):
    """cocotbext-obi."""

    def __init__(self, dut, of_4):
        super().__init__(dut, of_4)
        self.host = ObiHost(ObiBus.from_prefix(dut, "obi"), dut.clk)
        self.host.return_int = True
        if of_4:
            self.host.enable_backpressure(of_4, req=True)

    async def get(self, address, _):
        return await self.host.read(address)

    async def put(self, address, word, lanes, _):
        await self.host.write(address & ~3, word, strb=lanes)


class Ahb(Words):
    """cocotbext-ahb."""

    def __init__(self, dut, of_4):
        super().__init__(dut, of_4)
        names = {name: name for name in ["haddr", "hsize", "htrans", "hwdata", "hrdata", "hwrite", "hresp"]}
        bus = AHBBus(dut, signals={**names, "hready": "hreadyout"}, optional_signals=["hsel"])
        self.master = AHBLiteMaster(bus, dut.clk, dut.rst)

    async def get(self, address, length):
        await self.pause()
        (answer,) = await self.master.read(address, length)
        return int(answer["data"], 16)

    async def put(self, address, word, _, length):
        await self.pause()
        sizes = [length] if length in (1, 2, 4) else [1] * length
        places = list(itertools.accumulate([address, *sizes[:-1]]))
        await self.master.write(places, [word] * len(sizes), sizes)


class Avalon(Words):
    """cocotbext-avalon."""

    def __init__(self, dut, of_4):
        super().__init__(dut, of_4)
        from cocotbext.avalon import AvalonMMMasterBFM  # for Python below 3.14 alone

        self.master = AvalonMMMasterBFM.from_prefix(dut, "avs", dut.clk, dut.rst)
        self.master.start()

    async def get(self, address, _):
        await self.pause()
        return await self.master.read(address)

    async def put(self, address, word, lanes, _):
        await self.pause()
        await self.master.write(address & ~3, word, lanes)


class TileLink(Words):
    """TileLink-UL: it also withdraws requests that are not taken, and lets answers wait."""

    GET, PUT_PARTIAL, ACK, ACK_DATA = 4, 1, 0, 1

    def __init__(self, dut, of_4):
        super().__init__(dut, of_4)
        dut.tl_a_valid.value = dut.tl_d_ready.value = 0
        self.source = 0

    async def get(self, address, length):
        return await self.transfer(self.GET, address, 0, 0xF, length, self.ACK_DATA)

    async def put(self, address, word, lanes, length):
        await self.transfer(self.PUT_PARTIAL, address, word, lanes, length, self.ACK)

    async def transfer(self, opcode, address, word, lanes, length, expected):
        """An access and its answer."""
        dut = self.dut
        self.source = (self.source + 1) % 16
        size = length.bit_length() - 1
        asked = {"opcode": opcode, "address": address, "data": word, "mask": lanes, "size": size, "source": self.source}
        for name, value in asked.items():
            getattr(dut, f"tl_a_{name}").value = value
        taken = False
        while not taken:
            offered = not next(self.pauses)
            dut.tl_a_valid.value = offered
            await RisingEdge(dut.clk)
            taken = offered and dut.tl_a_ready.value
        dut.tl_a_valid.value = 0
        answered = False
        while not answered:
            ready = not next(self.pauses)
            dut.tl_d_ready.value = ready
            await RisingEdge(dut.clk)
            answered = ready and dut.tl_d_valid.value
        dut.tl_d_ready.value = 0
        told = [int(getattr(dut, f"tl_d_{name}").value) for name in ("opcode", "size", "source", "denied")]
        assert told == [expected, size, self.source, 0]
        return int(dut.tl_d_data.value)


WORDS = {"obi": Obi, "ahb": Ahb, "avalon": Avalon, "tilelink": TileLink}


async def start(dut, of_4):
    """A profiler just out of reset, and the bus's master, which pauses in so many of 4 cycles."""
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.br_valid.value = 0
    dut.rst.value = 1
    # What cocotbext-ahb writes at time 0 stays undefined where Icarus Verilog 11 selects bits of it.
    await RisingEdge(dut.clk)
    bus = os.environ["HPP_BUS"]
    if bus in WORDS:
        master, paused = WORDS[bus](dut, of_4), []
    elif bus == "apb":
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
    if os.environ["HPP_BUS"] in WORDS:
        return
    master = await start(dut, of_4)
    reads = [master.init_read(ID, 4) for _ in range(50)]
    writes = [master.init_write(PPCR_ROWS, bytes([0x11 * (i % 4)] * 4)) for i in range(50)]
    for answer in reads:
        await answer.wait()
        assert int.from_bytes(answer.data.data, "little") == 0x48505031
    for answer in writes:
        await answer.wait()
    assert await read(master, PPCR_ROWS) == 0x11111111
