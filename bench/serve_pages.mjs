// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the pages of falconer serve in Chromium: CHROMIUM=PROGRAM node serve_pages.mjs open|paint ADDRESS LOADS, from the root of the repository.
// "open" tells how long the page of the run and that of the match take until everything is drawn; "paint" the median time to the first
// contents of every page. Each load has nothing of the pages beforehand.
import { createRequire } from "node:module";

const { chromium } = createRequire(`${process.cwd()}/build/browser/`)("playwright-core");
const [what, address, loads] = [process.argv[2], new URL(process.argv[3]), Number(process.argv[4])];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });

async function logIn() {
    const page = await (await browser.newContext()).newPage();
    await page.goto(address.href);
    await page.waitForURL((url) => url.search === "");
    return page;
}
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

// The pages of what there is, by kind.
async function itemPages() {
    const page = await logIn();
    await page.waitForSelector("a.card");
    const paths = await page.locator("a.card").evaluateAll((cards) => cards.map((card) => card.getAttribute("href")));
    await page.context().close();
    return Object.fromEntries(paths.map((path) => [/^\/(\w+)/.exec(path)[1], path]));
}

// --- until everything is drawn ---

const isDrawn = {
    run: () => document.querySelectorAll(".uplot canvas").length >= 2 && document.getElementById("genes").height > 200,
    match: () => document.querySelectorAll("#players tr").length >= 2 && document.querySelectorAll("#moves button").length > 0,
};

// The browser itself is warm: it has been to the page that says what these pages are about.
async function open() {
    const page = await logIn();
    await page.goto(new URL("/about", address).href);
    // The server has not looked at anything yet: this asks it, as the first page would.
    const found = await page.evaluate(async () => {
        const start = performance.now();
        const { items } = await (await fetch("/api/home")).json();
        return { seconds: (performance.now() - start) / 1000, items: items.map(({ kind, id }) => [kind, id]) };
    });
    console.log(`the server reads both folders in ${found.seconds.toFixed(3)} s`);
    for (const kind of ["run", "match"]) {
        const id = found.items.find(([one]) => one === kind)[1], times = [];
        for (let i = 0; i < loads; i++) {
            const start = performance.now();
            await page.goto(new URL(`/${kind}?id=${id}`, address).href, { waitUntil: "commit" });
            while (!(await page.evaluate(isDrawn[kind]).catch(() => false))) await page.waitForTimeout(5);
            times.push((performance.now() - start) / 1000);
        }
        const first = times[0] + (kind === "run" ? found.seconds : 0);
        console.log(`${kind}: opens first ${first.toFixed(3)} s, then ${median(times.slice(1).concat(times.length > 1 ? [] : times)).toFixed(3)} s (median of ${loads})`);
    }
}

// --- the first paint ---

async function paint() {
    const pages = { home: "/", play: "/play", players: "/players", papers: "/papers", about: "/about", new: "/new", ...(await itemPages()) };
    for (const [name, path] of Object.entries(pages)) {
        const times = [];
        for (let i = 0; i < loads; i++) {
            const page = await logIn();
            await page.goto(new URL(path, address).href);
            let first;
            while (!(first = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime))) await page.waitForTimeout(10);
            times.push(first / 1000);
            await page.context().close();
        }
        console.log(name, median(times).toFixed(3));
    }
}

await (what === "open" ? open() : paint());
await browser.close();
