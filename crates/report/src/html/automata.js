// The automata: one card per process, drawn when it comes into view, and the values beside them.
const CARDS = 12; // with more processes, only those that move are shown at first
const ROWS = 400; // of a table
const READABLE = 0.75; // drawings are not made smaller than this

class Automata {
  constructor(page) {
    this.page = page;
    this.place = document.getElementById("automata");
    this.cards = new Map();
    this.watcher = new IntersectionObserver(seen => {
      for (const entry of seen) if (entry.isIntersecting) this.draw(Number(entry.target.dataset.process));
    }, { root: this.place, rootMargin: "200px" });
    new ResizeObserver(() => this.fit()).observe(this.place);
  }

  // One scale for all drawings, so that their texts have one size: the widest fits, unless nobody could read it then; that one is scrolled.
  fit() {
    const room = this.place.clientWidth - 22;
    if (room <= 0) return;
    const widths = (this.wanted ?? []).map(p => size(p)[0]);
    const actual = document.getElementById("actual")?.checked;
    this.scale = actual ? 1 : Math.max(READABLE, Math.min(1, room / Math.max(1, ...widths)));
    for (const p of this.wanted ?? []) this.resize(p);
  }

  resize(p) {
    const { card, drawing } = this.card(p);
    const [width, height] = size(p).map(side => Math.round(side * (this.scale ?? 1)));
    card.style.flexBasis = `${Math.max(200, width + 2)}px`;
    if (!drawing) return;
    drawing.style.width = `${width}px`;
    drawing.style.height = `${height}px`;
  }

  reset() {
    this.watcher.disconnect();
    this.cards.clear();
    this.listed = "";
  }

  card(p) {
    if (!this.cards.has(p)) {
      const where = element("span");
      const card = element("article", { class: "card", "data-process": p, "aria-label": processName(p) },
        element("header", {}, element("b", { title: processName(p) }, elided(processName(p))), where));
      this.cards.set(p, { card, where, drawing: null });
    }
    return this.cards.get(p);
  }

  draw(p) {
    const entry = this.card(p);
    this.watcher.unobserve(entry.card);
    if (entry.drawing) return;
    const template = document.getElementById(`drawing-${data.processes[p][1]}`);
    entry.drawing = template.content.firstElementChild.cloneNode(true);
    entry.drawing.setAttribute("aria-label", `Automaton of ${processName(p)}`);
    entry.token = shape("circle", { class: "token", r: 5 });
    entry.drawing.append(entry.token);
    entry.view = element("div", { class: "view" }, entry.drawing);
    entry.card.append(entry.view);
    this.resize(p);
    this.page.drawn?.(entry, p);
    this.mark(p);
    this.reveal();
  }

  show() {
    const { step, event } = this.page;
    const moving = event ? event.moves.map(move => move.process) : [];
    let wanted = this.page.processes().filter(isDrawn);
    if (document.getElementById("movers").checked) {
      const movers = wanted.filter(p => moving.includes(p));
      wanted = step === 0 || !moving.length ? wanted.slice(0, CARDS / 2) : movers;
    }
    const list = wanted.join();
    if (list !== this.listed) {
      this.listed = list;
      this.place.replaceChildren(...wanted.map(p => this.card(p).card));
      if (!wanted.length) this.place.append(element("p", { class: "more" }, "No process that is shown moves in this step."));
      for (const p of wanted) if (!this.card(p).drawing) this.watcher.observe(this.card(p).card);
    }
    this.wanted = wanted;
    this.fit();
    for (const p of wanted) this.mark(p);
    this.reveal();
  }

  // Brings those who move into view, the first one at the latest.
  reveal() {
    const moving = (this.page.event?.moves ?? []).map(move => move.process).filter(p => this.wanted?.includes(p));
    for (const p of moving.slice(0, 2).reverse()) reveal(this.place, this.card(p).card);
  }

