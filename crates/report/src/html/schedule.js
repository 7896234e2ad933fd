// The run as a schedule: who is where and when, who holds what, and what it costs. One drawing, so that one line marks the current step in all of it.
const MOST_STEPS = 4000;
const MOST_ROWS = 120;
const PLOT = 190;

class Schedule {
  constructor(page) {
    this.page = page;
    this.place = document.getElementById("schedule");
    new ResizeObserver(() => { this.drawn = ""; this.show(); }).observe(this.place);
  }

  reset() {
    this.drawn = "";
    document.getElementById("tab-schedule").disabled = !(this.page.run.times[this.page.run.length] > 0);
  }

  show() {
    const { run, step } = this.page;
    if (!run || this.page.view !== "schedule") return;
    const key = `${run.index}/${this.page.filter}`;
    if (key !== this.drawn) {
      this.drawn = key;
      this.draw(run);
    }
    const at = this.x(Math.min(step, this.last));
    this.cursor.setAttribute("transform", `translate(${at} 0)`);
    document.getElementById("moment").textContent = `step ${step} of ${run.length} · time ${run.timeText(step)}${this.costs ? ` · cost ${shown(this.costs.total(step))}` : ""}${step ? ` · ${happening(run, step)}` : ""}`;
  }

  draw(run) {
    const last = this.last = Math.min(run.length, MOST_STEPS);
    const holdings = held(run, last);
    const rows = [...this.stays(run, last, holdings), ...this.holders(run, holdings)];
    const shownRows = rows.slice(0, MOST_ROWS);
    this.costs = run.raw.costs ? new Costs(run, last) : null;
    const payers = this.costs ? this.costs.payers : [];
    const legends = payers.map(p => `${payerName(p)}: ${shown(this.costs.sums.get(p))}`);
    const left = Math.min(240, Math.max(80, ...shownRows.map(row => 7 * row.name.length + 24), ...legends.map(text => 6.6 * text.length + 40)));
    const room = Math.max(this.place.clientWidth - left - 34, 260), end = run.times[last] || 1;
    this.x = i => left + room * run.times[i] / end;
    const gap = shownRows.some(row => row.held) && shownRows.some(row => !row.held) ? 10 : 0;
    const bottom = 28 + shownRows.length * LANE + gap;
    const height = bottom + (payers.length ? PLOT + 34 : 8), total = left + room + 30;
    const svg = shape("svg", { class: "figure", width: total, height, role: "img", "aria-label": "Gantt chart" });
    this.axis(svg, left, room, end, height);
    let y = 28, wasHeld = false;
    for (const row of shownRows) {
      if (row.held && !wasHeld) y += gap;
      wasHeld = row.held;
      svg.append(shape("text", { x: 8, y: y + LANE / 2 + 4 }, clipped(row.name, left - 14), shape("title", {}, row.name)),
        shape("line", { class: "rule", x1: 0, x2: total, y1: y + LANE - 0.5, y2: y + LANE - 0.5 }));
      for (const bar of row.bars) this.bar(svg, row, bar, y);
      y += LANE;
    }
    if (payers.length) this.plot(svg, run, last, left, room, bottom + 14, legends);
    this.cursor = shape("g", {}, shape("line", { class: "cursor", x1: 0, x2: 0, y1: 25, y2: height }));
    this.cursor.style.pointerEvents = "none";
    svg.append(this.cursor);
    const more = [];
    if (rows.length > shownRows.length) more.push(`${rows.length - shownRows.length} more rows: use the filter.`);
    if (last < run.length) more.push(`The first ${last} of ${run.length} steps.`);
    this.place.replaceChildren(svg, ...(more.length ? [element("p", { class: "more" }, more.join(" "))] : []));
  }

  axis(svg, left, room, end, height) {
    svg.append(shape("text", { class: "soft", x: 8, y: 19, "font-size": 11 }, "time"));
    const rough = end * 60 / room, size = 10 ** Math.floor(Math.log10(rough)), unit = [1, 2, 5, 10].map(k => k * size).find(k => k >= rough);
    for (let k = 0; k * unit <= end * (1 + 1e-9); k++) {
      const at = left + room * k * unit / end;
      svg.append(shape("line", { class: "rule", x1: at, x2: at, y1: 24, y2: height }), shape("text", { class: "soft", x: at, y: 19, "text-anchor": "middle", "font-size": 11 }, String(Number((k * unit).toPrecision(12)))));
    }
  }

