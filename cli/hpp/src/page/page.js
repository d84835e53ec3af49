"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { names, files, problems, sources, routes } = data;

const make = (name, attributes = {}, ...children) => {
  const svg = ["svg", "g", "rect", "text", "path", "title", "tspan", "defs", "marker"].includes(name);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};
const number = (value) => value.toLocaleString("en-US");
/* One digit after the point, ties to even as the command rounds: a tie of binary fractions ends with .25 or .75. */
const percent = (share) => {
  const value = 100 * share, tenths = Math.floor(10 * value);
  return ((4 * value) % 2 === 1 ? (tenths + (tenths % 2)) / 10 : value).toFixed(1) + " %";
};
const short = (source) => (source ? source.file.split(/[/\\]/).pop() + ":" + source.line : "");
const line = (at) => at && { file: files[at[0]], line: at[1] };
/* A name in full, or as it is in a column. */
const called = (name, whole) => (whole ? names[name][0] : names[name][1] || names[name][0]);
const place = ({ name, at, inlined }, whole) => {
  const where = name === null ? "0x" + at : at === "0" ? called(name, whole) : `${called(name, whole)}+0x${at}`;
  return inlined === null ? where : `${where} (${called(inlined, whole)})`;
};
/* Text that breaks behind a scope, before arguments and before an offset, if it has to: not within an identifier. */
const broken = (text) => text.split(/(?<=::)|(?=[<(]|\+0x)/).flatMap((part, index) => (index ? [make("wbr"), part] : [part]));

/* A source line that does not break, and behind it that of a library. */
const lines = ({ source, library }) => make("small", {}, make("span", { class: "line" }, short(source)), ...(library ? [" ", make("span", { class: "line" }, `(${short(library)})`)] : []));

const share = (weight) => (data.total ? weight / data.total : 0);
const paths = data.paths.map(([rank, weight, cumulative, beside, name, at, inlined, source, outcomes, problem, library]) => (
  { rank, weight, share: share(weight), cumulative, beside, name, at, inlined, source: line(source), library: line(library), outcomes, problem: problem === null ? null : problems[problem] }));
const functions = data.functions.map(([name, own, inclusive, paths, source], index) => ({ rank: index + 1, name, own, inclusive, paths, source: line(source) }));

/* A block's instructions with their addresses; one line for a block that no path ran through. */
const code = ([start, count, bytes, lines]) => {
  if (!lines.length) return [{ address: start, text: `${count} instruction${count === 1 ? "" : "s"}, on no path`, weight: 0, taken: null, source: null }];
  let next = BigInt("0x" + start);
  return lines.map(([text, weight, taken, source], index) => {
    const address = next.toString(16);
    next += BigInt(bytes[index] || 0);
    return { address, text, weight, taken, source: line(source) };
  });
};
const graphOf = (number) => {
  const [blocks, edges] = data.graphs[number];
  return { blocks: blocks.map((block) => ({ code: code(data.blocks[block]) })), edges: edges.map(([from, to, taken]) => ({ from, to, taken: taken === 1 })) };
};

/* --- head ------------------------------------------------------------------------------------------------------- */

const hasSources = Object.keys(sources).length > 0;

const head = () => {
  const list = make("dl");
  const add = (name, ...text) => list.append(make("dt", {}, name), make("dd", {}, ...text));
  const { counted, health } = data;
  if (data.program) add("program", make("span", { class: "id" }, `build ID ${data.program}`));
  add("counted", `${counted.metric} ${counted.events ? "along" : "of"} ${counted.paths}`);
  const of = data.completed === null ? "" : ` of ${number(data.completed)} completed`;
  add("table", `${data.held} paths in a table of ${number(data.entries)}; they count ${number(data.counts)}${of}`);
  add("shares", data.shares);
  if (data.walked) add("walk", `${data.walked[0]} of ${data.walked[1]} walk through the program's code`);
  add("health", make("span", { class: health.trusted ? "good" : "bad" }, health.trusted ? "good" : "this profile cannot be trusted"));
  for (const finding of health.findings) add("", make("span", { class: finding.critical ? "bad" : "" }, finding.text));
  if (!hasSources) add("source", files.length ? "no source file was found; --source DIR says where they are" : "the program has no source lines");
  document.getElementById("head").append(make("h1", {}, data.title), list);
};

/* --- tables ----------------------------------------------------------------------------------------------------- */

const title = (function_) => (function_.name === null ? "(in no function)" : called(function_.name));
/* A column: its name, what it is sorted by, whether that is a number, and what is shown. */
const columns = {
  paths: [
    ["#", (path) => path.rank, true],
    [data.unit, (path) => path.weight, true, (path) => number(path.weight)],
    ["share", (path) => path.share, true, (path) => percent(path.share)],
    ["sum", (path) => path.cumulative, true, (path) => percent(path.cumulative)],
    ...(data.beside ? [[data.beside, (path) => path.beside ?? -1, true, (path) => (path.beside === null ? "-" : number(path.beside))]] : []),
    ["path begins in", (path) => place(path), false, (path) => [make("span", { title: place(path, true) }, ...broken(place(path))), " ", lines(path),
      ...(path.problem ? [make("br"), make("small", { class: "problem" }, "does not walk: " + path.problem)] : [])]],
    ["branches", (path) => path.outcomes, false, (path) => [make("span", { class: "outcomes" }, path.outcomes || "-")]],
  ],
  functions: [
    [data.unit, (of) => of.own, true, (of) => number(of.own)],
    ["share", (of) => of.own, true, (of) => percent(share(of.own))],
    ["with inlined", (of) => of.inclusive, true, (of) => number(of.inclusive)],
    ["share", (of) => of.inclusive, true, (of) => percent(share(of.inclusive))],
    ["paths", (of) => of.paths, true, (of) => number(of.paths)],
    ["function", title, false, (of) => [make("span", { title: of.name === null ? "" : called(of.name, true) }, ...broken(title(of))), " ", lines(of)]],
  ],
};
const sorted = { paths: { column: 0, down: false }, functions: { column: 0, down: true } };

/* What a row says, in full and as it is shown. */
const words = (of) => ("at" in of ? place(of, true) + " " + place(of) : title(of)) + " " + short(of.source) + " " + short(of.library);

const rows = (id, all) => {
  const { column, down } = sorted[id], [, key] = columns[id][column];
  const wanted = document.getElementById("filter").value.toLowerCase();
  const order = (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : down ? b.rank - a.rank : a.rank - b.rank);
  const shown = all.filter((of) => words(of).toLowerCase().includes(wanted)).sort(order);
  return down ? shown.reverse() : shown;
};

/* Does it when clicked, or with the Enter key. */
const acts = (node, act) => {
  node.tabIndex = 0;
  node.addEventListener("click", act);
  node.addEventListener("keydown", (event) => event.key === "Enter" && act());
  return node;
};

const table = (id, all, act) => {
  const [top, body] = document.getElementById(id).children;
  const heads = columns[id].map(([name, , numeric], index) => {
    const cell = make("th", { class: numeric ? "number" : "", scope: "col" }, name);
    const { column, down } = sorted[id];
    if (index === column) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
    return acts(cell, () => {
      sorted[id] = { column: index, down: index === column ? !down : numeric && name !== "#" };
      table(id, all, act);
    });
  });
  const cell = (of) => ([name, key, numeric, show]) => {
    const shown = show ? show(of) : String(key(of));
    return make("td", { class: numeric ? "number" : "name", "data-head": name }, ...(Array.isArray(shown) ? shown : [shown]));
  };
  const row = (of) => acts(make("tr", { "data-rank": of.rank, class: id === "paths" && of.rank === chosen ? "chosen" : "" }, ...columns[id].map(cell(of))), () => act(of));
  top.replaceChildren(make("tr", {}, ...heads));
  body.replaceChildren(...rows(id, all).map(row));
};

const tables = () => {
  table("paths", paths, (path) => choose(path.rank));
  table("functions", functions, (of) => {
    const filter = document.getElementById("filter");
    filter.value = filter.value === title(of) || of.name === null ? "" : title(of);
    tables();
  });
};

/* --- graph: the blocks in the order of their addresses, forward edges on the right, backward ones on the left ------- */

const LINE = 14, GAP = 16, WIDE = 390, LANE = 9;

/* As much of an instruction as a block is wide. */
const fitting = (text) => (text.length > 44 ? text.slice(0, 43) + "\u2026" : text);

/* Gives each edge a lane that no edge beside it has. */
const lanes = (edges) => {
  const taken = [];
  const span = (edge) => Math.abs(edge.to - edge.from);
  for (const edge of [...edges].sort((a, b) => span(a) - span(b))) {
    const [low, high] = [Math.min(edge.from, edge.to), Math.max(edge.from, edge.to)];
    let lane = taken.findIndex((used) => used.every(([l, h]) => high < l || low > h));
    if (lane < 0) lane = taken.push([]) - 1;
    taken[lane].push([low, high]);
    edge.lane = lane;
  }
  return taken.length;
};

/* What weights of instructions count. */
const what = data.counted.events ? `${data.counted.metric} on the paths through it` : "times";

const draw = (graph, { blocks: route, next }) => {
  const steps = new Map();
  route.forEach((block, index) => steps.set(block, [...(steps.get(block) || []), index + 1]));
  const used = new Set(route.slice(1).map((block, index) => `${route[index]}-${block}`));
  const end = next === null ? "" : `${route[route.length - 1]}-${next}`;
  const edges = graph.edges.map((edge) => ({ ...edge, straight: edge.to === edge.from + 1 && !edge.taken }));
  const back = edges.filter((edge) => edge.to <= edge.from);
  const forward = edges.filter((edge) => edge.to > edge.from && !edge.straight);
  const left = 24 + LANE * lanes(back), right = 24 + LANE * lanes(forward);
  const hottest = Math.max(1, ...graph.blocks.flatMap((block) => block.code.map((code) => code.weight)));
  const tops = [];
  let y = 4;
  for (const block of graph.blocks) {
    tops.push(y);
    y += LINE * block.code.length + 8 + GAP;
  }
  const bottom = (index) => tops[index] + LINE * graph.blocks[index].code.length + 8;
  const wide = left + WIDE + right;
  const svg = make("svg", { viewBox: `0 0 ${wide} ${y}`, style: `width: min(100%, ${wide}px); min-width: ${Math.round(0.7 * wide)}px`, role: "img" });
  const marker = (id, colour) => make("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" },
    make("path", { d: "M0 0 8 4 0 8z", style: `fill: ${colour}` }));
  svg.append(make("defs", {}, marker("plain", "var(--dim)"), marker("hot", "var(--path)")));
  const arrows = edges.map((edge) => {
    const name = `${edge.from}-${edge.to}`;
    const on = used.has(name) || name === end;
    const from = bottom(edge.from) - 5, to = tops[edge.to] + 7;
    const x = edge.to <= edge.from ? left : left + WIDE;
    const far = edge.to <= edge.from ? x - 12 - LANE * edge.lane : x + 12 + LANE * edge.lane;
    const d = edge.straight ? `M${left + 30} ${bottom(edge.from)}V${tops[edge.to]}` : `M${x} ${from}H${far}V${to}H${x}`;
    return [on, make("path", { d, class: used.has(name) ? "edge on" : on ? "edge on last" : "edge", "marker-end": `url(#${on ? "hot" : "plain"})` })];
  });
  svg.append(...arrows.filter(([on]) => !on).map(([, arrow]) => arrow), ...arrows.filter(([on]) => on).map(([, arrow]) => arrow));
  graph.blocks.forEach((block, index) => {
    const group = make("g", { class: steps.has(index) ? "on" : "" });
    group.append(make("rect", { class: "block", x: left, y: tops[index], width: WIDE, height: bottom(index) - tops[index], rx: 4 }));
    block.code.forEach((code, line) => {
      const base = tops[index] + LINE * (line + 1);
      const heat = code.weight / hottest;
      group.append(make("rect", { class: "heat", x: left + 1, y: base - 10, width: 4, height: LINE, opacity: heat }));
      const taken = code.taken === null ? "" : `  taken ${percent(code.taken)}`;
      const text = make("text", { x: left + 10, y: base }, make("tspan", { class: "dim" }, code.address.padStart(6) + "  "), fitting(code.text), make("tspan", { class: "dim" }, taken));
      text.append(make("title", {}, `${code.text}\n${number(code.weight)} ${what}  ${short(code.source)}`));
      group.append(text);
    });
    const weight = number(block.code[0] ? block.code[0].weight : 0);
    const step = steps.has(index) ? "step " + steps.get(index).join(", ") + "  " : "";
    group.append(make("text", { x: left + WIDE - 6, y: tops[index] + LINE, "text-anchor": "end" },
      make("tspan", { class: "badge" }, step), make("tspan", { class: "dim" }, weight)));
    svg.append(group);
  });
  return svg;
};

