#!/usr/bin/env python3
"""How long programs take under `hpp trace`, as ratios to QEMU alone: of elapsed time, and of the processor time of all threads.

    trace-speed.py [--runs N] [--earlier PLUGIN] [--flags=FLAGS]... PROGRAM...

A program is one argument: its command line. All ways run in turns, N times (5); printed are medians of the ratios within a turn. The ways are `hpp trace`
as it is, and with QEMU's calls left in place (HPP_TRACE_PATCH=0); with --earlier, a plugin of another build (libhpp_qemu.so); with --flags=..., `hpp trace` with
these flags, such as "--replacement shadow". HPP_QEMU names a folder with another QEMU, HPP the command. For programs of x86-64.
"""

import argparse
import os
import pathlib
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HPP = os.environ.get("HPP", ROOT / "target/release/hpp")


def run(command, **environment):
    """Seconds that pass and of processor time."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    # Programs whose hashes begin with chance do the same each time.
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
                          env=os.environ | {"PERL_HASH_SEED": "0", "PYTHONHASHSEED": "0"} | environment)
    elapsed, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"trace-speed: {shlex.join(map(str, command))} ended with {done.returncode}: {done.stderr}")
    return elapsed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--earlier")
    parser.add_argument("--flags", action="append", default=[])
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    folder = os.environ.get("HPP_QEMU") or pathlib.Path(subprocess.check_output([ROOT / "scripts/tool-paths", "qemu"], encoding="utf-8").strip()).parent
    qemu = pathlib.Path(folder, "qemu-x86_64")
    with tempfile.TemporaryDirectory() as scratch:
        ways = [("as it is", [], {}), ("calls", [], {"HPP_TRACE_PATCH": "0"})]
        if arguments.earlier:
            ways.insert(0, ("earlier", [], {"HPP_QEMU_PLUGIN": os.path.abspath(arguments.earlier)}))
        ways += [(flags, shlex.split(flags.replace("FILE", f"{scratch}/trace")), {}) for flags in arguments.flags]
        version = subprocess.check_output([qemu, "--version"], encoding="utf-8").splitlines()[0]
        print(f"{version}; {arguments.runs} runs\n\n| program | QEMU alone, s | " + " | ".join(name for name, _, _ in ways) + " |")
        print("| --- |" + " ---: |" * (len(ways) + 1))
        for program in arguments.programs:
            guest, turns, alone = shlex.split(program), [], []
            guest[0] = shutil.which(guest[0]) or guest[0]
            for _ in range(arguments.runs):
                plain = run([qemu] + guest)
                traced = [run([HPP, "trace", "--top", "0"] + flags + ["--"] + guest, HPP_QEMU=str(folder), **environment) for _, flags, environment in ways]
                alone.append(plain[0])
                turns.append([[seconds / base for seconds, base in zip(one, plain)] for one in traced])
            medians = [[statistics.median(ratios) for ratios in zip(*way)] for way in zip(*turns)]
            print(f"| `{program}` | {statistics.median(alone):.1f} | " + " | ".join(f"{elapsed:.2f} / {processor:.2f}" for elapsed, processor in medians) + " |", flush=True)


main()
