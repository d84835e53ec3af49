#!/bin/sh
# peakrdl-svd 0.1.0 (PyPI), which imports an SVD file into PeakRDL, with peakrdl 1.5.0, peakrdl-systemrdl 1.0.1, peakrdl-uvm 2.4.0 and systemrdl-compiler 1.33.0 (PyPI):
# - `readAction` and `modifiedWriteValues` of a register, which hold for its fields, are lost: a register whose flags are cleared by writing 1 is `RW` in UVM, and one that
#   reading clears is `RO`. Of a field they are kept, but for `modify`. We had expected `onwrite = woclr` (`W1C`), `onread = rclr` (`RC`) and `ruser`.
# - Every field has `hw = r`. With `sw = r` SystemRDL takes it for a constant, so a status and a counter are not volatile in UVM, and a check of the mirror expects the
#   reset value for ever. We had expected `hw = w` of what is read-only.
# - An array's names are numbered from 0: of `LANE%s` with `dimIndex` A,B there are LANE0 and LANE1. We had expected LANEA and LANEB.
# No warning comes. So who makes a register model of a core's SVD writes back flags that were to be kept, and reads a queue without knowing that it moves on.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check peakrdl-svd==0.1.0 peakrdl==1.5.0 peakrdl-cli==1.5.0 peakrdl-systemrdl==1.0.1 peakrdl-uvm==2.4.0 \
    systemrdl-compiler==1.33.0
field() { echo "<fields><field><name>$1</name><bitOffset>0</bitOffset><bitWidth>8</bitWidth>$2</field></fields>"; }
register() { echo "<register>$5<name>$1</name><description>$1</description><addressOffset>$2</addressOffset><access>$3</access>$4</register>"; }
{
    echo '<?xml version="1.0" encoding="utf-8"?>
<device schemaVersion="1.3" xmlns:xs="http://www.w3.org/2001/XMLSchema-instance" xs:noNamespaceSchemaLocation="CMSIS-SVD.xsd">
<name>DEVICE</name><version>1.0</version><description>A device</description><addressUnitBits>8</addressUnitBits><width>32</width><size>32</size><resetValue>0</resetValue><resetMask>0xFFFFFFFF</resetMask>
<peripherals><peripheral><name>BLOCK</name><description>A block</description><baseAddress>0</baseAddress><addressBlock><offset>0</offset><size>64</size><usage>registers</usage></addressBlock><registers>'
    register FLAGS 0x00 read-write "<modifiedWriteValues>oneToClear</modifiedWriteValues>$(field V '')" ''
    register FLAGS_F 0x04 read-write "$(field V '<modifiedWriteValues>oneToClear</modifiedWriteValues>')" ''
    register EVENTS 0x08 read-only "<readAction>clear</readAction>$(field V '')" ''
    register EVENTS_F 0x0C read-only "$(field V '<readAction>clear</readAction>')" ''
    register QUEUE_F 0x10 read-only "$(field V '<readAction>modify</readAction>')" ''
    register COUNT 0x14 read-only "$(field V '')" ''
    register 'LANE%s' 0x18 read-write "$(field V '')" '<dim>2</dim><dimIncrement>4</dimIncrement><dimIndex>A,B</dimIndex>'
    echo '</registers></peripheral></peripherals></device>'
} >device.svd
venv/bin/peakrdl systemrdl device.svd -o device.rdl 2>said
venv/bin/peakrdl uvm device.svd -o device.sv 2>>said
cat said
[ ! -s said ]
venv/bin/python - <<'P'
import re

rdl = dict((name, re.findall(r"(onread|onwrite|hw) = (\w+);", body)) for body, name in re.findall(r"reg \{(.*?)\} (\w+) @", open("device.rdl").read(), re.S))
uvm = dict(re.findall(r"class xtern__DEVICE__BLOCK__(\w+) extends .*?configure\(this, 8, 0, (.*?, \d),", open("device.sv").read(), re.S))
for name in rdl:
    print(name, *[f"{key} = {value};" for key, value in rdl[name]], "in UVM", uvm[name])
constant = ("hw", "r")
assert rdl["FLAGS"] == rdl["EVENTS"] == rdl["QUEUE_F"] == rdl["COUNT"] == [constant]
assert rdl["FLAGS_F"] == [constant, ("onwrite", "woclr")] and rdl["EVENTS_F"] == [constant, ("onread", "rclr")]
assert [name for name in rdl if name.startswith("LANE")] == ["LANE0", "LANE1"]
access = {name: uvm[name].split(", ") for name in ("FLAGS", "FLAGS_F", "EVENTS", "EVENTS_F", "QUEUE_F", "COUNT")}
assert [kind.strip('"') for kind, _ in access.values()] == ["RW", "W1C", "RO", "RC", "RO", "RO"], access
assert {volatile for _, volatile in access.values()} == {"0"}, access
P
