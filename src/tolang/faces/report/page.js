
"use strict";

const report = JSON.parse(document.getElementById("data").textContent);

/* --- elements: everything that came from outside is set as text, never as markup --- */

const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);

function element(name, options = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(options)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/* --- numbers: counts are decimal text of any length --- */

const SI = ["", "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q"];
const BYTES = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];

function logOf(text) {
  const digits = text.replace(/^0+/, "");
  return digits === "" ? -Infinity : digits.length - 1 + Math.log10(Number(digits[0] + "." + digits.slice(1, 16)));
}

function grouped(text) {
  const parts = [];
  for (let end = text.length; end > 0; end -= 3) parts.unshift(text.slice(Math.max(0, end - 3), end));
  return parts.join("\u202f");
}

const powerOfTen = (log) => `${(10 ** (log - Math.floor(log))).toFixed(2)}e${Math.floor(log)}`;
const three = (number) => String(Number(number.toPrecision(3)));

function short(log, units) {
  let place = Math.max(0, Math.floor(log / 3 + 1e-9));
  if (Number((10 ** (log - 3 * place)).toPrecision(3)) >= 1000) place += 1;
  return place < units.length ? `${three(10 ** (log - 3 * place))} ${units[place]}` : powerOfTen(log);
}

function shown(value, kind, exact = false) {
  if (value === null) return "–";
  if (kind === "ratio") return three(value);
  if (kind === "bytes") return exact || value.length < 4 ? `${grouped(value)} bytes` : short(logOf(value), BYTES);
  return exact || value.length < 6 ? grouped(value) : short(logOf(value), SI);
}

const rate = (number) => short(Math.log10(number), SI);

function shareOf(part, whole) {
  const [top, bottom] = [BigInt(part), BigInt(whole)];
  return bottom === 0n ? 0 : Number((top * 1000000000n) / bottom) / 1e9;
}

function percent(share) {
  if (share === 0) return "0 %";
  return share < 0.0005 ? "< 0.1 %" : `${(share * 100).toFixed(1)} %`;
}

function seconds(log) {
  for (const [unit, power] of [["s", 0], ["ms", -3], ["µs", -6]]) if (log >= power) return log < 9 ? `${three(10 ** (log - power))} ${unit}` : `${powerOfTen(log)} s`;
  return `${three(10 ** (log + 9))} ns`;
}

/* --- formulas: 2*k*n^2 as 2·k·n² --- */

function formula(text) {
  const made = element("span", { class: "formula" });
  for (const token of text.match(/\^\d+|[A-Za-z_]\w*|\*|[^A-Za-z_^*]+|\^/g) ?? []) {
    if (/^\^\d/.test(token)) made.append(element("sup", {}, token.slice(1)));
    else if (token === "*") made.append("·", element("wbr"));
    else if (/^(floor|min|max|if|then|else|and|or|not|sum)$/.test(token)) made.append(token);
    else if (/^[A-Za-z_]/.test(token)) made.append(element("var", {}, token));
    else made.append(token.replace(/\d{5,}/g, grouped));
  }
  return made;
}

/* --- the tip that follows pointer and focus --- */

const tip = byId("tip");

