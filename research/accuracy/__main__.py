"""Measures how well tables hold the profiles of real programs, and writes what it found into research/docs/accuracy.md.

    python research/accuracy [--limit INSTRUCTIONS] [--others INSTRUCTIONS] [--again LABEL]

Programs are traced under QEMU once; traces, and what was measured over each, are kept in build/accuracy: run again, it goes on
where it was. `--again shadow` measures the columns of that policy anew and nothing else. Needs `cargo build --release --bin hpp`
and scripts/setup-tools.sh --study.
"""

import argparse
import subprocess
import sys
import time

import page
from measure import explore, say, short, speed, there, trace
from programs import BUILD, ROOT, inputs, put

# Instructions of each program in the short form.
SHORT = 100_000_000
# And in the long form, whose means the README shows.
LONG = 1_000_000_000

PAGE = ROOT / "research/docs/accuracy.md"

# Where in the page what is measured begins, and where it ends.
BEGIN, END = "<!-- measured -->\n", "<!-- end -->\n"

EXECUTIONS, INSTRUCTIONS = "ball-larus", "ball-larus, instructions"

# What each pass over the traces measures.
PASSES = {
    "lfu": ["--entries", "128,512,1024,2048", "--ways", "2,4"],
    "shadow": ["--entries", "128,512,1024,2048", "--replacement", "shadow"],
}

# And over those of the other machine.
RISCV_PASSES = {"lfu": ["--entries", "512"], "shadow": ["--entries", "512", "--replacement", "shadow"]}

# The same table for other paths and indexes.
OTHER_PASSES = {
    "plain": ["--index", "full,start"],
    "instructions": ["--metric", "instructions"],
    "extended": ["--extend", "loop,call"],
    "not-taken": ["--backward-not-taken", "backward"],
    "length": ["--max-branches", "8,16"],
    "stack": ["--stack-depth", "4,8"],
}


