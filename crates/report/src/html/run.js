"use strict";
// Runs: from differences back to states. Step 0 is the initial state; step i is what happened i-th, and the state after it.
const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value != null) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Times are exact fractions; numbers would turn 1/3 into something that is not.
function fraction(text) {
  const [numerator, denominator = "1"] = String(text).split("/");
  return [BigInt(numerator), BigInt(denominator)];
}

function sum(a, b, sign = 1n) {
  let n = a[0] * b[1] + sign * b[0] * a[1], d = a[1] * b[1];
  let [x, y] = [n < 0n ? -n : n, d];
  while (y) [x, y] = [y, x % y];
  return x > 1n ? [n / x, d / x] : [n, d];
}

const difference = (a, b) => sum(a, b, -1n);
const asNumber = text => { const [n, d = "1"] = String(text).split("/"); return Number(n) / Number(d); };

// A short decimal where it is exact, the fraction otherwise.
function shown([n, d]) {
  if (d === 1n) return String(n);
  for (let digits = 1, scale = 10n; digits <= 3; digits++, scale *= 10n) {
    if (scale % d !== 0n) continue;
    const scaled = n * (scale / d), size = scaled < 0n ? -scaled : scaled;
    return `${scaled < 0n ? "-" : ""}${size / scale}.${String(size % scale).padStart(digits, "0")}`;
  }
  return `${n}/${d}`;
}

const EVERY = 256; // a whole state is kept once in so many steps

class Run {
  constructor(raw, index) {
    this.raw = raw;
    this.index = index;
    this.length = raw.steps.length;
    this.failing = raw.fails ? this.length : 0; // the step that fails, where the run leads to an error
    this.times = new Float64Array(this.length + 1);
    this.exact = ["0"];
    this.kept = [];
    const state = {
      step: 0,
      locations: Int32Array.from(raw.locations),
      variables: Int32Array.from(raw.variables),
      since: new Int32Array(raw.clocks.length), // the step that set each clock
      set: raw.clocks.slice(), // and to what
    };
    this.kept.push(copy(state));
    for (let i = 1; i <= this.length; i++) {
      const time = raw.steps[i - 1][0];
      this.exact[i] = time === 0 ? this.exact[i - 1] : time;
      this.times[i] = time === 0 || time === null ? this.times[i - 1] : asNumber(time);
      this.advance(state);
      if (i % EVERY === 0) this.kept.push(copy(state));
    }
    this.cached = copy(state);
  }

  advance(state) {
    const [, , moves = [], variables = [], clocks = [], stopped = []] = this.raw.steps[state.step++];
    if (state.step === this.failing) return;
    for (const move of moves) state.locations[move[0]] = move[3];
    for (let k = 0; k < variables.length; k += 2) state.variables[variables[k]] = variables[k + 1];
    for (const list of [clocks, stopped]) {
      for (let k = 0; k < list.length; k += 2) {
        state.since[list[k]] = state.step;
        state.set[list[k]] = list[k + 1];
      }
    }
  }

  // The state after step i. It is reused by the next call.
  state(i) {
    if (this.cached.step > i || i - this.cached.step > EVERY) this.cached = copy(this.kept[Math.floor(i / EVERY)]);
    while (this.cached.step < i) this.advance(this.cached);
    return this.cached;
  }

  time(i) { return this.exact[i] === null ? null : fraction(this.exact[i]); }
  // For narrow places: long fractions are rounded, and say so.
  briefTime(i) { const text = this.timeText(i); return text.length > 7 && text.includes("/") ? `≈${Number(this.times[i].toFixed(2))}` : text; }
  timeText(i) { const time = this.time(i); return time ? shown(time) : "?"; }

  delay(i) {
    if (i === 0 || this.raw.steps[i - 1][0] === 0) return null;
    const now = this.time(i), before = this.time(i - 1);
    return now && before ? difference(now, before) : null;
  }

  clock(state, c) {
    const now = this.time(state.step), since = this.time(state.since[c]);
    return now && since ? sum(fraction(state.set[c]), difference(now, since)) : null;
  }

  clockNumber(state, c, time) { return asNumber(state.set[c]) + time - this.times[state.since[c]]; }

  // What happens in step i, with names; `from` and old values are those before it.
  event(i) {
    const [, channel, moves = [], variables = [], clocks = []] = this.raw.steps[i - 1];
    const before = this.state(i - 1);
    const name = channel >= 0 ? data.channels[channel] : "";
    return {
      waits: channel === -2,
      fails: i === this.failing ? this.raw.error : "",
      channel: name,
      moves: moves.map(([process, edge, branch, to, role, select]) => ({
        process, edge, branch, to, role, select, from: before.locations[process],
        sync: synced(name, role),
      })),
      variables: pairs(variables).map(([id, value]) => ({ id, value, was: before.variables[id] })),
      clocks: pairs(clocks).map(([id, value]) => ({ id, value: shown(fraction(value)) })),
    };
  }
}

function copy(state) {
  return { step: state.step, locations: state.locations.slice(), variables: state.variables.slice(), since: state.since.slice(), set: state.set.slice() };
}

function pairs(list) {
  const made = [];
  for (let k = 0; k < list.length; k += 2) made.push([list[k], list[k + 1]]);
  return made;
}

// A long name with its middle left out: what tells names apart stands at their ends as often as at their beginnings.
function elided(name, most = 30) {
  if (name.length <= most) return name;
  const head = Math.ceil((most - 1) / 2);
  return `${name.slice(0, head)}…${name.slice(name.length - (most - 1 - head))}`;
}

// A channel as the one who sends and the ones who receive write it.
const synced = (name, role) => name && (role === 1 ? `${name}!` : role === 2 ? `${name}?` : name);
const processName = p => data.processes[p][0];
const locationName = (p, l) => data.templates[data.processes[p][1]].locations[l];
const variableText = (id, value) => data.variables[id][2]?.[value] !== undefined ? data.variables[id][2][value] : data.variables[id][1] ? (value ? "true" : "false") : String(value).replace("-", "−");
const told = move => data.templates[data.processes[move.process][1]].told?.[move.edge]?.replaceAll("->", "→");
const moveText = (move, name = text => text) => `${told(move) ?? `${name(locationName(move.process, move.from))} → ${name(locationName(move.process, move.to))}`}${move.select ? `  [${move.select}]` : ""}`;
// Where a location and an edge stand on the drawing, which may be the author's of something that was translated.
const drawnAt = (p, location) => data.templates[data.processes[p][1]].places?.[location] ?? location;
const drawnEdge = (p, edge) => { const { taken } = data.templates[data.processes[p][1]]; return taken ? taken[edge] ?? -1 : edge; };
const isDrawn = p => document.getElementById(`drawing-${data.processes[p][1]}`) !== null;
// Variables and clocks of a translation, which its author has never heard of.
const innerVariables = new Set(data.inner?.[0]), innerClocks = new Set(data.inner?.[1]);
const changeTexts = event => [
  ...event.variables.filter(v => !innerVariables.has(v.id)).map(v => `${data.variables[v.id][0]}: ${variableText(v.id, v.was)} → ${variableText(v.id, v.value)}`),
  ...event.clocks.filter(c => !innerClocks.has(c.id)).map(c => `${data.clocks[c.id]} := ${c.value}`),
];
