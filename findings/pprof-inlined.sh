#!/bin/sh
# pprof-to-md 0.2.0 (npm), a reader of pprof's profiles, on a profile that pprof-format 2.3.2 (npm) writes: a place in `inlined`, a function that is inlined into
# `outer`, with 1 execution and 700 instructions, and a place in `other` with 5 and 300. `default_sample_type` says instructions.
# - It takes `inlined` for the caller of `outer`: the path is `(root)` → `inlined` → `outer`. In pprof.proto the last line of a location is the caller. We had expected
#   the reverse.
# - Shares are those of the first type, executions: `other` has 83.3 %, where it has 30 % of the instructions. We had expected the default of the profile.
# - Two places are two functions of the same share, and the sum of what it calls the application's code is 117 %.
# So the hottest function is another one, and who inlines whom is turned round.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts pprof-to-md@0.2.0 pprof-format@2.3.2
cat >profile.js <<'J'
import { writeFileSync } from "fs";
import { Function, Line, Location, Mapping, Profile, Sample, StringTable, ValueType } from "pprof-format";

const stringTable = new StringTable();
const text = (word) => stringTable.dedup(word);
const type = (name) => new ValueType({ type: text(name), unit: text("count") });
const names = ["inlined", "outer", "other"];
const place = (id, ids) => new Location({ id, mappingId: 1, address: 0x1000 * id, line: ids.map((functionId) => new Line({ functionId, line: functionId })) });
const profile = new Profile({
  stringTable,
  sampleType: [type("executions"), type("instructions")],
  defaultSampleType: text("instructions"),
  mapping: [new Mapping({ id: 1, memoryStart: 0x1000, memoryLimit: 0x3000, filename: text("program.elf"), hasFunctions: true, hasInlineFrames: true })],
  function: names.map((name, at) => new Function({ id: at + 1, name: text(name), systemName: text(name), filename: text("main.c"), startLine: 1 })),
  location: [place(1, [1, 2]), place(2, [3])],
  sample: [new Sample({ locationId: [1], value: [1, 700] }), new Sample({ locationId: [2], value: [5, 300] })],
});
writeFileSync("profile.pb", profile.encode());
J
node profile.js
node node_modules/pprof-to-md/dist/cli.js profile.pb >said
grep -E 'Call path|bottleneck|Optimization|Self-time' said
# shellcheck disable=SC2016 # The backticks are the text's.
grep -qF '**Call path:** `(root)` → `inlined` → `outer`' said
# shellcheck disable=SC2016
grep -qF 'Primary bottleneck:** `other` (**83.3%**' said
grep -qF '(117% in application code)' said
