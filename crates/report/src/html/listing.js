// The model as text. A label that calls a function leads to it, and every automaton to its declarations.
const listings = [...document.querySelectorAll("#view-model .listing")];
const CALL = /([A-Za-z_]\w*)\s*\(/g;

// The line in which a function is declared: own declarations hide the global ones.
function declaration(name, template) {
  const declares = new RegExp(`^\\s*(?:[A-Za-z_][\\w\\[\\], ]*[\\s&\\]])${name}\\s*\\([^;]*$`);
  const own = listings.filter(listing => listing.dataset.template === template), rest = listings.filter(listing => !listing.dataset.template);
  for (const listing of [...own, ...rest]) {
    const line = [...listing.querySelectorAll("li")].find(line => declares.test(line.textContent) && !/\b(return|process)\b/.test(line.textContent.split(name)[0]));
    if (line) return line;
  }
  return null;
}

function showLine(line) {
  view("model");
  for (const old of document.querySelectorAll("#view-model .sought")) old.classList.remove("sought");
  if (!line) return;
  line.classList.add("sought");
  line.scrollIntoView({ block: "center" });
}

const templateName = p => data.templates[data.processes[p][1]].name;

// Marks the labels of a drawing that call functions.
function linkCalls(drawing, p) {
  for (const label of drawing.querySelectorAll(".edge-labels text, .location-labels text")) {
    const line = [...label.textContent.matchAll(CALL)].map(call => declaration(call[1], templateName(p))).find(Boolean);
    if (!line) continue;
    label.classList.add("calls");
    label.append(shape("title", {}, `${line.textContent.trim()} …`));
    label.addEventListener("click", () => showLine(line));
  }
}

// The declarations of a template, or where its text says what it is.
function source(p) {
  const name = templateName(p), own = listings.find(listing => listing.dataset.template === name);
  if (own) return own.querySelector("li");
  const begins = new RegExp(`\\b(process|node|process:)\\s*:?\\s*${name}\\b`);
  return [...document.querySelectorAll("#view-model li")].find(line => begins.test(line.textContent)) ?? null;
}
