// SPDX-License-Identifier: GPL-3.0-or-later
// Players as files (falconer weights page) in Chromium: EYAS=PROGRAM CHROMIUM=PROGRAM node player.mjs FOLDER SCRATCH, from the
// root of the repository. FOLDER holds falcon.html, tal.html and hostile.html; pictures go into SCRATCH. Prints TAP.
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, realpathSync } from "node:fs";
import { startNative } from "./native.mjs";

const { chromium } = createRequire(`${process.cwd()}/build/browser/`)("playwright-core");
const [folder, scratch] = process.argv.slice(2);
const patience = 1000 * (process.env.PATIENCE || 300);
mkdirSync(scratch, { recursive: true });

let tests = 0;
function result(name, isTrue, note = "") {
    console.log(`${isTrue ? "ok" : "not ok"} ${++tests} - ${name}`);
    if (!isTrue && note) console.log(`# ${note}`);
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const complaints = [];

async function open(name, { width = 1200, scheme = "light" } = {}) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    const page = await context.newPage();
    const address = `file://${realpathSync(folder)}/${name}.html`;
    page.on("console", (message) => complaints.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    page.on("request", (request) => {
        if (request.url() !== address && !/^(blob|data):/.test(request.url())) complaints.push(`elsewhere: ${request.url()}`);
    });
    page.setDefaultTimeout(patience);
    await page.goto(address);
    await page.waitForSelector("#terms tr");
    return page;
}
const text = (page, selector) => page.locator(selector).innerText();

async function clickSquare(page, square, isFlipped) {
    const box = await page.locator("#board cg-board").boundingBox();
    const file = square.charCodeAt(0) - 97, rank = Number(square[1]) - 1;
    const x = isFlipped ? 7 - file : file, y = isFlipped ? rank : 7 - rank;
    await page.mouse.click(box.x + (x + 0.5) * box.width / 8, box.y + (y + 0.5) * box.height / 8);
}
async function click(page, move, isFlipped = false) {
    await clickSquare(page, move.slice(0, 2), isFlipped);
    await clickSquare(page, move.slice(2, 4), isFlipped);
    if (move.length > 4) await page.click(`dialog button:has-text('${{ q: "Queen", r: "Rook", b: "Bishop", n: "Knight" }[move[4]]}')`);
}
// Waits until a function is true in the page. (Playwright's own way needs eval, which the page forbids.)
async function until(page, check, argument = null) {
    for (const end = Date.now() + patience; ; await page.waitForTimeout(20)) {
        if (await page.evaluate(check, argument)) return;
        if (Date.now() > end) throw new Error(`never: ${check}`);
    }
}
const untilMoves = (page, count) => until(page, (wanted) => document.querySelectorAll("#moves button").length === wanted, count);
const untilSaid = (page, start) => until(page, (words) => document.getElementById("thought").textContent.startsWith(words), start);

async function newGame(page, { strength, color = "white" }) {
    await page.selectOption("#strength", strength);
    await page.selectOption("#color", color);
    await page.click("#new");
    await untilMoves(page, color === "black" ? 1 : 0);
}

// --- a game to its end, in which every move of the page is that of eyas ---

const legalMoves = async (native) => (await native.ask("perft 1", (line) => line.startsWith("Nodes searched")))
    .map((line) => /^([a-h][1-8][a-h][1-8][qrbn]?): 1$/.exec(line)?.[1]).filter(Boolean);

async function testGame() {
    const page = await open("falcon");
    const native = startNative("");
    const moves = [];
    let chosen = 1, differs = "";
    await newGame(page, { strength: "nodes 1000" });
    native.tell("ucinewgame");
    for (let isOver = false; !isOver && !differs;) {
        native.tell(`position startpos${moves.length ? ` moves ${moves.join(" ")}` : ""}`);
        const legal = await legalMoves(native);
        chosen = (chosen * 48271) % 2147483647;
        moves.push(legal[chosen % legal.length]);
        await click(page, moves.at(-1));
        native.tell(`position startpos moves ${moves.join(" ")}`);
        if ((await legalMoves(native)).length === 0) break;
        const said = await native.go("nodes 1000");
        moves.push(said.at(-1).split(" ")[1]);
        await untilMoves(page, moves.length);
        await until(page, () => !document.getElementById("thought").textContent.startsWith("thinking"));
        // Where the move went, and what was said of it.
        const words = await text(page, "#thought");
        const [, depth, nodes] = /depth (\d+), ([\d,]+) nodes/.exec(words) ?? [];
        const info = said.filter((line) => line.startsWith("info depth ")).at(-1);
        if (!info.includes(` depth ${depth} `) || !info.includes(` nodes ${nodes?.replaceAll(",", "")} `)) differs = `${info} but "${words}"`;
        native.tell(`position startpos moves ${moves.join(" ")}`);
        const [fen] = await native.ask("d", (line) => line.startsWith("info string key"));
        const shown = await page.inputValue("#fen");
        if (fen !== `info string fen ${shown}`) differs ||= `${moves.at(-1)} leads to ${fen}, not ${shown}`;
        isOver = (await legalMoves(native)).length === 0;
    }
    await page.waitForSelector("#thought .outcome");
    result(`a game of ${moves.length} plies by clicking: each answer is that of eyas at as many nodes`, differs === "", differs);
    result("to mate", (await text(page, "#thought")).startsWith("0-1: checkmate"), await text(page, "#thought"));
    const saved = page.waitForEvent("download");
    await page.click("#save");
    const pgn = readFileSync(await (await saved).path(), "utf8");
    result("is saved as PGN", (await saved).suggestedFilename() === "game.pgn" && pgn.includes('[Black "falcon"]') && pgn.trim().endsWith("0-1"), pgn);
    native.end();
    await page.context().close();
}

// --- all that can be done ---

async function testControls() {
    const page = await open("falcon");
    await newGame(page, { strength: "nodes 100" });
    await page.fill("#say", "e4");
    await page.press("#say", "Enter");
    await untilMoves(page, 2);
    result("a move by keyboard, and the engine's answer", (await text(page, "#moves button:first-of-type")) === "e4");
    await page.fill("#say", "Ke8");
    await page.press("#say", "Enter");
    await page.waitForSelector(".error");
    result("what is no move is refused in words", (await page.locator("#moves button").count()) === 2, await text(page, ".error"));
    await page.click("#hint");
    await untilSaid(page, "Hint: ");
    await until(page, () => document.querySelector("#board svg.cg-shapes line") !== null);
    result("a hint, with an arrow", true);
    await page.click("#back");
    await untilMoves(page, 0);
    result("a move is taken back", (await page.locator(".error").count()) === 0);
    await page.click("#flip");
    await click(page, "d2d4", true);
    await untilMoves(page, 2);
    result("the board is flipped", true);

    await page.selectOption("#strength", "time 10000");
    await click(page, "g1f3", true);
    await untilSaid(page, "thinking … depth");
    await page.click("#back");
    await untilMoves(page, 2);
    await page.selectOption("#strength", "time 100");
    await click(page, "b1c3", true);
    await untilMoves(page, 4);
    result("a search is given up, and the next one goes on", true);

    await newGame(page, { strength: "level 1400", color: "black" });
    result("the engine begins, at a level", (await page.locator("#moves button").count()) === 1);
    await page.selectOption("#color", "white");
    await page.fill("#fen", "7k/P7/8/8/8/8/8/K7 w - - 0 1");
    await page.press("#fen", "Enter");
    await until(page, () => document.querySelectorAll("#board piece:not(.ghost, .fading)").length === 3);
    await click(page, "a7a8r");
    await untilMoves(page, 2);
    result("a promotion is asked for", (await text(page, "#moves button:first-of-type")).startsWith("a8=R"));
    await page.fill("#fen", "nonsense");
    await page.press("#fen", "Enter");
    await page.waitForSelector(".error");
    result("a FEN that is none is refused, and the game stays", (await page.locator("#moves button").count()) === 2);
    await page.context().close();
}

async function testBook() {
    const page = await open("tal");
    result("the name of the player", (await page.title()) === "Play Tal" && (await text(page, "h1")) === "Play Tal");
    await page.fill("#say", "e4");
    await page.press("#say", "Enter");
    await untilMoves(page, 2);
    await until(page, () => document.getElementById("thought").textContent.includes("from the book"));
    result("plays from the book beside the weights", true);
    await page.uncheck("#own-book");
    await newGame(page, { strength: "nodes 100" });
    await page.fill("#say", "e4");
    await page.press("#say", "Enter");
    await untilMoves(page, 2);
    await until(page, () => document.getElementById("thought").textContent.includes("nodes"));
    result("unless it is not to", true);
    await page.locator("summary").first().click();
    const saved = page.waitForEvent("download");
    await page.click("#save-weights");
    result("the weights can be had", readFileSync(await (await saved).path(), "utf8").includes("# player: Tal"));
    await page.locator("summary").last().click();
    const licences = await text(page, "details[open]:last-of-type");
    result("licences are stated", ["GPL-3.0-or-later", "chessground", "Burnett", "wasi-libc"].every((word) => licences.includes(word)));
    await page.context().close();
}

async function testHostile() {
    const page = await open("hostile");
    await page.locator("summary").first().click();
    result("text of a weights file is text", (await page.locator("main img, main a, main script").count()) === 0 &&
        (await text(page, "#lineage")).includes("</pre><img src=x onerror=alert(1)>") && (await text(page, "h1")).includes("<b>"), await text(page, "h1"));
    await page.context().close();
}

async function testLooks() {
    for (const [scheme, width] of [["light", 1200], ["dark", 1200], ["light", 420], ["dark", 420]]) {
        const page = await open("tal", { scheme, width });
        for (const summary of await page.locator("summary").all()) await summary.click();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        await page.screenshot({ path: `${scratch}/player-${scheme}-${width}.png`, fullPage: true });
        result(`${scheme}, ${width} pixels wide: nothing is cut off`, wide <= 0, `by ${wide}`);
        await page.context().close();
    }
}

for (const test of [testGame, testControls, testBook, testHostile, testLooks]) await test();
result("no message, no failure, no request off the machine", complaints.length === 0, complaints.slice(0, 5).join("\n# "));
await browser.close();
console.log(`1..${tests}`);
