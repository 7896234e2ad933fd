// The list of steps: only what changed. Only the rows in view exist.
const TEXT_LINE = 18;

class Steps {
  constructor(page) {
    this.page = page;
    this.place = document.getElementById("steps");
    this.rows = element("div", { style: "position: relative" });
    this.place.append(this.rows);
    this.place.addEventListener("scroll", () => this.fill());
    this.place.addEventListener("click", event => {
      const row = event.target.closest(".step");
      if (row) page.go(Number(row.dataset.step));
    });
    new ResizeObserver(() => this.fill()).observe(this.place);
  }

  reset() {
    const { run } = this.page;
    this.tops = new Float64Array(run.length + 2);
    for (let i = 0; i <= run.length; i++) this.tops[i + 1] = this.tops[i] + this.lines(i) * TEXT_LINE + 7;
    this.rows.style.height = `${this.tops[run.length + 1]}px`;
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
    for (const line of describe(run, i)) {
      what.append(element("div", { class: line.kind, title: line.sync + line.text }, ...(line.sync ? [element("span", { class: "sync" }, line.sync)] : []), line.text));
    }
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

// A step in lines of text.
function describe(run, i) {
  if (i === 0) return [{ kind: "", sync: "", text: "initial state" }];
  const event = run.event(i);
  const lines = event.moves.map(move => ({ kind: "", sync: move.sync ? `${move.sync} ` : "", text: `${processName(move.process)}: ${moveText(move)}` }));
  if (!lines.length) lines.push({ kind: "", sync: "", text: "time passes" });
  const changes = changeTexts(event);
  if (changes.length) lines.push({ kind: "change", sync: "", text: changes.join(", ") });
  if (event.fails) lines.push({ kind: "trouble", sync: "", text: `✗ fails: ${event.fails}` });
  return lines;
}
