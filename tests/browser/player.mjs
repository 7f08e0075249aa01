// SPDX-License-Identifier: GPL-3.0-or-later
// Players as files (falconer weights page) in Chromium: EYAS=PROGRAM CHROMIUM=PROGRAM node player.mjs FOLDER SCRATCH, from the
// root of the repository. FOLDER holds falcon.html, tal.html and hostile.html; pictures go into SCRATCH. Prints TAP.
import { mkdirSync, readFileSync, realpathSync } from "node:fs";
import { becomes, clickMove, count, end, launch, newGame as beginGame, openPage, result, text, tooWide, untilIn, untilMoves, untilPieces, value } from "./driver.mjs";
import { startNative } from "./native.mjs";

const [folder, scratch] = process.argv.slice(2);
mkdirSync(scratch, { recursive: true });
const browser = await launch();
const complaints = [];

async function open(name, looks = {}) {
    const page = await openPage(browser, looks);
    const address = `file://${realpathSync(folder)}/${name}.html`;
    page.on("console", (message) => complaints.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    page.on("request", (request) => {
        if (request.url() !== address && !/^(blob|data):/.test(request.url())) complaints.push(`elsewhere: ${request.url()}`);
    });
    await page.goto(address);
    await page.waitForSelector("#terms tr");
    return page;
}
const untilSaid = (page, start) => untilIn(page, (words) => document.getElementById("thought").textContent.startsWith(words), start);
const firstMove = (page) => text(page, "#moves button:first-of-type");
const moves = (page) => count(page, "#moves button");

async function newGame(page, strength) {
    await page.selectOption("#strength", strength);
    await page.selectOption("#color", "white");
    await beginGame(page);
}

// --- a game to its end, in which every move of the page is that of eyas ---

const legalMoves = async (native) => (await native.ask("perft 1", (line) => line.startsWith("Nodes searched")))
    .map((line) => /^([a-h][1-8][a-h][1-8][qrbn]?): 1$/.exec(line)?.[1]).filter(Boolean);

async function testGame() {
    const page = await open("falcon");
    const native = startNative("");
    const moves = [];
    let chosen = 1, differs = "";
    await newGame(page, "nodes 1000");
    native.tell("ucinewgame");
    for (let isOver = false; !isOver && !differs;) {
        native.tell(`position startpos${moves.length ? ` moves ${moves.join(" ")}` : ""}`);
        const legal = await legalMoves(native);
        chosen = (chosen * 48271) % 2147483647;
        moves.push(legal[chosen % legal.length]);
        await clickMove(page, moves.at(-1));
        native.tell(`position startpos moves ${moves.join(" ")}`);
        if ((await legalMoves(native)).length === 0) break;
        const said = await native.go("nodes 1000");
        moves.push(said.at(-1).split(" ")[1]);
        await untilMoves(page, moves.length);
        await untilIn(page, () => / nodes/.test(document.getElementById("thought").textContent));
        // Where the move went, and what was said of it.
        const words = await text(page, "#thought");
        const [, depth, nodes] = /depth (\d+), ([\d,]+) nodes/.exec(words) ?? [];
        const info = said.filter((line) => line.startsWith("info depth ")).at(-1);
        if (!info.includes(` depth ${depth} `) || !info.includes(` nodes ${nodes?.replaceAll(",", "")} `)) differs = `${info} but "${words}"`;
        native.tell(`position startpos moves ${moves.join(" ")}`);
        const [fen] = await native.ask("d", (line) => line.startsWith("info string key"));
        const shown = await value(page, "#fen");
        if (fen !== `info string fen ${shown}`) differs ||= `${moves.at(-1)} leads to ${fen}, not ${shown}`;
        isOver = (await legalMoves(native)).length === 0;
    }
    result(`a game of ${moves.length} plies by clicking: each answer is that of eyas at as many nodes`, differs === "", differs);
    await becomes("to mate", () => text(page, "#thought"), (words) => words.startsWith("0-1: checkmate"));
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
    await newGame(page, "nodes 100");
    await page.fill("#say", "e4");
    await page.press("#say", "Enter");
    await untilMoves(page, 2);
    await becomes("a move by keyboard, and the engine's answer", () => firstMove(page), (san) => san === "e4");
    await page.fill("#say", "Ke8");
    await page.press("#say", "Enter");
    await page.waitForSelector(".error");
    await becomes("what is no move is refused in words", () => moves(page), (shown) => shown === 2);
    await page.click("#hint");
    await untilSaid(page, "Hint: ");
    await untilIn(page, () => document.querySelector("#board svg.cg-shapes line") !== null);
    result("a hint, with an arrow", true);
    await page.click("#back");
    await untilMoves(page, 0);
    await becomes("a move is taken back", () => count(page, ".error"), (errors) => errors === 0);
    await page.click("#flip");
    await clickMove(page, "d2d4", true);
    await untilMoves(page, 2);
    result("the board is flipped", true);

    await page.selectOption("#strength", "time 10000");
    await clickMove(page, "g1f3", true);
    await untilSaid(page, "thinking … depth");
    await page.click("#back");
    await untilMoves(page, 2);
    await page.selectOption("#strength", "time 100");
    await clickMove(page, "b1c3", true);
    await untilMoves(page, 4);
    result("a search is given up, and the next one goes on", true);

    await page.selectOption("#strength", "level 1400");
    await page.selectOption("#color", "black");
    await page.click("#new");
    await becomes("the engine begins, at a level", () => moves(page), (shown) => shown === 1);
    await testPositions(page);
    await page.context().close();
}

async function testPositions(page) {
    await page.selectOption("#color", "white"); // the engine is to move, and its answer leaves alone what is typed
    await page.fill("#fen", "7k/P7/8/8/8/8/8/K7 w - - 0 1");
    await untilMoves(page, 2);
    await becomes("what is typed stays", () => value(page, "#fen"), (fen) => fen.startsWith("7k/P7/"));
    await page.press("#fen", "Enter");
    await untilPieces(page, 3);
    await clickMove(page, "a7a8r");
    await untilMoves(page, 2);
    await becomes("a promotion is asked for", () => firstMove(page), (san) => san.startsWith("a8=R"));
    await page.fill("#fen", "nonsense");
    await page.press("#fen", "Enter");
    await page.waitForSelector(".error");
    await becomes("a FEN that is none is refused, and the game stays", () => moves(page), (shown) => shown === 2);
}

async function testBook() {
    const page = await open("tal");
    const thought = () => text(page, "#thought");
    await becomes("the name of the player", async () => [await page.title(), await text(page, "h1")], (names) => names.every((name) => name === "Play Tal"));
    await page.fill("#say", "e4");
    await page.press("#say", "Enter");
    await untilMoves(page, 2);
    await becomes("plays from the book beside the weights", thought, (words) => words.includes("from the book"));
    await page.uncheck("#own-book");
    await newGame(page, "nodes 100");
    await page.fill("#say", "e4");
    await page.press("#say", "Enter");
    await untilMoves(page, 2);
    await becomes("unless it is not to", thought, (words) => words.includes("nodes"));
    await page.locator("summary").first().click();
    const saved = page.waitForEvent("download");
    await page.click("#save-weights");
    result("the weights can be had", readFileSync(await (await saved).path(), "utf8").includes("# player: Tal"));
    await page.locator("summary").last().click();
    await becomes("licences are stated", () => text(page, "details[open]:last-of-type"),
        (licences) => ["GPL-3.0-or-later", "chessground", "Burnett", "wasi-libc"].every((word) => licences.includes(word)));
    await page.context().close();
}

async function testHostile() {
    const page = await open("hostile");
    await page.locator("summary").first().click();
    await becomes("text of a weights file is text",
        async () => [await count(page, "main img, main a, main script"), await text(page, "#lineage"), await text(page, "h1")],
        ([elements, lineage, title]) => elements === 0 && lineage.includes("</pre><img src=x onerror=alert(1)>") && title.includes("<b>"));
    await page.context().close();
}

async function testLooks() {
    for (const [scheme, width] of [["light", 1200], ["dark", 1200], ["light", 420], ["dark", 420]]) {
        const page = await open("tal", { scheme, width });
        for (const summary of await page.locator("summary").all()) await summary.click();
        await becomes(`${scheme}, ${width} pixels wide: nothing is cut off`, () => tooWide(page), (wide) => wide <= 0);
        await page.screenshot({ path: `${scratch}/player-${scheme}-${width}.png`, fullPage: true });
        await page.context().close();
    }
}

for (const test of [testGame, testControls, testBook, testHostile, testLooks]) await test();
result("no message, no failure, no request off the machine", complaints.length === 0, complaints.slice(0, 5).join("\n# "));
await browser.close();
end();
