"""The buses of LiteX: what the profiler's module needs of each.

`interface()` makes LiteX's interface; `ports(bus, width)` connects it to the instance, `width` being that of a port; `written(bus)` is a write
that is over: whether there is one, its word address, and the word.
"""

from litex.soc.interconnect import axi, wishbone
from migen import Signal


class Wishbone:
    """LiteX's own bus."""

    @staticmethod
    def interface():
        """Word addresses."""
        return wishbone.Interface(data_width=32, address_width=32, addressing="word")

    @staticmethod
    def ports(bus, width):
        """The slave's end."""
        return {
            "i_wb_cyc_i": bus.cyc,
            "i_wb_stb_i": bus.stb,
            "i_wb_we_i": bus.we,
            "i_wb_adr_i": bus.adr[: width("wb_adr_i")],
            "i_wb_sel_i": bus.sel,
            "i_wb_dat_i": bus.dat_w,
            "o_wb_dat_o": bus.dat_r,
            "o_wb_ack_o": bus.ack,
            "o_wb_stall_o": Signal(),
            "o_wb_err_o": bus.err,
        }

    @staticmethod
    def written(bus):
        """In the cycle of the acknowledgement."""
        return bus.stb & bus.cyc & bus.we & bus.ack, bus.adr, bus.dat_w


class Axi4Lite:
    """AXI4-Lite. In a system on another bus, LiteX inserts its bridge."""

    @staticmethod
    def interface():
        """Byte addresses."""
        return axi.AXILiteInterface(data_width=32, address_width=32)

    @staticmethod
    def ports(bus, width):
        """The slave's end."""
        ports = {}
        for name in ["aw", "w", "ar"]:
            channel = getattr(bus, name)
            ports[f"i_s_axi_{name}valid"] = channel.valid
            ports[f"o_s_axi_{name}ready"] = channel.ready
        for name in ["aw", "ar"]:
            channel = getattr(bus, name)
            ports[f"i_s_axi_{name}addr"] = channel.addr[: width(f"s_axi_{name}addr")]
            ports[f"i_s_axi_{name}prot"] = channel.prot
        for name in ["b", "r"]:
            channel = getattr(bus, name)
            ports[f"o_s_axi_{name}valid"] = channel.valid
            ports[f"i_s_axi_{name}ready"] = channel.ready
            ports[f"o_s_axi_{name}resp"] = channel.resp
        ports.update(i_s_axi_wdata=bus.w.data, i_s_axi_wstrb=bus.w.strb, o_s_axi_rdata=bus.r.data)
        return ports

    @staticmethod
    def written(bus):
        """In the cycle in which the profiler accepts address and data together."""
        return bus.aw.valid & bus.aw.ready, bus.aw.addr[2:], bus.w.data


# By gen-verilog's names.
BUSES = {"wishbone": Wishbone, "axi4-lite": Axi4Lite}
