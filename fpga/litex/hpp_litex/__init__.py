"""The HPP hardware path profiler in LiteX systems.

    from hpp_litex import add_profiler, generate

    generate("build/hpp", ingress="retire", lookup="parallel") # runs gen-verilog; any of its options: sets=64, ways=2
    add_profiler(soc, "build/hpp")          # before the SoC is built

The SoC then has the profiler on its bus as `soc.hpp`, follows its core's retirements (VexRiscv, PicoRV32), and
shows the registers by name in what LiteX generates: `hpp_control_write()` in csr.h,
`hpp_control` in csr.json, `HPP_BASE` in mem.h.
"""

from .generated import Generated, GeneratedError, generate
from .profiler import HotPathProfiler
from .soc import add_profiler

__all__ = ["Generated", "GeneratedError", "HotPathProfiler", "add_profiler", "generate"]
