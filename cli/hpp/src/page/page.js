"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { report, graphs, routes, sources } = data;

const make = (name, attributes = {}, ...children) => {
  const svg = ["svg", "g", "rect", "text", "path", "title", "tspan", "defs", "marker"].includes(name);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};
const number = (value) => value.toLocaleString("en-US");
const percent = (share) => (100 * share).toFixed(1) + " %";
/* Addresses are text: they may have more bits than a number here. */
const hex = (offset) => offset.toString(16);
const short = (source) => (source ? source.file.split(/[/\\]/).pop() + ":" + source.line : "");
const place = (path) => {
  const { function: name, offset, inlined, address } = path.place;
  const at = name === null ? "0x" + address : offset ? `${name}+0x${hex(offset)}` : name;
  return inlined ? `${at} (${inlined})` : at;
};

/* --- head ------------------------------------------------------------------------------------------------------- */

const head = () => {
  const list = make("dl");
  const add = (name, ...text) => list.append(make("dt", {}, name), make("dd", {}, ...text));
  const { counted, health } = report;
  add("counted", `${counted.metric} ${counted.events ? "along" : "of"} ${counted.paths}`);
  const of = report.completed === null ? "" : ` of ${number(report.completed)} completed`;
  add("table", `${report.held} paths in a table of ${number(report.entries)}; they count ${number(report.counts)}${of}`);
  if (report.walked) add("walk", `${report.walked.walk} of ${report.walked.of} walk through the program's code`);
  add("health", make("span", { class: health.trusted ? "good" : "bad" }, health.trusted ? "good" : "this profile cannot be trusted"));
  for (const finding of health.findings) add("", make("span", { class: finding.critical ? "bad" : "" }, finding.text));
  document.getElementById("head").append(make("h1", {}, data.title), list);
};

/* --- table ------------------------------------------------------------------------------------------------------ */

const columns = [
  ["#", (path) => path.rank, true],
  [data.unit, (path) => path.weight, true, (path) => number(path.weight)],
  ["share", (path) => path.share, true, (path) => percent(path.share)],
  ["sum", (path) => path.cumulative, true, (path) => percent(path.cumulative)],
  ["path begins in", place, false, (path) => [place(path), make("br"), make("small", {}, short(path.place.source))]],
  ["branches", (path) => path.outcomes, false, (path) => [make("span", { class: "outcomes" }, path.outcomes || "-")]],
];
let sorted = { column: 0, down: false };

const rows = () => {
  const [, key] = columns[sorted.column];
  const wanted = document.getElementById("filter").value.toLowerCase();
  const fits = (path) => (place(path) + " " + short(path.place.source)).toLowerCase().includes(wanted);
  const order = (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.rank - b.rank);
  const paths = report.paths.filter(fits).sort(order);
  return sorted.down ? paths.reverse() : paths;
};

const table = () => {
  const [top, body] = document.getElementById("paths").children;
  const heads = columns.map(([name, , numeric], index) => {
    const cell = make("th", { class: numeric ? "number" : "", scope: "col", tabindex: 0 }, name);
    if (index === sorted.column) cell.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
    const sort = () => {
      sorted = { column: index, down: index === sorted.column ? !sorted.down : numeric && index > 0 };
      table();
    };
    cell.addEventListener("click", sort);
    cell.addEventListener("keydown", (event) => event.key === "Enter" && sort());
    return cell;
  });
  top.replaceChildren(make("tr", {}, ...heads));
  body.replaceChildren(...rows().map(row));
};

const row = (path) => {
  const cells = columns.map(([, key, numeric, show]) => {
    const shown = show ? show(path) : String(key(path));
    return make("td", { class: numeric ? "number" : "name" }, ...(Array.isArray(shown) ? shown : [shown]));
  });
  if (path.problem) cells[4].append(make("br"), make("small", { class: "problem" }, "does not walk: " + path.problem));
  const line = make("tr", { tabindex: 0, "data-rank": path.rank }, ...cells);
  line.addEventListener("click", () => choose(path.rank));
  line.addEventListener("keydown", (event) => event.key === "Enter" && choose(path.rank));
  if (path.rank === chosen) line.className = "chosen";
  return line;
};

/* --- graph: the blocks in the order of their addresses, forward edges on the right, backward ones on the left ------- */

const LINE = 14, GAP = 16, WIDE = 390, LANE = 9;

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
const what = report.counted.events ? `${report.counted.metric} on the paths through it` : "times";

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
  const svg = make("svg", { width: left + WIDE + right, height: y, role: "img" });
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
      const text = make("text", { x: left + 10, y: base }, make("tspan", { class: "dim" }, code.address.padStart(6) + "  "), code.text.replace(/ +/, " "), make("tspan", { class: "dim" }, taken));
      text.append(make("title", {}, `${number(code.weight)} ${what}  ${short(code.source)}`));
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
    const text = sources[file] || {};
    const lines = make("pre");
    for (let line = low; line <= high; line++) {
      const key = file + ":" + line;
      if (!(line in text) && !weights.has(key)) continue;
      const ran = weights.has(key) ? number(weights.get(key)) : "";
      lines.append(make("div", { class: on.has(key) ? "on" : "" },
        make("span", { class: "nr" }, String(line)), make("span", { class: "ran" }, ran), make("span", { class: "code" }, text[line] || "")));
    }
    parts.push(make("h2", {}, file), lines);
  }
  return parts;
};

/* --- all -------------------------------------------------------------------------------------------------------- */

let chosen = 0;

const choose = (rank) => {
  chosen = rank;
  const path = report.paths.find((path) => path.rank === rank);
  for (const line of document.querySelectorAll("#paths tbody tr")) line.className = line.dataset.rank === String(rank) ? "chosen" : "";
  const route = routes[rank];
  const title = make("h2", {}, `Path ${rank}: ${place(path)} ${path.outcomes} (${percent(path.share)})`);
  const [graph, source] = ["graph", "source"].map((id) => document.getElementById(id));
  if (!route) {
    graph.replaceChildren(title, make("p", {}, path.problem ? "does not walk: " + path.problem : "begins in no function"));
    source.replaceChildren();
    return;
  }
  const svg = draw(graphs[route.graph], route);
  graph.replaceChildren(title, svg);
  source.replaceChildren(...listing(graphs[route.graph], route.blocks));
  const first = svg.querySelector("g.on");
  if (first) first.scrollIntoView({ block: "center" });
  const line = source.querySelector(".on");
  if (line) line.scrollIntoView({ block: "center" });
};

head();
document.getElementById("filter").addEventListener("input", table);
table();
if (report.paths.length) choose(report.paths[0].rank);
