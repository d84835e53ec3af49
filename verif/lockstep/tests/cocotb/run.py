"""Runs tests in Icarus Verilog: of masters.py on a profiler, or with the bus `crossing` those of crossing.py.

    run.py BUS ENTRIES BUILD VERILOG..        what is built goes to BUILD; the top is in the last file, and has its name
"""

import sys
from pathlib import Path

from cocotb_tools.runner import get_results, get_runner


def main(bus, entries, build, *sources):
    """0 if every test passed, and there was one."""
    runner = get_runner("icarus")
    if bus == "avalon" and sys.version_info >= (3, 14):
        print("cocotbext-avalon is for Python below 3.14: not run")
        return 0
    top = Path(sources[-1]).stem
    runner.build(sources=sources, hdl_toplevel=top, build_dir=build, always=True, timescale=("1ns", "1ns"))
    results = runner.test(
        test_module="crossing" if bus == "crossing" else "masters",
        hdl_toplevel=top,
        build_dir=build,
        extra_env={
            "HPP_BUS": bus,
            "HPP_ENTRIES": entries,
            "PYTHONPATH": str(Path(__file__).parent),
            "COCOTB_LOG_LEVEL": "WARNING",
        },
    )
    tests, failures = get_results(Path(results))
    print(f"{tests} tests, {failures} failures")
    return 0 if tests > 0 and failures == 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
