#!/usr/bin/env python3
"""kernel-elf.py IMAGE SYMBOLS ELF: an ELF file of an RV64 kernel that was booted with nokaslr, for hpp report, where its vmlinux is not at hand.

IMAGE is the kernel that was booted; SYMBOLS has the lines of its /proc/kallsyms, other text included. Code that the kernel patches as it boots is there as it
was before. Needs the assembler and the linker of riscv64-linux-gnu.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BASE = 0xFFFF_FFFF_8000_0000
LINE = re.compile(r"^([0-9a-f]{16}) [tT] ([A-Za-z_][\w.$]*)\s*$")


def symbols(path):
    """Offsets and names, in order; of several at an offset the first."""
    found = {}
    for line in path.read_text(errors="replace").splitlines():
        match = LINE.match(line)
        if match and int(match[1], 16) >= BASE:
            found.setdefault(int(match[1], 16) - BASE, match[2])
    return sorted(found.items())


def assembly(image, places):
    """The kernel as a section, and its functions, each up to the next."""
    lines = ['.section .text,"ax"', "base:", f'.incbin "{image.resolve()}"']
    names = set()
    for (offset, name), (end, _) in zip(places, places[1:] + [(image.stat().st_size, "")]):
        if name not in names and offset < end:
            names.add(name)
            lines.append(f'.type "{name}",@function\n.set "{name}",base+{offset}\n.size "{name}",{end - offset}')
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.strip().splitlines()[0])
    image, kallsyms, elf = map(Path, sys.argv[1:])
    try:
        places = symbols(kallsyms)
        if not places:
            sys.exit(f"kernel-elf: {kallsyms} has no functions at {BASE:#x} and above; was the kernel booted with nokaslr, and read as root?")
        text = assembly(image, places)
    except OSError as error:
        sys.exit(f"kernel-elf: {error}")
    with tempfile.TemporaryDirectory() as folder:
        source, part = Path(folder, "kernel.s"), Path(folder, "kernel.o")
        source.write_text(text)
        commands = [
            ["riscv64-linux-gnu-as", "-march=rv64gcv", source, "-o", part],
            ["riscv64-linux-gnu-ld", f"-Ttext={BASE:#x}", "-e", f"{BASE:#x}", "-o", elf, part],
        ]
        for command in commands:
            try:
                subprocess.run(command, check=True)
            except (OSError, subprocess.CalledProcessError) as error:
                sys.exit(f"kernel-elf: {error}; remedy: apt-get install binutils-riscv64-linux-gnu")


main()
