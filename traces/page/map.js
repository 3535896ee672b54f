// The map of a state: zones as rectangles, nodes as discs, messages as arrows. Without axes the nodes stand in a
// circle. Everything is drawn in the pixels of the place that there is, so that letters keep their size.

const choice = { viewer: "", across: 0, up: 1 };
const discRadius = 13;

function colour(k) { return "var(--c" + (k % 8) + ")"; }

// prepareMap fills the choices that the run needs and draws anew whenever they or the width change.
function prepareMap(run, redraw) {
  const viewers = new Set(), axes = run.steps[0].picture.axes || [];
  for (const step of run.steps) for (const region of step.picture.regions || []) if (region.viewer) viewers.add(region.viewer);
  const choose = (id, options, value, chosen) => {
    const select = byId(id);
    for (const [key, text] of options) select.append(new Option(text, key));
    select.value = value;
    byId(id + "-label").hidden = false;
    select.addEventListener("change", () => { chosen(select.value); redraw(); });
  };
  if (viewers.size) choose("viewer", [["", "as it is"], ...[...viewers].sort().map((v) => [v, "as " + v + " sees it"])], "", (v) => { choice.viewer = v; });
  if (axes.length > 2) {
    const options = axes.map((a, i) => [i, a.name]);
    choose("across", options, 0, (v) => { choice.across = Number(v); });
    choose("up", options, 1, (v) => { choice.up = Number(v); });
    byId("depth").hidden = false;
  }
  let width = 0;
  new ResizeObserver(() => {
    const now = byId("map").clientWidth;
    if (now !== width) { width = now; redraw(); }
  }).observe(byId("map"));
}

// drawMap draws a step.
function drawMap(run, step) {
  if (step < 0) return;
  const picture = run.steps[step].picture, before = step > 0 ? run.steps[step - 1].picture : null;
  const place = (picture.axes || []).length ? onMap(picture) : inCircle(picture);
  const drawing = svg("svg", { viewBox: "0 0 " + place.width + " " + place.height, role: "img", "aria-label": inWords(picture) });
  drawing.append(definitions(picture));
  if (picture.axes?.length) drawZones(drawing, picture, before, place);
  drawMessages(drawing, run.steps[step], before, place);
  drawNodes(drawing, run.steps[step], run.steps[step - 1], place, remarksOn(step));
  byId("map").replaceChildren(drawing);
}

// definitions are a pattern for each node, and those of gaps and overlaps.
function definitions(picture) {
  const strokes = ["M0 10L10 0", "M0 0L10 10", "M0 5H10", "M5 0V10", "M5 5h.1", "M0 5H10M5 0V10", "M0 10L10 0M0 0L10 10", "M0 0"];
  const defs = svg("defs");
  const pattern = (id, paper, ink, path, width) => {
    const p = svg("pattern", { id, width: 10, height: 10, patternUnits: "userSpaceOnUse" });
    const ground = svg("rect", { width: 10, height: 10 }), lines = svg("path", { d: path, "stroke-width": width, "stroke-linecap": "round" });
    ground.style.fill = paper;
    ground.style.fillOpacity = "var(--fill)";
    lines.style.stroke = ink;
    lines.style.strokeOpacity = .55;
    p.append(ground, lines);
    defs.append(p);
  };
  picture.nodes.forEach((n, k) => pattern("zone-" + k, colour(k), colour(k), strokes[(k + Math.floor(k / 8)) % 8], k % 8 === 4 ? 4 : 1.6));
  pattern("gap", "transparent", "var(--soft)", strokes[6], 1);
  pattern("both", "transparent", "var(--wrong)", strokes[0], 4);
  return defs;
}

