const byId = id => document.getElementById(id);
document.querySelectorAll("table.sortable").forEach(sortable);

function choices(select, values, names, chosen) {
  for (const value of values) select.append(new Option(names(value), value, value === chosen, value === chosen));
}

const measures = Object.keys(MEASURES), name = measure => MEASURES[measure], same = value => value;
const [first, last] = [data.configurations[0], data.configurations.at(-1)];
const hasPublished = data.cells.some(cell => cell.published !== null);
choices(byId("cactus-measure"), measures, name, "explored");
choices(byId("scatter-measure"), measures, name, "explored");
choices(byId("scatter-x"), hasPublished ? [...data.configurations, "published"] : data.configurations, same, first);
choices(byId("scatter-y"), data.configurations, same, last);

function draw() {
  byId("cactus").replaceChildren(cactus(byId("cactus-measure").value));
  const right = byId("scatter-x").value;
  // Only explored states are published.
  byId("scatter-measure").disabled = right === "published";
  if (right === "published") byId("scatter-measure").value = "explored";
  byId("scatter").replaceChildren(scatter(byId("scatter-measure").value, right, byId("scatter-y").value));
}

for (const id of ["cactus-measure", "scatter-measure", "scatter-x", "scatter-y"]) byId(id).addEventListener("change", draw);
byId("filter").addEventListener("input", event => {
  const wanted = event.target.value.toLowerCase();
  for (const row of byId("details").tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
});

const theme = name => { document.documentElement.dataset.theme = name; };
theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
byId("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
draw();