  // Where each process stays. Where things are held, a stay has the colour of what its process holds, and waiting is pale.
  stays(run, last, holdings) {
    const wanted = this.page.processes(), initial = run.state(0).locations.slice();
    const bars = new Map(wanted.map(p => [p, [{ from: 0, to: last, at: initial[p] }]]));
    for (let i = 1; i <= last; i++) {
      if (i === run.failing) break;
      for (const [process, , , location] of run.raw.steps[i - 1][2] || []) {
        const own = bars.get(process);
        if (!own) continue;
        own.at(-1).to = i;
        own.push({ from: i, to: last, at: location });
      }
    }
    const things = [...holdings.keys()];
    const color = (p, bar) => {
      const holds = things.findIndex(v => holdings.get(v).some(use => use.process === p && use.from <= bar.from && bar.to <= use.to && bar.from < bar.to));
      return holds >= 0 ? tint(holds) : things.length ? "var(--shade)" : tint(bar.at);
    };
    const rows = wanted.map(p => ({ name: processName(p), held: false, bars: bars.get(p).map(bar => ({ ...bar, text: locationName(p, bar.at), color: color(p, bar) })) }));
    return rows.filter(row => row.bars.length > 1 && row.bars.some(bar => run.times[bar.from] < run.times[bar.to]));
  }

  // Who holds each thing.
  holders(run, holdings) {
    const rows = [...holdings].map(([v, uses]) => ({ name: data.variables[v][0], held: true, bars: uses.map(use => ({ ...use, text: processName(use.process), color: tint(use.process) })) }));
    return rows.filter(row => this.page.matches(row.name));
  }

  bar(svg, row, { from, to, text, color }, y) {
    const { run } = this.page;
    const x = this.x(from), width = this.x(to) - x;
    if (width <= 0) return;
    const begin = run.time(from), end = run.time(to);
    const length = begin && end ? ` (${shown(difference(end, begin))})` : "";
    const words = [`${row.name}: ${text}, from ${run.timeText(from)} to ${run.timeText(to)}${length}`, ...(from ? [`step ${from}: ${happening(run, from)}`] : []), ...(to < run.length ? [`until step ${to}: ${happening(run, to)}`] : [])];
    const rect = shape("rect", { class: "bar", x, y: y + 3, width: Math.max(1.5, width), height: LANE - 7, rx: 2, style: `fill: ${color}; cursor: pointer`, "data-from": from, "data-to": to }, shape("title", {}, words.join("\n")));
    rect.addEventListener("click", () => this.page.go(from));
    svg.append(rect);
    const room = Math.floor((width - 6) / 6.4);
    if (room >= Math.min(3, text.length)) {
      const label = shape("text", { x: x + 4, y: y + LANE / 2 + 4, "font-size": 11 }, clipped(text, width - 5));
      label.style.pointerEvents = "none";
      svg.append(label);
    }
  }