// onMap lays out the plot and says where on it a box and a node are. Nodes without a place stand below.
function onMap(picture) {
  const width = Math.max(byId("map").clientWidth, 260), flat = picture.axes.length === 1;
  const x = picture.axes[choice.across], y = flat ? { low: 0, high: 1 } : picture.axes[choice.up];
  const left = flat ? 14 : 22 + 8 * Math.max(2, String(y.high).length); // room for the numbers along the side
  const plot = flat ? { x: left, y: 104, w: width - 28, h: 140 } : { x: left, y: 44, w: width - left - 18, h: Math.min(width * .7, 380) };
  const across = (v) => plot.x + (v - x.low) / (x.high - x.low) * plot.w;
  const up = (v) => plot.y + plot.h - (v - y.low) / (y.high - y.low) * plot.h;
  const box = (r) => {
    const low = flat ? 0 : r.low[choice.up], high = flat ? 1 : r.high[choice.up];
    return { x: across(r.low[choice.across]), y: up(high), w: across(r.high[choice.across]) - across(r.low[choice.across]), h: up(low) - up(high) };
  };
  const at = new Map(), taken = new Set(), out = [];
  for (const n of picture.nodes) {
    if (!n.at) { out.push(n); continue; }
    const p = { x: across(n.at[choice.across] + .5), y: flat ? plot.y + plot.h * .55 : up(n.at[choice.up] + .5) };
    while (taken.has(Math.round(p.x / 20) + "," + Math.round(p.y / 20))) p.x += 44;
    taken.add(Math.round(p.x / 20) + "," + Math.round(p.y / 20));
    at.set(n.name, p);
  }
  const bottom = plot.y + plot.h + (flat ? 84 : 46);
  out.forEach((n, i) => at.set(n.name, { x: plot.x + 132 + i * 80, y: bottom + 18 }));
  return { width, height: bottom + (out.length ? 52 : 0), plot, box, at, across, up, flat, x, y, out };
}

// inCircle lets the nodes stand in a circle, the first on top.
function inCircle(picture) {
  const width = Math.max(byId("map").clientWidth, 260), n = picture.nodes.length;
  const radius = Math.min(width / 2 - 70, 60 + 22 * n), high = radius * (width < 500 ? 1 : .8);
  const at = new Map();
  picture.nodes.forEach((node, i) => {
    const turn = 2 * Math.PI * i / n - Math.PI / 2 - (n === 2 ? Math.PI / 2 : 0);
    at.set(node.name, { x: width / 2 + radius * Math.cos(turn), y: high + 60 + high * Math.sin(turn) });
  });
  return { width, height: 2 * high + 130, at, circle: true, out: [] };
}

function drawZones(drawing, picture, before, place) {
  const { plot } = place, actual = (picture.regions || []).filter((r) => !r.viewer);
  drawing.append(svg("rect", { x: plot.x, y: plot.y, width: plot.w, height: plot.h, class: "plot" }));
  ticks(drawing, actual, place);
  const shown = choice.viewer ? (picture.regions || []).filter((r) => r.viewer === choice.viewer).concat(actual.filter((r) => r.node === choice.viewer)) : actual;
  const same = (a, b) => a.node === b.node && String(a.low) === String(b.low) && String(a.high) === String(b.high);
  const earlier = (before?.regions || []).filter((r) => !r.viewer);
  const corners = new Map(); // names of zones that begin in one corner stand below each other
  for (const region of shown) {
    const k = picture.nodes.findIndex((n) => n.name === region.node), b = place.box(region);
    const wrong = choice.viewer && !actual.some((r) => same(r, region));
    const changed = !choice.viewer && before && !earlier.some((r) => same(r, region));
    const zone = svg("rect", { x: b.x + 1, y: b.y + 1, width: Math.max(b.w - 2, 1), height: Math.max(b.h - 2, 1), rx: 3, class: "zone" + (wrong ? " wrong" : "") + (changed ? " changed" : ""),
      "data-node": region.node });
    zone.style.fill = "url(#zone-" + Math.max(k, 0) + ")";
    const corner = b.x + "," + b.y, nth = corners.get(corner) || 0;
    corners.set(corner, nth + 1);
    drawing.append(zone, svg("text", { x: b.x + 8, y: b.y + 19 + 17 * nth, class: "name halo" }, region.node + (wrong ? " ≠" : "") + (changed ? " changed" : "")));
  }
  if (choice.viewer) for (const region of actual) {
    const b = place.box(region);
    drawing.append(svg("rect", { x: b.x + 4, y: b.y + 4, width: b.w - 8, height: b.h - 8, class: "really" }));
  }
  if (!choice.viewer) overlaps(drawing, actual, place);
  gaps(drawing, shown, picture, place);
}

