// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine of a player's page says to "bench DEPTH" in Chromium: CHROMIUM=PROGRAM node speed.mjs PAGE DEPTH, from the root
// of the repository. For bench/page.
import { createRequire } from "node:module";
import { realpathSync } from "node:fs";

const { chromium } = createRequire(`${process.cwd()}/build/browser/`)("playwright-core");
const [file, depth] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto(`file://${realpathSync(file)}`);
await page.waitForSelector("#terms tr");
console.log(await page.evaluate((line) => new Promise((resolve, reject) => {
    const by = (id) => document.getElementById(id);
    const bytes = (id) => Uint8Array.from(atob(by(id).textContent), (letter) => letter.charCodeAt(0));
    const worker = new Worker(URL.createObjectURL(new Blob([by("worker").textContent], { type: "text/javascript" })));
    worker.onmessage = ({ data }) => typeof data === "string" ? resolve(data) : reject(new Error(data.error));
    worker.postMessage({ start: { engine: bytes("engine"), name: by("weights").dataset.name, weights: bytes("weights"), book: new Uint8Array() } });
    worker.postMessage(line);
}), `bench ${depth}`));
await browser.close();
