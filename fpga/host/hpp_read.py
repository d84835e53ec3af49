#!/usr/bin/env python3
"""Reads a profile from a running system without firmware, and prints it for `hpp report`.

    hpp_read.py hpp.json --base 0x20000000 --openocd [HOST:]PORT       OpenOCD's Tcl server (tcl_port, 6666 by default)
    hpp_read.py hpp.json --litex csr.csv                               litex_server, on a UART, Ethernet or PCIe bridge

`hpp.json` is the manifest that gen-verilog wrote: names, offsets and fields of the registers come from it. The table is frozen while it
is read; what CONTROL held is put back. What waits in a drain is taken out of it. For GDB there is hpp_gdb.py.
"""

import argparse
import json
import socket
import sys
import zlib

ID_VALUE = 0x48505031


class ReadError(Exception):
    """A profiler that cannot be read, with the remedy."""


class Registers:
    """The registers of a manifest, behind two functions that read and write a word at an address."""

    def __init__(self, manifest, base, read, write):
        try:
            with open(manifest, encoding="utf-8") as file:
                self.manifest = json.load(file)
        except (OSError, ValueError) as error:
            raise ReadError(f"{manifest}: {error}; it should be the hpp.json that gen-verilog wrote") from error
        try:
            self.registers = {register["name"]: register for register in self.manifest["registers"]}
        except (KeyError, TypeError) as error:
            raise ReadError(f"{manifest} is no manifest of a profiler; it should be the hpp.json that gen-verilog wrote") from error
        if not self.registers:
            raise ReadError(f"{manifest}: a profiler without a bus has no registers to read")
        self.base, self.read_word, self.write_word = base, read, write

    def register(self, name):
        """What the manifest says of a register."""
        if name not in self.registers:
            raise ReadError(f"the manifest has no register {name}, which this profiler has; give the hpp.json that it was generated with")
        return self.registers[name]

    def read(self, name, word=0):
        """A register, or the one so many words behind it."""
        return self.read_word(self.base + self.register(name)["offset"] + 4 * word)

    def write(self, name, value):
        """A register, whole."""
        self.write_word(self.base + self.register(name)["offset"], value)

    def _place(self, register, name):
        for field in self.register(register)["fields"]:
            if field["name"] == name:
                return field["lsb"], (1 << field["width"]) - 1
        raise ReadError(f"the manifest's register {register} has no field {name}; give the hpp.json that the profiler was generated with")

    def field(self, register, name, word):
        """The value of a field in a word of its register."""
        lsb, ones = self._place(register, name)
        return word >> lsb & ones

    def mask(self, register, name):
        """The bits of a field."""
        lsb, ones = self._place(register, name)
        return ones << lsb


class Text:
    """The dump: numbered lines, each with the CRC-32 of its text (docs/dump.md)."""

    def __init__(self):
        self.lines = []
        self.checks = 0

    def line(self, name, words):
        """A line of words."""
        self._checked(f"{len(self.lines):x} {name}" + "".join(f" {word:x}" for word in words))

    def _checked(self, text):
        check = zlib.crc32(text.encode())
        self.checks = (self.checks + check) & 0xFFFFFFFF
        self.lines.append(f"{text} *{check:x}")

    def finish(self):
        """The whole text."""
        last = f"HPP dump 2 ends {len(self.lines):x} {self.checks:x}"
        last += f" *{zlib.crc32(last.encode()):x}"
        return "\n".join(["HPP dump 2 begins", *self.lines, last]) + "\n"


def dump(registers):
    """The profile as text."""
    found = registers.read("ID")
    if found != ID_VALUE:
        raise ReadError(f"ID at {registers.base:#x} is {found:#x}, not {ID_VALUE:#x}: no profiler there")
    geometry = [registers.read(f"GEOMETRY{word}") for word in range(4)]
    expected = [registers.register(f"GEOMETRY{word}")["reset"] for word in range(4)]
    control = registers.read("CONTROL")
    freeze = registers.mask("CONTROL", "FREEZE")
    registers.write("CONTROL", control | freeze)
    try:
        text = frozen(registers, geometry, expected)
    except BaseException as error:
        try:
            registers.write("CONTROL", control)
        except ReadError:
            raise ReadError(f"{error}; CONTROL.FREEZE is still set, which keeps the table as it is") from error
        raise
    registers.write("CONTROL", control)
    return text


def frozen(registers, geometry, expected):
    """The profile of a frozen table."""
    text = Text()
    configuration = registers.manifest.get("configuration_hash", "-") if geometry == expected else "-"
    text.line(f"configuration {configuration}", [])
    text.line("program -", [])
    # A profiler with nothing beyond its sizes prints neither.
    text.line("geometry", geometry if geometry[3] else geometry[:3])
    text.line("ppcr", [registers.read("PPCR_ROWS", word) for word in range(2)])
    text.line("errors", [registers.read("ERRORS")])
    # Each low word latches its high word: in this order.
    text.line("counters", [registers.read("RECORDS_LO", word) for word in range(16)])
    if geometry[3]:
        text.line("context", [registers.read("CONTEXT"), registers.read("REPAIRS")])
    drains = registers.field("GEOMETRY3", "LOG2_DRAIN_DEPTH", geometry[3]) != 0
    # What is taken out of a drain is nowhere else: last of all.
    table = list(entries(registers, geometry))
    left = take(registers, geometry) if drains else {}
    if drains:
        # The low word of what was lost latches its high word.
        lost = [registers.read("DRAIN_LOST"), *(registers.read("DRAIN_LOST_COUNT_LO", word) for word in range(2))]
        text.line("drain", [registers.read("DRAIN_STATUS"), *lost])
    for entry in table:
        text.line("entry", entry)
    for path, count in left.items():
        text.line("left", [*path, count & 0xFFFFFFFF, count >> 32])
    return text.finish()


