#!/bin/sh
# GHDL 5.0.1 (Debian 13: ghdl-mcode 5.0.1+dfsg-1+b1), `--synth` to Verilog and to VHDL, of operations of numeric_std on `signed`; Icarus Verilog 11.0 (Debian 12: iverilog)
# simulates the Verilog.
# - `s rem t` and `s mod t` are both `s % t` of variables that are not signed: -7 rem 3 is 0 and -7 mod 3 is 0, where GHDL's simulation has -1 and 2. We had expected
#   `$signed`, as `s / t` has it, and two forms, as Verilog's `%` is `rem`. `--out=vhdl` has both right.
# - `resize` of a signed number to fewer bits keeps the lowest bits in Verilog and in VHDL: 24 in 5 bits is 11000, -8. The package keeps the sign bit, 01000, as the
#   simulation has it.
# - No warning comes. So a core in VHDL that divides so is another one after the conversion; one with numbers of no sign is not.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download iverilog 2>/dev/null
dpkg -x iverilog_*.deb root
# Lists of their own for another release, whose programs need its own C library.
archive=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1)
mkdir -p state/lists/partial cache/archives/partial debs
: >status
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive trixie main" >sources.list
other() {
    apt-get -qq -o "Dir::State=$folder/state" -o "Dir::State::status=$folder/status" -o "Dir::Cache=$folder/cache" -o "Dir::Etc::sourcelist=$folder/sources.list" \
        -o Dir::Etc::sourceparts=/dev/null -o APT::Architecture=amd64 -o APT::Architectures=amd64 -o "APT::Sandbox::User=$(id -un)" "$@"
}
other update
(cd debs && other download ghdl-mcode ghdl-common libgnat-14 libgcc-s1 libstdc++6 zlib1g libc6)
for package in debs/*.deb; do
    dpkg -x "$package" trixie
done
# The packages' libraries are found from the prefix by one more `vhdl`.
libraries=trixie/usr/lib/ghdl/mcode/vhdl
[ -e "$libraries/vhdl" ] || { mkdir "$libraries/vhdl" && ln -s ../ieee ../std "$libraries/vhdl/"; }
export GHDL_PREFIX="$folder/$libraries"
ghdl() {
    trixie/usr/lib64/ld-linux-x86-64.so.2 --library-path trixie/usr/lib/x86_64-linux-gnu trixie/usr/bin/ghdl-mcode "$@"
}
ghdl --version | grep -m 1 '^GHDL 5\.0\.1 '
cat >divides.vhd <<'V'
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity divides is
  port (s, t : in signed(7 downto 0); narrow : out signed(4 downto 0); remains, modulus, quotient : out signed(7 downto 0));
end;
architecture rtl of divides is
begin
  narrow <= resize(s, 5);
  remains <= s rem t;
  modulus <= s mod t;
  quotient <= s / t;
end;
V
cat >bench.vhd <<'V'
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all; use std.textio.all;
entity bench is end;
architecture sim of bench is
  signal s, t, remains, modulus, quotient : signed(7 downto 0) := x"01";
  signal narrow : signed(4 downto 0);
begin
  dut : entity work.divides port map (s, t, narrow, remains, modulus, quotient);
  process begin
    for which in 0 to 1 loop
      if which = 0 then
        s <= to_signed(-7, 8); t <= to_signed(3, 8);
      else
        s <= to_signed(24, 8); t <= to_signed(5, 8);
      end if;
      wait for 1 ns;
      write(output, to_string(narrow) & " " & to_string(remains) & " " & to_string(modulus) & " " & to_string(quotient) & LF);
    end loop;
    wait;
  end process;
end;
V
cat >bench.v <<'V'
module bench;
  reg signed [7:0] s, t;
  wire [7:0] remains, modulus, quotient;
  wire [4:0] narrow;
  divides dut (.s(s), .t(t), .narrow(narrow), .remains(remains), .modulus(modulus), .quotient(quotient));
  initial begin
    s = -7; t = 3;
    #1 $display("%b %b %b %b", narrow, remains, modulus, quotient);
    s = 24; t = 5;
    #1 $display("%b %b %b %b", narrow, remains, modulus, quotient);
  end
endmodule
V
mkdir one two
ghdl -a --std=08 --workdir=one divides.vhd bench.vhd
ghdl -r --std=08 --workdir=one bench >simulated
ghdl --synth --std=08 --workdir=one --out=verilog divides >divides.v 2>said
ghdl --synth --std=08 --workdir=one --out=vhdl divides >again.vhd 2>>said
ghdl -a --std=08 --workdir=two again.vhd bench.vhd
ghdl -r --std=08 --workdir=two bench >again 2>/dev/null
ivl=root/usr/lib/x86_64-linux-gnu/ivl
root/usr/bin/iverilog -B "$ivl" -g2012 -o bench.vvp bench.v divides.v
root/usr/bin/vvp -M "$ivl" bench.vvp >verilog
echo "narrow, rem, mod and / of -7 and 3, and of 24 and 5"
for form in simulated verilog again; do
    echo "$form: $(paste -sd';' $form)"
done
[ "$(paste -sd';' simulated)" = "11001 11111111 00000010 11111110;01000 00000100 00000100 00000100" ]
[ "$(paste -sd';' verilog)" = "11001 00000000 00000000 11111110;11000 00000100 00000100 00000100" ]
[ "$(paste -sd';' again)" = "11001 11111111 00000010 11111110;11000 00000100 00000100 00000100" ]
[ ! -s said ]
