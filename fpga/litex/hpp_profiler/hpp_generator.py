#!/usr/bin/env python3
"""The FuseSoC generator `hpp`: writes a profiler into the current folder, and the core that names its files.

FuseSoC calls it with a YAML file: the parameters of the core that asks, its folder, and the name of the core to write.
"""

import subprocess
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    sys.exit(f"hpp_generator: {sys.executable} has no PyYAML; remedy: put FuseSoC's own python3 first on the PATH, or pip install pyyaml")

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from hpp_profiler import NoGenerator, flags, gen_verilog  # noqa: E402

OURS = ("out", "print-config", "print_config")


def main():
    """Reads FuseSoC's file; 0 if the profiler was written."""
    asked = yaml.safe_load(Path(sys.argv[1]).read_text(encoding="utf-8"))
    options = dict(asked.get("parameters") or {})
    refused = [name for name in OURS if name in options]
    if refused:
        print(f"hpp_generator: parameter '{refused[0]}' is not one of a core; remedy: remove it", file=sys.stderr)
        return 1
    if "config" in options:
        options["config"] = Path(asked["files_root"]) / options["config"]
    try:
        command = gen_verilog()
    except NoGenerator as error:
        print(f"hpp_generator: {error}", file=sys.stderr)
        return 1
    status = subprocess.run([*command, *flags(options), "--out", "."], check=False).returncode
    if status != 0:
        return status
    prefix = options.get("prefix", "hpp")
    core = Path(f"{prefix}.core")
    text = core.read_text(encoding="utf-8").splitlines(keepends=True)
    named = [f"name: {asked['vlnv']}\n" if line.startswith("name: ") else line for line in text]
    core.write_text("".join(named), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
