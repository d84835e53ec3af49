#!/usr/bin/env python3
"""kernel-elf.py ELF QEMU ARGUMENT...: an ELF file of a Linux kernel for hpp report, where its vmlinux is not at hand.

QEMU boots the kernel with nokaslr. What runs there prints /proc/kallsyms on the first serial line and switches the machine off. The functions are those of
the kernel's text, with the code that is in memory then: also what the kernel patched as it booted. What it freed, as the functions of its beginning, is not
there. Needs the assembler and the linker of the machine, x86_64-linux-gnu or riscv64-linux-gnu.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The firmware's control sequences may stand before the first.
LINE = re.compile(r"(?:^|[^0-9a-f])([0-9a-f]{16}) [tT] ([A-Za-z_][\w.$]*)\s*$")
FLAGS = {"x86_64": [], "riscv64": ["-march=rv64gcv"]}


def fail(problem):
    sys.exit(f"kernel-elf: {problem}")


def places(lines):
    """Addresses and names of the functions of the text, in order, of several at an address the first; and the text's end."""
    matches = [match for match in map(LINE.search, lines) if match]
    marks = {match[2]: int(match[1], 16) for match in matches}
    start, end = marks.get("_stext"), marks.get("_etext")
    if not start or not end:
        fail("the serial line has no kernel symbols; does what runs there print /proc/kallsyms, as root?")
    found = {}
    for match in matches:
        if start <= int(match[1], 16) < end:
            found.setdefault(int(match[1], 16), match[2])
    return sorted(found.items()), end


class Machine:
    """QEMU, until it is off and its memory can be read."""

    def __init__(self, command, serial):
        own = ["-serial", f"file:{serial}", "-monitor", "none", "-qmp", "stdio", "-no-shutdown", "-no-reboot"]
        self.process = subprocess.Popen([*command, *own], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("qmp_capabilities")
        self.until(lambda said: said.get("event") == "SHUTDOWN")

    def ask(self, command, **arguments):
        try:
            print(json.dumps({"execute": command, "arguments": arguments}), file=self.process.stdin, flush=True)
        except BrokenPipeError:
            fail("QEMU ended; what it said is above")
        answer = self.until(lambda said: "return" in said or "error" in said)
        if "error" in answer:
            fail(f"QEMU does not do {command}: {answer['error']['desc']}")

    def until(self, wanted):
        for line in self.process.stdout:
            said = json.loads(line)
            if wanted(said):
                return said
        fail("QEMU ended before the machine was off; what it said is above")


def assembly(code, found, end):
    """The text as a section, and its functions, each up to the next."""
    base = found[0][0]
    lines = ['.section .text,"ax"', "base:", f'.incbin "{code}"']
    names = set()
    for (address, name), (following, _) in zip(found, found[1:] + [(end, "")]):
        if name not in names:
            names.add(name)
            lines.append(f'.type "{name}",@function\n.set "{name}",base+{address - base}\n.size "{name}",{following - address}')
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip().splitlines()[0])
    elf, *command = sys.argv[1:]
    machine = Path(command[0]).name.removeprefix("qemu-system-")
    if machine not in FLAGS:
        fail(f"{command[0]} is none of {', '.join('qemu-system-' + name for name in FLAGS)}")
    with tempfile.TemporaryDirectory() as folder:
        serial, code, source, part = (Path(folder, name) for name in ["serial", "code", "kernel.s", "kernel.o"])
        try:
            booted = Machine(command, serial)
            try:
                found, end = places(serial.read_text(errors="replace").splitlines())
                base = found[0][0]
                booted.ask("memsave", val=base, size=end - base, filename=str(code))
                booted.ask("quit")
                booted.process.wait()
            finally:
                booted.process.kill()
            source.write_text(assembly(code, found, end))
        except OSError as error:
            fail(error)
        tools = f"{machine}-linux-gnu"
        for build in [
            [f"{tools}-as", *FLAGS[machine], source, "-o", part],
            [f"{tools}-ld", f"-Ttext={base:#x}", "-e", f"{base:#x}", "-o", elf, part],
        ]:
            try:
                subprocess.run(build, check=True)
            except (OSError, subprocess.CalledProcessError) as error:
                fail(f"{error}; remedy: apt-get install binutils-{tools.replace('_', '-')}")


main()
