"""The profiler as a LiteX module: bus, the core's last stage, path stream.

             +-------------------+
    core --->| HotPathProfiler   |---> paths (stream, valid only)
             |                   |---> stall, event_select
    bus  <-->| (instance of hpp) |<--- event_in
             +-------------------+
"""

from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from migen import ClockSignal, Instance, Record, ResetSignal, Signal

from .buses import BUSES

# Fields of a completed path.
PATH = ["start", "length", "outcomes", "count"]


class HotPathProfiler(LiteXModule):
    """The profiler that `generated` describes.

    Attributes:
        bus: its registers, a slave on Wishbone or AXI4-Lite; its first word is at the region's first address.
        written: a write of a register that is over: whether there is one in this cycle, its word address, and the word.
        core: the core's last stage, by the names of its ingress: RVFI (`valid`, `insn`, `trap`, `intr`, `pc_rdata`, `pc_wdata`)
            or the bare stage (`valid`, `insn`, `expanded`, `trap`, `pc`); of a profiler with contexts `context` besides, 0 if nobody drives it.
        stall: the core must not retire an instruction now. A profiler that takes a record every cycle never needs it.
        event_in: events of this cycle, counted while `event_select` is 2 or above.
        drain, irq: of a profiler with a drain, evicted entries if DRAIN_CONTROL.STREAM is set, and the interrupt at the watermark.
        trigger_start, trigger_stop, trigger_irq: of a profiler with triggers, the inputs that start and stop profiling, and the interrupt after so many paths.
        paths: every completed path as it completes. There is no waiting: `ready` is not looked at.
    """

    def __init__(self, platform, generated):
        bus = BUSES[generated.bus]
        self.bus = bus.interface()
        self.written = bus.written(self.bus)
        ingress = generated.ingress
        names = generated.of_core
        self.core = Record([(name, generated.width(f"{ingress}_{name}")) for name in names])
        self.stall = Signal()
        self.event_in = Signal(generated.width("event_in"))
        self.event_select = Signal(generated.width("event_select"))
        self.paths = stream.Endpoint([(name, generated.width(f"path_{name}")) for name in PATH])

        features = {}
        if generated.drains:
            self.drain = stream.Endpoint([(name, generated.width(f"drain_{name}")) for name in PATH])
            self.irq = Signal()
            features |= {
                "o_drain_valid": self.drain.valid,
                "i_drain_ready": self.drain.ready,
                "o_drain_irq": self.irq,
                **{f"o_drain_{name}": getattr(self.drain, name) for name in PATH},
            }

        if generated.triggers:
            self.trigger_start, self.trigger_stop, self.trigger_irq = Signal(), Signal(), Signal()
            features |= {
                "i_trigger_start": self.trigger_start,
                "i_trigger_stop": self.trigger_stop,
                "o_trigger_irq": self.trigger_irq,
            }

        # # #

        self.specials += Instance(
            generated.top,
            i_clk=ClockSignal("sys"),
            **({"i_rst_n": ~ResetSignal("sys")} if generated.resets_low else {"i_rst": ResetSignal("sys")}),
            **{f"i_{ingress}_{name}": getattr(self.core, name) for name in names},
            **{f"o_{ingress}_stall": self.stall},
            i_event_in=self.event_in,
            o_event_select=self.event_select,
            o_path_valid=self.paths.valid,
            **{f"o_path_{name}": getattr(self.paths, name) for name in PATH},
            **features,
            **bus.ports(self.bus, generated.width),
        )
        for file in generated.verilog:
            platform.add_source(file)
