#!/usr/bin/env python3
"""Runs targets of verif/soc/tests/fuzz under libFuzzer: fuzz.py [TARGET ...] [-FLAG=VALUE ...]. Flags are libFuzzer's own;
-help=1 lists them. The working corpus is build/fuzz/TARGET/corpus; what a target fails on is put beside it. --keep then writes the
inputs that reach the same code to verif/soc/tests/fuzz/corpus, or of a large set the shortest."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "verif/soc/tests/fuzz/corpus"
DEFAULTS = ["-max_total_time=60", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"]
BUDGET = 96 * 1024  # bytes of a kept file

# LLVM counts the edges that run and shows the operands of comparisons; all of it is in stable Rust. The linker would throw
# away the counters of functions that it drops, and leave the table of all.
INSTRUMENTATION = [
    "-Cpasses=sancov-module",
    *(f"-Cllvm-args=-sanitizer-coverage-{what}" for what in ("level=4", "inline-8bit-counters", "pc-table", "trace-compares")),
    "-Clink-dead-code",
]


def build():
    """The engine, apart from everything else, since the instrumentation is in all of it."""
    version = subprocess.run([os.environ.get("RUSTC", "rustc"), "-vV"], check=True, capture_output=True, text=True).stdout
    host = version.split("host: ")[1].split()[0]
    command = [os.environ.get("CARGO", "cargo"), "build", "--quiet", "-p", "hpp-soc", "--features", "engine", "--example", "engine"]
    # With a target named, build scripts and macros stay as they are.
    command += ["--profile", "fuzz", "--target", host, "--target-dir", "target/instrumented"]
    flags = {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(INSTRUMENTATION)}
    subprocess.run(command, cwd=ROOT, env=os.environ | flags, check=True)
    return ROOT / "target/instrumented" / host / "fuzz/examples/engine"


def escaped(data):
    """A line as Rust's `escape_ascii` writes it."""
    special = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 39: "\\'", 92: "\\\\"}
    return "".join(special.get(byte, chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}") for byte in data) + "\n"


def keep(engine, target, folder):
    """The least set of inputs that reaches as many edges as all; edges alone, not how often each is taken."""
    least = folder / "least"
    least.mkdir(exist_ok=True)
    for file in least.iterdir():
        file.unlink()
    run(engine, target, ["-set_cover_merge=1", "-use_counters=0", least, folder / "corpus"])
    inputs = sorted((file.read_bytes() for file in least.iterdir()), key=lambda data: (len(data), data))
    lines, left = [], BUDGET
    for line in map(escaped, inputs):
        left -= len(line)
        if left < 0:
            break
        lines.append(line)
    print(f"{target}: {len(lines)} of {len(inputs)} inputs kept")
    (KEPT / f"{target}.txt").write_text("".join(lines))


def run(engine, target, arguments):
    return subprocess.run([engine, *map(str, arguments)], env=os.environ | {"HPP_FUZZ_TARGET": target}, check=False).returncode


def main():
    names = sorted(file.stem for file in KEPT.glob("*.txt"))
    flags = [argument for argument in sys.argv[1:] if argument.startswith("-") and argument != "--keep"]
    targets = [argument for argument in sys.argv[1:] if not argument.startswith("-")] or names
    for target in targets:
        if target not in names:
            sys.exit(f"fuzz: there is no target `{target}`; there are {', '.join(names)}")
    engine, failed = build(), []
    for target in targets:
        folder = ROOT / "build/fuzz" / target
        (folder / "corpus").mkdir(parents=True, exist_ok=True)
        for number, line in enumerate((KEPT / f"{target}.txt").read_text().splitlines()):
            (folder / f"corpus/kept-{number}").write_bytes(line.encode().decode("unicode_escape").encode("latin-1"))
        if run(engine, target, [f"-artifact_prefix={folder}/", *DEFAULTS, *flags, folder / "corpus"]):
            failed.append(target)
        elif "--keep" in sys.argv:
            keep(engine, target, folder)
    sys.exit(f"fuzz: {', '.join(failed)} failed; the inputs are in build/fuzz" if failed else 0)


if __name__ == "__main__":
    main()