/* --- source ----------------------------------------------------------------------------------------------------- */

const listing = (graph, route) => {
  const weights = new Map(), spans = new Map();
  const on = new Set();
  graph.blocks.forEach((block, index) => block.code.forEach(({ source, weight }) => {
    if (!source) return;
    const key = source.file + ":" + source.line;
    weights.set(key, Math.max(weights.get(key) || 0, weight));
    const [low, high] = spans.get(source.file) || [source.line, source.line];
    spans.set(source.file, [Math.min(low, source.line), Math.max(high, source.line)]);
    if (route.includes(index)) on.add(key);
  }));
  const parts = [];
  for (const [file, [low, high]] of spans) {
    const text = sources[file];
    if (!text) continue;
    const lines = make("pre");
    let last = null;
    for (const line of Object.keys(text).map(Number).filter((line) => line >= low - 3 && line <= high + 3)) {
      if (last !== null && line > last + 1) lines.append(make("div", { class: "gap" }, "\u22ee"));
      last = line;
      const key = file + ":" + line;
      const ran = weights.has(key) ? number(weights.get(key)) : "";
      lines.append(make("div", { class: on.has(key) ? "on" : "" },
        make("span", { class: "nr" }, String(line)), make("span", { class: "ran" }, ran), make("span", { class: "code" }, text[line])));
    }
    parts.push(make("h2", {}, file), lines);
  }
  return parts;
};