// ticks are the numbers along the sides of the plot: where zones begin and end.
function ticks(drawing, regions, place) {
  const { plot } = place, marks = (axis, k) => [...new Set([axis.low, axis.high, ...regions.flatMap((r) => [r.low[k], r.high[k]])])];
  const inward = (v) => v >= 1000 && v === place.x.high, wide = (v) => 8 * String(v).length;
  for (const v of apart(marks(place.x, choice.across), (v) => place.across(v) - (inward(v) ? wide(v) / 2 : 0), wide))
    drawing.append(svg("text", { x: place.across(v), y: plot.y + plot.h + 16, class: "tick", "text-anchor": inward(v) ? "end" : "middle" }, String(v)));
  if (place.flat) return;
  drawing.append(svg("text", { x: plot.x + plot.w / 2, y: plot.y + plot.h + 34, class: "axis", "text-anchor": "middle" }, place.x.name + " →"));
  for (const v of apart(marks(place.y, choice.up), place.up, () => 13))
    drawing.append(svg("text", { x: plot.x - 6, y: place.up(v) + 4, class: "tick", "text-anchor": "end" }, String(v)));
  drawing.append(svg("text", { x: 14, y: plot.y + plot.h / 2, class: "axis", "text-anchor": "middle", transform: "rotate(-90 14 " + (plot.y + plot.h / 2) + ")" }, place.y.name + " →"));
}

// apart leaves out the marks that would be written over one before: the ends of the axis come first.
function apart(marks, at, size) {
  const kept = [];
  for (const v of marks) if (kept.every((k) => Math.abs(at(k) - at(v)) >= (size(k) + size(v)) / 2)) kept.push(v);
  return kept;
}

// overlaps marks what two nodes own, in all dimensions.
function overlaps(drawing, regions, place) {
  regions.forEach((a, i) => regions.slice(i + 1).forEach((b) => {
    const both = { low: a.low.map((v, k) => Math.max(v, b.low[k])), high: a.high.map((v, k) => Math.min(v, b.high[k])) };
    if (both.low.some((v, k) => v >= both.high[k])) return;
    const box = place.box(both);
    drawing.append(svg("rect", { x: box.x, y: box.y, width: box.w, height: box.h, fill: "url(#both)", class: "zone wrong" }),
      svg("text", { x: box.x + box.w / 2, y: box.y + box.h - 8, class: "alarm halo", "text-anchor": "middle" }, "overlap of " + a.node + " and " + b.node));
  }));
}

// gaps marks space without an owner: each cell, of those that the borders of the zones cut out, that no zone covers. Seen from one side,
// where cells lie behind each other, one that has a gap somewhere is marked.
function gaps(drawing, regions, picture, place) {
  const marked = new Set(), deep = picture.axes.length > 2;
  for (const cell of uncovered(regions, picture.axes)) {
    const b = place.box(cell), box = [b.x, b.y, b.w, b.h].join(" ");
    if (marked.has(box)) continue;
    marked.add(box);
    drawing.append(svg("rect", { x: b.x, y: b.y, width: b.w, height: b.h, fill: "url(#gap)", class: "gap" }));
    if (deep && marked.size > 1) continue;
    const whose = choice.viewer ? "not known to " + choice.viewer : "nobody";
    drawing.append(svg("text", { x: b.x + b.w / 2, y: b.y + 20, class: "alarm halo", "text-anchor": "middle" }, whose + (deep ? ", somewhere in this depth" : "")));
  }
}

