#!/bin/sh
# gowin2vcd 0.9.1 (PyPI), which makes a VCD of the CSV of Gowin's logic analyser (GAO), on files of the form that its page on the format describes; pywellen 0.25.7 (PyPI)
# reads the VCD.
# - A word of hexadecimal digits that are all 0 and 1 is read as binary, with `Radix: hex` in the header, too: 00000010 is 2, and 00010110 is 22. All others are right. We
#   had expected 16 and 0x10110.
# - A column with an alias (`top/pc[31:0]=pc`) is x in every sample. We had expected its words under one of the two names.
# - Of times in us with a fraction, as a clock above 1 MHz has, the fraction is gone: samples at 0, 0.02 and 0.04 us are all at 0. We had expected a finer time scale.
# No warning comes. So program counters jump from 0xc to 2 and back, and a run of fifty cycles at 50 MHz has one time.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check gowin2vcd==0.9.1 pywellen==0.25.7
{
    printf 'Radix: hex\nData:\ntime unit: us,top/valid,top/pc[31:0],top/other[31:0]=other\n'
    for sample in 0,0000000c 1,00000010 2,00000014 3,00010110 4,80000100; do
        echo "${sample%,*},1,${sample#*,},${sample#*,}"
    done
} >whole.csv
printf 'Radix: hex\nData:\ntime unit: us,top/pc[31:0]\n0,0000000c\n0.02,00000012\n0.04,00000014\n1.02,00000018\n' >fractions.csv
for name in whole fractions; do
    venv/bin/gowin2vcd --quiet "$name.csv" "$name.vcd"
done
venv/bin/python - <<'P'
import pywellen


def changes(file, name):
    (variable,) = [v for v in pywellen.Waveform(f"{file}.vcd").all_vars() if v.name == name]
    return [(time, hex(value) if isinstance(value, int) else value) for time, value in variable.signal]


pc, other, times = changes("whole", "pc"), changes("whole", "other"), changes("fractions", "pc")
print("pc", pc)
print("with an alias", other)
print("with fractions", times)
assert [value for _, value in pc] == ["0xc", "0x2", "0x14", "0x16", "0x80000100"], pc
assert [set(value) for _, value in other] == [{"x"}], other
assert [time for time, _ in times] == [0, 0, 0, 1], times
P
