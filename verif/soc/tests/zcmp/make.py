#!/usr/bin/env python3
"""make.py COMPILER NAME [OPTION]...: program.c in assembly, with Zcmp (NAME-zcmp/program.S) and without (NAME-plain), for any assembler.

Assemblers before binutils 2.42 do not know Zcmp: its instructions are numbers here. What is not needed to find lines is left out.

    make.py clang-23 clang --target=riscv32-unknown-elf -Os -gline-tables-only
    make.py riscv64-linux-gnu-gcc-16 gcc -Os -g1
"""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
EXPECTED = 1250900992
PUSHES = {"cm.push": 0xB802, "cm.pop": 0xBA02, "cm.popretz": 0xBC02, "cm.popret": 0xBE02}
LEFT_OUT = re.compile(r"\s*\.(cfi_|attribute|option|addrsig|ident|section\s+\.(debug|note|llvm))")


# The unit that tells readers of debugging information that there are lines.
UNIT = """\
	.text
.Lend:
	.section .debug_line,"",@progbits
.Llines:
	.section .debug_abbrev,"",@progbits
	.byte 1, 0x11 # a unit
	.byte 0, 0x10, 0x17, 0x11, 0x01, 0x12, 0x01, 0x03, 0x08, 0, 0, 0 # without children: lines, from, to, name
	.section .debug_info,"",@progbits
	.4byte .Lunit_end - .Lunit
.Lunit:
	.2byte 4
	.4byte .debug_abbrev
	.byte 4
	.byte 1
	.4byte .Llines
	.4byte .Lbegin
	.4byte .Lend
	.string "program.c"
.Lunit_end:
"""


def encoded(name, registers, adjustment):
    """The half word of an instruction that pushes or pops. Its list holds ra, and s0 up to the last register of the text."""
    last = re.search(r"s(\d+)\}", registers)
    if not last and "," in registers:
        raise ValueError(f"{registers}: a form of list that is not known here")
    held = 4 if last is None else min(int(last[1]), 10) + 5
    smallest = 64 if held == 15 else 16 * (held // 4)
    return PUSHES[name] | held << 4 | (abs(int(adjustment)) - smallest) // 16 << 2


def lines(assembly):
    for line in assembly.splitlines():
        if re.match(r"\s*\.section\s+\.debug", line):
            break  # nothing but debugging information follows
        if LEFT_OUT.match(line):
            continue
        line = line.split("#")[0].rstrip()
        pushes = re.match(r"\t(cm\.\w+)\s+(\{.*\}),\s*(-?\d+)", line)
        if pushes:
            line = f"\t.insn 2, {encoded(*pushes.groups()):#06x} # {pushes[0].strip()}"
        place = re.match(r"\t\.loc\t?\s*\d+ (\d+)", line)
        if place:
            line = f"\t.loc 1 {place[1]}"
        if not line or re.match(r"\s*\.file|\.L(func_begin|tmp|F|VL|BF)\w*\d:$|\.LB[BE]\d+:$|\.L(text|etext)0:", line):
            continue
        yield line


def main():
    compiler, name, *options = sys.argv[1:]
    version = subprocess.run([compiler, "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    for form, isa in (("plain", "rv32imc"), ("zcmp", "rv32imc_zcmp")):
        options_of_all = [f"-march={isa}", "-mabi=ilp32", "-ffreestanding", "-fno-pic", "-fwrapv", f"-DEXPECTED={EXPECTED}"]
        command = [compiler, *options, *options_of_all, "-S", "-o", "-", "program.c"]
        assembly = subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE).stdout
        made = [f"# program.c by {version}: {' '.join(options)} -march={isa}", '\t.file 1 "program.c"', "\t.text", ".Lbegin:", *lines(assembly)]
        folder = HERE / f"{name}-{form}"
        folder.mkdir(exist_ok=True)
        (folder / "program.S").write_text("\n".join(made) + "\n" + UNIT)


main()
