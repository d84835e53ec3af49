#!/bin/sh
# hdlConvertor 2.3 with hdlConvertorAst 1.2 and PyVerilog 1.3.0 (PyPI) parse Verilog and write it again; Icarus Verilog 11.0 (Debian 12: iverilog) simulates both texts.
# - hdlConvertorAst writes `(a | b) & c` as `a | b & c`, and `(a ^ b) & c` as `a ^ b & c`: it leaves out the parentheses of a left operand that binds less. Those
#   of a right operand stay (`a & (b | c)`). Of `if (a) begin if (b) x; end else y` it leaves out `begin` and `end`, so the `else` is that of `if (b)`.
# - PyVerilog writes `d[4 +: 2]`, which is bits 5 and 4, as `d[4:4+2]`: a bit more, and in the wrong order. Its syntax tree has no other form of it.
# We had expected text that means the same; both are valid Verilog-2001, and neither library warns. A circuit that hdlConvertorAst has rewritten
# fails in simulation only.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages hdlConvertor-binary==2.3 hdlConvertorAst==1.2 pyverilog==1.3.0 ply==3.11
apt-get -qq download iverilog 2>/dev/null
dpkg -x iverilog_*.deb root
mkdir bin
printf '#!/bin/sh\nexec "%s/root/usr/bin/iverilog" -B "%s/root/usr/lib/x86_64-linux-gnu/ivl" "$@"\n' "$folder" "$folder" >bin/iverilog
chmod +x bin/iverilog
export PATH="$folder/bin:$PATH"
iverilog -V 2>/dev/null | grep -m 1 'version 11\.0'
cat >logic.v <<'V'
module logic_(input wire a, input wire b, input wire c, output wire [2:0] y, output reg v);
  assign y[0] = (a | b) & c;
  assign y[1] = (a ^ b) & c;
  assign y[2] = a & (b | c);
  always @* begin
    v = 1'b0;
    if (a) begin
      if (b) v = 1'b1;
    end else v = c;
  end
endmodule
V
cat >part.v <<'V'
module part(input wire [7:0] d, output wire [1:0] w);
  assign w = d[4 +: 2];
endmodule
V
cat >table.v <<'V'
module table_;
  reg [3:0] in;
  wire [2:0] y;
  wire v;
  logic_ dut(.a(in[2]), .b(in[1]), .c(in[0]), .y(y), .v(v));
  initial for (in = 0; in < 8; in = in + 1) #1 $display("%b %b%b", in[2:0], y, v);
endmodule
V
PYTHONPATH=packages python3 - <<'P'
from hdlConvertor import HdlConvertor
from hdlConvertorAst.language import Language
from hdlConvertorAst.to.verilog.verilog2005 import ToVerilog2005
from pyverilog.ast_code_generator.codegen import ASTCodeGenerator
from pyverilog.vparser.parser import parse

with open("logic2.v", "w") as file:
    ToVerilog2005(file).visit_HdlContext(HdlConvertor().parse(["logic.v"], Language.VERILOG, [], hierarchyOnly=False, debug=True))
with open("part2.v", "w") as file:
    file.write(ASTCodeGenerator().visit(parse(["part.v"], debug=False)[0]))
P
for text in logic logic2; do
    iverilog -s table_ -o $text.vvp table.v $text.v
    root/usr/bin/vvp -M root/usr/lib/x86_64-linux-gnu/ivl $text.vvp >$text.table
done
echo "inputs a b c, outputs y[2:0] v; < as written, > as hdlConvertorAst writes it"
diff logic.table logic2.table >difference && exit 1
cat difference
grep 'assign y\[[01]\]' logic2.v
# y[0] and y[1] where a is 1 and c is 0; v where c is 1, and a 0 or b 0.
[ "$(grep -c '^>' difference)" -eq 5 ]
grep -qF 'y[2] = a & (b | c)' logic2.v
grep -qF 'd[4:4+2]' part2.v
iverilog -o part.vvp part.v
if iverilog -o part2.vvp part2.v 2>said; then exit 1; fi
cat said
