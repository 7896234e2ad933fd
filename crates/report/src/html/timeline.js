// The time line: the model's own chart if it has one, a lane per process, and the clocks; a window of steps around the current one.
const WINDOW = 400; // steps
const LANES = 60;
const LANE = 24;
// Okabe and Ito's colours (2008) can be told apart by everybody; the names inside the lanes say the same.
const COLORS = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#999999"];
const tint = n => `color-mix(in srgb, ${COLORS[((n % COLORS.length) + COLORS.length) % COLORS.length]} 48%, var(--panel))`;

class TimeLine {
  constructor(page) {
    this.page = page;
    this.place = document.getElementById("line");
    document.getElementById("even").addEventListener("change", () => { this.drawn = ""; this.show(); });
    this.place.addEventListener("scroll", () => this.follow());
    new ResizeObserver(() => { if (page.run) { this.drawn = ""; this.show(); } }).observe(this.place);
  }

  follow() { this.names?.setAttribute("transform", `translate(${this.place.scrollLeft} 0)`); }

  reset() {
    this.drawn = "";
    const { run } = this.page;
    // Where hardly any time passes, time says little.
    const distinct = new Set(run.times).size;
    document.getElementById("even").checked = distinct < 3 || distinct * 6 < run.length;
  }

  show() {
    const { run, step } = this.page;
    const first = run.length <= WINDOW ? 0 : Math.max(0, Math.min(run.length - WINDOW, Math.floor((step - WINDOW / 4) / (WINDOW / 2)) * (WINDOW / 2)));
    const key = `${run.index}/${first}/${this.page.filter}`;
    if (key !== this.drawn) {
      this.drawn = key;
      this.draw(first, Math.min(run.length, first + WINDOW));
    }
    const at = this.x(step);
    this.cursor.setAttribute("transform", `translate(${at} 0)`);
    this.now.textContent = `step ${step}`;
    // At either end the words stay inside.
    const [anchor, shift] = at > this.total - 60 ? ["end", 20] : at < this.left + 24 ? ["start", -4] : ["middle", 0];
    this.now.setAttribute("text-anchor", anchor);
    this.now.setAttribute("x", shift);
    if (at < this.place.scrollLeft + this.left || at > this.place.scrollLeft + this.place.clientWidth - 40) this.place.scrollLeft = at - this.place.clientWidth / 2;
    const state = this.page.here;
    for (const [c, text] of this.clockTexts) { const value = run.clock(state, c); text.textContent = value ? shown(value) : "?"; }
  }

  draw(first, last) {
    const { run } = this.page;
    const even = document.getElementById("even").checked;
    const lanes = this.lanes(first, last);
    this.left = Math.min(220, Math.max(70, ...lanes.map(lane => 7 * lane.name.length + (lane.clock === undefined ? 20 : 58))));
    const start = run.times[first], span = Math.max(run.times[last] - start, 1e-9), count = Math.max(1, last - first);
    const room = Math.max(this.place.clientWidth - this.left - 30, 300, even ? count * 22 : 0);
    this.x = i => this.left + room * (even ? (i - first) / count : (run.times[i] - start) / span);
    const total = this.total = this.left + room + 24, height = 28 + lanes.reduce((sum, lane) => sum + lane.height, 0) + 8;
    const svg = shape("svg", { class: "figure", width: total, height, role: "img", "aria-label": "Time line" });
    this.axis(svg, first, last, even, start, span, room, height);
    this.clockTexts = new Map();
    let y = 28;
    // Names stay when the rest is scrolled.
    const names = this.names = shape("g", {}, shape("rect", { width: this.left - 12, height, style: "fill: var(--panel)" }), shape("text", { class: "soft", x: 8, y: 21, "font-size": 11 }, "time"));
    for (const lane of lanes) {
      const label = shape("text", { x: 8, y: y + lane.height / 2 + 4 }, clipped(lane.name, this.left - (lane.clock === undefined ? 14 : 46)), shape("title", {}, lane.name));
      names.append(label);
      svg.append(shape("line", { class: "rule", x1: 0, x2: total, y1: y + lane.height - 0.5, y2: y + lane.height - 0.5 }));
      if (lane.clock === undefined) this.bars(svg, lane, y);
      else this.saw(svg, lane, y, first, last);
      y += lane.height;
    }
    this.now = shape("text", { x: 5, y: 9, "font-size": 11, "font-weight": 600 });
    this.cursor = shape("g", {}, shape("line", { class: "cursor", x1: 0, x2: 0, y1: 25, y2: height }), this.now);
    const hand = shape("rect", { x: this.left, y: 0, width: room + 24, height, fill: "transparent", style: "cursor: pointer" });
    hand.addEventListener("click", event => {
      const at = event.clientX - svg.getBoundingClientRect().left;
      let best = first;
      for (let i = first; i <= last; i++) if (Math.abs(this.x(i) - at) < Math.abs(this.x(best) - at)) best = i;
      this.page.go(best);
    });
    svg.append(this.cursor, hand, names);
    this.follow();
    const more = this.hiddenLanes ? [element("p", { class: "more" }, `${this.hiddenLanes} more lanes: use the filter.`)] : [];
    this.place.replaceChildren(svg, ...more);
  }

