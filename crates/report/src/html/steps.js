// The list of steps: only what changed. Only the rows in view exist.
const TEXT_LINE = 18;

class Steps {
  constructor(page) {
    this.page = page;
    this.place = document.getElementById("steps");
    this.rows = element("div", { style: "position: relative" });
    this.place.append(this.rows);
    this.place.addEventListener("scroll", () => this.fill());
    this.opened = new Set(); // the steps whose parts are shown
    this.place.addEventListener("click", event => {
      const row = event.target.closest(".step");
      if (!row) return;
      if (event.target.closest(".open")) this.toggle(Number(row.dataset.step));
      page.go(Number(row.dataset.step));
    });
    this.place.addEventListener("keydown", event => {
      if (event.key !== "Enter" || !this.parts(page.step).length) return;
      event.preventDefault();
      this.toggle(page.step);
      this.show();
    });
    new ResizeObserver(() => {
      if (page.run?.raw.told && this.room !== this.place.clientWidth) this.measure();
      this.fill();
    }).observe(this.place);
  }

  // What happens in one of the author's steps, where it is more than one thing.
  parts(i) { return this.page.run.raw.told?.[i - 1]?.[4] ?? []; }

  // What one of the author's steps says, in lines that fit.
  told(i) {
    const time = Math.max(this.room - 108, 120);
    return describe(this.page.run, i).flatMap(({ kind, sync, text }) => wrapped(text, Math.floor(time / (kind ? 6.3 : 7)), sync.length + 2).map((line, k) => ({ kind, sync: k ? "" : sync, text: line })));
  }

  toggle(i) {
    if (!this.opened.delete(i)) this.opened.add(i);
    this.measure();
  }

  measure() {
    const { run } = this.page;
    this.room = this.place.clientWidth || 400;
    this.tops = new Float64Array(run.length + 2);
    for (let i = 0; i <= run.length; i++) this.tops[i + 1] = this.tops[i] + this.lines(i) * TEXT_LINE + 7;
    this.rows.style.height = `${this.tops[run.length + 1]}px`;
  }

  reset() {
    const { run } = this.page;
    this.opened.clear();
    this.measure();
    this.place.scrollTop = 0;
    // Times are as wide as the widest; a sample is enough to know.
    let widest = 3;
    for (let i = 0; i <= run.length; i += Math.max(1, Math.floor(run.length / 500))) widest = Math.max(widest, run.briefTime(i).length);
    this.place.style.setProperty("--step-width", `calc(${String(run.length).length}ch + 14px)`);
    this.place.style.setProperty("--time-width", `calc(${widest}ch + 14px)`);
    this.found = null;
  }

  lines(i) {
    if (i === 0) return 1;
    if (this.page.run.raw.told) return this.told(i).length + (this.opened.has(i) ? this.parts(i).length : 0);
    const [, , moves = [], variables = [], clocks = []] = this.page.run.raw.steps[i - 1];
    return Math.max(1, moves.length) + (variables.length || clocks.length || i === this.page.run.failing ? 1 : 0);
  }