function showTip(lines, x, y) {
  tip.replaceChildren(element("b", {}, lines[0]), ...lines.slice(1).map((line) => element("div", {}, line)));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - box.width - 8))}px`;
  tip.style.top = `${y + 18 + box.height > innerHeight ? Math.max(4, y - box.height - 10) : y + 18}px`;
}

const hideTip = () => { tip.hidden = true; };

function withTip(target, lines) {
  target.addEventListener("pointermove", (event) => showTip(lines(), event.clientX, event.clientY));
  target.addEventListener("pointerleave", hideTip);
  target.addEventListener("focus", () => {
    if (!target.matches(":focus-visible")) return;
    const box = target.getBoundingClientRect();
    showTip(lines(), box.left, box.bottom - 14);
  });
  target.addEventListener("blur", hideTip);
}

addEventListener("scroll", hideTip, { passive: true });

/* --- tabs: arrow keys go from one to the next --- */

function tabs(holder, names, choose) {
  const buttons = names.map((name, place) =>
    element("button", { type: "button", role: "tab", onclick: () => select(place) }, name));
  function select(place) {
    buttons.forEach((one, other) => {
      one.setAttribute("aria-selected", String(other === place));
      one.tabIndex = other === place ? 0 : -1;
    });
    choose(place);
  }
  holder.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length;
    buttons[next].focus();
    select(next);
  });
  holder.replaceChildren(...buttons);
  holder.hidden = names.length < 2;
  if (names.length) select(0);
}

/* --- heading and totals --- */

function drawHeading() {
  const folder = report.file.replace(/[^/\\]*$/, "");
  byId("file").textContent = `Cost of ${report.title === report.file ? "the model" : report.title}${folder ? `, in ${folder}` : ""}`;
  byId("title").textContent = report.file.slice(folder.length) || report.title;
  const given = Object.entries(report.given).map(([name, value]) => element("li", {}, `${name} = ${grouped(value)}`));
  const chosen = Object.entries(report.chosen).map(([name, value]) => element("li", { class: "chosen" }, `${name} = ${grouped(value)}`));
  byId("sizes").replaceChildren(...given, ...chosen);
  byId("sizes-note").textContent = chosen.length
    ? "Sizes with a dashed line were not given. Figures and drawings take them at the value shown; the formulas hold for all."
    : "";
  byId("footer").textContent = `Written by ToLang ${report.version}. Counts are exact, from the program's text; nothing was run.`;
}

function drawTotals() {
  byId("totals").replaceChildren(...report.totals.map((one) => {
    const exact = one.value !== null && one.kind !== "ratio" && shown(one.value, one.kind) !== shown(one.value, one.kind, true);
    const parts = [element("dt", { title: one.meaning }, one.name), element("dd", { class: "value" }, shown(one.value, one.kind))];
    if (exact) parts.push(element("dd", { class: "exact" }, grouped(one.value)));
    if (!/^[\d.]+$/.test(one.formula)) parts.push(element("dd", {}, formula(one.formula)));
    return element("div", {}, ...parts);
  }));
  byId("bound").textContent = report.bound
    ? `At these sizes and at the peaks of the roofline it is bound by ${report.bound}.` : "";
  const meanings = Object.entries(report.meanings);
  byId("meanings").hidden = meanings.length === 0;
  byId("meanings").querySelector("dl").replaceChildren(
    ...meanings.flatMap(([name, meaning]) => [element("dt", {}, formula(name)), element("dd", {}, formula(meaning))]));
}

/* --- the icicle --- */

const ROW = 30;
const COLOURS = 9;

function colours(root) {
  const sums = new Map();
  (function visit(branch) {
    if (branch.kind) sums.set(branch.kind, (sums.get(branch.kind) ?? 0n) + BigInt(branch.value));
    branch.parts.forEach(visit);
  })(root);
  const order = [...sums].sort((a, b) => (a[1] < b[1] ? 1 : a[1] > b[1] ? -1 : 0)).map(([kind]) => kind);
  return new Map(order.map((kind, place) => [kind, `k${place % COLOURS}`]));
}

