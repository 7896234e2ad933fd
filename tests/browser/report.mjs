// Three reports in a real browser: every pane follows the one step index, whatever moves it; nothing leaves the file; it opens within a second.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "guidepost-browser-"));
const pictures = process.env.SCREENSHOTS;
mkdirSync(pictures, { recursive: true });

function report(name, model, query, ...options) {
  const file = join(scratch, `${name}.html`);
  try {
    execFileSync(process.env.GUIDEPOST, ["check", model, "--query", query, "--report", file, "-q", ...options], { cwd: root, stdio: "pipe" });
  } catch (error) {
    if (error.status !== 1) throw error;
  }
  return file;
}

// Fischer's protocol with a hundred processes, made from the model of four.
const hundred = join(scratch, "fischer-100.xml");
writeFileSync(hundred, readFileSync(join(root, "models/fischer-faulty.xml"), "utf8").replace(/const int N = \d+/, "const int N = 100"));
// A run of 50,000 steps: a random walk, turned into a report.
const walk = join(scratch, "walk.json");
writeFileSync(walk, execFileSync(process.env.GUIDEPOST, ["simulate", "models/train-gate.xml", "--steps", "50000", "--format", "json"], { cwd: root, maxBuffer: 1 << 30 }));
const long = join(scratch, "long.html");
execFileSync(process.env.GUIDEPOST, ["report", "models/train-gate.xml", walk, "--output", long], { cwd: root });

