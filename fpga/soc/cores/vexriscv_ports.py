#!/usr/bin/env python3
"""Gives VexRiscv's module the outputs that the profiler's ingress of a last stage reads.

    vexriscv_ports.py CORE.v OUT.v

CORE.v is a VexRiscv as SpinalHDL writes it (the wheel pythondata-cpu-vexriscv carries nineteen); OUT.v is the same
text with more outputs, for any tool that reads Verilog:

    retire_fires        an instruction leaves the last stage, and is done
    retire_traps        a trap is taken
    retire_insn[31:0]   instruction in the last stage; a compressed one as the 32 bits that it stands for
    retire_expanded     it is a compressed one
    retire_pc[31:0]     its address, or the address a trap returns to

and of a core with address spaces two more, in force for what is in the last stage:

    retire_privileged   it is not in user mode
    retire_asid[8:0]    identifier of the address space, from satp

The text has to hold what the outputs are made of; a text that does not is refused, and nothing is written.
Needs nothing but Python 3.
"""

import argparse
import os
import re
import sys
import tempfile

MODULE = "VexRiscv"

PORTS = """\
  output              retire_fires,
  output              retire_traps,
  output     [31:0]   retire_insn,
  output              retire_expanded,
  output     [31:0]   retire_pc,
"""

ADDRESS_SPACES = """\
  output              retire_privileged,
  output     [8:0]    retire_asid,
"""

# A write to satp waits until the stages behind it are empty, and privilege changes as a trap or a return from one leaves the last stage.
ADDRESS_SPACE_ASSIGNMENTS = """\

  assign retire_privileged = (CsrPlugin_privilege != 2'b00);
  assign retire_asid = MmuPlugin_satp_asid;"""

ASSIGNMENTS = """

  assign retire_fires = lastStageIsFiring{program};
  assign retire_traps = (CsrPlugin_hadException || CsrPlugin_interruptJump){program};
  assign retire_insn = lastStageInstruction;
  assign retire_pc = lastStagePc;
"""

WORD = r"\[31:0\]\s+"

# What the module must say, and what of the outputs is wrong if it does not.
REQUIRED = [
    (rf"wire\s+{WORD}lastStagePc\b", "a wire lastStagePc of 32 bits"),
    (rf"wire\s+{WORD}lastStageInstruction\b", "a wire lastStageInstruction of 32 bits"),
    (r"wire\s+lastStageIsFiring\b", "a wire lastStageIsFiring"),
    (r"reg\s+CsrPlugin_hadException\b", "a register CsrPlugin_hadException"),
    (r"wire\s+CsrPlugin_interruptJump\b", "a wire CsrPlugin_interruptJump"),
    (r"assign lastStagePc = writeBack_PC;", "the write-back stage as the last one"),
    (r"CsrPlugin_mepc <= writeBack_PC;", "the last stage's address as what a trap returns to"),
]

# What a debugger lets a halted core execute is not of the program.
HALTED = "DebugPlugin_godmode"

# Compressed instructions reach the last stage expanded. How long they were is known up to the execute stage; two registers carry it on,
# each with the instruction itself.
COMPRESSED = "execute_IS_RVC"

CARRIED = """

  reg                 retire_memory_IS_RVC;
  reg                 retire_writeBack_IS_RVC;

  assign retire_expanded = retire_writeBack_IS_RVC;

  always @(posedge clk) begin
    if({memory}) begin
      retire_memory_IS_RVC <= execute_IS_RVC;
    end
    if({writeBack}) begin
      retire_writeBack_IS_RVC <= retire_memory_IS_RVC;
    end
  end
"""


class CoreError(Exception):
    """The core's text is not one that the outputs can be made from."""


def add_ports(text):
    """The Verilog `text` of a VexRiscv with the outputs. Raises CoreError if it lacks what they are made of."""
    headers = list(re.finditer(rf"^module {MODULE} \(\n", text, re.MULTILINE))
    if len(headers) != 1:
        raise CoreError(f"{len(headers)} modules '{MODULE}' with a port list, not one")
    begin = headers[0].end()
    end = text.find("\nendmodule", begin)
    if end < 0:
        raise CoreError(f"module '{MODULE}' has no end")
    body = text[begin:end]
    if re.search(r"\bretire_fires\b", body):
        raise CoreError("it has the outputs already")
    for pattern, meaning in REQUIRED:
        if not re.search(pattern, body):
            raise CoreError(f"module '{MODULE}' does not have {meaning}; is it a VexRiscv with machine-mode CSRs?")
    program = f" && !{HALTED}" if re.search(rf"\breg\s+{HALTED}\b", body) else ""
    assignments = ASSIGNMENTS.rstrip("\n").format(program=program)
    ports = PORTS
    if re.search(r"\breg\s+\[8:0\]\s+MmuPlugin_satp_asid\b", body):
        ports += ADDRESS_SPACES
        assignments += ADDRESS_SPACE_ASSIGNMENTS
    return text[:begin] + ports + body + assignments + _expanded(body) + text[end:]


def _expanded(body):
    """The output that tells compressed instructions."""
    if not re.search(rf"\bwire\s+{COMPRESSED}\b", body):
        return "\n  assign retire_expanded = 1'b0;"
    conditions = {
        stage: _condition(body, f"{before}_to_{stage}_INSTRUCTION")
        for before, stage in (("execute", "memory"), ("memory", "writeBack"))
    }
    return CARRIED.rstrip("\n").format(**conditions)


def _condition(body, register):
    """When the register of a stage takes its next value."""
    found = re.search(rf"if\((\w+)\) begin\n\s+{register} <= ", body)
    if not found:
        raise CoreError(f"module '{MODULE}' has compressed instructions, but no register {register} under a condition of its own")
    return found[1]


def write_whole(path, text):
    """Writes the file in one step: it is there complete, or as it was."""
    folder = os.path.dirname(os.path.abspath(path))
    descriptor, draft = tempfile.mkstemp(dir=folder, prefix=".vexriscv_ports-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(draft, 0o644)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


def main():
    """Reads the command line; 0 if the file was written."""
    parser = argparse.ArgumentParser(description="Give VexRiscv's module outputs that show its last stage.")
    parser.add_argument("core", metavar="CORE.v", help="Verilog of the core, as SpinalHDL writes it")
    parser.add_argument("out", metavar="OUT.v", help="where the text with the outputs goes")
    arguments = parser.parse_args()
    try:
        with open(arguments.core, encoding="utf-8") as file:
            text = file.read()
        write_whole(arguments.out, add_ports(text))
    except CoreError as error:
        print(f"vexriscv_ports: {arguments.core}: {error}", file=sys.stderr)
        return 1
    except (OSError, UnicodeDecodeError) as error:
        print(f"vexriscv_ports: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