// mostCells bounds the cells that are looked at. Where there are more, remarks name a gap.
const mostCells = 50000;

// uncovered lists the cells that no zone covers.
function uncovered(regions, axes) {
  const cuts = axes.map((axis, k) => [...new Set([axis.low, axis.high, ...regions.flatMap((r) => [r.low[k], r.high[k]])])].sort((a, b) => a - b));
  if (cuts.reduce((n, c) => n * (c.length - 1), 1) > mostCells) return [];
  let cells = [{ low: [], high: [] }];
  for (const c of cuts) cells = cells.flatMap((cell) => c.slice(1).map((high, i) => ({ low: [...cell.low, c[i]], high: [...cell.high, high] })));
  return cells.filter((cell) => !regions.some((r) => r.low.every((v, k) => v <= cell.low[k] && cell.high[k] <= r.high[k])));
}

function drawNodes(drawing, step, before, place, remarks) {
  const { nodes } = step.picture;
  if (place.out.length) drawing.append(svg("text", { x: 14, y: place.at.get(place.out[0].name).y + 5, class: "axis" }, "not on the map:"));
  nodes.forEach((n, k) => {
    const p = place.at.get(n.name), radius = place.circle ? 18 : discRadius;
    const out = place.circle ? ["down", "not yet"].includes(n.status) : !(step.picture.regions || []).some((r) => !r.viewer && r.node === n.name);
    const disc = svg("circle", { cx: p.x, cy: p.y, r: radius, class: out ? "disc out" : "disc", "data-node": n.name });
    if (!out) disc.style.stroke = colour(k);
    if (step.node === n.name) drawing.append(svg("circle", { cx: p.x, cy: p.y, r: radius + 5, class: "ring" }));
    drawing.append(disc, svg("text", { x: p.x, y: p.y + 5, class: "letter" }, shorten(n.name, 3)));
    const about = remarks.filter((r) => r.node === n.name).length, lines = [];
    if (n.status) lines.push(n.status);
    const text = (of) => of?.state.find(([name]) => name === n.name)?.[1] || "";
    if (place.circle && text(step) !== n.status) lines.push(...wrapped(n.name, text(step), text(before)));
    lines.forEach((line, i) => drawing.append(svg("text", { x: p.x, y: p.y + radius + 17 + 15 * i, class: "label halo" }, line)));
    if (about) drawing.append(svg("text", { x: p.x + radius + 3, y: p.y - 7, class: "alarm halo" }, "⚠" + about));
  });
}

// wrapped makes two short lines of a state, without the name that its disc has already. Of a longer state it shows what the step
// has changed, from the first such word on, or else the beginning and the end.
function wrapped(name, text, was) {
  const bare = (state) => (state.startsWith(name + " ") ? state.slice(name.length + 1) : state).split(" ");
  const words = bare(text), old = bare(was), whole = inLines(words);
  if (whole.length <= 2) return whole.map((line) => shorten(line, 20));
  const changed = was ? words.findIndex((word, i) => word !== old[i]) : -1;
  if (changed < 0) return [shorten(whole[0], 20), "… " + shorten(whole[whole.length - 1], 18)];
  const rest = inLines(words.slice(changed)), cut = rest.length > 2 ? " …" : "";
  return [(changed ? "… " : "") + shorten(rest[0], 18), ...rest.slice(1, 2).map((line) => shorten(line, 18) + cut)];
}

// inLines puts words into lines of at most 18 letters.
function inLines(words) {
  const lines = [];
  for (const word of words) {
    const last = lines.length - 1;
    if (last >= 0 && (lines[last] + " " + word).length <= 18) lines[last] += " " + word;
    else lines.push(word);
  }
  return lines;
}