function drawIcicle(tree) {
  const holder = byId("icicle");
  const colour = colours(tree.root);
  const whole = tree.root.value;
  const parents = new Map();
  (function visit(branch) {
    for (const part of branch.parts) {
      parents.set(part, branch);
      visit(part);
    }
  })(tree.root);
  let cells = [];

  function describe(branch) {
    const lines = [branch.name];
    if (branch.kind && branch.kind !== branch.name) lines.push(branch.kind);
    lines.push(`${grouped(branch.value)} EOPs`, `${percent(shareOf(branch.value, whole))} of the whole`);
    const parent = parents.get(branch);
    if (parent && parent !== tree.root) lines.push(`${percent(shareOf(branch.value, parent.value))} of ${parent.name}`);
    return lines;
  }

  function cell(branch, left, width, depth, above) {
    const share = percent(shareOf(branch.value, whole));
    const pixels = width * holder.clientWidth;
    const made = element("button", { type: "button", class: above || !branch.kind ? "" : colour.get(branch.kind), "aria-label": `${branch.name}: ${share}` });
    if (above) made.classList.add("above");
    if (pixels < 24) made.classList.add("narrow");
    else made.append(branch.name, ...(pixels > 90 ? [element("small", {}, share)] : []));
    place(made, left, width, depth);
    made.addEventListener("click", () => zoom(branch));
    withTip(made, () => describe(branch));
    cells.push({ made, branch, left, depth });
  }

  function place(made, left, width, depth) {
    made.style.left = `${left * 100}%`;
    made.style.width = `${width * 100}%`;
    made.style.top = `${depth * ROW}px`;
  }

  function rest(count, left, width, depth) {
    const made = element("button", { type: "button", class: "rest", tabindex: "-1", disabled: "" }, `${count} smaller`);
    if (width * holder.clientWidth < 60) made.classList.add("narrow");
    place(made, left, width, depth);
    holder.append(made);
  }

  function descend(branch, left, width, depth) {
    let at = left, skipped = 0, from = left;
    const least = 2 / Math.max(holder.clientWidth, 200);
    const flush = () => {
      if (skipped && at - from >= least) rest(skipped, from, at - from, depth);
      skipped = 0;
    };
    for (const part of branch.parts) {
      const own = width * Math.min(1, shareOf(part.value, branch.value));
      if (own < least) {
        if (!skipped) from = at;
        skipped += 1;
      } else {
        flush();
        cell(part, at, own, depth, false);
        descend(part, at, own, depth + 1);
      }
      at += own;
    }
    flush();
  }

  function zoom(branch, focus = true) {
    hideTip();
    const chain = [];
    for (let one = branch; one; one = parents.get(one)) chain.unshift(one);
    cells = [];
    holder.replaceChildren();
    chain.forEach((one, depth) => cell(one, 0, 1, depth, one !== branch));
    descend(branch, 0, 1, chain.length);
    const deepest = Math.max(...cells.map((one) => one.depth));
    holder.style.height = `${(deepest + 1) * ROW}px`;
    cells.forEach(({ made, branch: own }) => { made.tabIndex = own === branch ? 0 : -1; });
    holder.prepend(...cells.map(({ made }) => made));
    if (focus) cells.find((one) => one.branch === branch).made.focus({ preventScroll: true });
    current = branch;
  }

  let current = tree.root;
  holder.onkeydown = (event) => {
    if (event.key === "Escape") return void zoom(parents.get(current) ?? current);
    const now = cells.find((one) => one.made === document.activeElement);
    if (!now) return;
    const level = (depth) => cells.filter((one) => one.depth === depth).sort((a, b) => a.left - b.left);
    const beside = level(now.depth);
    const next = {
      ArrowRight: () => beside[beside.indexOf(now) + 1],
      ArrowLeft: () => beside[beside.indexOf(now) - 1],
      ArrowUp: () => level(now.depth - 1).filter((one) => one.left <= now.left + 1e-9).pop(),
      ArrowDown: () => level(now.depth + 1).find((one) => parents.get(one.branch) === now.branch),
    }[event.key]?.();
    if (!next) return;
    event.preventDefault();
    now.made.tabIndex = -1;
    next.made.tabIndex = 0;
    next.made.focus();
  };
  zoom(current, false);
  const kinds = [...colour].slice(0, COLOURS);
  byId("kinds").replaceChildren(...kinds.map(([kind, own]) => element("li", {}, element("span", { class: `swatch ${own}` }), kind)));
  redraws.icicle = () => zoom(current, false);
}

