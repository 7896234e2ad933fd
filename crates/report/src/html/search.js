// What was searched, how, and how it went.
function showNumbers() {
  const place = document.getElementById("numbers");
  const facts = (title, entries) => element("section", {}, element("h2", {}, title), element("table", { class: "facts" }, element("tbody", {},
    ...entries.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value))))));
  const parts = [];
  for (const result of data.results) {
    const entries = [["verdict", result.verdict + (result.approximate ? " (over-approximated: MAY)" : "")]];
    if (result.search) entries.push(["search", result.search]);
    if (result.heuristic) entries.push(["heuristic", result.heuristic]);
    for (const [key, value] of Object.entries(result.statistics || {})) if (key !== "transitions") entries.push([key.replaceAll("_", " "), amount(key, value)]);
    parts.push(facts(`${result.number ?? ""}  ${title(result)}`.trim(), entries));
    if (result.progress?.length > 1) parts.push(element("section", {}, element("h2", {}, `Progress of ${result.number ?? "the search"}`), plot(result.progress)));
  }
  const settings = Object.entries(data.configuration || {}).map(([key, value]) => [key.replaceAll("_", " "), value === null ? "–" : String(value)]);
  parts.unshift(facts("Configuration", [["model", data.model], ["guidepost", data.version], ["processes", count(data.processes.length)], ["clocks", count(data.clocks.length)],
    ["variables", count(data.variables.length)], ...settings]));
  place.replaceChildren(...parts);
}

const count = value => Number(value).toLocaleString("en-US").replaceAll(",", "\u202f");

function amount(key, value) {
  if (key.endsWith("bytes")) return `${(value / 2 ** 20).toFixed(1)} MiB`;
  if (key.endsWith("seconds")) return `${value.toFixed(3)} s`;
  return count(value);
}

// States over time and, when the search was directed, the best estimate: two scales, two kinds of line.
function plot(samples) {
  const [width, height, left, right, top, bottom] = [560, 240, 70, 54, 26, 34];
  const svg = shape("svg", { class: "figure", viewBox: `0 0 ${width} ${height}`, style: `width: 100%; max-width: ${width}px`, role: "img", "aria-label": "Explored states over time" });
  const end = Math.max(...samples.map(sample => sample.seconds)) || 1;
  const x = seconds => left + (width - left - right) * seconds / end;
  const scale = most => value => height - bottom - (height - top - bottom) * value / (most || 1);
  const most = Math.max(...samples.map(sample => sample.explored)), y = scale(most);
  for (let k = 0; k <= 4; k++) {
    svg.append(shape("line", { class: "rule", x1: left, x2: width - right, y1: y(most * k / 4), y2: y(most * k / 4) }),
      shape("text", { class: "soft", x: left - 8, y: y(most * k / 4) + 4, "text-anchor": "end" }, short(most * k / 4)),
      shape("text", { class: "soft", x: x(end * k / 4), y: height - 12, "text-anchor": "middle" }, `${Number((end * k / 4).toPrecision(2))} s`));
  }
  const curve = (name, points) => shape("path", { class: `curve ${name}`, d: points.map(([px, py], k) => `${k ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("") });
  svg.append(curve("states", samples.map(sample => [x(sample.seconds), y(sample.explored)])), shape("text", { x: left, y: 15 }, "— states explored"));
  const guided = samples.filter(sample => typeof sample.estimate === "number");
  if (guided.length > 1) {
    const highest = Math.max(...guided.map(sample => sample.estimate)), h = scale(highest);
    svg.append(curve("estimate", guided.map(sample => [x(sample.seconds), h(sample.estimate)])), shape("text", { x: left + 150, y: 15 }, "- - best estimate"),
      shape("text", { class: "soft", x: width - right + 6, y: h(highest) + 4 }, short(highest)), shape("text", { class: "soft", x: width - right + 6, y: h(0) + 4 }, "0"));
  }
  return element("div", { class: "plot" }, svg);
}

function short(value) {
  for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) if (value >= size) return `${Number((value / size).toPrecision(3))} ${unit}`;
  return String(Math.round(value));
}