def window(limit):
    """Instructions of a window: the thesis's, or a third of a shorter run."""
    return min(limit // 3, 100_000_000)


def measured(machine, programs, passes, limit, again):
    """Traces the programs for a machine, and measures what each pass does over them."""
    files = [trace(machine, name, program, words, stdin, limit) for name, _, program, words, stdin in programs]
    flags = ["--window", str(window(limit))]
    return files, {label: explore(f"{label}-{machine}", files, flags + more, label in again) for label, more in passes.items()}


def by(part, field, value):
    """Which profiler has this value of a field of its `geometry`, or of its `reset` values."""
    return lambda run: next(m for m in run["measured"] if m["configuration"][part][field] == value)


def beside_the_thesis(found, rest, limit, others):
    """The means beside those of the thesis, which has 512 entries, 4-way, LFU too."""
    lfu = [page.find(run, 512) for run in found["lfu"]]
    extended = rest["extended"]
    mean = lambda all_of_them, kind="complete": page.percent(page.mean(page.part(m, kind, "overlap") for m in all_of_them))
    across = lambda what: [by("reset", "extension", what)(run) for run in extended]
    top = page.mean(page.at(page.spread(run, INSTRUCTIONS)["hottest"], 100) for run in rest["instructions"])
    brief = [sum(page.spread(run, INSTRUCTIONS)["lengths"][:17]) for run in rest["instructions"]]
    windows = all(page.part(m, "dynamic", "overlap") is not None for m in lfu)
    lines = [["complete overlap (figure 5.7)", "88", mean(lfu)],
             ["dynamic overlap (figure 5.8)", "95.5", mean(lfu, "dynamic") if windows else "-"],
             ["complete overlap of paths across one backward branch (figure 5.10)", "78.35", mean(across("loop"))],
             ["complete overlap of paths across one call (figure 5.10)", "84.10", mean(across("procedure"))],
             ["instructions along the 100 hottest paths (figure 5.2)", "above 80", page.percent(top)],
             ["programs with 90 % of instructions along paths of at most 16 branches (figure 5.3)", "most of 12",
              f"{sum(share >= 0.9 for share in brief)} of {len(brief)}"]]
    over = [limit, limit] + [others] * 4
    lines = [line + [f"{instructions / 1e6:,.0f}"] for line, instructions in zip(lines, over)]
    return page.table(["mean in %; 512 entries, 4-way, LFU", "thesis", "here", "over million instructions"], lines)


def other_paths(found):
    """Overlaps of the same table for other paths and indexes."""
    baseline = lambda run: page.find(run, 512)
    length, stack = found["length"], found["stack"]
    kinds = [("as the thesis", found["plain"], baseline),
             ("across a loop", found["extended"], by("reset", "extension", "loop")),
             ("across a call", found["extended"], by("reset", "extension", "procedure")),
             ("not taken ends", found["not-taken"], baseline)]
    start = ("index by start", found["plain"], lambda run: page.find(run, 512, 4, "start"))
    return page.settings(kinds + [start] + [(f"{n} branches", length, by("geometry", "max-branches", n)) for n in (8, 16)]
      + [(f"stack of {n}", stack, by("geometry", "stack-depth", n)) for n in (4, 8)]) + "\n" + page.bounds(kinds)


def draw(found, rest):
    """Draws the plots into build/accuracy."""
    import plots  # noqa: PLC0415 (only who draws needs matplotlib)

    plots.hottest(found["lfu"], EXECUTIONS, BUILD / "executions.svg")
    plots.hottest(rest["instructions"], INSTRUCTIONS, BUILD / "instructions.svg")
    plots.lengths(rest["instructions"], INSTRUCTIONS, BUILD / "lengths.svg")
    plots.policies(found["lfu"], found["shadow"], 512, BUILD / "policies.svg")


def of_each_program(instructions):
    """How much of each program was run."""
    return f"Over {instructions / 1e6:,.0f} million instructions of each program.\n"


def text(found, riscv, rest, families, head, limit, others):
    """What stands between the marks of the page."""
    of_each = of_each_program(others)
    parts = [head, page.programs(found["lfu"], families),
             "### Beside the thesis\n", beside_the_thesis(found, rest, limit, others),
             "### Hottest paths (figure 5.2)\n", "Instructions, o" + of_each[1:], page.hottest(rest["instructions"], INSTRUCTIONS),
             "Executions:\n", page.hottest(found["lfu"], EXECUTIONS),
             "### Length of paths (figure 5.3)\n", "Instructions, o" + of_each[1:], page.lengths(rest["instructions"], INSTRUCTIONS),
             "### Four geometries (figures 5.7 and 5.8)\n", page.four(found["lfu"]),
             "### Size and policy\n", page.of_best(found["lfu"], found["shadow"]),
             page.sizes(found["lfu"], found["shadow"], "complete"), page.sizes(found["lfu"], found["shadow"], "dynamic"),
             "### Other paths and indexes, 512 entries, 4-way, LFU (figure 5.10)\n", of_each, other_paths(rest),
             "### Phases\n", page.phases(found["lfu"])]
    if riscv["lfu"]:
        parts += ["### The same programs for RV64\n", of_each, page.machines(rest["plain"], riscv["lfu"], riscv["shadow"])]
    return "\n".join(parts)


def write(body):
    """Writes what was measured into the page, between its marks."""
    old = PAGE.read_text(encoding="utf-8")
    if BEGIN not in old or END not in old:
        sys.exit(f"accuracy: {PAGE} has no marks {BEGIN.strip()} and {END.strip()}")
    before, rest = old.split(BEGIN, 1)
    put(PAGE, (before + BEGIN + body + "\n" + END + rest.split(END, 1)[1]).encode())


def speeds(programs):
    """Measures whole runs, and records the table that docs/tracing.md shows."""
    rows = speed([p for p in programs if p[0] in ("gzip", "bzip2", "cc1")])
    put_figures("speed", {"all": page.speed(rows).rstrip("\n")})


def put_figures(group, figures):
    """Records figures where pages show them."""
    command = [sys.executable, ROOT / "scripts/figures.py", "record", group]
    subprocess.run(command + [f"{name}={value}" for name, value in figures.items()], cwd=ROOT, check=True)


def record(found):
    """Records the means of 512 entries as the README's figures `accuracy`."""
    lfu, shadow = ([page.find(run, 512) for run in found[policy]] for policy in ("lfu", "shadow"))
    means = {name: page.percent(page.mean(page.part(one, "complete", what) for one in runs))
             for name, runs, what in (("lfu", lfu, "overlap"), ("shadow", shadow, "overlap"), ("best", lfu, "bound"))}
    put_figures("accuracy", means)


def main():
    """Reads the command line, measures, writes."""
    parser = argparse.ArgumentParser(description="Measure how well tables hold the profiles of real programs.")
    parser.add_argument("--limit", type=lambda text: int(float(text)), default=SHORT, help="instructions of each program")
    parser.add_argument("--others", type=lambda text: int(float(text)), help="and for what is measured of other paths, if less")
    parser.add_argument("--only", choices=["speed"], help="measure nothing but the speeds of docs/tracing.md")
    parser.add_argument("--again", choices=[*PASSES, *OTHER_PASSES], action="append", default=[], help="measure this anew")
    parser.add_argument("--plots", action="store_true", help="draw them into build/accuracy, too")
    arguments = parser.parse_args()
    limit, others, began = arguments.limit, arguments.others or arguments.limit, time.monotonic()
    inputs()
    programs, missing = there("x86-64")
    if not programs:
        sys.exit("accuracy: there are no programs; scripts/setup-tools.sh --study fetches them")
    if arguments.only == "speed":
        return speeds(programs)
    riscv_programs, riscv_missing = there("riscv64")
    missing += ["the programs for RV64"] if not riscv_programs else [f"{name} for RV64" for name in riscv_missing]
    _, found = measured("x86-64", programs, PASSES, limit, arguments.again)
    _, rest = measured("x86-64", programs, OTHER_PASSES, others, arguments.again)
    _, riscv = measured("riscv64", riscv_programs, RISCV_PASSES, others, arguments.again)
    if arguments.plots:
        draw(found, rest)
    families = {name: family for name, family, *_ in programs}
    options = f" LIMIT={short(limit)}" * (limit != SHORT) + f" OTHERS={short(others)}" * (others != limit)
    head = (f"`make accuracy{options}`, {limit / 1e6:,.0f} million instructions of each program, windows of {window(limit) / 1e6:.0f} million"
            + (f"; not there: {', '.join(missing)}" if missing else "") + ".\n")
    body = text(found, riscv, rest, families, head, limit, others)
    write("\n" + body)
    if limit == LONG and not missing:
        record(found)
    say(f"{PAGE.relative_to(ROOT)} written after {(time.monotonic() - began) / 60:.0f} minutes")


if __name__ == "__main__":
    main()
