// One step index; every pane follows it.
const page = {
  run: null,
  step: 0,
  filter: "",
  panes: [],

  matches(name) { return !this.filter || name.toLowerCase().includes(this.filter); },
  matching(names) { return names.map((_, id) => id).filter(id => this.matches(names[id])); },
  processes() { return this.matching(data.processes.map(process => process[0])); },

  drawn({ card, drawing }, p) {
    linkCalls(drawing, p);
    const line = source(p);
    if (line) card.querySelector("header").append(element("button", { type: "button", class: "source", title: `The text of ${processName(p)}`, "aria-label": `The text of ${processName(p)}`, onclick: () => showLine(line) }, "{ }"));
  },

  open(index, step) {
    if (!this.known.has(index)) this.known.set(index, new Run(data.runs[index], index));
    this.run = this.known.get(index);
    document.querySelector(".panes").classList.toggle("told", Boolean(this.run.raw.told));
    for (const pane of this.panes) pane.reset();
    const result = data.results[index];
    document.getElementById("runs").value = index;
    document.getElementById("query").textContent = title(result);
    const verdict = document.getElementById("verdict"), cell = document.querySelector(`tr[data-answer="${index}"] .verdict`);
    verdict.className = cell.className;
    verdict.replaceChildren(...[...cell.childNodes].map(node => node.cloneNode(true)));
    const told = story(result, this.run.raw);
    document.getElementById("story").textContent = introduction(result, this.run.raw) + told;
    document.getElementById("summary").textContent = told;
    document.getElementById("slider").max = this.run.length;
    document.getElementById("find").value = document.getElementById("hits").textContent = "";
    this.go(step);
  },

  go(step) {
    this.step = Math.max(0, Math.min(this.run.length, Math.round(step) || 0));
    this.event = this.step > 0 ? this.run.event(this.step) : null;
    this.here = copy(this.run.state(this.step));
    const delay = this.run.delay(this.step);
    document.getElementById("slider").value = this.step;
    document.getElementById("where").textContent = `step ${this.step} of ${this.run.length} · time ${this.run.timeText(this.step)}${delay ? ` (+${shown(delay)})` : ""}`;
    document.getElementById("first").disabled = document.getElementById("back").disabled = this.step === 0;
    document.getElementById("last").disabled = document.getElementById("forward").disabled = this.step === this.run.length;
    for (const pane of this.panes) pane.show();
    link();
  },
};

// The author's words for a query, where there are others than the query itself.
const title = result => result.property ? `${result.property.name}: ${result.property.text}` : result.query;

function introduction(result, run) {
  if (run.error) return `The model has an error: ${run.error}. The way there is `;
  return result.verdict === "simulated" ? "" : "shown by ";
}

function story(result, run) {
  const best = result.cost?.proved ? (result.cost.measure === "time" ? "fastest " : "cheapest ") : run.optimal ? "shortest " : "";
  const size = run.length === 0 ? "the initial state" : `a ${best}run of ${run.length} ${run.told ? "step" : "transition"}${run.length === 1 ? "" : "s"}${run.duration ? ` that takes ${run.duration} time units` : ""}`;
  const ending = run.ending.loop !== undefined ? `; from ${run.told ? "step" : "transition"} ${run.ending.loop + 1} on this can go on forever`
    : { waits: "; from there time passes forever and nothing else happens", stuck: "; there, no transition is possible and time comes to a halt" }[run.ending] || "";
  return size + ending;
}

const tabs = ["run", "schedule", "answers", "model", "search"];

function view(name) {
  for (const tab of tabs) {
    const isOpen = tab === name, button = document.getElementById(`tab-${tab}`);
    button.setAttribute("aria-selected", isOpen);
    button.tabIndex = isOpen ? 0 : -1;
    document.getElementById(`view-${tab}`).hidden = !isOpen;
  }
  page.view = name;
  if (name === "run" || name === "schedule") page.go(page.step);
  link();
}

