#!/usr/bin/env python3
"""Boots Debian's kernels with two programs under `hpp trace --system`, and records what docs/tracing.md shows of it, the figures `machines`.

Needs target/release/hpp and what scripts/setup-tools.sh --system fetches. Everything is made in build/machines.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/machines"
TOOLS = ROOT / ".tools/system"
HPP = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/hpp"
SOURCES = ROOT / "cli/hpp/tests/trace/programs"
PROGRAMS = ["init", "sort", "sieve"]
WORDS = "console=ttyS0 nokaslr quiet"

# What the page shows of the boot, and how it is called there.
TRACE = r"""$ hpp trace --system --top 0 --profile linux.txt --write linux.hpptrace -- qemu-system-riscv64 -M virt -m 512M -nographic \
    -kernel .tools/system/vmlinux -initrd initrd -append "console=ttyS0 nokaslr quiet"
..."""
REPORT = "$ hpp report linux.txt --program vmlinux.elf --program init --program sort --program sieve --top 1"


def run(*arguments, accepted=(0,)):
    """Runs a command in the build folder: what it wrote and said, or an end of this script if its status is not accepted."""
    try:
        done = subprocess.run(arguments, cwd=BUILD, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", check=False)
    except OSError as error:
        sys.exit(f"measure-machines: {arguments[0]}: {error}; remedy: scripts/setup-tools.sh --system, or for a compiler apt-get install gcc-riscv64-linux-gnu")
    if done.returncode not in accepted:
        sys.exit(f"measure-machines: {' '.join(map(str, arguments))}:\n{done.stderr}")
    return done.stdout + done.stderr


def find(pattern, said):
    """The groups of the first match at the beginning of a line."""
    match = re.search(pattern, said, re.M)
    if not match:
        sys.exit(f"measure-machines: nothing like `{pattern}` in:\n{said}")
    return match.groups()


def archive(files):
    """An initial file system, in the format `newc`."""
    data = bytearray()

    def add(name, mode, content=b"", device=(0, 0)):
        fields = [1, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(name) + 1, 0]
        for part in (b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0", content):
            data.extend(part + b"\0" * (-(len(data) + len(part)) % 4))

    add("dev", 0o40755)
    add("proc", 0o40755)
    add("dev/console", 0o20600, device=(5, 1))
    for file in files:
        add(file.name, 0o100755, file.read_bytes())
    add("TRAILER!!!", 0)
    return bytes(data)


class Machine:
    """A machine with the kernel and the programs for it."""

    def __init__(self, name, qemu, kernel):
        self.folder = BUILD / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.profile = self.folder / "linux.txt"
        self.programs = [self.folder / program for program in PROGRAMS]
        for program in self.programs:
            run(f"{name}-linux-gnu-gcc", "-static", "-O2", "-g", "-o", program, SOURCES / f"{program.name}.c")
        initrd = self.folder / "initrd"
        initrd.write_bytes(archive(self.programs))
        self.command = [TOOLS / "bin" / qemu[0], *qemu[1:], "-m", "512M", "-nographic", "-kernel", TOOLS / kernel, "-initrd", initrd, "-append"]

    def trace(self, *options):
        """What `hpp trace` says of the boot; millions of instructions and seconds."""
        said = run(HPP, "trace", "--system", "--top", "0", "--profile", self.profile, *options, "--", *self.command, WORDS)
        instructions, seconds = find(r"^([\d.,]+) million instructions, .* in ([\d.]+) s", said)
        return said, {"instructions": f"{float(instructions.replace(',', '')):,.0f}", "seconds": f"{float(seconds):.0f}"}

    def report(self):
        """What `hpp report` says of the boot's contexts. Its status 3 is of the kernel's code that the ELF file does not have."""
        elf = self.folder / "vmlinux.elf"
        run(sys.executable, ROOT / "scripts/kernel-elf.py", elf, *self.command, f"{WORDS} symbols")
        programs = [f"--program={program}" for program in [elf, *self.programs]]
        return run(HPP, "report", self.profile, *programs, "--top", "1", accepted=(0, 3)).replace(f"{self.folder}/", "")


def chosen(pattern, said):
    """The lines that begin so, from the first to the last, and `...` for those between."""
    lines = [line.rstrip() if re.match(pattern, line) else "..." for line in said.splitlines()]
    runs = [line for line, before in zip(lines, ["...", *lines]) if (line, before) != ("...", "...")]
    return runs[:-1] if runs[-1:] == ["..."] else runs


def hottest(report):
    """Of each context with a hundredth of the profile or more: its program and its hottest path."""
    lines = []
    for part in re.split(r"^(?=context \d+: )", report, flags=re.M)[1:]:
        rows = [line.rstrip() for line in part.splitlines()]
        table = [at for at, row in enumerate(rows) if re.match(r" *# ", row)]
        if table and float(find(r": ([\d.]+) %", rows[0])[0]) >= 1:
            lines += ["...", rows[0], "...", *rows[table[0]:table[0] + 2]]
    return lines


def contexts(trace):
    """What one table for all costs each context, under two policies."""
    rows = {}
    for policy in ("lfu", "shadow"):
        said = run(HPP, "replay", trace, "--context-bits", "8", "--each-context", "--replacement", policy)
        for context, counted, shared, alone in re.findall(r"^(context \d+|all) +([\d,]+) +([\d.]+ %) +([\d.]+ %)$", said, re.M):
            rows.setdefault(context, [context, counted]).extend([shared, alone])
    head = ["paths of", "counted", "LFU, shared", "LFU, alone", "shadow, shared", "shadow, alone"]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] + ["---:"] * 5, *rows.values()])


def fenced(*lines):
    """A block of the page."""
    return "\n".join(["```text", *lines, "```"])


def main():
    if not (TOOLS / "bin/qemu-system-x86_64").exists():
        sys.exit("measure-machines: no QEMU for machines; remedy: scripts/setup-tools.sh --system")
    riscv = Machine("riscv64", ["qemu-system-riscv64", "-M", "virt"], "vmlinux")
    trace = riscv.folder / "linux.hpptrace"
    said, figures = riscv.trace("--write", trace)
    figures |= {"boot": fenced(TRACE, *chosen(r"[\d,]+ paths completed|overlap|context \d", said)), "contexts": contexts(trace), "report": fenced(REPORT, *hottest(riscv.report()))}
    trace.unlink()
    x86 = Machine("x86_64", ["qemu-system-x86_64"], "vmlinuz-x86_64")
    _, measured = x86.trace("--replacement", "shadow")
    measured["kernel"] = find(r"^context 1: .* ([\d.]+) % of its paths are in vmlinux.elf", x86.report())[0]
    figures |= {f"x86.{name}": figure for name, figure in measured.items()}
    command = [sys.executable, ROOT / "scripts/figures.py", "record", "machines"]
    subprocess.run(command + [f"{name}={value}" for name, value in figures.items()], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
