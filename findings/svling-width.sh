#!/bin/sh
# svling 0.13.0 with pyslang-dev 10.0.0.dev20260218 (PyPI), a simulator of SystemVerilog, and Icarus Verilog 11.0 (Debian 12: iverilog), on one module:
# - In a continuous assignment to 8 bits, svling cuts the operands of `>>`, `/` and `%` to 8 bits before it shifts or divides: of 16'habcd, `word >> 8`, `(word + 16'd1) >> 8`
#   and `$signed(word) >>> 8` are 00, 00 and ff, `word % 16'h1001` is 00, and `word / 16'h100` is x, as its divisor becomes 0. We had expected ab, ab, ab, c3 and ab, as Icarus has
#   them: the operands are as wide as the widest of them.
# - In an `always` block the same expressions are right, and so is a shift into a wire of 16 bits of which 8 are taken.
# So an `assign` that takes an upper byte or field by a shift has another one, and a circuit divides by 0; nothing warns.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check svling==0.13.0 pyslang-dev==10.0.0.dev20260218
apt-get -qq download iverilog 2>/dev/null
dpkg -x iverilog_*.deb root
cat >width.sv <<'V'
module width;
  reg [15:0] word;
  wire [7:0] shifted = word >> 8;
  wire [7:0] summed = (word + 16'd1) >> 8;
  wire [7:0] arithmetic = $signed(word) >>> 8;
  wire [7:0] remainder = word % 16'h1001;
  wire [7:0] quotient = word / 16'h100;
  wire [15:0] whole = word >> 8;
  wire [7:0] taken = whole[7:0];
  reg [7:0] in_block, divided;
  always @* begin
    in_block = word >> 8;
    divided = word / 16'h100;
  end
  initial begin
    word = 16'habcd;
    #1 $display("assigned %h %h %h %h %h; in a block %h %h; of 16 bits %h", shifted, summed, arithmetic, remainder, quotient, in_block, divided, taken);
    $finish;
  end
endmodule
V
ivl=root/usr/lib/x86_64-linux-gnu/ivl
root/usr/bin/iverilog -V 2>/dev/null | grep -m 1 'version 11\.0'
root/usr/bin/iverilog -B "$ivl" -g2012 -o width.vvp width.sv
root/usr/bin/vvp -M "$ivl" width.vvp | grep assigned >icarus
venv/bin/svling width.sv | grep assigned >svling
echo "Icarus: $(cat icarus)"
echo "svling: $(cat svling)"
[ "$(cat icarus)" = "assigned ab ab ab c3 ab; in a block ab ab; of 16 bits ab" ]
[ "$(cat svling)" = "assigned 00 00 ff 00 xx; in a block ab ab; of 16 bits ab" ]
