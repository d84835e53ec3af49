#!/bin/sh
# vcd2df 1.0 (PyPI), which makes a data frame of pandas of a VCD, on a recording of two cores by Icarus Verilog 11.0 (Debian 12: iverilog); pywellen 0.25.7 (PyPI) reads it, too.
# - Of signals with one name the first alone is there: `valid` and `pc` are those of the first core, and the second has none. We had expected both, with their scopes.
# - The last moment of the recording is missing: a retirement whose values change there last is not seen. We had expected a column for each time of the file.
# - A real number is -1, as an unknown is. An address of 64 bits with the highest bit set, as kernels have them, is an OverflowError.
# So a frame of a system with two cores is that of one, and each lacks its end; nothing warns.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check vcd2df==1.0 pandas==2.3.3 pywellen==0.25.7
apt-get -qq download iverilog 2>/dev/null
dpkg -x iverilog_*.deb root
cat >cores.v <<'V'
`timescale 1ns/1ns
module system;
  real load;
  core #(100) left();
  core #(200) right();
`ifdef WIDE
  reg [63:0] mepc;
`endif
  initial begin
    $dumpfile("run.vcd");
    $dumpvars(0, system);
    load = 0.5;
`ifdef WIDE
    mepc = 64'hffffffff80000000;
`endif
    // After what else happens at this time.
    #30 #0 #0 $finish;
  end
endmodule
module core #(parameter FIRST = 0);
  reg valid;
  reg [31:0] pc;
  initial begin
    valid = 1'b0;
    pc = FIRST;
    #10 valid = 1'b1;
    #10 pc = FIRST + 4;
    #10 pc = FIRST + 8;
  end
endmodule
V
ivl=root/usr/lib/x86_64-linux-gnu/ivl
root/usr/bin/iverilog -V 2>/dev/null | grep -m 1 'version 11\.0'
root/usr/bin/iverilog -B "$ivl" -g2005 -o wide.vvp -D WIDE cores.v
root/usr/bin/vvp -M "$ivl" wide.vvp >said.txt
cp run.vcd wide.vcd
root/usr/bin/iverilog -B "$ivl" -g2005 -o cores.vvp cores.v
root/usr/bin/vvp -M "$ivl" cores.vvp >said.txt
venv/bin/python - <<'P'
import warnings

import pywellen
import vcd2df

warnings.simplefilter("ignore")
frame = vcd2df.vcd2df("run.vcd")
print(frame.to_string())
assert sorted(frame.index) == ["load", "pc", "valid"], frame.index
assert list(frame.columns) == ["#0", "#10", "#20"], frame.columns
assert list(frame.loc["pc"]) == [100, 100, 104], frame
assert list(frame.loc["load"]) == [-1, -1, -1]
wave = pywellen.Waveform("run.vcd")
for core, start in (("left", 100), ("right", 200)):
    signal = wave[f"system.{core}.pc"].signal
    values = [signal.value_at(at) for at in (0, 20, 30)]
    print(core, values)
    assert values == [start, start + 4, start + 8], values
try:
    vcd2df.vcd2df("wide.vcd")
    raise SystemExit("read")
except OverflowError as error:
    print("of 64 bits:", error)
P
