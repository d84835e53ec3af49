#!/usr/bin/env python3
"""Measures how well tables hold the profiles of real programs, and writes what it found into docs/accuracy.md.

    accuracy.py [--limit INSTRUCTIONS] [--only NAME,..]

Traces each program that is installed under QEMU (build/accuracy keeps the traces and what was measured), goes through all
of them with `hpp explore`, and puts the tables between the marks of the page. Needs `cargo build --release --bin hpp`.
"""

import argparse
import csv
import io
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HPP = ROOT / "target/release/hpp"
BUILD = ROOT / "build/accuracy"
PAGE = ROOT / "docs/accuracy.md"

PERL = r"""
local $/; open F, $ARGV[0]; my $t = <F>;
for (1 .. 1000) {
    my %h; $h{$1}++ while $t =~ /(\w+)/g;
    my @k = sort { $h{$b} <=> $h{$a} || $a cmp $b } keys %h;
    my $s = join ",", map { sprintf "%s=%d", $_, $h{$_} } @k; $s =~ s/([a-z]+)=(\d+)/$2:$1/g; print length $s, "\n";
}
"""

PYTHON = r"""
import collections, json, re, sys
text = open(sys.argv[1]).read()[:400_000]
for _ in range(1000):
    words = collections.Counter(re.findall(r"\w+", text))
    back = json.loads(json.dumps(words))
    print(sorted(back.items(), key=lambda item: (-item[1], item[0]))[:3])
"""

AWK = '{ for (i = 1; i <= NF; i++) n[$i]++; gsub(/[aeiou]+/, "-"); l += length($0) } END { for (w in n) if (n[w] > 99) print w, n[w]; print l }'

SQL = r"""
create table t(a integer primary key, b text, c int);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000)
insert into t select i, 'row' || (i * 7919 % 100003), i * 31 % 1009 from n;
create index tb on t(b); create index tc on t(c);
select c, count(*), max(b) from t group by c order by 2 desc limit 3;
select count(*) from t x join t y on x.c = y.a where x.b like 'row9%';
update t set c = c + 1 where b > 'row5'; delete from t where c % 7 = 0; select sum(length(b)) from t;
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select sum(i * i % 7) from n;
"""


def inputs():
    """The files that the programs work on, made of this repository and of the fetched bzip2."""
    BUILD.mkdir(parents=True, exist_ok=True)
    sources = sorted(subprocess.run(["git", "ls-files", "*.rs", "*.md"], cwd=ROOT, check=True, text=True,
                                    capture_output=True).stdout.split())
    text = BUILD / "text"
    if not text.exists():
        text.write_bytes(b"".join((ROOT / name).read_bytes() for name in sources) * 4)
    for name, content in [("count.pl", PERL), ("count.py", PYTHON), ("rows.sql", SQL)]:
        (BUILD / name).write_text(content)
    words = BUILD / "words.json"
    if not words.exists():
        body = ",".join(f'{{"id":{n},"name":"n{n * 7919 % 10007}","tags":["a{n % 7}","b{n % 11}"]}}' for n in range(60000))
        words.write_text(f"[{body}]")
    (BUILD / "pi.bc").write_text("scale=1500\n4*a(1)\nscale=400\nfor(i=1;i<400;i++)s+=e(1/i)\ns\n")
    unit = BUILD / "bzip2.i"
    if not unit.exists() and shutil.which("gcc") and (ROOT / ".tools/src/bzip2").is_dir():
        with open(unit, "w") as out:
            subprocess.run(["gcc", "-E", "-O2", ROOT / ".tools/src/bzip2/bzip2.c"], stdout=out, check=True)


def programs():
    """Name, family, command, standard input; the command is None where the program is not installed."""
    cc1 = shutil.which("gcc") and subprocess.run(["gcc", "-print-prog-name=cc1"], text=True, capture_output=True).stdout.strip()
    python = os.path.realpath(sys.executable)
    all_of_them = [
        ("gzip", "compressor", ["gzip", "-9", "-c", "text"], None),
        ("bzip2", "compressor", ["bzip2", "-k", "-c", "text"], None),
        ("xz", "compressor", ["xz", "-6", "-T1", "-k", "-c", "text"], None),
        ("cc1", "compiler", [cc1 or "cc1", "-O2", "-quiet", "bzip2.i", "-o", "/dev/null"], None),
        ("perl", "interpreter", ["perl", "count.pl", "text"], None),
        ("python", "interpreter", [python, "count.py", "text"], None),
        ("mawk", "interpreter", ["mawk", AWK, "text"], None),
        ("jq", "parser", ["jq", "-c", "group_by(.name[0:3]) | map(length) | add", "words.json"], None),
        ("sqlite3", "database", ["sqlite3", ":memory:"], "rows.sql"),
        ("bc", "arithmetic", ["bc", "-l", "-q", "pi.bc"], None),
        ("sort", "sorting", ["sort", "--parallel=1", "text"], None),
    ]
    for name, family, command, stdin in all_of_them:
        there = shutil.which(command[0]) and (name != "cc1" or (BUILD / "bzip2.i").exists())
        yield name, family, command if there else None, stdin


