"""The output of gen-verilog for LiteX: the Verilog, the widths of the ports, the registers.

The manifest (`hpp.json`) says all of it; nothing about the profiler's geometry or registers is repeated here.
"""

import json
import subprocess
from pathlib import Path

from hpp_profiler import NoGenerator, flags, gen_verilog
from litex.soc.interconnect.csr import CSRAccess, CSRField, CSRStatus, CSRStorage

from .buses import BUSES

READ_ONLY = "read-only"

# What each ingress sees of the core's last stage; addresses are as wide as the profiler's.
INGRESSES = {
    "rvfi": ["valid", "insn", "trap", "intr", "pc_rdata", "pc_wdata"],
    "retire": ["valid", "insn", "expanded", "trap", "pc"],
}
BYTES_OF_WORD = 4


class GeneratedError(Exception):
    """The output of gen-verilog is missing, or does not fit the LiteX system."""


def generate(folder, prefix="hpp", ingress="rvfi", bus="wishbone", **options):
    """Runs gen-verilog for a LiteX system: `ingress` is "rvfi" for PicoRV32, "retire" for VexRiscv; `bus` is "wishbone" or
    "axi4-lite". Further `options` are gen-verilog's own (`sets=64`, `stack_depth=16`).

    `hpp_profiler.gen_verilog` says which command that is.
    """
    if "config" in options:
        options["config"] = Path(options["config"]).resolve()
    options = {"ingress": ingress, "bus": bus, "prefix": prefix, **options, "out": Path(folder).resolve()}
    try:
        command = [*gen_verilog(), *flags(options)]
    except NoGenerator as error:
        raise GeneratedError(str(error)) from error
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        raise GeneratedError(f"{' '.join(command)} failed:\n{run.stderr.strip()}")
    return Generated(folder, prefix)


class Generated:
    """A folder that gen-verilog wrote for a LiteX system."""

    def __init__(self, folder, prefix="hpp"):
        self.folder = Path(folder).resolve()
        manifest = self.folder / f"{prefix}.json"
        try:
            self.manifest = json.loads(manifest.read_text(encoding="utf-8"))
        except OSError as error:
            raise GeneratedError(
                f"{manifest}: {error.strerror}; "
                f"remedy: gen-verilog --ingress rvfi (VexRiscv: retire) --prefix {prefix} --out {self.folder}"
            ) from error
        except ValueError as error:
            raise GeneratedError(f"{manifest}: {error}; remedy: generate it anew") from error
        if self.bus not in BUSES:
            self.check("bus", " or ".join(BUSES), "a LiteX system")
        if self.ingress not in INGRESSES:
            self.check("ingress", " or ".join(sorted(INGRESSES)), "a LiteX system")
        if self.manifest["configuration"]["geometry"].get("harts", 1) != 1:
            self.check("harts", 1, "a LiteX system, which has one hart,")
        if self.manifest["configuration"]["ports"].get("rvfi-next") == "retirement":
            self.check("rvfi-next", "pc-wdata", "a LiteX system")

    def check(self, key, wanted, who):
        """Raises GeneratedError, naming `who`, unless the profiler was generated with `wanted`."""
        configuration = self.manifest["configuration"]
        found = {**configuration, **configuration["ports"], **configuration["geometry"]}.get(key)
        if found != wanted:
            raise GeneratedError(f"{self.folder / self.top}.json: generated with --{key} {found}; "
                                 f"{who} needs --{key} {wanted}")

    @property
    def drains(self):
        """Whether the profiler has a drain."""
        return self.manifest["configuration"]["geometry"].get("drain-depth", 0) > 0

    @property
    def triggers(self):
        """Whether the profiler has triggers."""
        return self.manifest["configuration"]["geometry"].get("triggers", False)

    @property
    def resets_low(self):
        """Whether a 0 resets the profiler, at `rst_n`."""
        return any(port["name"] == "rst_n" for port in self.manifest["ports"])

    @property
    def bus(self):
        """The bus of the registers."""
        return self.manifest["configuration"]["bus"]

    @property
    def ingress(self):
        """The ingress on the core's last stage."""
        return self.manifest["configuration"]["ingress"]

    @property
    def top(self):
        """Name of the top module."""
        return self.manifest["top"]

    @property
    def verilog(self):
        """Paths of the Verilog: one, or with --split one for each module."""
        return [str(self.folder / name) for name in self.manifest["verilog"]]

    def width(self, port):
        """Width of a port of the top module in bits."""
        return next(found["width"] for found in self.manifest["ports"] if found["name"] == port)

    @property
    def of_core(self):
        """The ports of the ingress, by name."""
        contexts = ["context"] if self.manifest["configuration"]["geometry"].get("context-bits", 0) > 0 else []
        return INGRESSES[self.ingress] + contexts

    @property
    def bytes(self):
        """Size of the registers' address space: a power of two."""
        last = max(register["offset"] for register in self.manifest["registers"])
        return 1 << last.bit_length()

    def csrs(self):
        """The registers as LiteX describes registers, a word each, in the order of their addresses.

        They describe and drive nothing: the profiler decodes its bus itself. Addresses without a register are
        `reserved_<offset>`. Counters stay two words, low word first, because reading the low word latches the high one.
        """
        by_offset = {register["offset"]: register for register in self.manifest["registers"]}
        offsets = range(0, max(by_offset) + BYTES_OF_WORD, BYTES_OF_WORD)
        return [_csr(by_offset[offset]) if offset in by_offset else _reserved(offset) for offset in offsets]


def _csr(register):
    read_only = register["access"] == READ_ONLY
    fields = [
        CSRField(
            name=field["name"].lower(),
            size=field["width"],
            offset=field["lsb"],
            description=field["description"],
            access=CSRAccess.ReadOnly if read_only else CSRAccess.ReadWrite,
            reset=register["reset"] >> field["lsb"] & (1 << field["width"]) - 1,
            values=[(str(value["value"]), value["name"]) for value in field["values"]] or None,
        )
        for field in sorted(register["fields"], key=lambda field: field["lsb"])
    ]
    kind = CSRStatus if read_only else CSRStorage
    csr = kind(fields=fields, name=register["name"].lower(), description=register["description"])
    return _word(csr)


def _reserved(offset):
    return _word(CSRStatus(32, name=f"reserved_{offset:02x}", description="No register; reads 0."))


def _word(csr):
    """A register is one word of the bus, whatever the sizes of its fields."""
    csr.size = 32
    csr.finalize(32, "big")
    return csr
