// SPDX-License-Identifier: GPL-3.0-or-later
// Many pages of falconer serve open at once, each in a browser profile of its own: FALCONER=PROGRAM CHROMIUM=PROGRAM node many.mjs FOLDER PAGES SECONDS, from the
// root of the repository. Every few seconds one of them is loaded anew. The server's memory must stay as it was after a quarter of the time, and its
// files and threads must be as few as in the beginning when all pages have gone. Prints TAP.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { readdirSync, readFileSync } from "node:fs";

const { chromium } = createRequire(`${process.cwd()}/build/browser/`)("playwright-core");
const [folder, wanted, seconds] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
// Logs grow while they are watched, and what is kept of them with them: so much is not a leak.
const growthMost = 16;
const reloadSeconds = 5, patience = 600000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let tests = 0;
function result(name, isTrue, note = "") {
    console.log(`${isTrue ? "ok" : "not ok"} ${++tests} - ${name}`);
    if (note) console.log(`# ${note}`);
}

const server = spawn(process.env.FALCONER, ["serve", folder], { stdio: ["ignore", "pipe", "inherit"] });
process.on("exit", () => server.kill());
const address = new URL(await new Promise((resolve) => {
    let said = "";
    server.stdout.on("data", (data) => {
        said += data;
        const found = /Open (\S+)\n/.exec(said);
        if (found) resolve(found[1]);
    });
}));

const statusOf = (key) => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]);
const megabytes = () => statusOf("VmRSS") / 1024;
const threads = () => statusOf("Threads");
const descriptors = () => readdirSync(`/proc/${server.pid}/fd`).length;
const isUp = () => server.exitCode === null && server.signalCode === null;

// --- the pages ---

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const complaints = [];
async function open() {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(patience);
    page.setDefaultNavigationTimeout(patience);
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(address.href);
    await page.waitForURL((url) => url.search === "");
    return page;
}

const before = { descriptors: descriptors(), threads: threads() };
const first = await open();
await first.waitForSelector("a.card");
const items = await first.locator("a.card").evaluateAll((cards) => cards.map((card) => card.getAttribute("href")));
const paths = ["/", "/play", "/players", "/papers", ...items];
const pages = [first];
while (pages.length < wanted) {
    const page = await open();
    await page.goto(new URL(paths[pages.length % paths.length], address).href);
    pages.push(page);
}
result(`${pages.length} pages are open`, isUp(), `${megabytes().toFixed(1)} MB, ${descriptors()} files, ${threads()} threads`);

const samples = [];
const start = Date.now(), passed = () => (Date.now() - start) / 1000;
for (let turn = 0; passed() < seconds && isUp(); turn++) {
    await pages[turn % pages.length].reload();
    samples.push([passed(), megabytes(), descriptors()]);
    await pause(Math.max(0, 1000 * (reloadSeconds * (turn + 1) - passed())));
}
const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const between = (from, to) => mean(samples.filter(([at]) => at >= from * seconds && at <= to * seconds).map(([, size]) => size));
const early = between(0.25, 0.5), late = between(0.75, 1.1);
result(`memory is flat over ${seconds} seconds`, isUp() && late - early < growthMost, `${early.toFixed(1)} MB in the second quarter, ${late.toFixed(1)} MB in the last`);
const most = Math.max(...samples.map(([, , files]) => files));
// The page that was loaded last may not have built its header yet.
async function isLive(page) {
    for (const start = Date.now(); Date.now() - start < patience; await pause(1000))
        if (await page.evaluate(() => document.querySelector("header .link")?.textContent) === "live") return true;
    return false;
}
result("all are live", (await Promise.all(pages.map(isLive))).every((live) => live), `at most ${most} files were open`);
result("and none complains", complaints.length === 0, complaints.slice(0, 3).join("; "));

await browser.close();
// Connections that are kept open for a next request end after a while.
const isGone = () => descriptors() <= before.descriptors && threads() <= before.threads;
for (let i = 0; i < 300 && isUp() && !isGone(); i++) await pause(1000);
result("no descriptor and no thread is lost", isUp() && isGone(), `${before.descriptors} files and ${before.threads} threads before, ${descriptors()} and ${threads()} afterwards`);
const code = new Promise((resolve) => server.on("exit", resolve));
server.kill("SIGINT");
result("the server ends", (await code) === 0);
console.log(`1..${tests}`);
