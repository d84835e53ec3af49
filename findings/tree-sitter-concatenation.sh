#!/bin/sh
# tree-sitter-verilog 1.0.3 and tree-sitter-systemverilog 0.4.1 (PyPI), grammars by which editors and indexes read Verilog, with tree-sitter 0.25.2 (PyPI); Icarus Verilog 11.0
# (Debian 12: iverilog) compiles the same modules.
# - In tree-sitter-verilog a concatenation that begins with a selection is an error: `{a[3:0], 4'd0}` makes the whole assignment one, which is then no assignment in the tree,
#   and in `{a[0], b}` an operator `++` is said to be missing. We had expected the tree of `{4'd0, a[3:0]}`, which is right, as is `{(a[3:0]), 4'd0}`.
# - tree-sitter-systemverilog has no error in any of them.
# So an index of a core has signals that nothing drives, and a tool that edits by the tree passes over them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check tree-sitter==0.25.2 tree-sitter-verilog==1.0.3 tree-sitter-systemverilog==0.4.1
apt-get -qq download iverilog 2>/dev/null
dpkg -x iverilog_*.deb root
ivl=root/usr/lib/x86_64-linux-gnu/ivl
root/usr/bin/iverilog -V 2>/dev/null | grep -m 1 'version 11\.0'
cat >parse.py <<'P'
import sys

import tree_sitter
import tree_sitter_systemverilog
import tree_sitter_verilog


def read(language, text):
    """The faults of a text, and whether it has an assignment."""
    nodes = [tree_sitter.Parser(tree_sitter.Language(language.language())).parse(text).root_node]
    faults, types = [], set()
    while nodes:
        node = nodes.pop()
        types.add(node.type)
        if node.type == "ERROR" or node.is_missing:
            faults.append("missing " + node.type if node.is_missing else "error")
        nodes += node.children
    return faults, "continuous_assign" in types


text = open(sys.argv[1], "rb").read()
for language in tree_sitter_verilog, tree_sitter_systemverilog:
    print(language.__name__, *read(language, text))
P
try() {
    printf "module m(input [7:0] a, input b, output [7:0] y);\n  assign y = %s;\nendmodule\n" "$1" >m.v
    root/usr/bin/iverilog -B "$ivl" -g2005 -Wall -o m.vvp m.v
    venv/bin/python parse.py m.v >said
    echo "$1: $(tr '\n' ';' <said)"
    grep -qx "tree_sitter_systemverilog \[\] True" said
    grep -qxF "tree_sitter_verilog $2" said
}
try "{a[3:0], 4'd0}" "['error'] False"
try "{a[0], b}" "['missing ++'] True"
try "{4'd0, a[3:0]}" "[] True"
try "{(a[3:0]), 4'd0}" "[] True"
try "{a, 4'd0}" "[] True"