def run(command, stdin, stderr=subprocess.PIPE):
    """Runs a command in the build folder; its status, what it said, and the seconds of processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    source = open(BUILD / stdin) if stdin else subprocess.DEVNULL
    done = subprocess.run(command, cwd=BUILD, stdin=source, stdout=subprocess.DEVNULL, stderr=stderr, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.returncode, done.stderr or "", after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def trace(name, command, stdin, limit):
    """Records a program, unless that was done with the same limit; the file, or an end of this script."""
    file = BUILD / f"{name}.hpptrace"
    stamp = BUILD / f"{name}.limit"
    if file.exists() and stamp.exists() and stamp.read_text() == str(limit):
        return file
    print(f"accuracy: tracing {name}", file=sys.stderr)
    status, said, _ = run([HPP, "trace", "--top", "0", "--limit", str(limit), "--write", file.name, "--"] + command, stdin)
    if status not in (0, 3):
        sys.exit(f"accuracy: {name}: {said}")
    for line in said.splitlines():
        if line.startswith("hpp:"):
            print(f"accuracy: {name}: {line}", file=sys.stderr)
    stamp.write_text(str(limit))
    return file


def explore(files, flags):
    """Measures profilers over traces; the rows."""
    command = [HPP, "explore", "--format", "csv", "--resume", "kept.jsonl"] + flags + [file.name for file in files]
    done = subprocess.run(command, cwd=BUILD, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"accuracy: {done.stderr}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def table(head, lines):
    """A table of Markdown; the first column is text."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, rule] + lines) + "\n"


def percent(row, column):
    """A share in percent; a dash where there is none."""
    return f"{100 * float(row[column]):.1f}" if row[column] else "-"


def mean(values):
    """The mean."""
    values = list(values)
    return sum(values) / len(values)


def of_best(row):
    """The overlap, of what is possible."""
    return float(row["overlap"]) / float(row["best"])


def sizes(rows, families):
    """Overlaps by size of the table and policy, and what of the best they are."""
    entries = sorted({int(row["entries"]) for row in rows})
    find = {(row["trace"], int(row["entries"]), row["replacement"]): row for row in rows}
    traces = list(dict.fromkeys(row["trace"] for row in rows))
    text = ""
    for column, title in [("overlap", "Complete overlap"), ("dynamic_overlap", "Dynamic overlap")]:
        head = ["program, " + title.lower() + " in %"] + [f"{n} {policy}" for n in entries for policy in ("lfu", "shadow", "best")]
        best = column.replace("overlap", "best")
        lines = []
        for name in traces:
            cells = [pathlib.Path(name).stem]
            for n in entries:
                cells += [percent(find[name, n, policy], column) for policy in ("lfu", "shadow")]
                cells.append(percent(find[name, n, "lfu"], best))
            lines.append(cells)
        cells = ["mean"]
        for n in entries:
            for policy, part in [("lfu", column), ("shadow", column), ("lfu", best)]:
                values = [find[name, n, policy][part] for name in traces]
                cells.append(f"{100 * mean(map(float, values)):.1f}" if all(values) else "-")
        text += table(head, lines + [cells]) + "\n"
    lines = []
    for n in entries:
        parts = {policy: [of_best(find[name, n, policy]) for name in traces] for policy in ("lfu", "shadow")}
        lines.append([str(n)] + [f"{100 * f(parts[policy]):.1f}" for policy in ("lfu", "shadow") for f in (mean, min)])
    return text + table(["entries, overlap in % of the best", "lfu mean", "lfu least", "shadow mean", "shadow least"], lines)


def settings(rows):
    """Overlaps of the same table for other paths: one column for each setting."""
    names = list(rows)
    traces = [row["trace"] for row in rows[names[0]]]
    lines = [[pathlib.Path(name).stem] + [percent(rows[setting][place], "overlap") for setting in names]
             for place, name in enumerate(traces)]
    means = [f"{100 * mean(float(row['overlap']) for row in rows[setting]):.1f}" for setting in names]
    return table(["program, complete overlap in %"] + names, lines + [["mean"] + means])


