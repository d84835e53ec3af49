"""What was measured, as tables of research/docs/accuracy.md."""

import pathlib


def table(head, lines):
    """A table of Markdown; the first column is text."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in [head, rule] + lines) + "\n"


def mean(values):
    """The mean."""
    values = list(values)
    return sum(values) / len(values)


def percent(part):
    """A part in percent; a dash where there is none."""
    return "-" if part is None else f"{100 * part:.1f}"


def name(run):
    """The program of a trace."""
    return pathlib.Path(run["trace"]).stem


def part(measured, kind, of):
    """An overlap: `complete` or `dynamic`, of which `overlap`, `accounted` or `bound`; None if there was no window."""
    return measured[kind] and measured[kind][of]


def entries(measured):
    """How many entries a profiler's table has."""
    geometry = measured["configuration"]["geometry"]
    return geometry["sets"] * geometry["ways"]


def find(run, size, ways=4, index="full"):
    """The profiler with a table of so many entries and ways."""
    def fits(measured):
        geometry = measured["configuration"]["geometry"]
        return (entries(measured), geometry["ways"], geometry["index-scheme"]) == (size, ways, index)
    return next(measured for measured in run["measured"] if fits(measured))


def with_mean(rows, columns):
    """The rows as percents, and below them their mean."""
    means = [mean(row[1][at] for row in rows) if all(row[1][at] is not None for row in rows) else None for at in range(columns)]
    return [[label] + [percent(value) for value in values] for label, values in rows + [("mean", means)]]


def programs(runs, families):
    """What ran."""
    lines = []
    for run in runs:
        m = run["measured"][0]
        millions = [f"{m[column] / 1e6:.0f}" for column in ("instructions", "records", "paths")]
        lines.append([name(run), families[name(run)]] + millions + [f"{m['different']:,}", m["windows"], len(set(run["phases"]))])
    return table(["program", "family", "million instructions", "million branches", "million paths", "different paths", "windows",
                  "phases"], lines)


def phases(runs):
    """A letter for each window, the same for windows of one kind."""
    letters = lambda run: "".join(chr(65 + phase) if phase < 26 else "*" for phase in run["phases"])
    return table(["program", "windows"], [[name(run), f"`{letters(run)}`"] for run in runs if len(run["phases"]) > 1])


SIZES = (128, 512, 1024, 2048)


def sizes(lfu, shadow, kind):
    """Overlaps by size of the table and policy."""
    head = [f"{kind} overlap in %"] + [f"{size} {what}" for size in SIZES for what in ("lfu", "shadow", "best")]
    rows = []
    for run, other in zip(lfu, shadow, strict=True):
        values = []
        for size in SIZES:
            values += [part(find(run, size), kind, "overlap"), part(find(other, size), kind, "overlap"),
                       part(find(run, size), kind, "bound")]
        rows.append((name(run), values))
    return table(head, with_mean(rows, len(head) - 1))


def of_best(lfu, shadow):
    """What of the best each policy reaches."""
    lines = []
    for size in SIZES:
        cells = [size]
        for runs in (lfu, shadow):
            parts = [part(find(run, size), "complete", "overlap") / part(find(run, size), "complete", "bound") for run in runs]
            cells += [percent(mean(parts)), percent(min(parts))]
        lines.append(cells)
    return table(["entries, 4-way; overlap in % of the best", "lfu mean", "lfu least", "shadow mean", "shadow least"], lines)


FOUR = [(128, 2), (128, 4), (512, 2), (512, 4)]


def four(lfu):
    """Four geometries under LFU, as figures 5.7 and 5.8 have four."""
    head = ["LFU, overlap in %"] + [f"{size}, {ways}-way{what}" for what in ("", ", dynamic") for size, ways in FOUR]
    kinds = ("complete", "dynamic")
    rows = [(name(run), [part(find(run, size, ways), kind, "overlap") for kind in kinds for size, ways in FOUR]) for run in lfu]
    return table(head, with_mean(rows, len(head) - 1))


