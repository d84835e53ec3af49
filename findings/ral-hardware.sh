#!/bin/sh
# cocotbext-ral 0.6.0 with systemrdl-compiler 1.33.0 (PyPI), a model of registers that predicts what a test reads, on a register file in SystemRDL; no simulator is needed:
# - A flag that hardware sets and writing 1 clears (`onwrite = woclr; hwset`) is not volatile: 1 where the hardware has set it is a mismatch. Status that is read-only is. We
#   had expected that what hardware writes is not predicted.
# - A bit that writing sets for one cycle (`singlepulse`) is to read as 1 after it. We had expected 0.
# - `onwrite` of `wot` and `wzc` is that of a plain register, without a warning: after 0x0f is written to 0xff, 0x0f is right to it, and the 0xf0 that `wot` makes is a mismatch.
#   We had expected the toggled value, or an error that the kind is not known, as its page lists the kinds.
# So a circuit that is right fails, and one that does not toggle passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check cocotbext-ral==0.6.0 systemrdl-compiler==1.33.0
cat >registers.rdl <<'R'
addrmap registers {
  default regwidth = 32;
  reg { field { sw = rw; hw = rw; onwrite = woclr; hwset; } value = 0; } FLAG @ 0x0;
  reg { field { sw = r; hw = w; } value[8]; } STATUS @ 0x4;
  reg { field { sw = rw; hw = r; singlepulse; } value = 0; } COMMAND @ 0x8;
  reg { field { sw = rw; hw = r; onwrite = wot; } value[8] = 0xff; } TOGGLE @ 0xc;
  reg { field { sw = rw; hw = r; onwrite = wzc; } value[8] = 0xf0; } CLEAR @ 0x10;
};
R
cat >predict.py <<'P'
import logging

from cocotbext.ral.adapters import load_rdl
from cocotbext.ral.runtime_predictor import RuntimePredictor

logging.disable(logging.CRITICAL)
# Register, what is written first, what is read then, whether that is right by SystemRDL, and whether it is to the model.
CASES = [
    ("FLAG", 0x0, None, 1, True, False),
    ("STATUS", 0x4, None, 5, True, True),
    ("COMMAND", 0x8, 1, 0, True, False),
    ("TOGGLE", 0xC, 0x0F, 0xF0, True, False),
    ("TOGGLE", 0xC, 0x0F, 0x0F, False, True),
    ("CLEAR", 0x10, 0x0F, 0x00, True, False),
    ("CLEAR", 0x10, 0x0F, 0x0F, False, True),
]
for name, address, written, read, right, seen in CASES:
    predictor = RuntimePredictor(load_rdl("registers.rdl", top_name="registers", incdir=[]))
    if written is not None:
        predictor.predict_write(address, written)
    passed = predictor.predict_read(address, read).passed
    print(f"{name}: {read:#x} {'' if written is None else f'after {written:#x} '}is {'right' if right else 'wrong'}, and {'passes' if passed else 'fails'}")
    assert passed == seen
P
venv/bin/python predict.py 2>said || { cat said; exit 1; }
[ ! -s said ]
