// The message sequence chart: processes as columns, steps as rows; a window of steps around the current one.
const AROUND = 60; // steps on either side
const ROW = 30;
const MOST_COLUMNS = 40;

class Chart {
  constructor(page) {
    this.page = page;
    this.place = document.getElementById("chart");
  }

  reset() { this.drawn = ""; }

  show() {
    const { run, step } = this.page;
    const first = run.length <= 2 * AROUND ? 1 : Math.max(1, Math.floor((step - AROUND / 2) / AROUND) * AROUND);
    const last = Math.min(run.length, run.length <= 2 * AROUND ? run.length : first + 2 * AROUND);
    const key = `${run.index}/${first}/${this.page.filter}`;
    if (key !== this.drawn) {
      this.drawn = key;
      this.draw(first, last);
    }
    this.sideways();
    this.band.setAttribute("y", (step - this.first) * ROW);
    this.band.setAttribute("height", step === 0 ? 0 : ROW);
    const top = (step - this.first) * ROW, head = 40;
    if (top < this.place.scrollTop + ROW) this.place.scrollTop = top - 2 * ROW;
    else if (top + ROW + head > this.place.scrollTop + this.place.clientHeight - ROW) this.place.scrollTop = top + 3 * ROW + head - this.place.clientHeight;
  }

  // Brings the columns of those who move into view.
  sideways() {
    const ends = (this.page.event?.moves ?? []).filter(move => this.columns.includes(move.process)).map(move => this.x(move.process));
    if (!ends.length) return;
    const low = Math.min(...ends) - 60, high = Math.max(...ends) + 90, room = this.place.clientWidth;
    if (low < this.place.scrollLeft) this.place.scrollLeft = low;
    else if (high > this.place.scrollLeft + room) this.place.scrollLeft = Math.min(low, high - room);
  }

  draw(first, last) {
    const { run } = this.page;
    this.first = first;
    const events = [];
    for (let i = first; i <= last; i++) events.push(run.event(i));
    const seen = new Set(events.flatMap(event => event.moves.map(move => move.process)));
    const chosen = this.page.processes().filter(p => seen.has(p));
    const columns = chosen.slice(0, MOST_COLUMNS);
    const widest = columns.length ? Math.max(...columns.map(p => processName(p).length)) : 0;
    const texts = events.flatMap(event => event.moves.map(move => Math.max(move.sync.length + 2, locationName(move.process, move.to).length)));
    const width = Math.max(92, Math.min(200, 7.4 * Math.max(widest, ...texts, 0) + 30));
    const left = 62, x = p => left + width * (columns.indexOf(p) + 0.5);
    Object.assign(this, { columns, x });
    const total = left + width * columns.length + 40, height = events.length * ROW + 12;
    const head = shape("svg", { class: "figure sticky", width: total, height: 30 });
    const body = shape("svg", { class: "figure", width: total, height, role: "img", "aria-label": "Message sequence chart" });
    head.append(shape("text", { class: "soft", x: left - 14, y: 19, "text-anchor": "end" }, "time"));
    this.band = shape("rect", { class: "now", x: 0, width: total });
    body.append(this.band);
    for (const p of columns) {
      head.append(shape("text", { x: x(p), y: 19, "text-anchor": "middle", "font-weight": 600 }, clipped(processName(p), width - 8), shape("title", {}, processName(p))));
      body.append(shape("line", { class: "life", x1: x(p), x2: x(p), y1: 0, y2: height }));
    }
    head.append(shape("line", { class: "rule", x1: 0, x2: total, y1: 29.5, y2: 29.5 }));
    events.forEach((event, k) => this.row(body, event, first + k, k * ROW, columns, x, width, total));
    const more = [];
    if (chosen.length > columns.length) more.push(`${chosen.length - columns.length} more processes: use the filter.`);
    if (first > 1 || last < run.length) more.push(`Steps ${first} to ${last} of ${run.length}.`);
    this.place.replaceChildren(head, body, ...(more.length ? [element("p", { class: "more" }, more.join(" "))] : []));
  }

  row(body, event, i, y, columns, x, width, total) {
    const { run } = this.page;
    const middle = y + ROW / 2;
    if (i === 1 || run.delay(i)) body.append(shape("text", { class: "soft", x: 48, y: middle + 4, "text-anchor": "end" }, run.briefTime(i)));
    const shownMoves = event.moves.filter(move => columns.includes(move.process));
    const sender = shownMoves.find(move => move.role === 1);
    for (const move of shownMoves) {
      const at = x(move.process);
      if (sender && move !== sender) arrow(body, x(sender.process), at, middle, move === shownMoves.find(m => m !== sender) ? event.channel : "", width);
      body.append(shape("circle", { class: "dot", cx: at, cy: middle, r: move === sender || !sender ? 3.5 : 2 }));
    }
    if (event.moves.length && event.moves[0].role === 3 && shownMoves.length > 1) {
      const ends = shownMoves.map(move => x(move.process));
      body.append(shape("line", { class: "arrow", x1: Math.min(...ends), x2: Math.max(...ends), y1: middle, y2: middle }));
    }
    // A partner that the filter hides is still named.
    const alone = run.raw.told ? "" : shownMoves.length === 1 && event.channel ? `${shownMoves[0].sync} ` : event.moves[0]?.role === 3 ? `${event.channel} ` : "";
    for (const move of shownMoves) {
      if (sender && shownMoves.length > 1 && move.from === move.to && !event.fails) continue;
      const text = `${event.fails ? "✗ " : ""}${alone}${move.from === move.to ? "" : "→ " + locationName(move.process, move.to)}`;
      const below = sender && shownMoves.length > 1 ? 11 : 4;
      if (text.trim()) body.append(shape("text", { class: "soft", x: x(move.process) + 7, y: middle + below, "font-size": 11 }, clipped(text, width - 14), shape("title", {}, text)));
    }
    if (event.waits) body.append(shape("text", { class: "soft", x: 66, y: middle + 4, "font-size": 11 }, "time passes"));
    const hand = shape("rect", { class: "hand", x: 0, y, width: total, height: ROW }, shape("title", {}, `step ${i}: ${describe(run, i).map(line => line.sync + line.text).join("; ")}`));
    hand.addEventListener("click", () => this.page.go(i));
    body.append(hand);
  }
}

function arrow(body, from, to, y, text, width) {
  const way = to > from ? 1 : -1, tip = to - way * 3;
  body.append(shape("line", { class: "arrow", x1: from, x2: tip - way * 6, y1: y, y2: y }),
    shape("path", { class: "tip", d: `M${tip} ${y}l${-way * 8} -4v8z` }));
  // Far away from the sender, the channel is named again.
  const places = Math.abs(to - from) > 2.5 * width ? [from + way * width / 2, to - way * width / 2] : [from + way * width / 2];
  if (text) for (const x of places) body.append(shape("text", { x, y: y - 4, "text-anchor": "middle", "font-weight": 600, "font-size": 11 }, clipped(text, width - 20)));
}

// A text that fits into so many pixels, roughly.
function clipped(text, room) {
  const most = Math.max(3, Math.floor(room / 7.2));
  return elided(text, most);
}
