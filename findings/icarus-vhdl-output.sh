#!/bin/sh
# Icarus Verilog 11.0 (Debian 12: iverilog 11.0-1.1+b1), its translator to VHDL (`-tvhdl`), and GHDL 2.0.0 (Debian 12: ghdl-mcode 2.0.0+dfsg-6.2), on a module whose
# output `fire` is an input of an instance within it, too:
# - The VHDL drives `fire` twice, by its own expression and from the instance's input, which has no driver. Simulated, `fire` is U, and so is what the instance counts. We
#   had expected `fire` at the instance's input, as the Verilog has it: Icarus simulates the same file with `fire` at 1 and five counts.
# - The translator says nothing, and GHDL analyses the text without a warning.
# So a handshake that a module both shows and uses is dead in the translation, and every circuit behind it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download ghdl-mcode ghdl-common libgnat-12 iverilog 2>/dev/null
# The archive keeps the newest build of a version alone (+b1, +b2).
set -- ghdl-mcode_2.0.0+dfsg-6.2+b*.deb
[ -e "$1" ] || { ls; exit 1; }
for package in *.deb; do
    dpkg -x "$package" root
done
# The packages' libraries are found from the prefix by one more `vhdl`.
libraries=root/usr/lib/ghdl/mcode/vhdl
mkdir "$libraries/vhdl"
ln -s ../ieee ../std "$libraries/vhdl/"
export GHDL_PREFIX="$folder/$libraries" LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu"
ghdl=root/usr/bin/ghdl-mcode
ivl=root/usr/lib/x86_64-linux-gnu/ivl
iverilog() {
    root/usr/bin/iverilog -B "$ivl" "$@"
}
iverilog -V 2>/dev/null | grep -m 1 'version 11\.0'
cat >both.v <<'V'
module counts (input wire clk, input wire step, output reg [3:0] total);
  initial total = 4'd0;
  always @(posedge clk) if (step) total <= total + 4'd1;
endmodule
module both (input wire clk, input wire go, output wire fire, output wire [3:0] total);
  assign fire = go;
  counts counter (.clk(clk), .step(fire), .total(total));
endmodule
V
cat >bench.v <<'V'
module bench;
  reg clk = 0;
  wire fire;
  wire [3:0] total;
  both dut (.clk(clk), .go(1'b1), .fire(fire), .total(total));
  initial begin
    repeat (10) #1 clk = !clk;
    #1 $display("fire %b, total %b", fire, total);
  end
endmodule
V
cat >bench.vhd <<'V'
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity bench is end;
architecture sim of bench is
  signal clk, fire : std_logic := '0';
  signal total : unsigned(3 downto 0);
begin
  dut : entity work.both port map (clk => clk, go => '1', fire => fire, total => total);
  process begin
    for edge in 1 to 10 loop
      wait for 1 ns;
      clk <= not clk;
    end loop;
    wait for 1 ns;
    report "fire " & to_string(fire) & ", total " & to_string(total);
    wait;
  end process;
end;
V
iverilog -o bench.vvp bench.v both.v
root/usr/bin/vvp -M "$ivl" bench.vvp >verilog
iverilog -tvhdl -o both.vhd both.v 2>said
"$ghdl" -a --std=08 both.vhd bench.vhd 2>>said
"$ghdl" -r --std=08 bench >vhdl 2>&1 || { cat vhdl; exit 1; }
echo "Verilog: $(cat verilog); VHDL: $(grep -o 'fire .*' vhdl)"
[ "$(cat verilog)" = "fire 1, total 0101" ]
grep -q 'fire U, total UUUU' vhdl
[ "$(grep -c 'fire <= ' both.vhd)" -eq 2 ]
[ ! -s said ]