  axis(svg, first, last, even, start, span, room, height) {
    const { run } = this.page;
    const tick = (at, text) => svg.append(shape("line", { class: "rule", x1: at, x2: at, y1: 24, y2: height }), shape("text", { class: "soft", x: at, y: 21, "text-anchor": "middle", "font-size": 11 }, text));
    if (even) {
      const every = Math.max(1, Math.ceil(48 * (last - first) / room));
      for (let i = first; i <= last; i += every) tick(this.x(i), run.briefTime(i));
    } else {
      const rough = span * 60 / room, size = 10 ** Math.floor(Math.log10(rough)), unit = [1, 2, 5, 10].map(k => k * size).find(k => k >= rough);
      for (let k = Math.ceil(start / unit - 1e-9); k * unit <= start + span * (1 + 1e-9); k++) tick(this.left + room * (k * unit - start) / span, String(Number((k * unit).toPrecision(12))));
    }
  }

  // Every lane with what it shows between two steps.
  lanes(first, last) {
    const { run } = this.page;
    const own = (run.raw.gantt || []).filter(lane => this.page.matches(lane.name)).map(lane => ({
      name: lane.name, height: LANE,
      bars: lane.bars.filter(([from, to]) => to > first && from <= last).map(([from, to, color]) => ({ from: Math.max(from, first), to: Math.min(to, last), text: "", color: tint(color) })),
    }));
    const clocks = this.page.matching(data.clocks).filter(id => !innerClocks.has(id));
    const processes = this.page.processes().filter(p => locationName(p, run.raw.locations[p]));
    const most = Math.max(4, LANES - own.length - Math.min(clocks.length, LANES / 2));
    const shownProcesses = processes.slice(0, most), shownClocks = clocks.slice(0, Math.max(4, LANES - own.length - shownProcesses.length));
    this.hiddenLanes = processes.length - shownProcesses.length + clocks.length - shownClocks.length;
    const state = run.state(first);
    const byProcess = new Map(shownProcesses.map(p => [p, { name: processName(p), height: LANE, bars: [bar(p, state.locations[p], first)] }]));
    for (let i = first + 1; i <= last; i++) {
      for (const move of run.raw.steps[i - 1][2] || []) {
        const lane = byProcess.get(move[0]);
        if (!lane) continue;
        lane.bars.at(-1).to = i;
        lane.bars.push(bar(move[0], move[3], i));
      }
    }
    for (const lane of byProcess.values()) lane.bars.at(-1).to = last;
    return [...own, ...byProcess.values(), ...shownClocks.map(c => ({ name: data.clocks[c], height: 30, clock: c }))];
  }

  bars(svg, lane, y) {
    for (const { from, to, text, color } of lane.bars) {
      const x = this.x(from), width = Math.max(to > from ? 1.5 : 0, this.x(to) - x);
      if (width <= 0) continue;
      svg.append(shape("rect", { class: "bar", x, y: y + 3, width, height: LANE - 7, rx: 2, style: `fill: ${color}` }, shape("title", {}, `${lane.name}: ${text}`)));
      if (width > 22 && text) svg.append(shape("text", { x: x + 4, y: y + LANE / 2 + 4, "font-size": 11 }, clipped(text, width - 5)));
    }
  }

  // A clock runs and is set back: a saw.
  saw(svg, lane, y, first, last) {
    const { run } = this.page;
    const c = lane.clock, points = [];
    let before = run.state(first);
    points.push([this.x(first), run.clockNumber(before, c, run.times[first])]);
    for (let i = first + 1; i <= last; i++) {
      const value = asNumber(before.set[c]) + run.times[i] - run.times[before.since[c]];
      const after = run.state(i);
      const then = run.clockNumber(after, c, run.times[i]);
      points.push([this.x(i), stands(run, i, c) ? then : value]);
      if (then !== points.at(-1)[1]) points.push([this.x(i), then]);
      before = after;
    }
    const top = Math.max(1e-9, ...points.map(point => point[1])), base = y + lane.height - 4, scale = (lane.height - 9) / top;
    const d = points.map(([x, value], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${(base - value * scale).toFixed(1)}`).join("");
    svg.append(shape("path", { class: "saw", d }));
    const text = shape("text", { x: this.left - 6, y: y + lane.height / 2 + 4, "text-anchor": "end", "font-weight": 600, "font-size": 11 });
    this.names.append(text);
    this.clockTexts.set(c, text);
  }
}

// Whether a clock stood still in a step, rather than being set.
function stands(run, i, c) {
  return pairs(run.raw.steps[i - 1][5] || []).some(([id]) => id === c);
}

function bar(process, location, from) {
  return { from, to: from, text: locationName(process, location), color: tint(location) };
}
