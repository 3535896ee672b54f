// The player: one step of the run at a time.

const run = unfolded(JSON.parse(document.getElementById("data").textContent));
const byId = (id) => document.getElementById(id);
const lastStep = run.steps.length - 1;
let present = -1;

// unfolded replaces numbers by the things that they stand for.
function unfolded(run) {
  const things = (numbers) => numbers.map((n) => run.things[n]);
  for (const step of run.steps) {
    step.state = things(step.state);
    for (const [part, numbers] of Object.entries(step.picture)) step.picture[part] = things(numbers);
  }
  return run;
}

// show makes a step the current one, everywhere on the page.
function show(step) {
  step = Math.max(0, Math.min(lastStep, step));
  if (step === present) return;
  present = step;
  byId("player").dataset.step = step;
  byId("slider").value = step;
  byId("slider").setAttribute("aria-valuetext", "step " + step + " of " + lastStep);
  byId("count").textContent = step + " of " + lastStep;
  byId("first").disabled = byId("back").disabled = step === 0;
  byId("last").disabled = byId("forward").disabled = step === lastStep;
  for (const element of document.querySelectorAll("[data-step].current")) element.classList.remove("current");
  for (const element of document.querySelectorAll(".row[data-step='" + step + "'], .story [data-step='" + step + "']"))
    element.classList.add("current");
  document.querySelector(".story [aria-current]")?.removeAttribute("aria-current");
  document.querySelector(".story .current .n").setAttribute("aria-current", "step");
  for (const way of document.querySelectorAll(".way"))
    way.classList.toggle("flying", Number(way.dataset.sent) <= step && step < Number(way.dataset.got));
  follow(step);
  showNow(step);
  showRemarks(step);
  showStates(step);
  drawMap(run, step);
  remember(step);
}

// remember puts the step into the address, so that a link leads to it. A page inside another one may not do that.
function remember(step) {
  if (location.hash === "#step-" + step) return;
  try {
    history.replaceState(null, "", "#step-" + step);
  } catch (refused) {
    if (refused.name !== "SecurityError") throw refused;
  }
}

// follow keeps the current row of the diagram visible, without scrolling the page.
function follow(step) {
  const box = byId("sequence-scroll"), row = document.querySelector(".row[data-step='" + step + "'] .band");
  if (!row) return;
  const y = Number(row.getAttribute("y")), height = Number(row.getAttribute("height"));
  if (y < box.scrollTop || y + height + 40 > box.scrollTop + box.clientHeight)
    box.scrollTop = y - box.clientHeight / 2;
  const at = Number(row.parentNode.dataset.x);
  if (at < box.scrollLeft + 60 || at + 130 > box.scrollLeft + box.clientWidth) box.scrollLeft = at - box.clientWidth / 2;
}

// showNow shows what happened, as the story does, and at the end what is violated.
function showNow(step) {
  const tale = byId("tale-" + step).querySelector(".tale").cloneNode(true);
  for (const details of tale.querySelectorAll("details")) details.remove();
  tale.querySelector(".what").prepend(html("b", "", "Step " + step + ". "));
  const now = byId("now");
  now.replaceChildren(...tale.childNodes);
  const check = standing(step);
  if (step === lastStep) now.append(verdict());
  else if (check) now.append(html("p", "hint", check));
}

// standing says whether the property holds in a state.
function standing(step) {
  const { holds } = run.steps[step];
  if (holds === undefined) return "";
  if (run.trigger >= 0) return step < run.trigger ? "" : holds ? "✓ " + run.property + " holds." : "… " + run.property + " does not hold yet.";
  if (run.shape === "quiescent") return holds ? "✓ " + run.property + " is not violated here. (It is about quiescent states only.)" : "✕ " + run.property + " is violated in this state.";
  return (holds ? "✓ " + run.property + " holds" : "✕ " + run.property + " does not hold") + " in this state.";
}

