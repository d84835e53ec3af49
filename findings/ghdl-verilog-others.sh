#!/bin/sh
# GHDL 2.0.0 (Debian 12: ghdl-mcode 2.0.0+dfsg-6.2), `--synth --out=verilog`, on a `case` and on a selected assignment, each with `when others`; Icarus Verilog 11.0
# (Debian 12: iverilog) simulates the text.
# - Of `when others` nothing is in the text: its `case` has no `default`, and the input that only `others` selects is unused. The output keeps the value it had. We had
#   expected the third input, as GHDL's own simulation and its `--out=vhdl` have it. The conversion ends without a warning.
# - So a circuit becomes one with latches, which is right as long as no other choice comes. A processor with instructions decoded so runs a program and
#   takes no trap: NEORV32 (commit b3f390870) does. GHDL 5.0.1 (Debian 13) writes the `default`.
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
cat >pick.vhd <<'V'
library ieee; use ieee.std_logic_1164.all;
entity pick is port (choice : in std_ulogic_vector(2 downto 0); a, b, c : in std_ulogic; y, z : out std_ulogic); end;
architecture rtl of pick is
begin
  process (all) begin
    case choice is
      when "000" => y <= a;
      when "001" => y <= b;
      when others => y <= c;
    end case;
  end process;
  with choice select z <= a when "000", b when "001", c when others;
end;
V
cat >bench.vhd <<'V'
library ieee; use ieee.std_logic_1164.all; use std.env.all;
entity bench is end;
architecture sim of bench is
  signal choice : std_ulogic_vector(2 downto 0) := "000";
  signal y, z : std_ulogic;
begin
  dut : entity work.pick port map (choice, '0', '0', '1', y, z);
  process begin
    wait for 1 ns;
    choice <= "100";
    wait for 1 ns;
    report "y " & to_string(y) & ", z " & to_string(z);
    finish;
  end process;
end;
V
cat >bench.v <<'V'
module bench;
  reg [2:0] choice = 3'b000;
  wire y, z;
  pick dut (.choice(choice), .a(1'b0), .b(1'b0), .c(1'b1), .y(y), .z(z));
  initial begin
    #1 choice = 3'b100;
    #1 $display("y %b, z %b", y, z);
  end
endmodule
V
sed -i 's/\.sel(/.choice(/' bench.v
ghdl=root/usr/bin/ghdl-mcode
"$ghdl" -a --std=08 pick.vhd bench.vhd
"$ghdl" -r --std=08 bench >vhdl 2>&1 || { cat vhdl; exit 1; }
"$ghdl" --synth --std=08 --out=verilog pick >pick.v 2>said
"$ghdl" --synth --std=08 --out=vhdl pick >again.vhd 2>said.vhdl
ivl=root/usr/lib/x86_64-linux-gnu/ivl
root/usr/bin/iverilog -B "$ivl" -g2012 -o bench.vvp bench.v pick.v
root/usr/bin/vvp -M "$ivl" bench.vvp >verilog
echo "VHDL: $(grep -o 'y .*' vhdl); as Verilog: $(cat verilog)"
grep -q 'y 1, z 1' vhdl
[ "$(cat verilog)" = "y 0, z 0" ]
[ "$(grep -c 'case (' pick.v)" -eq 2 ]
if grep -q default pick.v || [ -s said ]; then exit 1; fi
[ "$(grep -c 'when others' again.vhd)" -eq 2 ]