// The address says what is shown, so that it can be sent to somebody.
function link() {
  if (!page.view) return;
  const parts = [];
  if (page.view !== "run") parts.push(`view=${page.view}`);
  if (page.run) {
    if (page.shown.length > 1) parts.push(`run=${data.results[page.run.index].number ?? page.run.index + 1}`);
    parts.push(`step=${page.step}`);
  }
  const hash = `#${parts.join("&")}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

function follow() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (page.shown.length) {
    const number = Number(wanted.get("run"));
    const index = page.shown.find(k => (data.results[k].number ?? k + 1) === number) ?? page.run?.index ?? page.shown[0];
    const step = wanted.has("step") ? Number(wanted.get("step")) : page.run?.index === index ? page.step : 0;
    if (page.run?.index === index) page.go(step); else page.open(index, step);
  }
  const name = wanted.get("view") || (page.shown.length ? "run" : "answers");
  view(tabs.includes(name) && !document.getElementById(`tab-${name}`).disabled ? name : "answers");
}

function theme(name) {
  document.documentElement.dataset.theme = name;
}

// On paper: light, every step in a table, all automata.
function printed() {
  const most = 2000, { run } = page;
  if (!run) return;
  const rows = [];
  for (let i = 0; i <= Math.min(run.length, most); i++) {
    const lines = describe(run, i).map(line => element("div", { class: line.kind }, line.sync + line.text));
    rows.push(element("tr", {}, element("td", {}, String(i)), element("td", {}, run.timeText(i)), element("td", {}, ...lines)));
  }
  if (run.length > most) rows.push(element("tr", {}, element("td", { colspan: 3 }, `… and ${run.length - most} more steps`)));
  const head = element("tr", {}, ...["Step", "Time", "What happens"].map(text => element("th", { scope: "col" }, text)));
  document.getElementById("printed").replaceChildren(element("h2", {}, "All steps"), element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)));
  for (const card of document.querySelectorAll("#automata .card")) automata.draw(Number(card.dataset.process));
}

function keys(event) {
  const typing = event.target.matches("input[type=search], select");
  if (event.key === "/" && !typing) {
    event.preventDefault();
    document.getElementById("find").focus();
    return;
  }
  if (!["run", "schedule"].includes(page.view) || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("[role=tab]") && event.key.startsWith("Arrow")) return;
  const slider = event.target.id === "slider", list = event.target.id === "steps" || event.target.id === "schedule";
  const moves = { ArrowRight: 1, ArrowLeft: -1 };
  if (slider || list || event.target === document.body) Object.assign(moves, { PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity });
  if (list || event.target === document.body) Object.assign(moves, { ArrowDown: 1, ArrowUp: -1 });
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  page.go(move === -Infinity ? 0 : move === Infinity ? page.run.length : page.step + move);
}

const automata = new Automata(page), steps = new Steps(page);
page.known = new Map();
page.shown = data.runs.map((_, index) => index).filter(index => data.runs[index]);
page.panes = [steps, automata, new Values(page), new Chart(page), new TimeLine(page), new Schedule(page), new Instead(page)];

theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
document.getElementById("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
addEventListener("beforeprint", () => { page.onScreen = document.documentElement.dataset.theme; theme("light"); printed(); });
addEventListener("afterprint", () => theme(page.onScreen || "light"));
addEventListener("hashchange", follow);
document.addEventListener("keydown", keys);
for (const [index, tab] of tabs.entries()) {
  const button = document.getElementById(`tab-${tab}`);
  button.addEventListener("click", () => view(tab));
  button.addEventListener("keydown", event => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    const next = document.getElementById(`tab-${tabs[(index + move + tabs.length) % tabs.length]}`);
    if (!next.disabled) { next.focus(); next.click(); }
  });
}
for (const [id, move] of [["back", () => page.step - 1], ["forward", () => page.step + 1], ["first", () => 0], ["last", () => page.run.length]]) {
  document.getElementById(id).addEventListener("click", () => page.go(move()));
}
document.getElementById("slider").addEventListener("input", event => page.go(Number(event.target.value)));
document.getElementById("find").addEventListener("keydown", event => { if (event.key === "Enter") steps.find(event.target.value, event.shiftKey ? -1 : 1); if (event.key === "Escape") { event.target.value = ""; steps.find("", 0); event.target.blur(); } });
document.getElementById("find").addEventListener("input", event => steps.find(event.target.value, 0));
document.getElementById("filter").addEventListener("input", event => { page.filter = event.target.value.trim().toLowerCase(); page.go(page.step); });
document.getElementById("movers").checked = data.processes.length > CARDS;
document.getElementById("movers").addEventListener("change", () => automata.show());
document.getElementById("actual").addEventListener("change", () => automata.fit());
const choice = document.getElementById("runs");
choice.replaceChildren(...page.shown.map(index => element("option", { value: index }, data.results[index].property?.name ?? `Query ${data.results[index].number ?? index + 1}`)));
choice.hidden = page.shown.length < 2;
choice.addEventListener("change", () => page.open(Number(choice.value), 0));
document.getElementById("tab-run").disabled = !page.shown.length;
for (const index of page.shown) {
  document.querySelector(`tr[data-answer="${index}"] .show`).append(element("button", { type: "button", onclick: () => { page.open(index, 0); view("run"); } }, "Show run"));
}
showNumbers();
follow();
document.documentElement.dataset.ready = "";
