// The explorer in a real browser: choosing, waiting, going back, branches, files, several tabs, a server that is gone, names that are markup, keys alone.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "guidepost-explorer-"));
const pictures = process.env.SCREENSHOTS;
mkdirSync(pictures, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
let checks = 0;
const check = (holds, message) => { assert.ok(holds, message); checks++; };

// Starts a server; gives its address and what ends it.
async function explore(model, ...options) {
  const server = spawn(process.env.GUIDEPOST, ["explore", model, ...options], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((found, failed) => {
    let text = "";
    server.stdout.on("data", data => { text += data; const match = text.match(/http:\/\/\S+/); if (match) found(match[0]); });
    server.on("exit", code => failed(new Error(`ended with ${code}: ${text}`)));
  });
  const stop = () => new Promise(done => { server.removeAllListeners("exit"); server.on("exit", code => done(code)); server.kill("SIGINT"); });
  return { address, stop };
}

async function open(address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  const troubles = [], requests = [];
  page.on("pageerror", error => troubles.push(error.message));
  page.on("console", message => { if (message.type() === "error" && !message.text().includes("ERR_CONNECTION_REFUSED")) troubles.push(message.text()); });
  page.on("request", request => { if (!request.url().startsWith(new URL(address).origin)) requests.push(request.url()); });
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
  await settled(page);
  return Object.assign(page, { troubles, requests });
}

const settled = page => page.waitForFunction(() => document.documentElement.dataset.waiting === undefined);
const where = page => page.textContent("#where");
const message = page => page.textContent("#message");
const choice = (page, text) => page.locator(".choice", { hasText: text }).first();
async function take(page, text, delay) {
  if (delay !== undefined) await page.fill("#delay", delay);
  await choice(page, text).click();
  await settled(page);
}

// Choosing, waiting, going back, branching.
const fischer = await explore("models/fischer-faulty.xml");
const page = await open(fischer.address);
check((await where(page)).startsWith("step 0 of 0"), await where(page));
await take(page, "P(1): Idle → Trying");
check((await where(page)).startsWith("step 1 of 1"), await where(page));
// Outside of the interval, then inside.
await page.fill("#delay", "100");
await choice(page, "P(1): Trying").click();
await page.waitForFunction(() => document.getElementById("message").textContent !== "");
check(/Not after d = 100: the delay must be at most .*This is possible for/.test(await message(page)), await message(page));
check((await where(page)).startsWith("step 1 of 1"), "nothing was taken");
await take(page, "P(1): Trying", "0.5");
check((await where(page)).includes("time 0.5 (+0.5)"), await where(page));
check(await message(page) === "", "the message is gone");
await page.fill("#delay", "1/3");
await page.click("#wait");
await page.waitForFunction(() => document.getElementById("where").textContent.startsWith("step 3 of 3"));
check((await where(page)).includes("time 5/6 (+1/3)"), await where(page));
// The zone beside the values.
await page.waitForFunction(() => document.querySelectorAll("#values .range").length > 0);
checks++;
// Back, and somewhere else: a branch. The first one is not lost.
await page.click("#back"); await page.click("#back"); await settled(page);
check((await where(page)).startsWith("step 1 of 3"), await where(page));
await take(page, "P(2): Idle → Trying", "0.25");
check((await where(page)).startsWith("step 2 of 2"), await where(page));
check(await page.locator("#branches option").count() === 2, "two branches");
await page.click("#back"); await settled(page);
check(/Other branches from here/.test(await page.textContent("#visited")), "the other branch is offered");
await page.selectOption("#branches", { index: 1 });
await page.waitForFunction(() => document.getElementById("where").textContent.startsWith("step 3 of 3"));
checks++;

// Why not.
await page.click("#why summary");
await page.selectOption("#process", { label: "P(3)" });
await page.waitForFunction(() => /P\(3\): Idle → Trying/.test(document.getElementById("reasons").textContent));
const reasons = await page.textContent("#reasons");
check(/the guard|can be taken now|can be taken after waiting/.test(reasons), reasons);

// How do I get there; the run that is saved replays.
await page.fill("#goal", "P(1).Critical and P(2).Critical");
await page.press("#goal", "Enter");
await page.waitForFunction(() => /A way of/.test(document.getElementById("answer").textContent));
check((await where(page)).startsWith("step 3 of "), "the way begins where one is");
await page.click("#last"); await settled(page);
check(await page.evaluate(() => [...document.querySelectorAll("#values tr")].filter(row => row.textContent.includes("Critical")).length >= 2), "both are critical");
const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
const saved = join(scratch, "run.json");
await download.saveAs(saved);
const replayed = execFileSync(process.env.GUIDEPOST, ["replay", "models/fischer-faulty.xml", saved], { cwd: root }).toString();
check(/every step checked/.test(replayed), replayed);
await page.screenshot({ path: join(pictures, "explorer-fischer-light.png") });

// A reload goes on where one was.
const before = await where(page);
await page.reload();
await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
await settled(page);
check((await where(page)).split(" of ")[0] === before.split(" of ")[0], `${before} became ${await where(page)}`);

// A second tab has a cursor of its own and the same branches.
const second = await open(fischer.address);
check((await where(second)).startsWith("step 0 of 0"), "a new tab begins at the start");
check(await second.locator("#branches option").count() >= 2, "and knows the branches");
await take(second, "P(4): Idle → Trying");
check(await where(page) !== await where(second), "tabs do not disturb each other");

// A query, asked of the whole model.
await second.fill("#goal", "A[] not deadlock");
await second.click("#ask");
await second.waitForFunction(() => /Satisfied/.test(document.getElementById("answer").textContent));
checks++;
await second.fill("#goal", "P(9).Nowhere");
await second.click("#way");
await second.waitForFunction(() => document.getElementById("message").textContent !== "");
checks++;
// Parentheses that only match those around the goal are none.
const refusal = await message(second);
await second.fill("#goal", "true) or (false");
await second.click("#way");
await second.waitForFunction(old => !["", old].includes(document.getElementById("message").textContent), refusal);
checks++;
await second.fill("#goal", "sup: turn");
await second.click("#ask");
await second.waitForFunction(() => /turn <= \d/.test(document.getElementById("answer").textContent));
checks++;

// A file that is opened, and one that is none.
await second.setInputFiles("#file", saved);
await second.waitForFunction(() => /step 0 of [1-9]/.test(document.getElementById("where").textContent));
const junk = join(scratch, "junk.json");
writeFileSync(junk, "{ \"tool\": \"other\" }");
await second.setInputFiles("#file", junk);
await second.waitForFunction(() => /not one that guidepost wrote/.test(document.getElementById("message").textContent));
checks += 2;

// Keys alone.
const keys = await open(fischer.address, { colorScheme: "dark" });
await keys.keyboard.press("1"); await settled(keys);
check((await where(keys)).startsWith("step 1"), "a number takes a transition");
await keys.keyboard.press("d");
await keys.keyboard.type("0.5");
await keys.keyboard.press("Enter");
await keys.waitForFunction(() => document.getElementById("where").textContent.startsWith("step 2"));
await keys.keyboard.press("Escape");
await keys.keyboard.press("r");
await keys.waitForFunction(() => document.getElementById("where").textContent.startsWith("step 3"));
await settled(keys);
await keys.keyboard.press("ArrowLeft"); await settled(keys);
check((await where(keys)).startsWith("step 2 of 3"), await where(keys));
await keys.keyboard.press("w");
await keys.waitForFunction(() => document.querySelectorAll("#reasons li").length > 0);
await keys.keyboard.press("Escape");
await keys.keyboard.press("g");
await keys.keyboard.type("P(3).Critical");
await keys.keyboard.press("Enter");
await keys.waitForFunction(() => /A way of/.test(document.getElementById("answer").textContent));
await keys.keyboard.press("Escape");
await keys.keyboard.press("?");
check(await keys.isVisible("#keys"), "the keys are told");
await keys.keyboard.press("?");
await settled(keys);
await keys.screenshot({ path: join(pictures, "explorer-fischer-dark.png") });
for (const tab of [page, second, keys]) {
  assert.deepEqual(tab.troubles, [], "no errors in the script");
  assert.deepEqual(tab.requests, [], "nothing is loaded from elsewhere");
}

// As a new user would find out what is wrong with the model: the shortest way to the error, step by step. When the first process may enter, the second may still write.
const novice = await open(fischer.address);
await novice.check("#shortest");
await novice.fill("#goal", "P(1).Critical and P(2).Critical");
await novice.click("#way");
await novice.waitForFunction(() => /A way of 6 transitions/.test(document.getElementById("answer").textContent));
for (let step = 0; step < 3; step++) { await novice.keyboard.press("Escape"); await novice.click("#forward"); await settled(novice); }
const both = await novice.evaluate(() => [...document.querySelectorAll(".choice")].map(choice => choice.textContent));
check(both.some(text => /P\(1\): Pausing → Critical.*d = 2/.test(text)) && both.some(text => /P\(2\): Trying → Pausing.*0 ≤ d ≤ 2/.test(text)), `both can happen at d = 2: ${both}`);
await novice.screenshot({ path: join(pictures, "explorer-novice.png") });

// Another site cannot ask, and cannot look.
const evil = await browser.newPage();
await evil.route("http://evil.example/**", route => route.fulfill({ contentType: "text/html", body: "<title>evil</title>" }));
await evil.goto("http://evil.example/");
const stolen = await evil.evaluate(async address => {
  const tries = [["api", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"do":"branches"}' }], ["api", { method: "POST", mode: "no-cors", body: '{"do":"branches"}' }], ["", {}]];
  const seen = [];
  for (const [path, options] of tries) seen.push(await fetch(address + path, options).then(response => response.text()).catch(() => ""));
  return seen;
}, fischer.address);
check(stolen.every(text => text === ""), `another site read ${stolen}`);

// The server ends at once, and the page says so.
check(await fischer.stop() === 0, "Ctrl-C ends the server with exit code 0");
await page.click("#back");
await page.waitForSelector("#stopped:not([hidden])");
check(/The server has stopped/.test(await page.textContent("#stopped")), "it is said");
await page.screenshot({ path: join(pictures, "explorer-stopped.png") });

// A run from a file, narrow and wide, light and dark.
const trace = join(scratch, "train.json");
try { execFileSync(process.env.GUIDEPOST, ["check", "models/train-gate.xml", "--query", "E<> Train(0).OnBridge and Train(1).Halted and Train(2).Halted", "--trace-file", trace, "-q"], { cwd: root, stdio: "pipe" }); } catch (error) { if (error.status !== 1) throw error; }
const train = await explore("models/train-gate.xml", "--trace-file", trace);
for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [400, "light"], [400, "dark"]]) {
  const tab = await open(train.address, { viewport: { width, height: 800 }, colorScheme });
  check(/step 0 of [1-9]/.test(await where(tab)), "the run of the file is shown from its beginning");
  await tab.click("#forward"); await tab.click("#forward"); await settled(tab);
  await tab.waitForFunction(() => document.querySelectorAll("#values .range").length > 0);
  const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  check(overflow <= 0, `${width} px: the page is ${overflow} px too wide`);
  await tab.screenshot({ path: join(pictures, `explorer-train-gate-${width}-${colorScheme}.png`), fullPage: width < 900 });
  assert.deepEqual(tab.troubles, []);
  await tab.close();
}
check(await train.stop() === 0, "exit code 0");

// Controllers: the author's automata and words, step by step.
const plc = await explore("models/plc/line-segment.plc", "--variant", "C9");
for (const [width, colorScheme] of [[1280, "light"], [400, "dark"]]) {
  const tab = await open(plc.address, { viewport: { width, height: 800 }, colorScheme });
  await take(tab, "environment: Waiting1.number = 1");
  await take(tab, "Plc1: polls");
  await take(tab, "Plc1: computes");
  await take(tab, "Main: decides for Drive1");
  check(await tab.locator("#automata .card").count() === 3, "three programs are drawn");
  check(await tab.locator('#automata .card[data-process="0"] .current').count() > 0, "and where they are");
  await tab.click("#why summary");
  const shown = await tab.evaluate(() => document.body.innerText + [...document.querySelectorAll("option")].map(option => option.value + option.textContent).join());
  const name = shown.match(/.*(run_|_poll|_react|_delayed|drive_|watch_|hurry|new_|_next|_held|_cycle).*/);
  check(!name, `a name of the translation: ${name?.[0]}`);
  check(!/Main\.next|^[!?] /m.test(shown), "nothing that only the translation needs");
  await tab.screenshot({ path: join(pictures, `explorer-plc-${width}-${colorScheme}.png`), fullPage: width < 900 });
  assert.deepEqual(tab.troubles, []);
  await tab.close();
}
await plc.stop();

// Names that are markup.
const hostile = join(scratch, "<script>window.hit=1<\x2fscript><img src=x onerror=hit=2>.xml".replaceAll("/", "_"));
writeFileSync(hostile, readFileSync(join(root, "models/fischer-faulty.xml"), "utf8").replace("<queries>", "<queries><query><formula>E&lt;&gt; true</formula><comment>&lt;/script&gt;&lt;script&gt;hit=3&lt;/script&gt;</comment></query>"));
const named = await explore(hostile);
const tab = await open(named.address);
check(await tab.evaluate(() => window.hit) === undefined && await tab.locator("h1 img").count() === 0, "names are text");
check((await tab.textContent("h1")).includes("<script>"), "and shown as they are");
await named.stop();

// A hundred processes, a thousand steps.
const hundred = join(scratch, "fischer-100.xml");
writeFileSync(hundred, readFileSync(join(root, "models/fischer-faulty.xml"), "utf8").replace(/const int N = \d+/, "const int N = 100"));
const large = await explore(hundred);
const many = await open(large.address);
for (let k = 0; k < 10; k++) { await many.click("#random-many"); await many.waitForFunction(n => document.getElementById("where").textContent.startsWith(`step ${n} `), (k + 1) * 100); await settled(many); }
const begin = Date.now();
await many.click(".choice"); await many.waitForFunction(() => document.getElementById("where").textContent.startsWith("step 1001 ")); await settled(many);
const milliseconds = Date.now() - begin;
console.log(`fischer-100: step 1001 took ${milliseconds} ms in the browser`);
check(milliseconds < 3000, `a step took ${milliseconds} ms`);
assert.deepEqual(many.troubles, []);
await many.screenshot({ path: join(pictures, "explorer-fischer-100.png") });
await large.stop();

await browser.close();
rmSync(scratch, { recursive: true, force: true });
console.log(`explorer: ${checks} checks passed`);
