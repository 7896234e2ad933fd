// The explorer. The server keeps every state that was visited, by number; a tab knows the numbers on its branch, which step of it is shown, and no more.
const byId = id => document.getElementById(id);
const SEARCH = `${Date.now()}-${Math.random()}`; // what this tab calls its searches
const MOST_CHOICES = 200;

// Asks the server. What it refuses is said in the page; that it is gone, as well.
async function ask(what, request = {}) {
  let response;
  try {
    response = await fetch("api", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ do: what, ...request }) });
  } catch {
    byId("stopped").hidden = false;
    return null;
  }
  byId("stopped").hidden = true;
  const reply = response.ok ? await response.json() : { refused: await response.text() };
  if (reply.refused === undefined) return reply;
  say(reply.refused);
  return null;
}

const say = message => { byId("message").textContent = message; };

const page = {
  run: null,
  raw: null, // as the server tells it
  path: [], // the numbers of the states on this branch
  step: 0,
  filter: "",
  panes: [],
  look: null, // what can happen in the state that is shown, once it is known
  runs: 0,

  matches(name) { return !this.filter || name.toLowerCase().includes(this.filter); },
  matching(names) { return names.map((_, id) => id).filter(id => this.matches(names[id])); },
  processes() { return this.matching(data.processes.map(process => process[0])); },
  get at() { return this.path[this.step]; },

  // Another branch, or more of this one.
  show(step) {
    this.run = new Run(this.raw, this.runs++);
    for (const pane of this.panes) pane.reset();
    byId("slider").max = this.run.length;
    return this.go(step);
  },

  async open(at, step) {
    const reply = await ask("run", { at });
    if (!reply) return false;
    this.raw = reply.run;
    this.path = reply.path;
    await this.show(step ?? this.path.length - 1);
    branches();
    return true;
  },

  // What was taken from the state that is shown: the branch goes on there, whatever came behind it so far.
  async extend(reply) {
    if (!reply) return;
    const known = reply.path.every((at, k) => this.path[this.step + 1 + k] === at);
    if (!known) {
      this.path = [...this.path.slice(0, this.step + 1), ...reply.path];
      this.raw = { ...this.raw, steps: [...this.raw.steps.slice(0, this.step), ...reply.steps] };
    }
    const next = this.step + reply.path.length;
    await (known ? this.go(next) : this.show(next));
    if (!known) branches();
  },

  async go(step) {
    this.step = Math.max(0, Math.min(this.run.length, Math.round(step) || 0));
    this.event = this.step > 0 ? this.run.event(this.step) : null;
    this.here = copy(this.run.state(this.step));
    this.look = null;
    say("");
    const delay = this.run.delay(this.step);
    byId("slider").value = this.step;
    byId("where").textContent = `step ${this.step} of ${this.run.length} · time ${this.run.timeText(this.step)}${delay ? ` (+${shown(delay)})` : ""}`;
    byId("first").disabled = byId("back").disabled = this.step === 0;
    byId("last").disabled = byId("forward").disabled = this.step === this.run.length;
    for (const pane of this.panes) pane.show();
    const { at } = this;
    const hash = `#at=${at}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
    document.documentElement.dataset.waiting = "";
    const look = await ask("look", { at });
    // Whoever has gone on in the meantime does not want to know.
    if (!look || at !== this.at) return;
    this.look = look;
    for (const pane of this.panes) pane.looked?.();
    if (byId("why").open) reasons();
    this.zone(at);
    delete document.documentElement.dataset.waiting;
  },

  // The zone comes when it is known; behind a long run that takes a while.
  async zone(at) {
    let zone;
    do zone = await ask("zone", { at }); while (zone?.later && at === this.at);
    if (zone && at === this.at) values.zone(zone);
  },

  async take(choice) {
    const reply = await ask("take", { at: this.at, edges: choice.edges, delay: byId("delay").value });
    if (!reply) return byId("delay").select();
    byId("delay").value = "";
    await this.extend(reply);
    byId("choices").querySelector("button")?.focus({ preventScroll: true });
  },
};

// A choice as the panes know steps.
function event(choice) {
  const name = choice.channel >= 0 ? data.channels[choice.channel] : "";
  return choice.moves.map(([process, edge, branch, to, role, select]) => ({
    process, edge, branch, to, role, select, from: page.here.locations[process], sync: synced(name, role),
  }));
}

class Choices {
  reset() {}

  show() {
    byId("choices").setAttribute("aria-busy", "true");
    byId("visited").replaceChildren();
  }

  looked() {
    const { look } = page;
    const list = byId("choices");
    list.removeAttribute("aria-busy");
    this.list = look.choices.map(choice => ({ ...choice, events: event(choice) }));
    const wanted = this.list.filter(choice => choice.events.some(move => page.matches(processName(move.process))) || !choice.events.length);
    const rows = wanted.slice(0, MOST_CHOICES).map((choice, index) => this.row(choice, index));
    if (look.error) rows.push(element("li", { class: "more trouble" }, look.error));
    else if (!look.choices.length) rows.push(element("li", { class: "more" }, look.longest ? "Nothing, however long one waits, and time comes to a halt." : "Nothing, however long one waits: a deadlock."));
    else if (wanted.length > MOST_CHOICES) rows.push(element("li", { class: "more" }, `and ${wanted.length - MOST_CHOICES} more; use the filter`));
    else if (!wanted.length) rows.push(element("li", { class: "more" }, "Nothing of what the filter shows."));
    list.replaceChildren(...rows);
    this.shown = wanted;
    byId("longest").textContent = longest(look.longest);
    this.visited(look.children);
  }

  row(choice, index) {
    const lines = choice.events.map(move => {
      const text = `${processName(move.process)}: ${moveText(move)}`;
      return element("div", { title: text }, ...(move.sync ? [element("span", { class: "sync" }, `${move.sync} `)] : []), text);
    });
    const when = [element("div", { class: "when" }, choice.when)];
    if (choice.failure) when.push(element("div", { class: "failure" }, `✗ fails: ${choice.failure}`));
    const button = element("button", { type: "button", class: `choice${choice.now ? " now" : ""}`, onclick: () => page.take(choice),
      onmouseenter: () => automata.point(choice), onmouseleave: () => automata.point(null), onfocus: () => automata.point(choice), onblur: () => automata.point(null) },
    element("span", { class: "key" }, index < 9 ? String(index + 1) : ""), element("div", { class: "what" }, ...lines, ...when));
    return element("li", {}, button);
  }

  // Where somebody went from here and this branch does not go.
  visited(children) {
    const others = children.filter(child => child.at !== page.path[page.step + 1]);
    byId("visited").replaceChildren(...(others.length ? ["Other branches from here:"] : []),
      ...others.map(child => element("button", { type: "button", title: child.words, onclick: () => page.open(child.at) }, child.words.replaceAll("->", "→"))));
  }
}

function longest(limit) {
  if (limit === undefined) return "";
  if (limit === null) return "any time";
  const time = shown(fraction(limit[0]));
  return time === "0" ? "no time may pass here" : limit[1] ? `less than ${time}` : `at most ${time}`;
}

// The report's automata, and which edges can be taken.
class Possible extends Automata {
  mark(p) {
    super.mark(p);
    const { drawing } = this.card(p);
    if (!drawing) return;
    for (const old of drawing.querySelectorAll(".possible, .pointed")) old.classList.remove("possible", "pointed");
    const add = (moves, name) => {
      for (const move of moves) {
        if (move.process !== p) continue;
        for (const edge of [drawnEdge(p, move.edge), move.branch]) if (edge >= 0) drawing.querySelectorAll(`.edge[data-edge="${edge}"]`).forEach(part => part.classList.add(name));
      }
    };
    if (page.look && choices.list) add(choices.list.flatMap(choice => choice.events), "possible");
    if (this.pointed) add(this.pointed.events, "pointed");
  }

  looked() { for (const p of this.wanted ?? []) this.mark(p); }

  point(choice) {
    this.pointed = choice;
    this.looked();
  }
}

// The report's values, and beside each clock what the same transitions allow.
class ValuesAndZone extends Values {
  show() {
    super.show();
    byId("zone-note").textContent = "";
  }

  zone(zone) {
    byId("zone-note").textContent = zone.none ? "" : "and its zone";
    byId("zone-note").title = zone.none ?? "All clock values that the same transitions can lead to, at whatever times";
    if (zone.none) return;
    const ranges = new Map(zone.ranges.map(range => [data.clocks[range[0]], range]));
    const tables = [...this.place.querySelectorAll("table")];
    const table = tables.find(table => table.querySelector("th").textContent === "Clocks");
    if (!table) return;
    for (const row of [...table.rows].slice(1)) {
      const range = ranges.get(row.cells[0].textContent);
      if (range && row.cells[1]) row.cells[1].append(element("span", { class: "range" }, rangeText(range)));
    }
    const wanted = zone.differences.filter(text => page.matches(text));
    for (const text of wanted) table.tBodies[0].append(element("tr", { class: "differences" }, element("td", { colspan: 2 }, text)));
    if (zone.more) table.tBodies[0].append(element("tr", { class: "differences" }, element("td", { colspan: 2 }, `and ${zone.more} more bounds on differences`)));
  }
}

function rangeText([, low, above, upper]) {
  if (upper && upper[0] === low) return `= ${low}`;
  const right = upper ? `${upper[1] ? "<" : "≤"} ${upper[0]}` : "";
  if (!upper) return `${above ? ">" : "≥"} ${low}`;
  return low === 0 && !above ? right : `${low} ${above ? "<" : "≤"} … ${right}`;
}

async function reasons(asked) {
  const { at } = page;
  const reply = await ask("why", { at, process: Number(byId("process").value) });
  if (!reply || at !== page.at) return;
  const rows = reply.edges.map(edge => element("li", { class: edge.edge === asked ? "asked" : "" }, edge.words.replaceAll("->", "→"),
    edge.reasons.length ? element("ul", {}, ...edge.reasons.map(reason => element("li", {}, reason))) : element("span", { class: "can" }, " can be taken now")));
  byId("reasons").replaceChildren(...(rows.length ? rows : [element("li", {}, "No edge leaves the location where it is.")]));
}

async function branches() {
  const reply = await ask("branches");
  if (!reply) return;
  const own = page.path.at(-1);
  const ends = reply.branches.some(branch => branch.at === own) ? reply.branches : [{ at: own, steps: page.path.length - 1, words: "this state" }, ...reply.branches];
  byId("branches").replaceChildren(...ends.map(branch => element("option", { value: branch.at }, `${branch.steps} steps: ${branch.words.replaceAll("->", "→")}`)));
  byId("branches").value = own;
  byId("branches").hidden = ends.length < 2;
}

let searching = 0;
async function search(what, request) {
  const answer = byId("answer"), begin = Date.now(), own = ++searching;
  answer.className = "";
  say("");
  const tick = () => { answer.textContent = `Searching … ${Math.round((Date.now() - begin) / 1000)} s`; };
  tick();
  const clock = setInterval(tick, 1000);
  byId("stop").hidden = false;
  const reply = await ask(what, { ...request, search: SEARCH, shortest: byId("shortest").checked });
  clearInterval(clock);
  if (own !== searching) return;
  byId("stop").hidden = true;
  answer.textContent = reply?.words ?? "";
  answer.className = reply?.verdict === true ? "yes" : reply?.verdict === false ? "no" : "";
  // A way begins where one is, so that one sees it step by step; the run of an answer begins at the start.
  if (reply?.at !== undefined) await page.open(reply.at, what === "way" ? page.step : 0);
}

async function save() {
  const reply = await ask("save", { at: page.at });
  if (!reply) return;
  const link = element("a", { href: URL.createObjectURL(new Blob([reply.text], { type: "application/json" })), download: `${data.model.replace(/\.[a-z]+$/, "")}-run.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function load(file) {
  const reply = await ask("load", { text: await file.text() });
  if (!reply) return;
  byId("answer").textContent = reply.runs.length > 1 ? `${reply.runs.length} runs were opened; they are among the branches.` : "";
  await page.open(reply.at, 0);
}

function theme(name) { document.documentElement.dataset.theme = name; }

function keys(event) {
  const { target } = event;
  const typing = target.matches("input[type=search], input[type=text], select");
  if (event.key === "Escape" && typing) target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const focus = id => () => byId(id).focus();
  const actions = {
    d: focus("delay"), g: focus("goal"), "/": focus("find"), b: focus("branches"), r: () => byId("random").click(), s: () => byId("save").click(),
    w: () => { byId("why").open = true; byId("process").focus(); }, "?": () => byId("help").click(), ArrowRight: () => page.go(page.step + 1), ArrowLeft: () => page.go(page.step - 1),
  };
  if (target.id === "steps" || target === document.body) Object.assign(actions, { ArrowDown: actions.ArrowRight, ArrowUp: actions.ArrowLeft, Home: () => page.go(0), End: () => page.go(page.run.length), PageDown: () => page.go(page.step + 10), PageUp: () => page.go(page.step - 10) });
  if (/^[1-9]$/.test(event.key)) actions[event.key] = () => { const choice = choices.shown?.[Number(event.key) - 1]; if (choice && page.look) page.take(choice); };
  if (target.id === "slider") delete actions.ArrowRight, delete actions.ArrowLeft;
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

// An edge of a drawing that was clicked: taken if it can be in one way only, else explained.
function clicked(event) {
  const part = event.target.closest("[data-edge]"), card = event.target.closest(".card");
  if (!part || !card || !page.look) return;
  const process = Number(card.dataset.process), edge = Number(part.dataset.edge);
  const ways = choices.list.filter(choice => choice.events.some(move => move.process === process && (move.edge === edge || move.branch === edge)));
  if (ways.length === 1) return page.take(ways[0]);
  if (ways.length) return byId("choices").children[choices.shown.indexOf(ways[0])]?.querySelector("button").focus();
  byId("why").open = true;
  byId("process").value = process;
  reasons(edge);
}

const choices = new Choices(), automata = new Possible(page), steps = new Steps(page), values = new ValuesAndZone(page);
page.panes = [steps, choices, automata, values, new Chart(page), new TimeLine(page)];

theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
byId("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
byId("help").addEventListener("click", () => { byId("keys").hidden = !byId("keys").hidden; byId("help").setAttribute("aria-expanded", String(!byId("keys").hidden)); });
for (const [id, move] of [["back", () => page.step - 1], ["forward", () => page.step + 1], ["first", () => 0], ["last", () => page.run.length]]) byId(id).addEventListener("click", () => page.go(move()));
byId("slider").addEventListener("input", event => page.go(Number(event.target.value)));
const wander = async count => {
  const reply = await ask("random", { at: page.at, steps: count });
  await page.extend(reply);
  if (reply?.end) say(reply.end);
};
byId("random").addEventListener("click", () => wander(1));
byId("random-many").addEventListener("click", () => wander(100));
byId("waiting").addEventListener("submit", async event => {
  event.preventDefault();
  const reply = await ask("take", { at: page.at, edges: [], delay: byId("delay").value });
  if (!reply) return byId("delay").select();
  byId("delay").value = "";
  await page.extend(reply);
});
byId("asking").addEventListener("submit", event => { event.preventDefault(); search("way", { at: page.at, goal: byId("goal").value }); });
byId("ask").addEventListener("click", () => search("ask", { query: byId("goal").value }));
byId("stop").addEventListener("click", () => ask("stop", { search: SEARCH }));
byId("save").addEventListener("click", save);
byId("open").addEventListener("click", () => byId("file").click());
byId("file").addEventListener("change", async event => { const [file] = event.target.files; if (file) await load(file); event.target.value = ""; });
byId("branches").addEventListener("change", event => page.open(Number(event.target.value)));
byId("why").addEventListener("toggle", () => { if (byId("why").open) reasons(); });
byId("process").replaceChildren(...data.processes.map((process, p) => element("option", { value: p }, process[0])));
byId("process").addEventListener("change", () => reasons());
byId("queries").replaceChildren(...data.queries.map(query => element("option", { value: query.words ?? query.text })));
byId("find").addEventListener("keydown", event => { if (event.key === "Enter") steps.find(event.target.value, event.shiftKey ? -1 : 1); if (event.key === "Escape") { event.target.value = ""; steps.find("", 0); } });
byId("find").addEventListener("input", event => steps.find(event.target.value, 0));
byId("filter").addEventListener("input", event => {
  page.filter = event.target.value.trim().toLowerCase();
  for (const pane of page.panes) { pane.show(); if (page.look) pane.looked?.(); }
  page.zone(page.at);
});
byId("movers").checked = data.processes.length > CARDS;
byId("movers").addEventListener("change", () => automata.show());
byId("actual").addEventListener("change", () => automata.fit());
byId("automata").addEventListener("click", clicked);
document.addEventListener("keydown", keys);
addEventListener("hashchange", () => { const at = Number(new URLSearchParams(location.hash.slice(1)).get("at")); if (at !== page.at) page.open(at); });
setInterval(() => { if (!document.hidden) ask("hello"); }, 5000);

// A reload goes on where one was; what the server does not know any more begins anew.
const wanted = new URLSearchParams(location.hash.slice(1)).get("at");
(async () => {
  if (wanted === null || !await page.open(Number(wanted))) await page.open(data.begin, wanted === null && data.begin ? 0 : undefined);
  document.documentElement.dataset.ready = "";
})();