def settings(columns):
    """Complete overlaps of 512 entries, 4-way, LFU, one column for each setting: title and function from a program's place to its
    measured profiler."""
    count = len(columns[0][1])
    rows = []
    for place in range(count):
        runs = [runs[place] for _, runs, _ in columns]
        values = [part(choose(run), "complete", "overlap") for run, (_, _, choose) in zip(runs, columns)]
        rows.append((name(runs[0]), values))
    return table(["complete overlap in %"] + [title for title, _, _ in columns], with_mean(rows, len(columns)))


def bounds(columns):
    """How many different paths there are under each setting, and what the 512 hottest are of all; columns as above."""
    lines = []
    for place in range(len(columns[0][1])):
        found = [choose(runs[place]) for _, runs, choose in columns]
        lines.append([name(columns[0][1][place])] + [f"{m['different']:,}" for m in found]
                     + [percent(part(m, "complete", "bound")) for m in found])
    titles = [title for title, _, _ in columns]
    return table(["different paths, and best in %"] + titles + [f"best, {title}" for title in titles], lines)


def spread(run, what):
    """The distribution of a run with these words for its paths."""
    return next(found for found in run["distributions"] if found["paths"] == what)


def at(hottest, number):
    """What so many hottest paths are of all."""
    share = 0.0
    for paths, part_of_all in hottest:
        if paths > number:
            break
        share = part_of_all
    return share


NUMBERS = (1, 10, 100, 500, 1000, 5000)


def hottest(runs, what):
    """Figure 5.2: what the hottest paths are of all."""
    rows = [(name(run), [at(spread(run, what)["hottest"], number) for number in NUMBERS]) for run in runs]
    return table(["share in % of the hottest"] + [f"{number}" for number in NUMBERS], with_mean(rows, len(NUMBERS)))


LENGTHS = (1, 2, 4, 8, 16, 31)


def lengths(runs, what):
    """Figure 5.3: what paths of at most so many branches are of all."""
    rows = [(name(run), [sum(spread(run, what)["lengths"][:most + 1]) for most in LENGTHS]) for run in runs]
    return table(["share in % of paths of at most"] + [f"{most} branches" for most in LENGTHS], with_mean(rows, len(LENGTHS)))


def machines(here, there, shadows):
    """The same programs for two machines: here and there, with what `shadow` holds there."""
    known = {name(run): run for run in here}
    rows = []
    for run, shadow in zip(there, shadows, strict=True):
        one, other = known[name(run)]["measured"][0], run["measured"][0]
        per = [f"{100 * m['records'] / m['instructions']:.1f}" for m in (one, other)]
        lengths_of = [f"{m['records'] / m['paths']:.2f}" for m in (one, other)]
        different = [f"{m['different']:,}" for m in (one, other)]
        both = [find(known[name(run)], 512), find(run, 512)]
        overlaps = [percent(part(m, "complete", "overlap")) for m in both]
        bests = [percent(part(m, "complete", "bound")) for m in both]
        shadowed = percent(part(find(shadow, 512), "complete", "overlap"))
        rows.append([name(run)] + per + lengths_of + different + overlaps + bests + [shadowed])
    columns = ["branches in 100 instructions", "branches a path", "different paths", "512 lfu", "best"]
    head = ["program"] + [f"{column}, {machine}" for column in columns for machine in ("x86-64", "riscv64")] + ["512 shadow, riscv64"]
    return table(head, rows)


def speed(rows):
    """Seconds of QEMU alone, and how many times as long the others take: seconds that pass and, of a profile, seconds of processor time."""
    lines = []
    for program, version, records, plain, called, profiled, written in rows:
        ratios = [f"{run[of] / plain[of]:.2f}" for run, of in ((called, 0), (profiled, 0), (profiled, 1), (written, 0))]
        lines.append([program, version, f"{records:.0f}", f"{plain[0]:.1f}"] + ratios)
    return table(["program, whole run", "QEMU", "million records", "QEMU alone, s", "called for every block", "profiled", "processor time, profiled",
                  "profiled and traced"], lines)