const subjects = [
  { name: "train-gate", file: report("train-gate", "models/train-gate.xml", "E<> Train(0).OnBridge and Train(1).Halted and Train(2).Halted"), processes: 4, small: true },
  { name: "bridge", file: report("bridge", "models/bridge.xml", "E<> (forall (i : id_t) Person(i).Safe) and now <= 60", "--trace", "shortest"), small: true },
  { name: "fischer-100", file: report("fischer-100", hundred, "E<> P(1).Critical and P(2).Critical", "--search", "dfs"), processes: 100, small: true },
  { name: "long", file: long, processes: 4 },
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
let checks = 0;

async function open(file, hash = "", options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  const troubles = [], requests = [];
  page.on("pageerror", error => troubles.push(error.message));
  page.on("request", request => { if (!request.url().startsWith("file:")) requests.push(request.url()); });
  const started = Date.now();
  await page.goto(pathToFileURL(file).href + hash);
  await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
  return { page, troubles, requests, milliseconds: Date.now() - started };
}

// What every pane says about the step that is shown.
const panes = page => page.evaluate(() => ({
  where: Number(document.getElementById("where").textContent.match(/step (\d+)/)[1]),
  slider: Number(document.getElementById("slider").value),
  list: Number(document.querySelector('.step[aria-selected="true"]')?.dataset.step),
  hash: Number(location.hash.match(/step=(\d+)/)?.[1]),
  line: Number(document.querySelector("#line .cursor").parentNode.querySelector("text").textContent.match(/\d+/)[0]),
  band: document.querySelector("#chart .now").getAttribute("y"),
  length: Number(document.getElementById("slider").max),
  cards: [...document.querySelectorAll("#automata .card")].filter(card => card.querySelector("svg")).map(card => [
    card.querySelector("b").textContent,
    card.querySelector(".location.current title")?.textContent,
    card.querySelectorAll(".edge.taken").length > 0,
    card.classList.contains("moves"),
  ]),
  locations: Object.fromEntries([...document.querySelectorAll("#values tr")].map(row => [...row.cells].map(cell => cell.textContent)).filter(cells => cells.length === 2)),
}));

async function agree(page, step) {
  await page.waitForTimeout(60);
  const seen = await panes(page);
  for (const pane of ["where", "slider", "list", "hash", "line"]) assert.equal(seen[pane], step, `${pane} shows step ${seen[pane]}, not ${step}`);
  for (const [process, location, taken, moves] of seen.cards) {
    assert.equal(location, seen.locations[process], `${process} is drawn in ${location} and listed in ${seen.locations[process]} at step ${step}`);
    assert.equal(taken, moves, `${process} moves exactly when an edge is highlighted, at step ${step}`);
  }
  checks++;
  return seen;
}

for (const { name, file, processes, small } of subjects) {
  const { page, troubles, requests, milliseconds } = await open(file);
  assert.ok(milliseconds < (small ? 1500 : 4000), `${name} took ${milliseconds} ms to open`);
  const size = statSync(file).size;
  if (small) assert.ok(size < 1 << 20, `${name} has ${size} bytes`);
  console.log(`${name}: ${Math.round(size / 1024)} KiB, open after ${milliseconds} ms`);
  const { length } = await agree(page, 0);
  await page.keyboard.press("ArrowRight");
  await agree(page, 1);
  await page.click("#forward");
  await agree(page, 2);
  await page.click("#back");
  await agree(page, 1);
  await page.click('.step[data-step="3"]');
  await agree(page, 3);
  await page.locator("body").press("End");
  const last = await agree(page, length);
  assert.ok(last.cards.some(card => card[3]) || name === "long", "somebody moved last");
  await page.evaluate(() => { const slider = document.getElementById("slider"); slider.value = 2; slider.dispatchEvent(new Event("input")); });
  await agree(page, 2);
  await page.goto(pathToFileURL(file).href + "#step=3");
  await agree(page, 3);
  if (processes) {
    const all = await page.evaluate(() => [...document.querySelectorAll("#values tr")].length);
    const some = await page.evaluate(() => document.querySelector("#values table:last-child tr:last-child td").textContent);
    await page.fill("#filter", some);
    await page.waitForTimeout(60);
    assert.ok(await page.evaluate(() => document.querySelectorAll("#values tr").length) < all, "the filter leaves something out");
    await page.fill("#filter", "");
    await agree(page, 3);
  }
  const word = (await page.textContent('.step[data-step="4"] .what div')).split(":")[0].trim().split(" ").at(-1);
  await page.fill("#find", word);
  await page.press("#find", "Enter");
  assert.match(await page.textContent("#hits"), /found in [1-9]/);
  const found = Number(await page.inputValue("#slider"));
  assert.ok((await page.textContent(`.step[data-step="${found}"]`)).includes(word), "the search goes to a step with that word");
  await page.fill("#find", "");
  await page.click("#tab-answers");
  assert.match(await page.textContent("#view-answers"), /satisfied|undecided|simulated/);
  await page.click("#tab-search");
  assert.match(await page.textContent("#view-search"), /Configuration/);
  await page.screenshot({ path: join(pictures, `${name}-search.png`) });
  await page.click("#tab-run");
  assert.deepEqual(troubles, [], `${name}: errors in the script`);
  assert.deepEqual(requests, [], `${name}: the report asks the network for something`);
  await page.pdf({ path: join(pictures, `${name}.pdf`), format: "A4" });
  await page.close();
  for (const [kind, options] of [
    ["light", {}],
    ["dark", { colorScheme: "dark" }],
    ["narrow", { viewport: { width: 400, height: 800 } }],
    ["narrow-dark", { viewport: { width: 400, height: 800 }, colorScheme: "dark" }],
  ]) {
    const shot = await open(file, "#step=3", options);
    await shot.page.waitForTimeout(250);
    const wide = await shot.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${name}, ${kind}: the page is ${wide} pixels wider than the window`);
    assert.deepEqual(await covered(shot.page), [], `${name}, ${kind}: texts cover each other`);
    await shot.page.screenshot({ path: join(pictures, `${name}-${kind}.png`), fullPage: kind.startsWith("narrow") });
    await shot.page.close();
  }
}

// Schedules: every bar goes to its step and tells it, and what the processes pay adds up.
const schedules = [
  { name: "job-shop-schedule", file: report("job-shop-schedule", "models/job-shop.xml", "E<> forall (i : job_t) Job(i).Done", "--trace", "fastest") },
  { name: "oven-schedule", file: report("oven-schedule", "models/oven.xta", "E<> Oven.Done", "--trace", "cheapest"), cost: 27 },
];
for (const { name, file, cost } of schedules) {
  for (const [kind, options] of [["light", {}], ["dark", { colorScheme: "dark" }], ["narrow", { viewport: { width: 400, height: 800 } }]]) {
    const { page, troubles, requests } = await open(file, "#view=schedule&step=1", options);
    await page.waitForTimeout(100);
    assert.match(await page.textContent("#moment"), /^step 1 of/);
    const bars = page.locator("#schedule .bar");
    assert.ok(await bars.count() > 0, `${name} has bars`);
    for (let k = 0; k < Math.min(5, await bars.count()); k++) {
      const bar = bars.nth(k), from = await bar.getAttribute("data-from");
      await bar.click();
      assert.match(await page.textContent("#moment"), new RegExp(`^step ${from} of`));
      const words = await bar.locator("title").textContent();
      assert.match(words, from === "0" ? /from 0 to/ : new RegExp(`step ${from}: `));
    }
    const hands = page.locator("#schedule .hand");
    assert.equal(await hands.count() > 0, cost !== undefined, `${name}: the plot is there where something has a price`);
    if (cost !== undefined) {
      assert.match(await hands.last().locator("title").textContent(), new RegExp(`cost ${cost}:`));
      const paid = await page.evaluate(() => [...document.querySelectorAll("#schedule text")].map(text => text.textContent.match(/: (\d+)/)).filter(Boolean).map(match => Number(match[1])));
      assert.equal(paid.reduce((sum, own) => sum + own, 0), cost, `${name}: shares add up`);
    }
    await page.keyboard.press("End");
    assert.match(await page.textContent("#moment"), /^step (\d+) of \1 /);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${name}, ${kind}: the page is ${wide} pixels wider than the window`);
    assert.deepEqual(await covered(page), [], `${name}, ${kind}: texts cover each other`);
    assert.deepEqual([troubles, requests], [[], []], `${name}: errors or requests`);
    await page.screenshot({ path: join(pictures, `${name}-${kind}.png`) });
    await page.close();
  }
}

