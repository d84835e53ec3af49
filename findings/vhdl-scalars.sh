#!/bin/sh
# GHDL 2.0.0 (Debian 12: ghdl-mcode 2.0.0+dfsg-6.2) and vcdvcd 2.6.0 (PyPI), with pyvcd 0.5.1 (PyPI) for comparison, on a VHDL signal that
# is driven weakly ('H') or not at all ('U').
# - GHDL writes the nine values of std_logic as they are, `H"`, into the VCD; the format of IEEE 1364 has four. We had expected `1` and `x`.
# - vcdvcd skips each change of a single bit to another value than 0, 1, x and z, and says nothing: the signal keeps the value that it had before.
#   Changes of vectors it keeps as they are. We had expected an error, or the change. pyvcd gives all changes.
# So a `valid` that a pull-up holds at 1 reads as 0 to the end, and a reader of handshakes sees none.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages vcdvcd==2.6.0 pyvcd==0.5.1
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
cat >pull.vhd <<'V'
library ieee; use ieee.std_logic_1164.all;
entity pull is end;
architecture sim of pull is
  signal open_drain : std_logic;
  signal pair : std_logic_vector(1 downto 0);
begin
  open_drain <= '0' after 10 ns, 'H' after 20 ns;
  pair <= "00" after 10 ns, "HH" after 20 ns;
end;
V
root/usr/bin/ghdl-mcode -a --std=08 pull.vhd
root/usr/bin/ghdl-mcode -r --std=08 pull --vcd=pull.vcd --stop-time=30ns >said 2>&1 || { cat said; exit 1; }
PYTHONPATH=packages python3 - <<'P'
from vcd.reader import TokenKind, tokenize
from vcdvcd import VCDVCD

text = open("pull.vcd").read()
assert "\nU!" in text and "\nH!" in text and "\nbHH " in text, text
tokens = list(tokenize(open("pull.vcd", "rb")))
scalars = [t.scalar_change.value for t in tokens if t.kind is TokenKind.CHANGE_SCALAR]
assert scalars == ["U", "0", "H"], scalars
read = VCDVCD("pull.vcd")
scalar = [value for _, value in read["pull.open_drain"].tv]
vector = [value for _, value in read["pull.pair[1:0]"].tv]
assert scalar == ["0"] and vector == ["UU", "00", "HH"], (scalar, vector)
print(f"GHDL writes the bit as {scalars}; vcdvcd reads {scalar} of it, and {vector} of the vector")
P
