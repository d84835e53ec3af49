#!/bin/sh
# svling 0.13.0 with pyslang-dev 10.0.0.dev20260218 (PyPI), a simulator of SystemVerilog, and Icarus Verilog 11.0 (Debian 12: iverilog), on one module:
# - Where an expression of several bits is asked whether it is true, svling asks its lowest bit: `(mask & 4'd6) ? 1 : 0` with the mask 2 is 0, and so are
#   `go && (mask + 4'd0)` and `(mask | 4'd0) || 1'b0`. We had expected 1, as Icarus has it: a value is true if any bit is 1.
# - An `if` on the same expression, a variable alone (`mask ? ..`) and a comparison with 0 are right, so most tests show nothing.
# So a circuit with flags in a mask selects the other side, and nothing warns.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check svling==0.13.0 pyslang-dev==10.0.0.dev20260218
apt-get -qq download iverilog 2>/dev/null
dpkg -x iverilog_*.deb root
cat >truth.sv <<'V'
module truth;
  reg [3:0] mask;
  reg go, taken, alone;
  wire select   = (mask & 4'd6) ? 1'b1 : 1'b0;
  wire both     = go && (mask + 4'd0);
  wire either   = (mask | 4'd0) || 1'b0;
  wire variable = mask ? 1'b1 : 1'b0;
  wire compared = (mask & 4'd6) != 4'd0;
  always @* begin
    taken = 1'b0;
    if (mask & 4'd6) taken = 1'b1;
    alone = 1'b0;
    if (mask) alone = 1'b1;
  end
  initial begin
    go = 1'b1;
    mask = 4'd2;
    #1 $display("select %b, both %b, either %b, if %b; of a variable %b%b, compared %b", select, both, either, taken, variable, alone, compared);
    $finish;
  end
endmodule
V
ivl=root/usr/lib/x86_64-linux-gnu/ivl
root/usr/bin/iverilog -V 2>/dev/null | grep -m 1 'version 11\.0'
root/usr/bin/iverilog -B "$ivl" -g2012 -o truth.vvp truth.sv
root/usr/bin/vvp -M "$ivl" truth.vvp | grep select >icarus
venv/bin/svling truth.sv | grep select >svling
echo "Icarus: $(cat icarus)"
echo "svling: $(cat svling)"
[ "$(cat icarus)" = "select 1, both 1, either 1, if 1; of a variable 11, compared 1" ]
[ "$(cat svling)" = "select 0, both 0, either 0, if 1; of a variable 11, compared 1" ]
