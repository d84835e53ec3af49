"""The commands of the HPP hardware path profiler, for Python: `gen_verilog()` is how to call the generator, `cores()` the folder of the FuseSoC generator.

    fusesoc --cores-root "$(python3 -m hpp_profiler)" --cores-root . run --target=sim my_system
"""

import os
import shutil
import sysconfig
from pathlib import Path

HERE = Path(__file__).resolve().parent
MANIFEST = HERE.parents[2] / "Cargo.toml"


class NoGenerator(Exception):
    """There is no gen-verilog, and nothing to build it with."""


def gen_verilog():
    """The command of gen-verilog: $HPP_GEN_VERILOG, or that of this package, or that on the PATH, or Cargo's in this package's repository."""
    installed = Path(sysconfig.get_path("scripts")) / "gen-verilog"
    named = os.environ.get("HPP_GEN_VERILOG") or (installed.exists() and str(installed)) or shutil.which("gen-verilog")
    if named:
        return [named]
    if MANIFEST.exists() and shutil.which("cargo"):
        return ["cargo", "run", "--quiet", "--release", "--manifest-path", str(MANIFEST), "--bin", "gen-verilog", "--"]
    raise NoGenerator("no gen-verilog: install the wheel of a release, put it on the PATH, name it in HPP_GEN_VERILOG, or install Rust's cargo")


def flags(options):
    """The options of a call as gen-verilog's flags: `sets=64` is `--sets 64`, `triggers=True` is `--triggers true`."""
    for name, value in options.items():
        yield "--" + name.replace("_", "-")
        yield str(value).lower() if isinstance(value, bool) else str(value)


def cores():
    """The folder of the FuseSoC generator, for `--cores-root`."""
    return str(HERE)