  // The last step that begins above this height.
  at(height) {
    let low = 0, high = this.page.run.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= height) low = middle; else high = middle - 1;
    }
    return low;
  }

  show() {
    const top = this.tops[this.page.step], bottom = this.tops[this.page.step + 1];
    if (top < this.place.scrollTop) this.place.scrollTop = top - 40;
    else if (bottom > this.place.scrollTop + this.place.clientHeight) this.place.scrollTop = bottom - this.place.clientHeight + 40;
    this.fill();
  }

  fill() {
    if (!this.page.run) return;
    const first = this.at(this.place.scrollTop - 200);
    const last = this.at(this.place.scrollTop + (this.place.clientHeight || 400) + 200);
    const rows = [];
    for (let i = first; i <= last; i++) rows.push(this.row(i));
    this.rows.replaceChildren(...rows);
    this.place.setAttribute("aria-activedescendant", `step-${this.page.step}`);
  }

  row(i) {
    const { run, step } = this.page;
    const what = element("div", { class: "what" });
    for (const line of run.raw.told ? this.told(i) : describe(run, i)) {
      what.append(element("div", { class: line.kind, title: line.sync + line.text }, ...(line.sync ? [element("span", { class: "sync" }, elided(line.sync))] : []), line.brief ?? line.text));
    }
    const parts = this.parts(i), isOpen = this.opened.has(i);
    if (parts.length) {
      what.firstChild.prepend(element("button", { type: "button", class: "open", tabindex: -1, "aria-expanded": String(isOpen), title: `${isOpen ? "Hide" : "Show"} what happens in it (Enter)`, "aria-label": `What happens in step ${i}` }, isOpen ? "▾" : "▸"));
    }
    if (isOpen) for (const [time, words] of parts) what.append(element("div", { class: "part", title: words }, element("span", {}, time === null ? "?" : shown(fraction(time))), words.replaceAll("->", "→")));
    const delay = run.delay(i);
    return element("div", { class: `step${this.found?.has(i) ? " hit" : ""}`, id: `step-${i}`, role: "option", "data-step": i, "aria-selected": String(i === step),
      style: `top: ${this.tops[i]}px; height: ${this.tops[i + 1] - this.tops[i]}px` },
    element("span", { class: "n" }, String(i)), element("span", { class: "t", title: `time ${run.timeText(i)}${delay ? `, after waiting for ${shown(delay)}` : ""}` }, i && !delay ? "" : run.briefTime(i)), what);
  }

  // Marks the steps that contain a text, and goes to the next or previous one.
  find(text, direction) {
    const { run, step } = this.page;
    const hits = document.getElementById("hits");
    text = text.trim().toLowerCase();
    if (!text) {
      this.found = null;
      hits.textContent = "";
      this.fill();
      return;
    }
    if (this.sought !== text || !this.found) {
      this.sought = text;
      this.found = new Set();
      for (let i = 1; i <= run.length; i++) {
        if (describe(run, i).some(line => (line.sync + line.text).toLowerCase().includes(text))) this.found.add(i);
      }
    }
    hits.textContent = this.found.size === 1 ? "found in 1 step" : `found in ${this.found.size} steps`;
    const all = [...this.found];
    const next = direction > 0 ? all.find(i => i > step) ?? all[0] : all.findLast(i => i < step) ?? all.at(-1);
    if (direction && next !== undefined) this.page.go(next);
    else this.fill();
  }
}

// A text in lines of so many characters, the first of which begins with something else.
function wrapped(text, most, taken) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const used = lines.at(-1).length + (lines.length === 1 ? taken : 0);
    if (lines.at(-1) && used + word.length > most) lines.push(word);
    else lines[lines.length - 1] += lines.at(-1) ? ` ${word}` : word;
  }
  return lines;
}

// A step in lines of text.
function describe(run, i) {
  if (i === 0) return [{ kind: "", sync: "", text: "initial state" }];
  const story = run.raw.told?.[i - 1];
  if (story) {
    const [who, deeds, seen, written] = story.map(part => typeof part === "string" ? part.replaceAll("->", "→") : part);
    return [{ kind: "", sync: who ? `${who} ` : "", text: deeds }, { kind: "change", sync: "", text: seen }, { kind: "change", sync: "", text: written }].filter(line => line.text);
  }
  const event = run.event(i);
  const lines = event.moves.map(move => ({
    kind: "", sync: move.sync ? `${move.sync} ` : "", text: `${processName(move.process)}: ${moveText(move)}`,
    brief: `${elided(processName(move.process))}: ${moveText(move, elided)}`,
  }));
  if (!lines.length) lines.push({ kind: "", sync: "", text: "time passes" });
  const changes = changeTexts(event);
  if (changes.length) lines.push({ kind: "change", sync: "", text: changes.join(", ") });
  if (event.fails) lines.push({ kind: "trouble", sync: "", text: `✗ fails: ${event.fails}` });
  return lines;
}
