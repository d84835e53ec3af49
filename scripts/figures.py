#!/usr/bin/env python3
"""The figures of the manual: what a command measured, with commit and date, and where pages show it.

    figures.py list [GROUP ..]      when each group was measured, and whether it is older than what it measures
    figures.py renew [GROUP ..]     runs the commands of the groups that are older, or of these
    figures.py fill                 fills the marks of the pages from the data files
    figures.py check                fails if a page shows something else, or has a copy of a figure outside of marks
    figures.py begin GROUP          the commit that a measurement is of which begins now
    figures.py record GROUP [COMMIT] NAME=VALUE ..  puts figures in the place of the group's, and fills the pages; without a commit, of this one

A group is what one command measures at once. A page shows a figure between marks, `<!-- fig:default.ecp5-25f.luts -->` and `<!-- / -->`; the figure
`measured` of each group is its date, commit and command, `date` its date and commit. One of several lines stands by itself, with its date.
"""

import datetime
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The data files, and their pages.
BOOKS = {"docs/figures.toml": ["README.md", "CONTRIBUTING.md", "docs/*.md"], "research/docs/figures.toml": ["research/docs/*.md"]}
HEAD = "# The figures of the pages beside this file, written by the commands that measure them. `make figures` renews them.\n"
MARK = re.compile(r"<!-- fig:([^.\s]+)\.(\S+) -->((?:(?!<!-- fig:).)*?)<!-- / -->", re.S)
# A number that stands by itself: `1,243` and `99.3`, but not the digits of `ecp5`, `0x40` or `1.2.3`.
NUMBER = re.compile(r"(?<![\w,.-])\d[\d,]*(?:\.\d+)?(?=[,.-]*(?:[^\w,.-]|$))")


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, check=False, text=True, errors="replace")


def books():
    """For each data file its groups."""
    try:
        return {file: tomllib.loads((ROOT / file).read_text()) for file in BOOKS}
    except (OSError, tomllib.TOMLDecodeError) as error:
        sys.exit(f"figures: {error}")


def pages(file):
    return sorted(page for pattern in BOOKS[file] for page in ROOT.glob(pattern))


def holding(name):
    """The data file with a group, read anew: another command may have written since."""
    found = books()
    for file, groups in found.items():
        if name in groups:
            return file, groups
    known = ", ".join(sorted(group for groups in found.values() for group in groups))
    sys.exit(f"figures: no group `{name}`; known: {known}; remedy: add it to {' or '.join(BOOKS)}, with command, minutes and measures")


def measured(group):
    return f"{group['date']} at commit {group['commit']} by `{group['command']}`"


def filled(page, text, groups):
    """The page with every figure in its place."""

    def content(match):
        name, figure, _ = match.groups()
        place = f"{page.relative_to(ROOT)}:{1 + text.count(chr(10), 0, match.start())}"
        group = groups.get(name) or sys.exit(f"{place}: no group `{name}`")
        dated = {"measured": measured(group), "date": f"{group['date']}, {group['commit']}"}
        value = dated.get(figure, group["figures"].get(figure))
        if value is None:
            sys.exit(f"{place}: `{group['command']}` measures no `{figure}`")
        block = f"\n\n{value.rstrip()}\n\nMeasured {measured(group)}.\n\n" if "\n" in value else value
        return f"<!-- fig:{name}.{figure} -->{block}<!-- / -->"

    stray = re.search(r"<!-- (fig:\S*|/)", MARK.sub(lambda match: "\n" * match[0].count("\n"), text))
    if stray:
        sys.exit(f"{page.relative_to(ROOT)}: `{stray[0]}` has no counterpart; a figure stands between <!-- fig:GROUP.NAME --> and <!-- / -->")
    return MARK.sub(content, text)


def put(path, text):
    """Writes a file whole or not at all."""
    draft = path.with_name(f"{path.name}.draft")
    draft.write_text(text)
    draft.replace(path)


def fill(file, groups):
    texts = {page: page.read_text() for page in pages(file)}
    for page, text in {page: filled(page, text, groups) for page, text in texts.items()}.items():
        if text != texts[page]:
            put(page, text)
            print(f"filled {page.relative_to(ROOT)}")


def typed(text, groups):
    """Copies of figures that stand outside of marks, each with its line.

    On a page that shows the group, a number is a copy that has four digits, or three and a decimal point and is a figure by itself. On another page it
    is one if it has four digits, is a figure by itself and not one of a row, and its paragraph names what the figure counts, the last part of its name.
    Round numbers and powers of two are sizes that somebody chose. Code stands for itself.
    """
    shown = {match[1] for match in MARK.finditer(text)}
    known = {}
    for name, group in groups.items():
        for figure, value in group["figures"].items():
            for number in (number.replace(",", "") for number in NUMBER.findall(value)):
                digits = len((number if "." in number else number.rstrip("0")).lstrip("0.").replace(".", ""))
                block, size = "\n" in value or " / " in value, number.isdigit() and int(number).bit_count() == 1
                if (digits == 3 and "." in number and name in shown and not block) or (digits > 3 and not size and (name in shown or not block)):
                    known.setdefault(number, []).append((name, figure))
    empty = lambda match: re.sub(r"[^\n]", " ", match[0])
    # What was measured once is a table with its date and without marks.
    dated = re.sub(r"(^\|.*\n)+\nMeasured .* at commit .*", empty, MARK.sub(empty, text), flags=re.M)
    prose = re.sub(r"`[^`\n]*`", " ", re.sub(r"^ *```.*?^ *```", empty, dated, flags=re.S | re.M))
    line = 1
    for paragraph in re.split(r"(\n\s*\n)", prose):
        for match in NUMBER.finditer(paragraph):
            for name, figure in known.get(match[0].replace(",", ""), []):
                if name in shown or figure.split(".")[-1].rstrip("s") in paragraph.lower():
                    yield line + paragraph.count("\n", 0, match.start()), f"{match[0]} is typed; it is the figure `{name}.{figure}`"
                    break
        line += paragraph.count("\n")
    for name in sorted(shown):
        if not any(match[1] == name and (match[2] in ("measured", "date") or "\n" in match[3]) for match in MARK.finditer(text)):
            yield 1, f"no `<!-- fig:{name}.measured -->`, so the age of its figures is not shown"