/* --- the tables --- */

const FIRST_ROWS = 100;

function compare(kind) {
  if (kind === "text" || kind === "formula") return (a, b) => a.localeCompare(b, "en", { numeric: true });
  if (kind === "ratio") return (a, b) => a - b;
  return (a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

function sorted(rows, place, kind, down) {
  const order = compare(kind);
  return rows.map((row, index) => [row, index]).sort(([a, i], [b, j]) => {
    const [x, y] = [a[place], b[place]];
    if (x === null || y === null) return (x === null) - (y === null) || i - j;
    return (down ? order(y, x) : order(x, y)) || i - j;
  }).map(([row]) => row);
}

function header(columns, state, choose) {
  return element("tr", {}, ...columns.map((column, place) => {
    const number = column.kind !== "text" && column.kind !== "formula";
    const sort = state.place !== place ? "none" : state.down ? "descending" : "ascending";
    const button = element("button", { type: "button", onclick: () => choose(place) }, column.name);
    return element("th", { scope: "col", "aria-sort": sort, class: number ? "number" : "" }, button);
  }));
}

function bodyCell(value, column, { total, most }, exact) {
  if (column.kind === "formula") return element("td", { class: "formula" }, formula(value));
  if (column.kind === "text") return element("td", { class: "name" }, value);
  const made = element("td", { class: column.measure ? "number measure" : "number" }, shown(value, column.kind, exact));
  if (value !== null && column.kind !== "ratio") made.title = grouped(value);
  if (column.measure && value !== null && total) {
    made.append(element("span", { class: "share" }, percent(shareOf(value, total))));
    if (value !== "0") {
      const bar = element("span", { class: "bar" });
      bar.style.width = `${shareOf(value, most) * 100}%`;
      made.append(bar);
    }
  }
  return made;
}

function drawTable(table) {
  const total = report.totals[0].value;
  const largest = table.columns.findIndex((column) => column.measure);
  const scales = table.columns.map((column, place) => {
    const values = column.measure ? table.rows.map((row) => row[place]).filter((value) => value !== null) : [];
    return { total, most: values.length ? values.reduce((a, b) => (compare("count")(a, b) < 0 ? b : a)) : "0" };
  });
  const state = { place: largest, down: true, all: false };
  const names = table.columns.map((column, place) => (column.kind === "text" ? place : -1)).filter((place) => place >= 0);

  function draw(keep) {
    const wanted = byId("filter").value.trim().toLowerCase();
    const found = table.rows.filter((row) => names.some((place) => row[place].toLowerCase().includes(wanted)));
    const ordered = sorted(found, state.place, table.columns[state.place].kind, state.down);
    const visible = state.all ? ordered : ordered.slice(0, FIRST_ROWS);
    const exact = byId("exact").checked;
    const head = header(table.columns, state, choose);
    byId("table").tHead.replaceChildren(head);
    byId("table").tBodies[0].replaceChildren(...visible.map((row) =>
      element("tr", {}, ...row.map((value, place) => bodyCell(value, table.columns[place], scales[place], exact)))));
    byId("shown").textContent = found.length === table.rows.length ? `${found.length} rows` : `${found.length} of ${table.rows.length} rows`;
    byId("more").hidden = visible.length === ordered.length;
    byId("more").textContent = `Show all ${ordered.length} rows`;
    if (keep !== undefined) head.children[keep].firstChild.focus();
  }

  function choose(place) {
    const isText = ["text", "formula"].includes(table.columns[place].kind);
    state.down = state.place === place ? !state.down : !isText;
    state.place = place;
    draw(place);
  }

  byId("table-note").textContent = table.remark;
  byId("filter").oninput = () => draw();
  byId("exact").onchange = () => draw();
  byId("more").onclick = () => { state.all = true; draw(); };
  draw();
}

/* --- charts --- */

const redraws = {};

function ticks(low, high, most) {
  const fine = [0, Math.log10(2), Math.log10(5)].flatMap((part) => ticksBy(1, low - part, high - part).map((power) => power + part));
  if (high - low < 2.2 && fine.length <= most + 2) return fine;
  return ticksBy(Math.max(1, Math.ceil((high - low) / most)), low, high);
}

function ticksBy(step, low, high) {
  const found = [];
  for (let power = Math.ceil(low / step) * step; power <= high + 1e-9; power += step) found.push(power);
  return found;
}

function axes(svg, frame, x, y, names, units) {
  for (const power of ticks(y.low, y.high, 6)) {
    const at = y.at(power);
    svg.append(shape("line", { class: "grid-line", x1: frame.left, x2: frame.right, y1: at, y2: at }),
      shape("text", { x: frame.left - 6, y: at + 4, "text-anchor": "end" }, units.y(power)));
  }
  for (const power of ticks(x.low, x.high, Math.max(2, Math.floor((frame.right - frame.left) / 70)))) {
    const at = x.at(power);
    svg.append(shape("line", { class: "grid-line", x1: at, x2: at, y1: frame.top, y2: frame.bottom }),
      shape("text", { x: at, y: frame.bottom + 16, "text-anchor": "middle" }, units.x(power)));
  }
  svg.append(shape("line", { class: "axis", x1: frame.left, x2: frame.right, y1: frame.bottom, y2: frame.bottom }),
    shape("text", { x: (frame.left + frame.right) / 2, y: frame.bottom + 34, "text-anchor": "middle" }, names.x),
    shape("text", { x: frame.left, y: frame.top - 8 }, names.y));
}

function scale(low, high, from, to) {
  return { low, high, at: (value) => from + ((value - low) / (high - low)) * (to - from) };
}

function tenTo(power, units) {
  if (power > -1e-9 && power < 27) return short(power, units).trim();
  return power < 0 && power > -5 ? String(Number((10 ** power).toPrecision(1))) : `1e${power}`;
}

function drawRoofline() {
  const roofline = report.roofline;
  byId("roofline-section").hidden = !roofline;
  if (!roofline) return;
  const [peak, wide] = [Math.log10(roofline.flops), Math.log10(roofline.bandwidth)];
  const points = roofline.points.map((one, place) => {
    const intensity = logOf(one.eops) - logOf(one.bytes);
    return { ...one, place, intensity, rate: Math.min(peak, intensity + wide), time: Math.max(logOf(one.eops) - peak, logOf(one.bytes) - wide) };
  });
  byId("peaks").textContent = `Peaks: ${rate(roofline.flops)}EOP/s and ${rate(roofline.bandwidth)}B/s, ${roofline.origin}`
    + `${roofline.origin.includes("assumed") ? " (see --peak-flops and --peak-bandwidth)" : ""}. `
    + "The bytes of a part are those of its operands and results, each once. A point shows what could be reached, not what was.";
  redraws.roofline = () => byId("roofline").replaceChildren(rooflineChart(points, peak, wide));
  redraws.roofline();
  drawPoints(points, peak - wide);
}

function rooflineChart(points, peak, wide) {
  const width = Math.max(300, byId("roofline").clientWidth - 18), height = 360;
  const frame = { left: 62, right: width - 16, top: 26, bottom: height - 44 };
  const ridge = peak - wide;
  const all = [ridge, ...points.map((one) => one.intensity)];
  const x = scale(Math.min(...all) - 0.5, Math.max(...all) + 0.6, frame.left, frame.right);
  const y = scale(Math.min(peak, x.low + wide) - 0.2, peak + 0.35, frame.bottom, frame.top);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Roofline: the table below has its points" });
  axes(svg, frame, x, y, { x: "EOPs a byte", y: "EOPs a second" }, { x: (p) => tenTo(p, SI), y: (p) => tenTo(p, SI) });
  svg.append(shape("line", { class: "ridge", x1: x.at(ridge), x2: x.at(ridge), y1: y.at(peak), y2: frame.bottom }),
    shape("text", { x: x.at(ridge) + 5, y: frame.bottom - 6 }, `${three(10 ** ridge)} EOPs a byte`),
    shape("path", { class: "roof", d: `M${x.at(x.low)},${y.at(Math.min(peak, x.low + wide))}L${x.at(ridge)},${y.at(peak)}L${x.at(x.high)},${y.at(peak)}` }));
  const badges = [];
  const leaders = shape("g");
  svg.append(leaders);
  for (const one of points) {
    const [at, roof] = [x.at(one.intensity), y.at(one.rate)];
    let below = roof + 24;
    while (badges.some(([a, b]) => Math.abs(a - at) < 21 && Math.abs(b - below) < 21)) below += 4;
    badges.push([at, below]);
    const kind = one.place === 0 ? "whole" : "";
    leaders.append(shape("line", { class: "leader", x1: at, x2: at, y1: roof, y2: below }));
    const group = shape("g", {}, shape("circle", { class: `dot ${kind}`, cx: at, cy: roof, r: 4.5 }),
      shape("circle", { class: `badge ${kind}`, cx: at, cy: below, r: 10 }),
      shape("text", { class: "badge-text", x: at, y: below }, one.place === 0 ? "∑" : String(one.place)));
    withTip(group, () => [one.name, `${three(10 ** one.intensity)} EOPs a byte`, `at most ${short(one.rate, SI)}EOP/s`, `at least ${seconds(one.time)}`]);
    svg.append(group);
  }
  const lowest = Math.max(...badges.map(([, below]) => below)) + 14;
  if (lowest > frame.bottom) svg.setAttribute("viewBox", `0 0 ${width} ${Math.max(height, lowest)}`);
  return svg;
}

function drawPoints(points, ridge) {
  const names = ["", "part", "EOPs", "bytes", "EOPs a byte", "time at least", "bound by"];
  byId("points").tHead.replaceChildren(element("tr", {}, ...names.map((name, place) =>
    element("th", { scope: "col", class: place > 1 && place < 6 ? "number" : "" }, element("span", {}, name)))));
  byId("points").tBodies[0].replaceChildren(...points.map((one) => element("tr", {},
    element("td", {}, one.place === 0 ? "∑" : String(one.place)), element("td", { class: "name" }, one.name),
    element("td", { class: "number" }, shown(one.eops, "count")), element("td", { class: "number" }, shown(one.bytes, "bytes")),
    element("td", { class: "number" }, three(10 ** one.intensity)), element("td", { class: "number" }, seconds(one.time)),
    element("td", {}, one.intensity >= ridge ? "arithmetic" : "memory"))));
}

function drawScaling() {
  const scaling = report.scaling;
  byId("scaling-section").hidden = !scaling;
  if (!scaling) return;
  const held = Object.entries(scaling.held).map(([name, value]) => `${name} = ${grouped(value)}`);
  byId("held").textContent = `Over ${scaling.size}${held.length ? `, with ${held.join(", ")}` : ""}; both axes by factors of ten. Point at a chart for the exact figures; the arrow keys move along it.`;
  const groups = [["Functions", "count", SI], ["Bytes", "bytes", SI]];
  const panels = groups.map(([title, kind, units]) => scalingPanel(scaling, title, scaling.series.filter((one) => one.kind === kind), units));
  byId("scaling").replaceChildren(...panels.map((one) => one.holder));
  redraws.scaling = () => panels.forEach((one) => one.draw());
  redraws.scaling();
}

function scalingPanel(scaling, title, series, units) {
  const plot = element("div", { tabindex: "0", role: "group", "aria-label": `${title} over ${scaling.size}` });
  const legend = element("ul", { class: "legend", "aria-live": "polite" });
  const holder = element("div", { class: "chart" }, element("p", { class: "chart-title" }), plot, legend);
  const logs = scaling.sizes.map(logOf);
  let chosen = scaling.here === null ? logs.length - 1 : nearest(logOf(scaling.here));
  let x, cursor, frame;

  function nearest(value) {
    return logs.reduce((best, log, place) => (Math.abs(log - value) < Math.abs(logs[best] - value) ? place : best), 0);
  }

  function draw() {
    const width = Math.max(280, holder.clientWidth - 18), height = 290;
    frame = { left: 56, right: width - 16, top: 26, bottom: height - 42 };
    const values = series.flatMap((one) => one.values).filter((value) => value !== null && value !== "0").map(logOf);
    x = scale(logs[0], logs[logs.length - 1], frame.left, frame.right);
    const y = scale(Math.floor(Math.min(0, ...values)), Math.max(1, ...values) * 1.03 + 0.1, frame.bottom, frame.top);
    const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    axes(svg, frame, x, y, { x: scaling.size, y: title.toLowerCase() }, { x: (p) => tenTo(p, SI), y: (p) => tenTo(p, units) });
    cursor = shape("line", { class: "cursor", y1: frame.top, y2: frame.bottom });
    svg.append(cursor);
    series.forEach((one, place) => svg.append(shape("path", { class: `series s${place} dash${place}`, d: path(one, x, y) })));
    plot.replaceChildren(svg);
    point(chosen);
  }

  function path(one, x, y) {
    let pen = "M", text = "";
    one.values.forEach((value, place) => {
      if (value === null || value === "0") pen = "M";
      else {
        text += `${pen}${x.at(logs[place]).toFixed(1)},${y.at(logOf(value)).toFixed(1)}`;
        pen = "L";
      }
    });
    return text;
  }

  function point(place) {
    chosen = Math.max(0, Math.min(logs.length - 1, place));
    cursor.setAttribute("x1", x.at(logs[chosen]));
    cursor.setAttribute("x2", x.at(logs[chosen]));
    holder.firstChild.textContent = `${title} at ${scaling.size} = ${grouped(scaling.sizes[chosen])}`;
    legend.replaceChildren(...series.map((one, number) => element("li", {},
      shape("svg", { viewBox: "0 0 30 10", "aria-hidden": "true" }, shape("line", { class: `series s${number} dash${number}`, x1: 0, x2: 30, y1: 5, y2: 5 })),
      element("span", {}, one.name, ...(one.growth ? [" ", element("span", { class: "growth" }, one.growth === "constant" ? "constant" : "grows as ", ...(one.growth === "constant" ? [] : [formula(one.growth)]))] : [])),
      element("span", { class: "value" }, one.values[chosen] === null ? "–" : grouped(one.values[chosen])))));
  }

  plot.addEventListener("pointermove", (event) => {
    const box = plot.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width * (frame.right + 16) - frame.left) / (frame.right - frame.left);
    point(nearest(logs[0] + share * (logs[logs.length - 1] - logs[0])));
  });
  plot.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -logs.length, End: logs.length }[event.key];
    if (!step) return;
    event.preventDefault();
    point(chosen + step);
  });
  return { holder, draw };
}

/* --- all of it --- */

drawHeading();
drawTotals();
byId("tree-section").hidden = report.trees.length === 0;
tabs(byId("tree-tabs"), report.trees.map((one) => one.name), (place) => drawIcicle(report.trees[place]));
tabs(byId("table-tabs"), report.tables.map((one) => one.name), (place) => drawTable(report.tables[place]));
drawRoofline();
drawScaling();
byId("remarks-section").hidden = report.remarks.length === 0;
byId("remarks").replaceChildren(...report.remarks.map((one) => element("li", { class: "note" }, one)));

let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === width) return;
  width = innerWidth;
  Object.values(redraws).forEach((draw) => draw());
});