// The text of the model is a click away: from a label that calls a function, and from the card of an automaton.
{
  const { page, troubles, requests } = await open(subjects[0].file, "#step=2");
  await page.waitForTimeout(200);
  const call = page.locator("#automata .calls", { hasText: "join(t)" }).first();
  await call.scrollIntoViewIfNeeded();
  await call.click();
  assert.equal((await page.textContent(".sought")).trim(), "void join(id_t train)");
  assert.equal(await page.getAttribute("#tab-model", "aria-selected"), "true");
  await page.screenshot({ path: join(pictures, "train-gate-model.png") });
  await page.click("#tab-run");
  await page.locator('#automata .card[data-process="0"] .source').click();
  assert.equal((await page.textContent(".sought")).trim(), "clock x;");
  await page.goto(pathToFileURL(subjects[0].file).href + "#step=1");
  // What was possible instead: another train could have come.
  await page.click("#instead summary");
  await page.waitForTimeout(60);
  assert.match(await page.textContent("#instead summary"), /possible instead of step 1: 2/);
  assert.match(await page.textContent("#instead ul"), /near\[1\]! Train\(1\): Away → Coming.*d ≥ 0/s);
  await page.click("#first");
  assert.ok(await page.locator("#instead").isHidden(), "nothing was taken in the initial state");
  // Texts of drawings have one size.
  const sizes = await page.evaluate(() => [...new Set([...document.querySelectorAll("#automata .card svg")].map(svg => (svg.getBoundingClientRect().width / svg.viewBox.baseVal.width).toFixed(2)))]);
  assert.equal(sizes.length, 1, `drawings have the scales ${sizes}`);
  await page.click("#tab-answers");
  assert.deepEqual([troubles, requests], [[], []]);
  checks++;
  await page.close();
}

