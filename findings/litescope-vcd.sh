#!/bin/sh
# LiteScope 2024.12 (PyPI; the logic analyser of LiteX), the VCD that it writes of what it sampled; pywellen 0.25.7, vcdvcd 2.6.0 and pyvcd 0.5.1 (PyPI) and vcd2fst of
# GTKWave 3.3.118 (Debian 12: gtkwave) read it.
# - `$scope` has no type, the scope ends with `$unscope`, and the time scale is 5000ps at 100 MHz. We had expected `$scope module`, `$upscope`, and 1, 10 or 100 of a
#   unit. pywellen and pyvcd refuse the scope.
# - vcdvcd takes the word after the missing type for the scope's name: signals are `$end.valid`. vcd2fst has a scope without a name, and a time scale of 100ps.
# - With the two words mended pywellen reads all of it. A sample stands from a rise of `scope_clk` to the next, so the last one has no edge behind it.
# So what an FPGA showed is not read, though each value is in the file.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages --no-deps litescope==2024.12 pywellen==0.25.7 vcdvcd==2.6.0 pyvcd==0.5.1
apt-get -qq download gtkwave libjudydebian1 2>/dev/null
for package in *.deb; do
    dpkg -x "$package" root
done
export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu"
# The package's own head imports LiteX, which what writes files does not need.
: >packages/litescope/__init__.py
cat >sample.py <<'P'
from litescope.software.dump.common import DumpData
from litescope.software.dump.vcd import VCDDump

samples = DumpData(9)
for number in range(6):
    samples.append(number % 2 | (16 + number) << 1)
dump = VCDDump(samplerate=100e6)
dump.add_from_layout([("valid", 1), ("pc", 8)], samples)
dump.add_scope_clk()
dump.write("sampled.vcd")
P
PYTHONPATH=packages python3 sample.py
grep -E 'scope|timescale' sampled.vcd
root/usr/bin/vcd2fst sampled.vcd sampled.fst
root/usr/bin/fst2vcd sampled.fst >again.vcd
# shellcheck disable=SC2016 # The dollars are the format's.
sed 's/^\$scope /$scope module /; s/^\$unscope/$upscope/' sampled.vcd >mended.vcd
PYTHONPATH=packages python3 - <<'P'
import pywellen
from vcd.reader import VCDParseError, tokenize
from vcdvcd import VCDVCD


def refused(read, error):
    try:
        read()
    except error as said:
        print("refused:", str(said).splitlines()[-1])
        return str(said)
    raise AssertionError("it was read")


text = open("sampled.vcd").read()
assert "$scope dumped_signals $end\n" in text and "\n$unscope " in text and "$timescale 5000ps $end" in text
assert "unknown scope type: dumped_signals" in refused(lambda: pywellen.Waveform("sampled.vcd"), RuntimeError)
assert "$scope type: dumped_signals" in refused(lambda: list(tokenize(open("sampled.vcd", "rb"))), VCDParseError)
names = VCDVCD("sampled.vcd").signals
assert names == ["$end.valid", "$end.pc", "$end.scope_clk"], names
again = open("again.vcd").read()
assert "\t100ps\n" in again and "$scope module $end\n" in again
read = {variable.name: list(variable.signal) for variable in pywellen.Waveform("mended.vcd").all_vars()}
print("mended:", read)
rises = [time for time, value in read["scope_clk"] if value == 1]
assert [value for _, value in read["pc"]][-6:] == list(range(16, 22)) and rises == [time for time, _ in read["pc"]][-6:]
P