// verdict explains the last state: which property, what it demands, which nodes it is about.
function verdict() {
  const broken = run.verdict === "violated";
  const box = html("div", broken ? "verdict" : "verdict good");
  box.append(html("h3", "", (broken ? "✕ " : "✓ ") + run.property + " is " + run.verdict));
  for (const part of document.querySelectorAll(".claim div:not(:last-child) dd")) box.append(html("p", "", part.textContent));
  const said = box.textContent;
  const concerned = remarksOn(lastStep).filter((r) => r.property === run.property && !said.includes(r.text));
  if (broken && concerned.length)
    box.append(html("p", "", "In this state:"), html("ul", "", ...concerned.map((r) => html("li", "", r.text))));
  if (run.loop === lastStep - 1) box.append(html("p", "", "Step " + lastStep + " repeats forever."));
  else if (run.loop >= 0) box.append(html("p", "", "Steps " + (run.loop + 1) + " to " + lastStep + " repeat forever."));
  else if (run.shape === "leads to") box.append(html("p", "", "The run stops here: nothing more has to happen."));
  return box;
}

// remarksOn lists the remarks on a state. Minor remarks are for runs that are about their property.
function remarksOn(step) {
  return (run.steps[step].picture.remarks || []).filter((r) => !r.minor || r.property === run.property);
}

// showRemarks lists the messages in flight, and then the remarks; those that are the violation are marked.
function showRemarks(step) {
  const remarks = remarksOn(step);
  const box = byId("remarks"), flying = run.steps[step].picture.flying || [];
  box.replaceChildren(html("h3", "", "In flight"), flying.length
    ? html("ul", "flying", ...flying.map((m) => html("li", "", html("b", "", m.from + "→" + m.to), " " + m.text))) : html("p", "", "nothing"));
  if (!remarks.length) return;
  const items = remarks.map((r) => {
    const broken = step === lastStep && run.verdict === "violated" && r.property === run.property;
    return html("li", broken ? "broken" : "", r.text + (broken ? " (" + r.property + " is violated)" : ""));
  });
  const title = step === lastStep ? "Remarks on this state" : "Remarks on this state, which is transient";
  box.append(html("h3", "", title), html("ul", "", ...items));
}

// showStates shows the state of each node, and below them all other variables.
function showStates(step) {
  const now = run.steps[step], before = step > 0 ? run.steps[step - 1].state : now.state;
  const nodes = new Map(now.picture.nodes.map((n, k) => [n.name, { node: n, k }]));
  const others = html("details", "others", html("summary", "", "Other variables"));
  const cards = [];
  now.state.forEach(([name, text], i) => {
    const value = text || "–", was = before[i][1] || "–", changed = was !== value, known = nodes.get(name);
    const card = html("div", changed ? "card changed" : "card");
    card.dataset.variable = name;
    if (known) card.style.borderLeftColor = colour(known.k);
    const title = html("h3", "", name);
    const notes = [known?.node.status === text ? "" : known?.node.status, changed ? "changed in this step" : ""].filter(Boolean);
    if (notes.length) title.append(html("small", "", notes.join(", ")));
    card.append(title, html("p", "value", ...(changed ? difference(was, value) : [value])));
    if (known) cards.push(card); else others.append(card);
  });
  const open = byId("states").querySelector(".others")?.open;
  if (others.children.length > 1) cards.push(others);
  others.open = open || cards.length === 1;
  byId("states").replaceChildren(...cards);
}

function fromHash() {
  const match = /^#step-(\d+)$/.exec(location.hash);
  if (match) show(Number(match[1]));
  return match !== null;
}

// keys lets the arrow keys, Home and End move through the run, unless a control needs them.
function keys(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest?.("select, input")) return;
  const to = { ArrowLeft: present - 1, ArrowRight: present + 1, Home: 0, End: lastStep }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  show(to);
}

function start() {
  prepareMap(run, () => drawMap(run, present));
  byId("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  byId("first").addEventListener("click", () => show(0));
  byId("back").addEventListener("click", () => show(present - 1));
  byId("forward").addEventListener("click", () => show(present + 1));
  byId("last").addEventListener("click", () => show(lastStep));
  document.addEventListener("keydown", keys);
  window.addEventListener("hashchange", fromHash);
  const box = byId("sequence-scroll");
  box.addEventListener("scroll", () => box.style.setProperty("--scrolled", box.scrollLeft + "px"));
  for (const row of document.querySelectorAll(".row, .story .n"))
    row.addEventListener("click", (event) => {
      event.preventDefault();
      show(Number(row.closest("[data-step]").dataset.step));
    });
  if (!fromHash()) show(0);
}

start();