// drawMessages draws what is on its way as arrows, and what this step delivered or lost as a dotted one.
function drawMessages(drawing, step, before, place) {
  const key = (m) => m.from + "\n" + m.to + "\n" + m.text, old = new Map(), count = new Map();
  for (const m of before?.flying || []) old.set(key(m), (old.get(key(m)) || 0) + 1);
  const arrow = (m, kind, sign) => {
    const way = m.from + "\n" + m.to, nth = count.get(way) || 0;
    count.set(way, nth + 1);
    bend(drawing, place, m, kind, sign, nth);
  };
  if (["deliver", "duplicate", "repeat", "late", "drop"].includes(step.kind)) arrow({ from: step.peer, to: step.node, text: step.text }, "past", step.kind === "drop" ? "✕ " : "✓ ");
  for (const m of step.picture.flying || []) {
    const left = old.get(key(m)) || 0;
    if (left) old.set(key(m), left - 1);
    arrow(m, left || !before ? "" : "new", left || !before ? "" : "+ ");
  }
}

// bend draws one curved arrow with its label; the nth between the same two bends more.
function bend(drawing, place, m, kind, sign, nth) {
  const a = place.at.get(m.from), b = place.at.get(m.to);
  if (!a || !b) return;
  const dx = b.x - a.x, dy = b.y - a.y, far = Math.hypot(dx, dy) || 1;
  let lift = Math.min(.16 * far + 16, 64); // of the middle; the control point is twice as far away
  const lane = far * Math.min(.2, 90 / place.width); // longer ways pass further out
  if (place.flat && Math.abs(dy) < 1) lift = dx > 0 ? a.y - place.plot.y + 8 + lane : place.plot.y + place.plot.h - a.y + 20 + .8 * lane;
  lift = 2 * lift + 40 * nth;
  const c = { x: (a.x + b.x) / 2 + dy / far * lift, y: (a.y + b.y) / 2 - dx / far * lift };
  const edge = (p, radius) => {
    const l = Math.hypot(c.x - p.x, c.y - p.y) || 1;
    return { x: p.x + (c.x - p.x) / l * radius, y: p.y + (c.y - p.y) / l * radius };
  };
  const from = edge(a, discRadius + 5), to = edge(b, discRadius + 9);
  drawing.append(svg("path", { d: "M" + [from.x, from.y, "Q", c.x, c.y, to.x, to.y].join(" "), class: "arrow " + kind, "data-from": m.from, "data-to": m.to },
    svg("title", {}, m.from + "→" + m.to + " " + m.text)));
  const angle = Math.atan2(to.y - c.y, to.x - c.x) * 180 / Math.PI;
  drawing.append(svg("path", { d: "M5 0L-6 -5.5L-6 5.5z", class: "head " + kind, transform: "translate(" + to.x + " " + to.y + ") rotate(" + angle + ")" }));
  const text = sign + shorten(m.text, place.width < 500 || far < 130 ? 13 : 24), half = 3.8 * [...text].length;
  const t = [.5, .32, .68][nth % 3]; // labels of arrows between the same two stand apart
  const on = (p, q, r) => (1 - t) * (1 - t) * p + 2 * t * (1 - t) * q + t * t * r;
  const x = Math.min(Math.max(on(from.x, c.x, to.x), half + 4), place.width - half - 4);
  const y = Math.max(on(from.y, c.y, to.y) + (dx >= 0 ? -4 : 14), 13);
  const label = svg("text", { class: "label halo " + kind, x, y }, text);
  drawing.append(label);
}

// inWords describes a picture to those who cannot see it.
function inWords(picture) {
  const actual = (picture.regions || []).filter((r) => !r.viewer);
  const range = (r) => r.low.map((v, k) => v + " to " + r.high[k]).join(" by ");
  const nodes = picture.nodes.map((n) => {
    const zones = actual.filter((r) => r.node === n.name).map(range);
    return n.name + (zones.length ? " owns " + zones.join(" and ") : "") + (n.status ? (zones.length ? ", " : " is ") + n.status : "");
  });
  const flying = (picture.flying || []).map((m) => shorten(m.text, 40) + " from " + m.from + " to " + m.to);
  return nodes.join("; ") + ". In flight: " + (flying.join("; ") || "nothing") + ".";
}
