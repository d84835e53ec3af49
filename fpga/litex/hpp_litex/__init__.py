"""The HPP hardware path profiler in LiteX systems.

    from hpp_litex import add_hpp

    add_hpp(soc, sets=64)                   # before the SoC is built; any option of gen-verilog

The SoC then has the profiler on its bus as `soc.hpp`, follows its core's retirements (VexRiscv, PicoRV32), and
shows the registers by name in what LiteX generates: `hpp_control_write()` in csr.h,
`hpp_control` in csr.json, `HPP_BASE` in mem.h.
"""

from .generated import Generated, GeneratedError, generate
from .profiler import HotPathProfiler
from .soc import add_hpp, add_profiler

__all__ = ["Generated", "GeneratedError", "HotPathProfiler", "add_hpp", "add_profiler", "generate"]