// A long name has its middle left out, and is whole for who points at it. The comment of a query is shown, and text stays text.
{
  const name = `Controller_of_the_${"very_".repeat(12)}last_valve`, model = join(scratch, "names.xml");
  writeFileSync(model, `<nta><template><name>${name}</name><location id="a"><name>Begin</name></location><location id="b"><name>End</name></location><init ref="a"/><transition><source ref="a"/><target ref="b"/></transition></template><system>system ${name};</system><queries><query><formula>E&lt;&gt; ${name}.End</formula><comment>It &lt;b&gt;ends&lt;/b&gt;.</comment></query></queries></nta>`);
  const file = join(scratch, "names.html");
  execFileSync(process.env.GUIDEPOST, ["check", model, "--report", file, "-q"], { stdio: "pipe" });
  const { page, troubles } = await open(file, "#step=1", { viewport: { width: 400, height: 800 } });
  await page.waitForTimeout(200);
  const shown = await page.textContent("#automata .card b");
  assert.ok(shown.length < 40 && shown.startsWith("Controller") && shown.endsWith("valve") && shown.includes("…"), shown);
  assert.equal(await page.getAttribute("#automata .card b", "title"), name);
  assert.ok((await page.getAttribute('.step[data-step="1"] .what div', "title")).includes(name));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `long names make the page ${wide} pixels wider than the window`);
  await page.click("#tab-answers");
  assert.equal(await page.textContent(".comment"), "It <b>ends</b>.");
  assert.deepEqual(troubles, []);
  checks++;
  await page.close();
}

// Controllers: the author's automata and steps, and no name of the translation; a cycle can be opened.
{
  const file = join(scratch, "plc.html");
  execFileSync(process.env.GUIDEPOST, ["check", "models/plc/line-segment.plc", "--variant", "C9", "--report", file, "-q"], { cwd: root, stdio: "pipe" });
  for (const [kind, options] of [["light", {}], ["dark", { colorScheme: "dark" }], ["narrow", { viewport: { width: 400, height: 800 } }], ["narrow-dark", { viewport: { width: 400, height: 800 }, colorScheme: "dark" }]]) {
    const { page, troubles, requests } = await open(file, "#step=15", options);
    await page.waitForTimeout(250);
    const { length } = await agree(page, 15);
    assert.ok(length < 30, `${length} steps are told`);
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("#automata .card b")].map(name => name.textContent)), ["Main", "Light1", "Light2"]);
    const closed = await page.locator('.step[data-step="15"]').boundingBox();
    await page.focus("#steps");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(60);
    assert.match(await page.textContent('.step[data-step="15"]'), /Plc2 polls.*Light2 decides for Drive.*Light2 goes on: Demand → Drive/s);
    assert.ok((await page.locator('.step[data-step="15"]').boundingBox()).height > closed.height + 50, "an open step has more lines");
    await page.screenshot({ path: join(pictures, `plc-${kind}.png`), fullPage: kind.startsWith("narrow") });
    await page.keyboard.press("Enter");
    await agree(page, 15);
    await page.keyboard.press("End");
    const last = await agree(page, length);
    assert.equal(last.locations.Light1, "Drive");
    assert.equal(last.locations.Light2, "Drive");
    const told = await page.evaluate(() => document.querySelector("main").innerText + document.querySelector("#view-run").innerHTML);
    assert.doesNotMatch(told, /run_|_poll|_react|_delayed|drive_|watch_|hurry|new_|_next|_cycle\b|_held/, "a name of the translation");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `plc, ${kind}: the page is ${wide} pixels wider than the window`);
    assert.deepEqual(await covered(page), [], `plc, ${kind}: texts cover each other`);
    assert.deepEqual([troubles, requests], [[], []]);
    await page.close();
  }
}

// Texts of controls, lists and charts that overlap. What stands inside of automata is where its author put it.
async function covered(page) {
  return page.evaluate(() => {
    const parts = [...document.querySelectorAll(".controls > *, #chart svg:not(.sticky) text, #line text, #schedule text, .step .n, .step .t, .step .what div, #values td")];
    const boxes = parts.filter(part => part.textContent.trim() || part.matches("input")).map(part => [part, part.getBoundingClientRect()]).filter(([, box]) => box.width && box.height);
    const troubles = [];
    for (let i = 0; i < boxes.length; i++) {
      for (let j = 0; j < i; j++) {
        const [[first, a], [second, b]] = [boxes[i], boxes[j]];
        if (first.closest("svg, .step, table, .controls") !== second.closest("svg, .step, table, .controls")) continue;
        if (first.closest("#line g") || second.closest("#line g")) continue;
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left), height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (width > 2 && height > 5) troubles.push(`${first.textContent} / ${second.textContent}`);
      }
    }
    return troubles;
  });
}

await browser.close();
rmSync(scratch, { recursive: true });
console.log(`${checks} times all panes agreed; screenshots in ${pictures}`);
