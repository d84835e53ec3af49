"""From a LiteX core's instance to the profiler's ports for its last stage.

Neither core shows its last stage in a LiteX system as it is: VexRiscv's text has no ports for it, and PicoRV32's has its RVFI
behind a macro. Both get a text of their own, written into the profiler's folder, in the place of the package's.
"""

import os
import subprocess
import sys
from pathlib import Path

from migen import Mux, Signal

from .generated import GeneratedError

ADD_PORTS = Path(__file__).with_name("vexriscv_ports.py")

# PicoRV32's own return from an interrupt, and the standard one, which it stands for.
RETIRQ_MASK = 0xFE00007F
RETIRQ = 0x0400000B
MRET = 0x30200073


def options_for(soc):
    """What a profiler of the core of `soc` is generated with. No core here can be stalled, so it takes a record in every cycle."""
    compressed = {"align": 1} if "imac" in getattr(soc.cpu, "variant", "") else {}
    return {"ingress": _known(soc)[0], "lookup": "parallel", **compressed}


def connect(soc, profiler, generated):
    """Connects the core of `soc` to `profiler.core`; the core's text goes into the folder of `generated`."""
    name = soc.cpu.name
    ingress, connect_it = _known(soc)
    generated.check("ingress", ingress, f"core '{name}'")
    # Wider ports would be driven only in part.
    generated.check("pc-bits", 32, f"core '{name}'")
    generated.check("retire-channels", 1, f"core '{name}'")
    if "imac" in getattr(soc.cpu, "variant", ""):
        generated.check("align", 1, f"variant '{soc.cpu.variant}', with compressed instructions,")
    connect_it(soc, profiler, generated.folder)


def _known(soc):
    name = getattr(soc.cpu, "name", None)
    known = {"vexriscv": ("retire", _vexriscv), "picorv32": ("rvfi", _picorv32)}
    if name not in known:
        raise GeneratedError(f"no retirement port of core '{name}' is known (only of {', '.join(sorted(known))}); "
                             "connect its retirements to profiler.core and pass connect_core=False")
    return known[name]


def _vexriscv(soc, profiler, folder):
    fires = Signal()
    port = profiler.core
    core = soc.cpu
    package = type(core).variants[core.variant] + ".v"
    text = folder / package
    if core.external_variant:
        raise GeneratedError("this VexRiscv has a text of its own already (use_external_variant); give it the outputs "
                             f"with {ADD_PORTS}")
    _add_ports(_source("vexriscv", package), text)
    core.use_external_variant(str(text))
    core.cpu_params.update(
        o_retire_fires=fires,
        o_retire_traps=port.trap,
        o_retire_insn=port.insn,
        o_retire_expanded=port.expanded,
        o_retire_pc=port.pc,
    )
    profiler.comb += port.valid.eq(fires | port.trap)


def _picorv32(soc, profiler, folder):
    rvfi = profiler.core
    insn = Signal(32)
    source = _source("picorv32", "picorv32.v")
    text = folder / "picorv32.v"
    draft = text.with_suffix(f".draft-{os.getpid()}")
    draft.write_text("`define RISCV_FORMAL\n" + source.read_text(encoding="utf-8") + "\n`undef RISCV_FORMAL\n",
                     encoding="utf-8")
    draft.replace(text)
    sources = soc.platform.sources
    for index, (path, *rest) in enumerate(sources):
        if Path(path).name == "picorv32.v":
            sources[index] = (str(text), *rest)
    soc.cpu.cpu_params.update(
        o_rvfi_valid=rvfi.valid,
        o_rvfi_insn=insn,
        o_rvfi_trap=rvfi.trap,
        o_rvfi_intr=rvfi.intr,
        o_rvfi_pc_rdata=rvfi.pc_rdata,
        o_rvfi_pc_wdata=rvfi.pc_wdata,
    )
    profiler.comb += rvfi.insn.eq(Mux((insn & RETIRQ_MASK) == RETIRQ, MRET, insn))


def _source(package, name):
    from litex import get_data_mod

    return Path(get_data_mod("cpu", package).data_location) / name


def _add_ports(source, text):
    run = subprocess.run([sys.executable, str(ADD_PORTS), str(source), str(text)], capture_output=True, text=True)
    if run.returncode != 0:
        raise GeneratedError(run.stderr.strip())
