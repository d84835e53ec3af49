"""What the scripts of fpga/host find in a debugger and in LiteX, on OpenOCD's connection in their place.

    stubs.py gdb PORT COMMAND...        hpp_gdb.py in a GDB, with the command typed
    stubs.py litex PORT BASE ARGUMENT...     hpp_read.py with a litex_server, the profiler at BASE
"""

import sys
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "fpga/host"))
import hpp_read


def gdb(server, line):
    """The parts of GDB's module that the script uses."""
    module = types.ModuleType("gdb")
    commands = {}

    class Command:
        def __init__(self, name, _kind):
            commands[name] = self

    class Inferior:
        def read_memory(self, address, length):
            assert length == 4
            return memoryview(server.read(address).to_bytes(4, "little"))

        def write_memory(self, address, data):
            server.write(address, int.from_bytes(data, "little"))

    module.Command, module.COMMAND_DATA = Command, 0
    module.GdbError, module.MemoryError = RuntimeError, OSError
    module.selected_inferior, module.string_to_argv = Inferior, str.split
    module.parse_and_eval = lambda text: int(text, 0)
    sys.modules["gdb"] = module
    import hpp_gdb

    assert hpp_gdb
    name, _, argument = line.partition(" ")
    commands[name].invoke(argument, False)


def litex(server, base):
    """LiteX's client."""
    module = types.ModuleType("litex")

    class RemoteClient:
        def __init__(self, csr_csv):
            assert csr_csv == "csr.csv"
            self.mems = types.SimpleNamespace(hpp=types.SimpleNamespace(base=base))
            self.read, self.write = None, None

        def open(self):
            self.read, self.write = server.read, server.write

    module.RemoteClient = RemoteClient
    sys.modules["litex"] = module


def main(which, port, *words):
    """The script's own exit status."""
    server = hpp_read.OpenOcd(port)
    if which == "gdb":
        gdb(server, " ".join(words))
        return 0
    litex(server, int(words[0], 0))
    sys.argv = ["hpp_read.py", *words[1:]]
    return hpp_read.main()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
