#!/bin/sh
# riscv-isac 0.18.0 with ruamel.yaml 0.17.40 (PyPI), the coverage of the architecture tests, on a log of Spike's form (`--log-commits`) with its parser `spike` and its decoder
# `internaldecoder`:
# - `mret`, `sret` and `sfence.vma` are `ecall`, and `wfi` is `ebreak`. A run without an `ecall` covers it, and one with `mret` does not cover `mret`. We had expected
#   their own names, or none.
# - The offset (`imm_val`) of `beqz a0, .+8` is in units of two bytes, 4; that of `c.beqz` and of `c.j` is in bytes, 8. We had expected one of them of both.
# So each return from a handler counts as a call of the system, and a point for the reach of a branch is met by another branch once the program is compressed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check riscv-isac==0.18.0 ruamel.yaml==0.17.40
# c.beqz over six bytes, beqz over four, mret, and what a kernel does.
cat >run.log <<'L'
core   0: 3 0x0000000080000000 (0xc501)
core   0: 3 0x0000000080000008 (0x00050463)
core   0: 3 0x0000000080000010 (0x30200073) c768_mstatus 0x0000000a00000080
core   0: 1 0x0000000080000040 (0x12000073)
core   0: 1 0x0000000080000044 (0x10500073)
core   0: 1 0x0000000080000048 (0x0000a011)
core   0: 1 0x000000008000004c (0x10200073) c768_mstatus 0x0000000a00000020
L
group() { printf '%s:\n  config:\n    - check ISA:=regex(.*I.*)\n  mnemonics:\n' "$1"; }
{
    group system
    printf '    %s: 0\n' ecall mret sret sfence.vma ebreak wfi
    for name in beq c.beqz c.j; do
        group "$name"
        printf "    %s: 0\n  val_comb:\n    'imm_val == 8': 0\n    'imm_val == 4': 0\n" "$name"
    done
} >points.cgf
venv/bin/riscv_isac coverage -t run.log --parser-name spike --decoder-name internaldecoder -c points.cgf -x 64 -o report.yaml >said 2>&1 || { cat said; exit 1; }
venv/bin/python - <<'P'
import ruamel.yaml

report = ruamel.yaml.YAML(typ="safe").load(open("report.yaml"))
counts = {group: {point: count for part in ("mnemonics", "val_comb") for point, count in points.get(part, {}).items() if point != "coverage"} for group, points in report.items()}
for group in counts:
    print(group, counts[group])
assert counts["system"] == {"ecall": 3, "mret": 0, "sret": 0, "sfence.vma": 0, "ebreak": 1, "wfi": 0}
assert counts["beq"] == {"beq": 1, "imm_val == 8": 0, "imm_val == 4": 1}
assert counts["c.beqz"] == {"c.beqz": 1, "imm_val == 8": 1, "imm_val == 4": 0} and counts["c.j"] == {"c.j": 1, "imm_val == 8": 0, "imm_val == 4": 1}
P
