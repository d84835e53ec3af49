"""Traces the programs and measures profilers over the traces; what was done is kept in build/accuracy and not done again."""

import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

from programs import BUILD, MACHINES, PROGRAMS, ROOT, STUDY, command, put

HPP = pathlib.Path(os.environ.get("HPP", ROOT / "target/release/hpp"))

# Programs whose hashes begin with chance do the same each time.
SEEDED = {"PYTHONHASHSEED": "0", "PERL_HASH_SEED": "0"}


def say(text):
    """Says what is under way."""
    print(f"accuracy: {text}", file=sys.stderr)


def run(arguments, stdin=None, stdout=subprocess.DEVNULL):
    """Runs a command in the build folder: its status, what it said and wrote, the seconds of processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    source = open(BUILD / stdin) if stdin else subprocess.DEVNULL
    done = subprocess.run(arguments, cwd=BUILD, stdin=source, stdout=stdout, stderr=subprocess.PIPE, encoding="utf-8",
                          errors="replace", env=os.environ | SEEDED)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stderr, done.stdout, seconds


def short(number):
    """A number of instructions in few letters: 1e9."""
    return f"{number:.4g}" if number < 10_000 else re.sub(r"\.?0*e\+0*", "e", f"{number:.3e}")


def trace(machine, name, program, arguments, stdin, limit):
    """Records a program up to so many instructions, unless that was done: the trace's file, or an end of this script."""
    file = BUILD / short(limit) / machine / f"{name}.hpptrace"
    if file.exists():
        return file
    say(f"tracing {name} for {machine}")
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".draft")
    status, said, _, _ = run([HPP, "trace", "--top", "0", "--limit", str(limit), "--sysroot", STUDY / MACHINES[machine][0],
                              "--write", draft, "--"] + command(machine, program, arguments), stdin)
    if status != 0:
        sys.exit(f"accuracy: {name} for {machine}: {said}")
    return draft.rename(file)


def there(machine):
    """The programs that there are for a machine; the names of those that there are not."""
    found = [p for p in PROGRAMS if command(machine, p[2], p[3])]
    return found, [p[0] for p in PROGRAMS if p not in found]


def explore(label, files, flags, again=False):
    """Measures profilers over traces, all of them in one pass over each: what `hpp explore --format json` says.

    What is measured is kept under the label until a trace or a flag changes, or it is to be done again.
    """
    explored = []
    for file in files:
        kept, key = BUILD / label / f"{file.stem}.json", [str(file), file.stat().st_mtime_ns, flags]
        known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() and not again else {}
        if known.get("key") != key:
            say(f"{label}: {file.stem}")
            status, said, out, _ = run([HPP, "explore", "--format", "json"] + flags + [file], stdout=subprocess.PIPE)
            if status != 0:
                sys.exit(f"accuracy: {said}")
            known = {"key": key, "explored": json.loads(out)}
            kept.parent.mkdir(parents=True, exist_ok=True)
            put(kept, json.dumps(known).encode())
        explored += known["explored"]
    return explored


def qemus():
    """Versions of QEMU with plugins that are there, and the program of each: the one that hpp takes, and the one that was built."""
    there = subprocess.run([ROOT / "scripts/tool-paths", "qemu"], check=False, capture_output=True, encoding="utf-8").stdout.strip()
    found = {}
    for program in [pathlib.Path(there)] * bool(there) + [ROOT / ".tools/qemu/bin" / MACHINES["x86-64"][1]]:
        if program.exists():
            told = subprocess.run([program, "--version"], check=True, capture_output=True, encoding="utf-8").stdout
            found.setdefault(re.search(r"version (\d+\.\d+)", told).group(1), program)
    return found


def speed(programs):
    """For each program, run to its end, under each QEMU: its name, the version, million records, and (seconds that passed, seconds of processor
    time) of QEMU alone, of QEMU that calls a plugin for every block which does nothing, with the profile, and with a trace besides. The least of
    three runs each, in turns."""
    callback = HPP.parent / "libcallback.so"
    rows = []
    for name, _, program, arguments, stdin in programs:
        guest = command("x86-64", program, ["words.json" if word == "text" else word for word in arguments])
        root = STUDY / MACHINES["x86-64"][0]
        for version, emulator in qemus().items():
            say(f"speed of {name} under QEMU {version}")
            qemu = [emulator, "-L", root]
            traced = ["env", f"HPP_QEMU={emulator.parent}", HPP, "trace", "--top", "0", "--sysroot", root]
            commands = [qemu + guest, qemu + ["-plugin", callback] + guest, traced + ["--"] + guest,
                        traced + ["--write", "speed.hpptrace", "--"] + guest]
            runs = [[timed(command, stdin) for command in commands] for _ in range(3)]
            least = [[min(seconds) for seconds in zip(*of_one)] for of_one in zip(*((run[:2] for run in of_all) for of_all in runs))]
            records = re.search(r"([0-9.]+) million branch records", runs[0][2][2]).group(1)
            (BUILD / "speed.hpptrace").unlink()
            rows.append((name, version, float(records), *least))
    return rows


def timed(arguments, stdin):
    """Runs a command in the build folder: the seconds that passed, those of processor time, and what it said."""
    began = time.monotonic()
    _, said, _, processor = run(arguments, stdin)
    return time.monotonic() - began, processor, said
