"""A GDB command that reads a profile through the debugger's connection, without firmware:

    (gdb) source fpga/host/hpp_gdb.py
    (gdb) hpp-dump hpp.json 0x20000000 profile.txt
"""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import hpp_read  # noqa: E402  pylint: disable=wrong-import-position


def read(address):
    """A word of the target."""
    try:
        return int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, 4)), "little")
    except gdb.error as error:
        raise hpp_read.ReadError(str(error)) from error


def write(address, value):
    """A word of the target."""
    try:
        gdb.selected_inferior().write_memory(address, value.to_bytes(4, "little"))
    except gdb.error as error:
        raise hpp_read.ReadError(str(error)) from error


class Dump(gdb.Command):
    """hpp-dump MANIFEST BASE FILE: read the profiler whose registers are at BASE, and write its profile into FILE.

    MANIFEST is the hpp.json that gen-verilog wrote; `hpp report FILE --elf PROGRAM` shows the profile."""

    def __init__(self):
        super().__init__("hpp-dump", gdb.COMMAND_DATA)

    def invoke(self, argument, _from_tty):
        """Called by GDB."""
        words = gdb.string_to_argv(argument)
        if len(words) != 3:
            raise gdb.GdbError("hpp-dump MANIFEST BASE FILE")
        manifest, base, file = words
        draft = f"{file}.draft"
        try:
            # What is read may be nowhere else afterwards, so first a place for it.
            with open(draft, "w", encoding="utf-8") as out:
                registers = hpp_read.Registers(manifest, int(gdb.parse_and_eval(base)), read, write)
                out.write(hpp_read.dump(registers))
            os.replace(draft, file)
        except (hpp_read.ReadError, OSError, gdb.error) as error:
            if os.path.exists(draft):
                os.unlink(draft)
            raise gdb.GdbError(f"hpp-dump: {error}") from error


Dump()