def check():
    faults = []
    for file, groups in books().items():
        for page in pages(file):
            text = page.read_text()
            if filled(page, text, groups) != text:
                faults.append(f"{page.relative_to(ROOT)}: not what {file} says; remedy: make figures FILL=1")
            faults += [f"{page.relative_to(ROOT)}:{line}: {what}" for line, what in typed(text, groups)]
    sys.exit("\n".join(faults) or None)


def age(group):
    """How many commits changed what a group measures since; one that changed only comments does not count."""
    if group["commit"].endswith("-dirty"):
        return "OLDER: measured with changes that no commit has"
    if git("cat-file", "-e", f"{group['commit']}^{{commit}}").returncode:
        return "UNKNOWN: the history here does not have that commit"
    # `#` without a space begins what compilers read: an attribute of Rust, a directive of C.
    log = git("log", "--no-merges", "--format=%x00%h, %as: %s", "--patch", "--no-color", "--no-ext-diff", r"--ignore-matching-lines=^\s*(//|# |#$)",
              f"{group['commit']}..HEAD", "--", *group["measures"]).stdout
    changes = [change for change in log.split("\0") if "\n@@" in change or "\nBinary files " in change]
    return f"OLDER by {len(changes)} commits, the last of them {changes[0].splitlines()[0]}" if changes else "current"


def listed(names):
    groups = {name: group for groups in books().values() for name, group in groups.items()}
    for name in names:
        holding(name)
    return [(name, group, age(group)) for name, group in groups.items() if not names or name in names]


def renew(names):
    due = [(name, group) for name, group, old in listed(names) if names or old != "current"]
    print(f"{len(due)} to renew, {sum(group['minutes'] for _, group in due)} minutes where nothing is kept of earlier runs")
    failed = []
    for name, group in due:
        print(f"{name}: `{group['command']}`, up to {group['minutes']} minutes", flush=True)
        commit = begin(name)
        done = subprocess.run(group["command"], shell=True, cwd=ROOT, check=False).returncode == 0
        now = holding(name)[1][name]
        if not done or (now["commit"], now["date"]) != (commit, str(datetime.date.today())):
            failed.append(name)
    sys.exit(f"figures: not renewed: {', '.join(failed)}" if failed else None)


def begin(name):
    """Before anybody works for hours, the group is there and its pages are right."""
    file, groups = holding(name)
    for page in pages(file):
        filled(page, page.read_text(), groups)
    commit = git("rev-parse", "--short=10", "HEAD").stdout.strip() or sys.exit("figures: this is no git repository, so nothing says what is measured")
    return commit + ("-dirty" if git("status", "--porcelain", "--", *groups[name]["measures"]).stdout else "")


def record(name, commit, figures):
    file, groups = holding(name)
    groups[name] |= {"commit": commit, "date": str(datetime.date.today()), "figures": dict(figure.split("=", 1) for figure in figures)}
    fill(file, groups)
    put(ROOT / file, "\n".join([HEAD, *(written(name, group) for name, group in sorted(groups.items()))]))


def written(name, group):
    """A group as TOML."""
    quoted = lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    value = lambda text: '"""\n' + text.replace("\\", "\\\\").replace('"""', '\\"""') + '"""' if "\n" in text else quoted(text)
    key = lambda text: text if re.fullmatch(r"[\w-]+", text) else quoted(text)
    lines = [f"[{name}]", f"command = {quoted(group['command'])}", f"minutes = {group['minutes']}", "measures = ["]
    lines += [f"    {quoted(path)}," for path in group["measures"]] + ["]", f"commit = {quoted(group['commit'])}", f"date = {quoted(group['date'])}"]
    figures = [f"{key(figure)} = {value(text)}" for figure, text in sorted(group["figures"].items())]
    return "\n".join([*lines, "", f"[{name}.figures]", *figures]) + "\n"


def main():
    match sys.argv[1:]:
        case ["list", *names]:
            rows = listed(names)
            print(*(f"{name}: {measured(group)}; {old}" for name, group, old in rows), sep="\n")
            print(f"{sum(old != 'current' for *_, old in rows)} of {len(rows)} are older than what they measure")
        case ["renew", *names]:
            renew(names)
        case ["fill"]:
            for file, groups in books().items():
                fill(file, groups)
        case ["check"]:
            check()
        case ["begin", name]:
            print(begin(name))
        case ["record", name, *figures] if figures and all("=" in figure for figure in figures):
            record(name, begin(name), figures)
        case ["record", name, commit, *figures] if figures and all("=" in figure for figure in figures):
            record(name, commit, figures)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
