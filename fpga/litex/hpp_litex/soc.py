"""The profiler in a LiteX SoC: bus, core, and generated headers."""

from litex.soc.integration.soc import SoCCSRRegion, SoCRegion

from .cores import connect, options_for
from .generated import Generated, GeneratedError, generate
from .profiler import HotPathProfiler


def add_hpp(soc, folder="build/hpp", prefix="hpp", name="hpp", origin=None, **options):
    """Generates a profiler for the core of `soc` into `folder`, adds it as `soc.<name>`, and returns it.

    `options` are gen-verilog's (`sets=64`); those that the core needs are set. `origin` is that of `add_profiler`.
    """
    generate(folder, prefix, **{**options_for(soc), **options})
    return add_profiler(soc, folder, prefix, name, origin)


def add_profiler(soc, folder, prefix="hpp", name="hpp", origin=None, connect_core=True):
    """Adds the profiler that gen-verilog wrote into `folder` to `soc` as `soc.<name>`, and returns it.

    `origin` is where its registers are; by default right behind the SoC's CSRs. They are a region of the SoC's bus,
    because a read of the table may have to wait, which LiteX's CSR bus cannot; the headers that LiteX generates list
    them with the CSRs. With `connect_core=False` the retirements are the caller's to connect.
    """
    generated = Generated(folder, prefix)
    profiler = HotPathProfiler(soc.platform, generated)
    if connect_core:
        connect(soc, profiler, generated)
    setattr(soc, name, profiler)

    csr_end = soc.mem_map["csr"] + 2 ** (soc.csr.address_width + 2)
    origin = csr_end if origin is None else origin
    if origin < csr_end:
        # LiteX computes every register's address from the lowest region's.
        raise GeneratedError(f"origin {origin:#x} is not above the CSRs, which end at {csr_end:#x}")
    soc.bus.add_slave(name, profiler.bus, SoCRegion(origin=origin, size=generated.bytes, cached=False))
    soc.csr.add_region(name, SoCCSRRegion(origin=origin, busword=32, obj=generated.csrs()))
    return profiler
