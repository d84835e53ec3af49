"""The profiler as a LiteX module: bus, the core's last stage, path stream.

             +-------------------+
    core --->| HotPathProfiler   |---> paths (stream, valid only)
             |                   |---> stall, event_select
    bus  <-->| (instance of hpp) |<--- event_in
             +-------------------+
"""

from litex.gen import LiteXModule
from litex.soc.interconnect import stream, wishbone
from migen import ClockSignal, Instance, Record, ResetSignal, Signal

from .generated import INGRESSES

# Fields of a completed path.
PATH = ["start", "length", "outcomes", "count"]


class HotPathProfiler(LiteXModule):
    """The profiler that `generated` describes.

    Attributes:
        bus: its registers, a Wishbone slave; its first word is at the region's first address.
        core: the core's last stage, by the names of its ingress: RVFI (`valid`, `insn`, `trap`, `intr`, `pc_rdata`, `pc_wdata`)
            or the bare stage (`valid`, `insn`, `expanded`, `trap`, `pc`).
        stall: the core must not retire an instruction now. A profiler that takes a record every cycle never needs it.
        event_in: events of this cycle, counted while `event_select` is 2 or above.
        paths: every completed path as it completes. There is no waiting: `ready` is not looked at.
    """

    def __init__(self, platform, generated):
        self.bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        ingress = generated.ingress
        names = INGRESSES[ingress]
        self.core = Record([(name, generated.width(f"{ingress}_{name}")) for name in names])
        self.stall = Signal()
        self.event_in = Signal(generated.width("event_in"))
        self.event_select = Signal(generated.width("event_select"))
        self.paths = stream.Endpoint([(name, generated.width(f"path_{name}")) for name in PATH])

        # # #

        self.specials += Instance(
            generated.top,
            i_clk=ClockSignal("sys"),
            i_rst=ResetSignal("sys"),
            **{f"i_{ingress}_{name}": getattr(self.core, name) for name in names},
            **{f"o_{ingress}_stall": self.stall},
            i_event_in=self.event_in,
            o_event_select=self.event_select,
            o_path_valid=self.paths.valid,
            **{f"o_path_{name}": getattr(self.paths, name) for name in PATH},
            i_wb_cyc_i=self.bus.cyc,
            i_wb_stb_i=self.bus.stb,
            i_wb_we_i=self.bus.we,
            i_wb_adr_i=self.bus.adr[: generated.width("wb_adr_i")],
            i_wb_sel_i=self.bus.sel,
            i_wb_dat_i=self.bus.dat_w,
            o_wb_dat_o=self.bus.dat_r,
            o_wb_ack_o=self.bus.ack,
            o_wb_stall_o=Signal(),
            o_wb_err_o=self.bus.err,
        )
        platform.add_source(generated.verilog)
