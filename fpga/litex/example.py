#!/usr/bin/env python3
"""A LiteX system with the profiler, for simulation: one core, memory, UART, profiler.

    example.py --cpu vexriscv --profiler build/hpp --out build/litex            headers for the firmware, and Verilog
    example.py ... --firmware firmware.bin                                      with the program in its ROM

Ports of the Verilog (`example`): clock and reset; the UART, a byte at a time; and, for whoever checks the profiler,
what it sees: retirements and writes to its registers.
"""

import argparse
import os
import sys

from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
from litex.build.io import CRG
from litex.soc.integration import export
from litex.soc.integration.soc_core import SoCCore

from hpp_litex import GeneratedError, add_profiler

IO = [
    ("sys_clk", 0, Pins(1)),
    ("sys_rst", 0, Pins(1)),
    ("serial", 0,
        Subsignal("source_valid", Pins(1)),
        Subsignal("source_ready", Pins(1)),
        Subsignal("source_data", Pins(8)),
        Subsignal("sink_valid", Pins(1)),
        Subsignal("sink_ready", Pins(1)),
        Subsignal("sink_data", Pins(8))),
    ("watch", 0,
        Subsignal("retire", Pins(3)),            # {intr, trap, valid}
        Subsignal("retire_insn", Pins(32)),
        Subsignal("retire_pc", Pins(32)),
        Subsignal("retire_next_pc", Pins(32)),   # of RVFI alone
        Subsignal("stall", Pins(1)),
        Subsignal("write", Pins(1)),
        Subsignal("write_adr", Pins(5)),
        Subsignal("write_data", Pins(32))),
]


class Platform(GenericPlatform):
    """No device: building writes the Verilog."""

    def __init__(self):
        super().__init__("", IO, name="example")

    def build(self, fragment, build_dir, build_name, **_):
        # What the memories hold is written into the current folder.
        before = os.getcwd()
        os.chdir(build_dir)
        try:
            self.get_verilog(fragment, name=build_name).write(build_name + ".v")
        finally:
            os.chdir(before)
        with open(os.path.join(build_dir, build_name + ".f"), "w", encoding="utf-8") as file:
            file.writelines(source[0] + "\n" for source in self.sources)


class Example(SoCCore):
    """The system."""

    def __init__(self, cpu, variant, profiler, firmware):
        platform = Platform()
        super().__init__(
            platform,
            clk_freq=int(1e6),
            cpu_type=cpu,
            cpu_variant=variant,
            integrated_rom_size=0x4000,
            integrated_rom_init=firmware or [],
            integrated_sram_size=0x2000,
            uart_name="sim",
        )
        self.crg = CRG(platform.request("sys_clk"), rst=platform.request("sys_rst"))
        hpp = add_profiler(self, profiler)
        watch = platform.request("watch")
        written, address, word = hpp.written
        core = hpp.core
        if hasattr(core, "pc_wdata"):
            pc, next_pc, intr = core.pc_rdata, core.pc_wdata, core.intr
        else:
            pc, next_pc, intr = core.pc, 0, 0
        self.comb += [
            watch.retire.eq(core.valid | core.trap << 1 | intr << 2),
            watch.retire_insn.eq(core.insn),
            watch.retire_pc.eq(pc),
            watch.retire_next_pc.eq(next_pc),
            watch.stall.eq(hpp.stall),
            watch.write.eq(written),
            watch.write_adr.eq(address),
            watch.write_data.eq(word),
        ]


def write_headers(soc, out):
    """What LiteX's Builder writes, without its BIOS, for which the C library would have to be installed."""
    csr = {"csr_regions": soc.csr_regions, "constants": soc.constants, "mem_regions": soc.mem_regions}
    header = export.get_csr_header(soc.csr_regions, soc.constants, csr_base=soc.mem_regions["csr"].origin)
    files = {
        "generated/csr.h": header,
        "generated/soc.h": export.get_soc_header(soc.constants),
        "generated/mem.h": export.get_mem_header(soc.mem_regions),
        "generated/regions.ld": export.get_linker_regions(soc.mem_regions),
        "csr.json": export.get_csr_json(**csr),
        "csr.svd": export.get_csr_svd(soc),
    }
    os.makedirs(os.path.join(out, "generated"), exist_ok=True)
    for name, text in files.items():
        with open(os.path.join(out, name), "w", encoding="utf-8") as file:
            file.write(text)


def main():
    """Reads the command line; 0 if the system was written."""
    parser = argparse.ArgumentParser(description="Generate a LiteX system with the profiler, for simulation.")
    parser.add_argument("--cpu", default="vexriscv", help="vexriscv or picorv32")
    parser.add_argument("--variant", default=None, help="variant of the core (default: LiteX's)")
    parser.add_argument("--profiler", required=True, metavar="DIR", help="folder that gen-verilog wrote")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for what LiteX generates")
    parser.add_argument("--firmware", metavar="FILE", help="binary for the ROM")
    arguments = parser.parse_args()
    try:
        soc = Example(arguments.cpu, arguments.variant, arguments.profiler, arguments.firmware)
    except GeneratedError as error:
        print(f"example: {error}", file=sys.stderr)
        return 1
    soc.finalize()
    write_headers(soc, arguments.out)
    soc.build(build_dir=arguments.out, build_name="example")
    return 0


if __name__ == "__main__":
    sys.exit(main())
