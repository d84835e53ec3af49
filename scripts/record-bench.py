#!/usr/bin/env python3
"""Records the rates that `cargo bench -p hpp-research --bench profiler` measured, read from Criterion's estimates, as the
figures `bench` of the README. A benchmark that has no estimate is named, and nothing is recorded."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRITERION = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "criterion"
STREAMS = ("structured", "call_return", "all_misses", "random")


def rate(*names):
    """Millions of elements a second: the elements of a round by the median of its time."""
    # Criterion writes a space or a slash of a name as `_`.
    folder = CRITERION.joinpath(*(name.replace("/", "_") for name in names)) / "new"
    try:
        nanoseconds = json.loads((folder / "estimates.json").read_text())["median"]["point_estimate"]
        elements = json.loads((folder / "benchmark.json").read_text())["throughput"]["Elements"]
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"record-bench: {folder}: {error!r}; remedy: cargo bench -p hpp-research --bench profiler")
    return round(1e3 * elements / nanoseconds)


def main():
    figures = {name: rate("whole_profiler", name) for name in STREAMS[:3]}
    for policy in ("lfu", "shadow", "rrip"):
        rates = [rate("paths_of_a_table", f"{policy} by number/{name}") for name in STREAMS]
        figures |= {f"{policy}.least": min(rates), f"{policy}.most": max(rates)}
    command = [sys.executable, ROOT / "scripts/figures.py", "record", "bench"]
    sys.exit(subprocess.run(command + [f"{name}={value}" for name, value in figures.items()], cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
