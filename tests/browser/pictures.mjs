// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures of the pages in the documentation: FALCONER=PROGRAM CHROMIUM=PROGRAM node pictures.mjs FOLDER IMAGES. FOLDER holds a run.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { once } from "node:events";

const { chromium } = createRequire(`${process.cwd()}/build/browser/`)("playwright-core");
const [folder, images] = process.argv.slice(2);
const server = spawn(process.env.FALCONER, ["serve", folder], { stdio: ["ignore", "pipe", "inherit"] });
process.on("exit", () => server.kill());
const [said] = await once(server.stdout, "data");
const address = /Open (\S+)/.exec(said)[1];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1080, height: 800 } });
await page.goto(address);
await page.waitForSelector("a.card");
await page.click("a.card");
await page.focus("#genes");
for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowRight");
await page.waitForSelector("#organism tr");
await page.evaluate(() => document.activeElement.blur());
await page.locator("section[aria-labelledby=genes-title]").screenshot({ path: `${images}/microscope.png` });

await page.click("#organism-tools a:first-child");
await page.waitForSelector("#terms tr");
for (const move of ["e4", "Nf3", "Bb5"]) {
    const before = await page.locator("#moves button").count();
    await page.fill("#say", move);
    await page.press("#say", "Enter");
    await page.locator("#moves button").nth(before + 1).waitFor();
}
await page.waitForTimeout(500); // the pieces arrive
await page.screenshot({ path: `${images}/board.png` });
await browser.close();
process.exit();
