#!/bin/sh
# Readers of LCOV's tracefiles: @friedemannsommer/lcov-parser 5.0.2 and lcov-parse 1.0.0 (npm), lcov_cobertura 2.1.1 (PyPI), on two overloaded functions of C++, of which
# one ran, and on a file that has two sections, as one has after `cat` of two tracefiles.
# - The first two end a function's name at its first comma: both functions are `count(int`. lcov-parser has one, on the line of the one that never ran, with the
#   executions of the other. lcov-parse has two of that name. We had expected the rest of the line, commas included, as geninfo writes and genhtml reads it.
# - lcov_cobertura has the whole names. It keeps the last section of a file alone. We had expected the sum of both, as `lcov` has it.
# So a function that no test runs looks as if it had run, and lines that ran are gone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @friedemannsommer/lcov-parser@5.0.2 lcov-parse@1.0.0
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages lcov_cobertura==2.1.1
cat >run.info <<'L'
TN:
SF:/source/count.cpp
FN:3,count(int, char)
FN:9,count(int, long)
FN:15,total
FNDA:7,count(int, char)
FNDA:0,count(int, long)
FNDA:7,total
FNF:3
FNH:2
DA:3,7
DA:9,0
DA:15,7
LF:3
LH:2
end_of_record
L
{
    cat run.info
    printf 'TN:\nSF:/source/count.cpp\nFN:9,count(int, long)\nFN:15,total\nFNDA:2,count(int, long)\nFNDA:1,total\nDA:9,2\nDA:15,1\nend_of_record\n'
} >both.info
cat >read.js <<'J'
import { deepStrictEqual } from "assert";
import { readFileSync } from "fs";
import { lcovParser } from "@friedemannsommer/lcov-parser";
import parse from "lcov-parse";

const [file] = await lcovParser({ from: readFileSync("run.info") });
console.log("lcov-parser:", file.functions.details);
deepStrictEqual(file.functions.details, [{ hit: 7, line: 9, name: "count(int" }, { hit: 7, line: 15, name: "total" }]);
parse("run.info", (error, files) => {
  const seen = files[0].functions.details.map(({ name, line, hit }) => [name, line, hit]);
  console.log("lcov-parse:", seen);
  deepStrictEqual(seen.map(([name]) => name), ["count(int", "count(int", "total"]);
});
J
node read.js
PYTHONPATH=packages python3 - <<'P'
import xml.etree.ElementTree as ElementTree

from lcov_cobertura import LcovCobertura

once, other = "count(int, char)", "count(int, long)"
for name, lines, functions in [("run", {"3": "7", "9": "0", "15": "7"}, [once, other, "total"]), ("both", {"9": "2", "15": "1"}, [other, "total"])]:
    (file,) = ElementTree.fromstring(LcovCobertura(open(f"{name}.info").read()).convert()).iter("class")
    kept = {line.get("number"): line.get("hits") for line in file.findall("lines/line")}
    methods = [method.get("name") for method in file.iter("method")]
    print(f"lcov_cobertura, {name}: lines {kept}, functions {methods}")
    assert kept == lines and methods == functions, (kept, methods)
P