  // Highlights where a process is and what it has just done.
  mark(p) {
    const move = this.page.event?.moves.find(move => move.process === p);
    const here = this.page.here.locations[p];
    const { card, where, drawing, token, view } = this.card(p);
    card.classList.toggle("moves", Boolean(move));
    const words = name => move ? `${this.page.event.fails ? "✗ " : ""}${moveText(move, name)}` : name(locationName(p, here));
    where.textContent = words(elided);
    where.title = words(text => text);
    if (!drawing) return;
    for (const old of drawing.querySelectorAll(".current, .taken, .left")) old.classList.remove("current", "taken", "left");
    const add = (selector, name) => drawing.querySelectorAll(selector).forEach(part => part.classList.add(name));
    const at = drawnAt(p, here);
    add(`[data-location="${at}"]`, "current");
    const disc = drawing.querySelector(`.location[data-location="${at}"] .disc`);
    if (disc) { token.setAttribute("cx", disc.getAttribute("cx")); token.setAttribute("cy", disc.getAttribute("cy")); }
    if (move) {
      add(`[data-edge="${drawnEdge(p, move.edge)}"]`, "taken");
      if (move.branch >= 0) add(`[data-edge="${move.branch}"]`, "taken");
      const from = drawnAt(p, move.from);
      if (from !== at) add(`.location[data-location="${from}"]`, "left");
    }
    centre(view, (move && drawing.querySelector(".edge-labels.taken text")) || disc);
  }
}

// Width and height of the drawing of a process.
function size(p) {
  const drawing = document.getElementById(`drawing-${data.processes[p][1]}`).content.firstElementChild;
  return ["width", "height"].map(side => Number(drawing.getAttribute(side)));
}

// Scrolls a large drawing to one of its parts.
function centre(view, part) {
  if (!part || (view.scrollHeight <= view.clientHeight && view.scrollWidth <= view.clientWidth)) return;
  const [outer, inner] = [view.getBoundingClientRect(), part.getBoundingClientRect()];
  view.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
  view.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
}

// Scrolls as little as needed, and only inside of its own pane.
function reveal(place, part) {
  const [outer, inner] = [place.getBoundingClientRect(), part.getBoundingClientRect()];
  if (inner.top < outer.top) place.scrollTop += inner.top - outer.top - 8;
  else if (inner.bottom > outer.bottom) place.scrollTop += Math.min(inner.bottom - outer.bottom + 8, inner.top - outer.top - 8);
}

class Values {
  constructor(page) {
    this.page = page;
    this.place = document.getElementById("values");
  }

  reset() {}

  show() {
    const { run, event, here: state } = this.page;
    const was = new Map(event ? event.variables.map(v => [v.id, v.was]) : []);
    const set = new Set(event ? event.clocks.map(c => c.id) : []);
    const moved = new Map(event && !event.fails ? event.moves.map(m => [m.process, m.from]) : []);
    const tables = [];
    const part = (title, ids, cells) => {
      if (!ids.length) return;
      const rows = [];
      rows.push(element("tr", {}, element("th", { colspan: 2, scope: "colgroup" }, title)));
      for (const id of ids.slice(0, ROWS)) rows.push(cells(id));
      if (ids.length > ROWS) rows.push(element("tr", {}, element("td", { colspan: 2, class: "more" }, `and ${ids.length - ROWS} more; use the filter`)));
      tables.push(element("table", {}, element("tbody", {}, ...rows)));
    };
    const room = (this.place.clientWidth || 240) - 44;
    const brief = (name, value, old) => elided(name, Math.max(10, Math.floor(room / 7 - value.length - (old === null ? 0 : old.length + 3))));
    const row = (name, value, old, changed) => element("tr", { class: changed ? "changed" : "" }, element("td", { title: name }, brief(name, value, old)),
      element("td", {}, ...(old === null ? [] : [element("span", { class: "was" }, `${old} → `)]), value));
    part("Variables", this.page.matching(data.variables.map(v => v[0])).filter(id => !innerVariables.has(id)), id =>
      row(data.variables[id][0], variableText(id, state.variables[id]), was.has(id) ? variableText(id, was.get(id)) : null, was.has(id)));
    part("Clocks", this.page.matching(data.clocks).filter(id => !innerClocks.has(id)), id => {
      const value = run.clock(state, id);
      return row(data.clocks[id], value ? shown(value) : "?", null, set.has(id));
    });
    part("Locations", this.page.processes().filter(p => isDrawn(p) || locationName(p, state.locations[p])), p => row(processName(p), locationName(p, state.locations[p]), null, moved.has(p)));
    const scrolled = this.place.scrollTop;
    this.place.replaceChildren(...tables);
    this.place.scrollTop = scrolled;
    const changed = this.place.querySelector(".changed");
    if (changed) reveal(this.place, changed);
  }
}