def beside_the_thesis(plain, by_setting):
    """The means beside those of the thesis, which has 512 entries, 4-way, LFU too."""
    def found(rows, column):
        values = [row[column] for row in rows]
        return f"{100 * mean(map(float, values)):.1f}" if all(values) else "-"
    lines = [["complete overlap (figure 5.7)", "88", found(plain, "overlap")],
             ["dynamic overlap (figure 5.8)", "95.5", found(plain, "dynamic_overlap")],
             ["complete overlap of paths across one backward branch (figure 5.10)", "78.35", found(by_setting["loop"], "overlap")],
             ["complete overlap of paths across one call (figure 5.10)", "84.10", found(by_setting["call"], "overlap")]]
    return table(["mean in %, 512 entries, 4-way, LFU", "thesis", "here"], lines)


def programs_table(rows, families):
    """What ran."""
    lines = []
    for row in rows:
        name = pathlib.Path(row["trace"]).stem
        millions = [f"{int(row[column]) / 1e6:.0f}" for column in ("instructions", "records", "paths")]
        lines.append([name, families[name]] + millions + [row["different"]])
    return table(["program", "family", "million instructions", "million branches", "million paths", "different paths"], lines)


def speed(chosen):
    """Processor time of a program under QEMU alone, with the plugin, and with a trace."""
    lines = []
    for name, _, command, stdin in chosen:
        qemu = shutil.which("qemu-x86_64") or ROOT / ".tools/bin/qemu-x86_64"
        file = shutil.which(command[0])
        _, _, plain = run([qemu, file] + command[1:], stdin)
        _, said, profiled = run([HPP, "trace", "--top", "0", "--"] + command, stdin)
        _, _, written = run([HPP, "trace", "--top", "0", "--write", "speed.hpptrace", "--"] + command, stdin)
        (BUILD / "speed.hpptrace").unlink()
        records = float(re.search(r"([0-9.]+) million branch records", said).group(1))
        lines.append([name, f"{records:.0f}", f"{plain:.1f}", f"{profiled:.1f}", f"{profiled / plain:.1f}",
                      f"{records / profiled:.0f}", f"{written:.1f}"])
    return table(["program, whole run", "million records", "plain QEMU, s", "profiled, s", "ratio", "million records a second", "and traced, s"], lines)


def main():
    """Reads the command line, measures, writes."""
    parser = argparse.ArgumentParser(description="Measure how well tables hold the profiles of real programs.")
    parser.add_argument("--limit", type=lambda text: int(float(text)), default=100_000_000, help="instructions of each program")
    parser.add_argument("--only", help="names of programs, separated by commas")
    arguments = parser.parse_args()
    inputs()
    chosen = [p for p in programs() if not arguments.only or p[0] in arguments.only.split(",")]
    missing = [name for name, _, command, _ in chosen if command is None]
    chosen = [program for program in chosen if program[2]]
    families = {name: family for name, family, _, _ in chosen}
    files = [trace(name, command, stdin, arguments.limit) for name, _, command, stdin in chosen]
    images = ROOT / "docs/images/accuracy.svg"
    length = min(arguments.limit // 3, 100_000_000)
    window = ["--window", str(length)]
    by_size = explore(files, window + ["--entries", "128,512,1024,2048", "--replacement", "lfu,shadow"])
    explore(files, window + ["--entries", "512", "--replacement", "lfu,shadow", "--plot", str(images)])
    plain = [row for row in by_size if (row["entries"], row["replacement"]) == ("512", "lfu")]
    flags = {"loop": ["--extend", "loop"], "call": ["--extend", "call"],
             "not taken ends": ["--backward-not-taken", "backward"], "index by start": ["--index", "start"],
             "8 branches": ["--max-branches", "8"], "16 branches": ["--max-branches", "16"], "stack of 8": ["--stack-depth", "8"]}
    by_setting = {"as the thesis": plain} | {name: explore(files, window + flag) for name, flag in flags.items()}
    fast = [(name, family, [word.replace("text", "words.json") for word in command], stdin)
            for name, family, command, stdin in chosen if name in ("gzip", "bzip2", "cc1")]
    text = [f"`make accuracy`, {arguments.limit / 1e6:.0f} million instructions of each program, windows of {length / 1e6:.0f} million"
            + (f"; not installed: {', '.join(missing)}" if missing else "") + ".\n",
            programs_table(plain, families), "### Beside the thesis\n", beside_the_thesis(plain, by_setting), "### Size and policy\n", sizes(by_size, families),
            "![Complete overlap of 512 entries, 4-way](images/accuracy.svg)\n",
            "### Other paths, 512 entries, LFU\n", settings(by_setting), "### Speed\n", speed(fast)]
    page = PAGE.read_text()
    begin, end = "<!-- measured -->\n", "<!-- end -->\n"
    if begin not in page or end not in page:
        sys.exit(f"accuracy: {PAGE} has no marks {begin.strip()} and {end.strip()}")
    head, rest = page.split(begin, 1)
    PAGE.write_text(head + begin + "\n" + "\n".join(text) + "\n" + end + rest.split(end, 1)[1])


if __name__ == "__main__":
    main()