def take(registers, geometry):
    """What waits in the drain, unless it leaves through ports: taken out of it, and added up by path."""
    left = {}
    if registers.field("DRAIN_CONTROL", "STREAM", registers.read("DRAIN_CONTROL")):
        return left
    start_bits = registers.field("GEOMETRY0", "PC_BITS", geometry[0])
    start_bits += registers.field("GEOMETRY3", "CONTEXT_BITS", geometry[3])
    branches = registers.field("GEOMETRY0", "MAX_BRANCHES", geometry[0])
    names = ["DRAIN_START_LO", *["DRAIN_START_HI"] * (start_bits > 32)]
    names += ["DRAIN_OUTCOMES_LO", *["DRAIN_OUTCOMES_HI"] * (branches > 32), "DRAIN_LENGTH"]
    taken = 0
    try:
        while count := registers.read("DRAIN_COUNT"):
            path = tuple(registers.read(name) for name in names)
            registers.write("DRAIN_COMMAND", registers.mask("DRAIN_COMMAND", "TAKE"))
            left[path] = left.get(path, 0) + count
            taken += 1
    except ReadError as error:
        raise ReadError(f"{error}; {taken} entries were taken out of the drain before, and are lost") from error
    return left


def entries(registers, geometry):
    """Number and words of each entry in use."""
    sets = 1 << registers.field("GEOMETRY0", "LOG2_SETS", geometry[0])
    words = registers.field("GEOMETRY2", "ENTRY_WORDS", geometry[2])
    registers.write("TABLE_INDEX", 0)
    for number in range(sets * registers.field("GEOMETRY0", "WAYS", geometry[0])):
        entry = [registers.read("TABLE_DATA") for _ in range(words)]
        if entry[-1] != 0:
            yield [number, *entry]


class OpenOcd:
    """OpenOCD's Tcl server: commands and answers end with 0x1a."""

    def __init__(self, place):
        host, _, port = place.rpartition(":")
        if not (port.isascii() and port.isdigit() and 0 < int(port) < 0x10000):
            raise ReadError(f"{place}: `{port}` is no port; --openocd takes the number of OpenOCD's tcl_port, such as 6666 or localhost:6666")
        try:
            self.connection = socket.create_connection((host or "localhost", int(port)), timeout=10)
        except OSError as error:
            raise ReadError(f"{place}: {error}; is OpenOCD running, with its tcl_port there?") from error

    def _command(self, command):
        try:
            answer = self._answer(command)
        except OSError as error:
            # An answer that comes later would be taken for that of another command.
            self.connection.close()
            raise ReadError(f"OpenOCD: {error}; does it reach the target?") from error
        return answer[:-1].decode(errors="replace").strip()

    def _answer(self, command):
        self.connection.sendall(command.encode() + b"\x1a")
        answer = b""
        while not answer.endswith(b"\x1a"):
            part = self.connection.recv(4096)
            if not part:
                raise ReadError("OpenOCD has closed the connection")
            answer += part
        return answer

    def read(self, address):
        """A word."""
        answer = self._command(f"read_memory {address:#x} 32 1")
        try:
            return int(answer, 0)
        except ValueError:
            raise ReadError(f"OpenOCD reads {address:#x}: {answer or 'nothing'}") from None

    def write(self, address, value):
        """A word."""
        answer = self._command(f"write_memory {address:#x} 32 {{{value:#x}}}")
        if answer:
            raise ReadError(f"OpenOCD writes {address:#x}: {answer}")


def litex(csr_csv):
    """Functions of a LiteX system's bridge, and where its profiler is."""
    try:
        from litex import RemoteClient  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        raise ReadError(f"--litex needs the Python package litex: {error}; run this where LiteX is installed, or read by --openocd") from error

    try:
        client = RemoteClient(csr_csv=csr_csv)
        client.open()
    except (OSError, ValueError) as error:
        raise ReadError(f"{csr_csv}: {error}; is it the system's csr.csv, and is litex_server running?") from error
    def told(access):
        def call(*words):
            try:
                return access(*words)
            except OSError as error:
                raise ReadError(f"litex_server: {error}; does it reach the system?") from error

        return call

    try:
        return told(client.read), told(client.write), client.mems.hpp.base
    except AttributeError as error:
        raise ReadError(f"{csr_csv} has no memory region `hpp`: is it that of a system with a profiler?") from error


def address(text):
    """An address, as an argument."""
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if value < 0:
        raise argparse.ArgumentTypeError(f"`{text}` is no address; write it as 0x20000000")
    return value


def main():
    """Reads the command line; 0 if the profile was printed."""
    parser = argparse.ArgumentParser(description="Read a profile from a running system, and print it for `hpp report`.")
    parser.add_argument("manifest", metavar="hpp.json", help="the manifest that gen-verilog wrote")
    parser.add_argument("--base", type=address, help="address of the profiler's registers")
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--openocd", metavar="[HOST:]PORT", help="OpenOCD's Tcl server")
    way.add_argument("--litex", metavar="csr.csv", help="litex_server, with the system's list of registers")
    arguments = parser.parse_args()
    if arguments.openocd and arguments.base is None:
        parser.error("--openocd needs --base")
    try:
        if arguments.litex:
            read, write, base = litex(arguments.litex)
            base = base if arguments.base is None else arguments.base
        else:
            server = OpenOcd(arguments.openocd)
            read, write, base = server.read, server.write, arguments.base
        print(dump(Registers(arguments.manifest, base, read, write)), end="")
    except ReadError as error:
        print(f"hpp_read: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
