#!/bin/sh
# svd-gdb 0.0.13 and svd2py 2.0.0 (PyPI), on an SVD file with sticky flags that are cleared by writing 1 (`modifiedWriteValues`) and a FIFO (`readAction`):
# - svd-gdb writes 1 to a flag by reading the register and writing all of it back, so every other flag that was set is cleared, too. We had expected that the
#   other flags are written as 0. Its dump of a peripheral reads the FIFO, and once more for each of its fields: three words are gone, and each field shown is of
#   another word. We had expected one read, or none.
# - svd2py loses all peripherals of a file without white space between its elements, and says nothing. With a line for each element it has them.
# So looking at a peripheral from a debugger takes entries out of it, and clearing one flag loses the others.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages svd-gdb==0.0.13 svd2py==2.0.0 2>/dev/null
cat >device.svd <<'X'
<device schemaVersion="1.1"><name>D</name><version>1</version><description>A device.</description><addressUnitBits>8</addressUnitBits><width>32</width>
<size>32</size><access>read-write</access><resetValue>0</resetValue><resetMask>0xffffffff</resetMask>
<peripherals>
<peripheral><name>P</name><description>A peripheral.</description><baseAddress>0x1000</baseAddress>
<addressBlock><offset>0</offset><size>8</size><usage>registers</usage></addressBlock>
<registers>
<register><name>ERRORS</name><description>Sticky flags.</description><addressOffset>0</addressOffset>
<fields>
<field><name>LOST</name><bitOffset>0</bitOffset><bitWidth>1</bitWidth><modifiedWriteValues>oneToClear</modifiedWriteValues></field>
<field><name>FULL</name><bitOffset>1</bitOffset><bitWidth>1</bitWidth><modifiedWriteValues>oneToClear</modifiedWriteValues></field>
</fields>
</register>
<register><name>FIFO</name><description>The next word.</description><addressOffset>4</addressOffset><access>read-only</access><readAction>modify</readAction>
<fields>
<field><name>LOW</name><bitOffset>0</bitOffset><bitWidth>16</bitWidth></field>
<field><name>HIGH</name><bitOffset>16</bitOffset><bitWidth>16</bitWidth></field>
</fields>
</register>
</registers>
</peripheral>
</peripherals>
</device>
X
PYTHONPATH=packages python3 - <<'P'
import xml.etree.ElementTree as ElementTree

import svd2py
from svd_gdb.svd_gdb import DebugInterface, Device


class Target(DebugInterface):
    """A memory with these two registers; each read of the FIFO takes a word of it."""

    def __init__(self):
        self.errors, self.reads = 0b11, []

    def read32(self, address):
        self.reads.append(int(address))
        return self.errors if address == 0x1000 else 0x00010001 * self.reads.count(0x1004)

    def write32(self, address, value):
        assert address == 0x1000
        self.errors &= ~value


target = Target()
device = Device("device.svd", target)
device.P.ERRORS.LOST = 1
print(f"flags: 0b11, then LOST is written with 1: {target.errors:#b}")
assert target.errors == 0
with open("dump.txt", "w") as dump:
    device.P._dump(dump)
shown = open("dump.txt").read()
print(shown)
assert target.reads.count(0x1004) == 3 and "LOW = 0x0002" in shown and "HIGH = 0x0003" in shown

file = ElementTree.parse("device.svd")
spaced = svd2py.SvdParser().convert("device.svd")["device"]
for element in file.getroot().iter():
    element.text = (element.text or "").strip() or None
    element.tail = None
file.write("dense.svd")
dense = svd2py.SvdParser().convert("dense.svd")["device"]
print("svd2py of the same file without white space:", sorted(spaced.keys() - dense.keys()), "is missing")
assert spaced.keys() - dense.keys() == {"peripherals"}
P
