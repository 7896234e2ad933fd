const data = JSON.parse(document.getElementById("data").textContent);
const MEASURES = { explored: "explored states", seconds: "seconds", stored: "stored states", bytes: "bytes", length: "length of the run" };
const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [620, 380, 64, 14, 14, 42];

function shape(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const picture = label => shape("svg", { class: "figure", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, style: `width: 100%; max-width: ${WIDTH}px`, role: "img", "aria-label": label });
const colour = index => `hsl(${Math.round(210 + index * 360 / data.configurations.length) % 360} 65% var(--hue-light))`;
const power = exponent => exponent >= 0 && exponent < 4 ? String(10 ** exponent) : `1e${exponent}`;

// A logarithmic scale over whole decades that holds all values. Zero has no logarithm and counts as the least unit.
function logarithmic(values, from, to, least) {
  const logs = values.map(value => Math.log10(Math.max(value, least)));
  const low = Math.floor(Math.min(...logs, 0)), high = Math.max(Math.ceil(Math.max(...logs)), low + 1);
  const at = value => from + (to - from) * (Math.log10(Math.max(value, least)) - low) / (high - low);
  const decades = [];
  for (let k = low, step = Math.ceil((high - low) / 8); k <= high; k += step) decades.push(k);
  return { at, decades };
}

function axis(svg, scale, upright) {
  for (const k of scale.decades) {
    const at = scale.at(10 ** k);
    svg.append(upright ? shape("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at }) : shape("line", { class: "rule", x1: at, x2: at, y1: TOP, y2: HEIGHT - BOTTOM }),
      upright ? shape("text", { class: "soft", x: LEFT - 6, y: at + 4, "text-anchor": "end" }, power(k)) : shape("text", { class: "soft", x: at, y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, power(k)));
  }
}

const unit = measure => measure === "seconds" ? 0.001 : 1;

// How many tasks a configuration solves when each may take so much: the further to the right and the lower, the better.
function cactus(measure) {
  const svg = picture(`Tasks solved within so many ${MEASURES[measure]}, by configuration`);
  const lines = data.configurations.map((name, index) => ({ name, index,
    values: data.cells.filter(cell => cell.configuration === name && cell[measure] !== null).map(cell => cell[measure]).sort((a, b) => a - b) })).filter(line => line.values.length);
  if (!lines.length) return empty();
  const y = logarithmic(lines.flatMap(line => line.values), HEIGHT - BOTTOM, TOP, unit(measure));
  const most = Math.max(...lines.map(line => line.values.length)), legend = 120;
  const x = count => LEFT + (WIDTH - LEFT - RIGHT - legend) * count / most;
  axis(svg, y, true);
  for (let k = 0, step = Math.ceil(most / 8); k <= most; k += step) svg.append(shape("text", { class: "soft", x: x(k), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, String(k)));
  svg.append(shape("text", { x: x(most / 2), y: HEIGHT - 6, "text-anchor": "middle" }, "tasks solved"));
  lines.forEach((line, place) => {
    const points = line.values.map((value, k) => [x(k + 1), y.at(value)]);
    svg.append(shape("path", { class: "series", style: `stroke: ${colour(line.index)}`, d: points.map(([px, py], k) => `${k ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("") }));
    points.forEach(([px, py], k) => svg.append(shape("circle", { class: "mark", style: `fill: ${colour(line.index)}`, cx: px, cy: py, r: 3.5 }, shape("title", {}, `${line.name}: ${k + 1} within ${line.values[k]}`))));
    const row = TOP + 10 + place * 17;
    svg.append(shape("rect", { x: WIDTH - legend, y: row - 9, width: 12, height: 10, style: `fill: ${colour(line.index)}` }), shape("text", { x: WIDTH - legend + 17, y: row }, line.name));
  });
  return svg;
}

// A point is a task. Below the diagonal the configuration upwards needs less. What only one of both solves stands at the edge.
function scatter(measure, right, up) {
  const published = "published";
  const value = (name, task, other) => {
    const cell = data.cells.find(cell => cell.task === task && cell.configuration === (name === published ? other : name));
    return cell === undefined ? undefined : name === published ? cell.published ?? undefined : cell[measure];
  };
  const tasks = [...new Set(data.cells.map(cell => cell.task))];
  const pairs = tasks.map(task => ({ task, x: value(right, task, up), y: value(up, task, right) })).filter(({ x, y }) => x !== undefined && y !== undefined && (x !== null || y !== null));
  if (!pairs.length) return empty();
  const svg = picture(`${MEASURES[measure]}: ${up} against ${right}`);
  const known = pairs.flatMap(({ x, y }) => [x, y]).filter(number => number !== null);
  const edge = 16, x = logarithmic(known, LEFT, WIDTH - RIGHT - edge, unit(measure)), y = logarithmic(known, HEIGHT - BOTTOM, TOP + edge, unit(measure));
  axis(svg, x, false);
  axis(svg, y, true);
  const [low, high] = [x.decades[0], x.decades.at(-1)].map(k => 10 ** k);
  svg.append(shape("line", { class: "diagonal", x1: x.at(low), y1: y.at(low), x2: x.at(high), y2: y.at(high) }),
    shape("text", { x: WIDTH / 2, y: HEIGHT - 6, "text-anchor": "middle" }, right), shape("text", { x: 14, y: HEIGHT / 2, transform: `rotate(-90 14 ${HEIGHT / 2})`, "text-anchor": "middle" }, up));
  for (const pair of pairs) {
    const lost = pair.x === null || pair.y === null;
    svg.append(shape("circle", { class: lost ? "point lost" : "point", cx: pair.x === null ? WIDTH - RIGHT - 4 : x.at(pair.x), cy: pair.y === null ? TOP + 4 : y.at(pair.y), r: 5 },
      shape("title", {}, `${pair.task}: ${right} ${pair.x ?? "no answer"}, ${up} ${pair.y ?? "no answer"}`)));
  }
  return svg;
}

function empty() {
  const note = document.createElement("p");
  note.textContent = "Nothing to compare.";
  return note;
}
