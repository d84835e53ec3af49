"""Plots of the tables of research/docs/accuracy.md, after the thesis's figures."""

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "hpp", "svg.fonttype": "path", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False})

import matplotlib.pyplot as plt  # noqa: E402 (its backend is chosen above)

from page import find, name, part, spread  # noqa: E402

# Lines that people who see few colours tell apart.
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"]
STYLES = ["-", "--", ":"]


def save(figure, file):
    """Writes the drawing, the same bytes for the same figures."""
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def axes(width, height):
    """A drawing with levels in percent."""
    figure, axis = plt.subplots(figsize=(width, height))
    axis.set_ylim(0, 101)
    axis.yaxis.set_major_formatter("{x:.0f} %")
    axis.grid(axis="y", color="#dddddd")
    axis.set_axisbelow(True)
    return figure, axis


def style(place):
    """Colour and kind of a line."""
    return {"color": COLOURS[place % len(COLOURS)], "linestyle": STYLES[place // len(COLOURS) % len(STYLES)], "linewidth": 1.4}


def hottest(runs, what, file):
    """Figure 5.2: what the hottest paths are of all, a line for each program."""
    figure, axis = axes(8, 4)
    for place, run in enumerate(runs):
        points = spread(run, what)["hottest"]
        axis.plot([n for n, _ in points], [100 * share for _, share in points], label=name(run), **style(place))
    axis.set_xscale("log")
    axis.set_xlim(1, 100_000)
    axis.set_xlabel("hottest paths")
    axis.xaxis.set_major_formatter("{x:,.0f}")
    axis.legend(ncol=1, fontsize=7.5, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    save(figure, file)


def lengths(runs, what, file):
    """Figure 5.3: what paths of at most so many branches are of all, a line for each program."""
    figure, axis = axes(8, 4)
    for place, run in enumerate(runs):
        sums, total = [], 0
        for share in spread(run, what)["lengths"]:
            total += 100 * share
            sums.append(total)
        axis.plot(range(len(sums)), sums, label=name(run), **style(place))
    axis.set_xlim(0, 32)
    axis.set_xlabel("branches of a path, at most")
    axis.legend(ncol=1, fontsize=7.5, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    save(figure, file)


def policies(lfu, shadow, size, file):
    """Overlap of a table of this size under both policies, a line at the best."""
    figure, axis = axes(8.5, 3.2)
    for place, (run, other) in enumerate(zip(lfu, shadow, strict=True)):
        for offset, (found, colour, label) in enumerate([(run, COLOURS[0], "LFU"), (other, COLOURS[1], "shadow")]):
            measured = find(found, size)
            x = place + 0.4 * (offset - 0.5)
            axis.bar(x, 100 * part(measured, "complete", "overlap"), 0.36, color=colour, label=label if place == 0 else None)
            best = 100 * part(measured, "complete", "bound")
            axis.plot([x - 0.19, x + 0.19], [best, best], color="black", linewidth=1.2, label="best" if place + offset == 0 else None)
    axis.set_xticks(range(len(lfu)), [name(run) for run in lfu], rotation=35, ha="right")
    axis.legend(ncol=1, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    save(figure, file)