/* --- all -------------------------------------------------------------------------------------------------------- */

let chosen = 0;

const choose = (rank) => {
  chosen = rank;
  const path = paths.find((path) => path.rank === rank);
  for (const line of document.querySelectorAll("#paths tbody tr")) line.className = line.dataset.rank === String(rank) ? "chosen" : "";
  const route = routes[rank];
  const title = [make("h2", {}, `Path ${rank}: ${place(path)} ${path.outcomes} (${percent(path.share)})`)];
  if (place(path) !== place(path, true)) title.push(make("p", { class: "whole" }, place(path, true)));
  const [graph, source] = ["graph", "source"].map((id) => document.getElementById(id));
  if (!route) {
    graph.replaceChildren(...title, make("p", {}, path.problem ? "does not walk: " + path.problem : "begins in no function"));
    beside(source, []);
    return;
  }
  const drawn = graphOf(route.graph);
  const svg = draw(drawn, route);
  graph.replaceChildren(...title, svg);
  beside(source, listing(drawn, route.blocks));
  centre(graph, svg.querySelector("g.on"));
  centre(source, source.querySelector(".on"));
};

/* Shows the source; without any, the graph has its place. */
const beside = (pane, parts) => {
  pane.replaceChildren(...parts);
  document.body.classList.toggle("no-source", !parts.length);
};

/* Scrolls a pane alone: the page stays where it is. */
const centre = (pane, part) => {
  if (!part) return;
  const [outer, inner] = [pane.getBoundingClientRect(), part.getBoundingClientRect()];
  pane.scrollTop += inner.top - outer.top - Math.max(0, (outer.height - inner.height) / 2);
};

head();
document.getElementById("filter").addEventListener("input", tables);
tables();
if (paths.length) choose(paths[0].rank);
