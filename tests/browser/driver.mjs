// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of pages share: results as TAP, waits in place of looks, and a browser that may be slow.
//   PATIENCE=SECONDS  how long something may take to come about (300): no verdict on speed, but an end for what never comes
//   DELAYS=SEED       every answer and every event comes up to 1.5 seconds later; of a player's page, whose engine answers many times a second, a tenth of that
//   THROTTLE=FACTOR   pages have a CPU that is so many times slower
import { createRequire } from "node:module";
import { createServer, request as ask } from "node:http";

const { chromium } = createRequire(`${process.cwd()}/build/browser/`)("playwright-core");
export const patience = 1000 * (process.env.PATIENCE || 300);
const patienceAfterFailure = Math.min(patience, 30000);
const delayMost = 1500, workerDelayMost = 150;
const delays = process.env.DELAYS, throttle = Number(process.env.THROTTLE || 1);
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// --- results ---

let tests = 0, failures = 0;
export function result(name, isTrue, note = "") {
    console.log(`${isTrue ? "ok" : "not ok"} ${++tests} - ${name}`);
    if (isTrue) return;
    failures++;
    if (note) console.log(`# ${String(note).replaceAll("\n", "\n# ")}`);
}
export const end = () => console.log(`1..${tests}`);

// Asks until the answer is one that `isWanted`, and gives the last answer. What fails is asked again: the page may be on its way to another.
export async function until(answer, isWanted = Boolean, limit = patience) {
    for (const stop = Date.now() + limit; ; await pause(30)) {
        let said, isThere = false;
        try {
            said = await answer();
            isThere = Boolean(isWanted(said));
        } catch (error) {
            said = error.message;
        }
        if (isThere || Date.now() > stop) return { said, isThere };
    }
}

// A test that passes when the answer becomes one that `isWanted`.
export async function becomes(name, answer, isWanted = Boolean) {
    const { said, isThere } = await until(answer, isWanted, failures > 0 ? patienceAfterFailure : patience);
    result(name, isThere, typeof said === "object" ? JSON.stringify(said) : said);
    return said;
}

// Waits until a function is true in the page. (Playwright's own way needs eval, which the pages forbid.)
export async function untilIn(page, check, argument = null) {
    const { isThere } = await until(() => page.evaluate(check, argument));
    if (!isThere) throw new Error(`never: ${check}`);
}

// --- what can be asked of a page, at once ---

const only = (all) => {
    if (all.length !== 1) throw new Error(`${all.length} elements`);
    return all[0];
};
export const text = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((one) => one.innerText)).then(only);
export const value = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((one) => one.value)).then(only);
export const count = (page, selector) => page.locator(selector).count();
export const tooWide = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

// --- a board ---

async function clickSquare(page, square, isFlipped) {
    const box = await page.locator("#board cg-board").boundingBox();
    const file = square.charCodeAt(0) - 97, rank = Number(square[1]) - 1;
    const x = isFlipped ? 7 - file : file, y = isFlipped ? rank : 7 - rank;
    await page.mouse.click(box.x + (x + 0.5) * box.width / 8, box.y + (y + 0.5) * box.height / 8);
}
// "e2e4" by two clicks; a promotion, "a7a8r", by one more.
export async function clickMove(page, move, isFlipped = false) {
    await clickSquare(page, move.slice(0, 2), isFlipped);
    await clickSquare(page, move.slice(2, 4), isFlipped);
    if (move.length > 4) await page.click(`dialog button:has-text('${{ q: "Queen", r: "Rook", b: "Bishop", n: "Knight" }[move[4]]}')`);
}
export const untilMoves = (page, wanted) => untilIn(page, (moves) => document.querySelectorAll("#moves button").length === moves, wanted);
export const untilPieces = (page, wanted) => untilIn(page, (pieces) => document.querySelectorAll("#board piece:not(.ghost, .fading)").length === pieces, wanted);
// A game that begins, where the user has the first move, ends with the score of its first position: only then is all of the last game gone.
export async function newGame(page) {
    await page.evaluate(() => document.querySelectorAll("#terms tr").forEach((row) => (row.dataset.isOld = "")));
    await page.click("#new");
    await untilIn(page, () => document.querySelectorAll("#moves button").length === 0 && document.querySelector("#terms tr:not([data-is-old])") !== null);
}

// --- a browser that may be slow ---

// The n-th random number of a seed, from 0 up to 1 (Park and Miller's generator).
let random = (Number(delays) * 2654435761 % 2147483646) + 1;
function nextRandom() {
    random = random * 48271 % 2147483647;
    return random / 2147483647;
}

if (delays) console.log(`# answers and events are delayed by up to ${delayMost} ms, DELAYS=${delays}`);
if (throttle > 1) console.log(`# pages have a CPU that is ${throttle} times slower, THROTTLE=${throttle}`);

// Between a browser and a server, where answers are delayed: whole ones as a whole, so that they overtake each other, streams event by event, in their
// order. (Playwright's routes see neither streams nor what shared workers ask for.)
function forward(host, from, to) {
    const headers = { ...from.headers, host };
    if (headers.origin) headers.origin = `http://${host}`;
    const upstream = ask({ host: "127.0.0.1", port: new URL(`http://${host}`).port, method: from.method, path: from.url, headers, agent: false }, (answer) => {
        const isStream = answer.headers["content-type"]?.startsWith("text/event-stream");
        let last = Promise.resolve();
        const later = (isLate, work) => {
            const late = isLate ? pause(delayMost * nextRandom()) : null;
            last = last.then(() => late).then(() => to.destroyed || work());
        };
        later(true, () => to.writeHead(answer.statusCode, answer.headers).flushHeaders());
        answer.on("data", (data) => later(isStream, () => to.write(data)));
        answer.on("end", () => later(false, () => to.end()));
        answer.on("error", () => to.destroy());
    });
    upstream.on("error", () => to.destroy());
    to.on("close", () => upstream.destroy());
    from.pipe(upstream);
}

// Gives an address at which the server at `address()` can be had with delays, and null where there are none.
export async function startDelays(address) {
    if (!delays) return null;
    const proxy = createServer((from, to) => forward(address().host, from, to));
    await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    proxy.keepAliveTimeout = 0;
    proxy.unref();
    return `127.0.0.1:${proxy.address().port}`;
}

// Messages of a page's own worker come later, in their order.
function delayWorkers(most) {
    Object.defineProperty(Worker.prototype, "onmessage", { set(hear) {
        let last = Promise.resolve();
        this.addEventListener("message", (event) => {
            const late = new Promise((resolve) => setTimeout(resolve, most * Math.random()));
            last = last.then(() => late).then(() => hear.call(this, event));
        });
    } });
}

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });

export async function openPage(browser, { width = 1200, scheme = "light" } = {}) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    context.setDefaultTimeout(patience); // of all its pages, also those that are opened later
    if (delays) await context.addInitScript(delayWorkers, workerDelayMost);
    const page = await context.newPage();
    if (throttle > 1) await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: throttle });
    return page;
}
