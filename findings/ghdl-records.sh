#!/bin/sh
# GHDL 2.0.0 (Debian 12: ghdl-mcode 2.0.0+dfsg-6.2), the three recordings of one run, VCD, FST and GHW; vcdvcd 2.6.0 and pywellen 0.25.7 (PyPI) read them. The design
# has a record, as trace ports of cores in VHDL are, and an integer that counts.
# - The VCD has the record as a comment (`tr is not handled`), and the FST has not even that. We had expected each field as a signal in a scope of the record's name,
#   as the GHW has it. The run ends without a warning.
# - The FST declares the integer with one bit and keeps the lowest one: -1, -2, -3 is 1, 0, 1. In the VCD and in the GHW it has 32 bits.
# So a recording has no retirements, or counts that only alternate, while the run said nothing. The GHW (`--wave=`) has all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages vcdvcd==2.6.0 pywellen==0.25.7
apt-get -qq download ghdl-mcode ghdl-common libgnat-12 2>/dev/null
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
cat >core.vhd <<'V'
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
package ports is
  type trace_t is record valid : std_ulogic; pc : std_ulogic_vector(31 downto 0); end record;
end package;
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all; use work.ports.all;
entity core is end entity;
architecture sim of core is
  signal clk : std_ulogic := '0';
  signal tr : trace_t := (valid => '0', pc => (others => '0'));
  signal count : integer := -1;
begin
  clk <= not clk after 5 ns;
  process (clk) begin
    if rising_edge(clk) then
      tr.valid <= not tr.valid;
      tr.pc <= std_ulogic_vector(unsigned(tr.pc) + 4);
      count <= count - 1;
    end if;
  end process;
end architecture;
V
root/usr/bin/ghdl-mcode -a --std=08 core.vhd
root/usr/bin/ghdl-mcode -r --std=08 core --vcd=core.vcd --fst=core.fst --wave=core.ghw --stop-time=20ns >said 2>&1 || { cat said; exit 1; }
grep -v 'simulation stopped' said && exit 1
PYTHONPATH=packages python3 - <<'P'
import pywellen
from vcdvcd import VCDVCD

assert "$comment tr is not handled $end" in open("core.vcd").read()
vcd = VCDVCD("core.vcd")
assert sorted(vcd.signals) == ["core.clk", "core.count"], vcd.signals
read = {}
for kind in ("vcd", "fst", "ghw"):
    variables = pywellen.Waveform(f"core.{kind}").all_vars()
    read[kind] = {v.full_name.removeprefix("core."): (v.bitwidth, [value for _, value in v.signal]) for v in variables}
    print(f"{kind}: {read[kind]}")
assert read["vcd"].keys() == read["fst"].keys() == {"clk", "count"}
assert read["ghw"].keys() == {"clk", "count", "tr.valid", "tr.pc"}
assert read["ghw"]["tr.pc"] == (32, [0, 4, 8])
whole = (32, [2**32 - 1, 2**32 - 2, 2**32 - 3])
assert read["vcd"]["count"] == read["ghw"]["count"] == whole and read["fst"]["count"] == (1, [1, 0, 1])
P