  // What was paid so far, by process, one on top of the other.
  plot(svg, run, last, left, room, top, legends) {
    const { payers, most } = this.costs, base = top + PLOT, height = value => base - (PLOT - 12) * value / most;
    const rough = most / 4, size = 10 ** Math.floor(Math.log10(rough)), unit = [1, 2, 5, 10].map(k => k * size).find(k => k >= rough);
    for (let k = 0; k * unit <= most * (1 + 1e-9); k++) {
      const y = height(k * unit);
      svg.append(shape("line", { class: "rule", x1: left, x2: left + room, y1: y, y2: y }), shape("text", { class: "soft", x: left + room + 4, y: y + 4, "font-size": 11 }, String(Number((k * unit).toPrecision(6)))));
    }
    svg.append(shape("text", { class: "soft", x: 8, y: top + 8, "font-size": 11 }, "cost so far"));
    const below = new Float64Array(2 * last + 1);
    payers.forEach((p, index) => {
      const own = this.costs.curve(p), above = below.map((value, k) => value + own[k]);
      const point = (values, k) => `${this.x(Math.ceil(k / 2)).toFixed(1)} ${height(values[k]).toFixed(1)}`;
      const forth = [...above.keys()].map(k => point(above, k)), back = [...below.keys()].reverse().map(k => point(below, k));
      svg.append(shape("path", { class: "share", d: `M${forth.join("L")}L${back.join("L")}Z`, style: `fill: ${tint(p)}` }));
      const y = top + 26 + 17 * index;
      if (y < base + 10) svg.append(shape("rect", { x: 8, y: y - 9, width: 10, height: 10, style: `fill: ${tint(p)}` }), shape("text", { x: 23, y, "font-size": 11 }, clipped(legends[index], left - 28), shape("title", {}, legends[index])));
      below.set(above);
    });
    for (let i = 1; i <= last; i++) {
      const from = this.x(i - 1), to = this.x(i);
      const paid = run.raw.costs[i - 1].map(([p, waiting, price]) => `${payerName(p)} +${shown(sum(fraction(waiting), fraction(price)))}`);
      const words = `step ${i}: ${happening(run, i)}\ntime ${run.timeText(i)}, cost ${shown(this.costs.total(i))}${paid.length ? `: ${paid.join(", ")}` : ""}`;
      const hand = shape("rect", { class: "hand", x: from - (to - from < 3 ? 1.5 : 0), y: top, width: Math.max(3, to - from), height: PLOT, "data-step": i }, shape("title", {}, words));
      hand.addEventListener("click", () => this.page.go(i));
      svg.append(hand);
    }
  }
}

const payerName = p => p < 0 ? "every transition" : processName(p);
const happening = (run, i) => describe(run, i).map(line => line.sync + line.text).join("; ");

// Costs of a run, by who pays. Curves have two points for each step: after waiting, and after the transition.
class Costs {
  constructor(run, last) {
    this.totals = [[0n, 1n]];
    this.sums = new Map();
    this.curves = new Map();
    this.size = 2 * last + 1;
    for (let i = 1; i <= run.raw.costs.length; i++) {
      let total = this.totals[i - 1];
      for (const [p, waiting, price] of run.raw.costs[i - 1]) {
        const own = sum(fraction(waiting), fraction(price));
        total = sum(total, own);
        if (i > last) continue;
        this.sums.set(p, sum(this.sums.get(p) ?? [0n, 1n], own));
        if (!this.curves.has(p)) this.curves.set(p, []);
        this.curves.get(p).push([2 * i - 1, asNumber(waiting)], [2 * i, asNumber(price)]);
      }
      this.totals[i] = total;
    }
    this.payers = [...this.sums.keys()].sort((a, b) => a - b);
    this.most = Number(this.totals[last]?.[0] ?? 0n) / Number(this.totals[last]?.[1] ?? 1n) || 1;
  }

  // What the run has cost after step i.
  total(i) { return this.totals[Math.min(i, this.totals.length - 1)]; }

  curve(p) {
    const values = new Float64Array(this.size);
    for (const [k, value] of this.curves.get(p)) values[k] += value;
    for (let k = 1; k < values.length; k++) values[k] += values[k - 1];
    return values;
  }
}

// Things that are taken and given back: variables that leave their first value and return to it, both times moved by the same process. By variable, its uses.
function held(run, last) {
  const initial = run.raw.variables, open = new Map(), uses = new Map(), others = new Set();
  for (let i = 1; i <= last; i++) {
    const [, , moves = [], variables = []] = run.raw.steps[i - 1];
    const movers = moves.map(move => move[0]);
    for (const [v, value] of pairs(variables)) {
      const use = open.get(v);
      if (!use && value !== initial[v]) open.set(v, { from: i, movers });
      else if (use && value === initial[v]) {
        const both = use.movers.filter(p => movers.includes(p));
        open.delete(v);
        if (both.length !== 1) others.add(v);
        else uses.set(v, [...(uses.get(v) ?? []), { process: both[0], from: use.from, to: i }]);
      } else others.add(v);
    }
  }
  for (const [v, use] of open) {
    if (use.movers.length === 1) uses.set(v, [...(uses.get(v) ?? []), { process: use.movers[0], from: use.from, to: last, open: true }]);
  }
  const isHeld = ([v, list]) => !others.has(v) && list.some(use => !use.open && run.times[use.from] < run.times[use.to]);
  return new Map([...uses].filter(isHeld).sort(([a], [b]) => a - b));
}
