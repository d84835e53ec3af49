"""The programs of the study, what they work on, and how they are traced.

All are Debian's, unpacked by scripts/study-programs.sh for two machines: the same sources, compiled twice. What they work on is
made here, the same each time.
"""

import io
import pathlib
import math
import random
import struct
import subprocess
import wave

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STUDY = ROOT / ".tools/study"
BUILD = ROOT / "build/accuracy"

MACHINES = {"x86-64": ("amd64", "qemu-x86_64"), "riscv64": ("riscv64", "qemu-riscv64")}

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

ABC = ("gen -m -N 24 mul.blif; read_blif mul.blif; strash; "
       + "balance; rewrite; refactor; balance; rewrite -z; balance; refactor -z; rewrite -z; " * 8 + "if -K 6; print_stats")

# Name, family, program, arguments, standard input.
PROGRAMS = [
    ("gzip", "compressor", "gzip", ["-9", "-c", "text"], None),
    ("bzip2", "compressor", "bzip2", ["-k", "-c", "text"], None),
    ("xz", "compressor", "xz", ["-6", "-T1", "-k", "-c", "text"], None),
    ("cc1", "compiler", "cc1", ["-O2", "-quiet", "bzip2.i", "-o", "/dev/null"], None),
    ("perl", "interpreter", "perl", ["count.pl", "text"], None),
    ("python", "interpreter", "python3.13", ["count.py", "text"], None),
    ("mawk", "interpreter", "mawk", [AWK, "text"], None),
    ("jq", "parser", "jq", ["-c", "group_by(.name[0:3]) | map(length) | add", "words.json"], None),
    ("sqlite3", "database", "sqlite3", [":memory:"], "rows.sql"),
    ("abc", "logic optimiser", "yosys-abc", ["-c", ABC], None),
    ("minisat", "SAT solver", "minisat", ["-verb=0", "random.cnf"], None),
    ("glpsol", "min-cost flow", "glpsol", ["--mincost", "network.min"], None),
    ("gnugo", "go", "gnugo", ["--mode", "gtp", "--level", "8", "--seed", "1"], "game.gtp"),
    ("lame", "floating point", "lame", ["--quiet", "-q", "2", "sound.wav", "/dev/null"], None),
    ("bc", "arithmetic", "bc", ["-l", "-q", "pi.bc"], None),
    ("sort", "sorting", "sort", ["--parallel=1", "text"], None),
]


def put(file, content):
    """Writes a file beside its place and renames it: what was cut short is not taken for done."""
    draft = file.with_name(f"{file.name}.draft")
    draft.write_bytes(content)
    draft.replace(file)


def write(name, make):
    """Makes a file of the build folder, unless it is there."""
    file = BUILD / name
    if not file.exists():
        put(file, make())


def text():
    """The sources of bzip2 and zlib, several times."""
    files = sorted(file for folder in ("bzip2", "zlib") for file in (ROOT / ".tools/src" / folder).rglob("*.[ch]"))
    return b"".join(file.read_bytes() for file in files) * 8


def words():
    """Records as JSON."""
    rows = (f'{{"id":{n},"name":"n{n * 7919 % 10007}","tags":["a{n % 7}","b{n % 11}"]}}' for n in range(60000))
    return f"[{','.join(rows)}]".encode()


def formula():
    """A random formula of three literals a clause, near where half of them have a solution."""
    draw, variables = random.Random(7), 220
    clauses = [[v * draw.choice((-1, 1)) for v in draw.sample(range(1, variables + 1), 3)] for _ in range(int(4.27 * variables))]
    lines = [" ".join(map(str, clause + [0])) for clause in clauses]
    return "\n".join([f"p cnf {variables} {len(clauses)}"] + lines + [""]).encode()


def network():
    """A network in which a supply is to reach its demand at the least cost, in DIMACS form."""
    draw, side = random.Random(3), 40
    node = lambda x, y: x * side + y + 1
    arcs = [(node(x, y), node(x + dx, y + dy)) for x in range(side) for y in range(side)
            for dx, dy in ((1, 0), (0, 1), (1, 1)) if x + dx < side and y + dy < side]
    arcs += [(b, a) for a, b in arcs if draw.random() < 0.3]
    ends = [(node(0, y), 8) for y in range(10)] + [(node(side - 1, side - 1 - y), -8) for y in range(10)]
    lines = [f"p min {side * side} {len(arcs)}"] + [f"n {n} {flow}" for n, flow in ends]
    lines += [f"a {a} {b} 0 {draw.randint(2, 12)} {draw.randint(1, 100)}" for a, b in arcs]
    return "\n".join(lines + [""]).encode()


def sound():
    """Chords and noise, 60 seconds of two channels at 44.1 kHz."""
    draw, file = random.Random(5), io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(2), out.setsampwidth(2), out.setframerate(44100)
        for second in range(60):
            tones = [220 * 2 ** (draw.randint(0, 24) / 12) for _ in range(3)]
            samples = []
            for n in range(44100):
                left = sum(math.sin(6.2831853 * tone * n / 44100) for tone in tones) * 6000
                samples += [int(left + draw.gauss(0, 300)), int(0.6 * left + draw.gauss(0, 300))]
            out.writeframes(struct.pack(f"<{len(samples)}h", *samples))
    return file.getvalue()


def inputs():
    """Makes what the programs work on."""
    BUILD.mkdir(parents=True, exist_ok=True)
    write("text", text)
    write("words.json", words)
    write("random.cnf", formula)
    write("network.min", network)
    for name, content in [("count.pl", PERL), ("count.py", PYTHON), ("rows.sql", SQL),
                          ("pi.bc", "scale=1500\n4*a(1)\nscale=400\nfor(i=1;i<400;i++)s+=e(1/i)\ns\n"),
                          ("game.gtp", "boardsize 13\n" + "genmove black\ngenmove white\n" * 60)]:
        write(name, content.encode)
    write("sound.wav", sound)
    unit = ["gcc", "-E", "-O2", ROOT / ".tools/src/bzip2/bzip2.c"]
    write("bzip2.i", lambda: subprocess.run(unit, check=True, capture_output=True).stdout)


def command(machine, program, arguments):
    """A program of the study for a machine, with its arguments; none if it is not there."""
    root = STUDY / MACHINES[machine][0]
    folders = [root / "usr/bin", *root.glob("usr/libexec/gcc/*/*")]
    found = next((folder / program for folder in folders if (folder / program).exists()), None)
    return found and [str(found.resolve())] + arguments
