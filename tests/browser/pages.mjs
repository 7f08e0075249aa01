// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of falconer serve in Chromium: FALCONER=PROGRAM CHROMIUM=PROGRAM node pages.mjs FOLDER SCRATCH, from the root of the repository. Prints TAP.
// FOLDER holds a finished run "run", a finished match "match" a list "engines.txt" with an engine "fake", a tuning "options", a suite "answers.jsonl", a clone "tal" and a paper
// "results/gecco2008"; pictures of all pages go into SCRATCH.
import { spawn as start } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { becomes, clickMove, count, end, launch, newGame, openPage, pause, result, startDelays, text, tooWide, until, untilIn, untilMoves, untilPieces, value } from "./driver.mjs";

const falconer = process.env.FALCONER;
const [folder, scratch] = process.argv.slice(2);
mkdirSync(scratch, { recursive: true });

// What is started does not outlive a test that fails.
const children = new Set();
function spawn(...words) {
    const child = start(...words);
    children.add(child);
    child.on("exit", () => children.delete(child));
    return child;
}
process.on("exit", () => children.forEach((child) => child.kill()));
// Nor do runs that pages started, which go on without their server.
process.on("exit", () => {
    for (const name of existsSync(`${folder}/runs`) ? readdirSync(`${folder}/runs`) : []) {
        const { pid } = JSON.parse(readFileSync(`${folder}/runs/${name}/started.json`, "utf8"));
        if (existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`${folder}/runs/${name}`)) process.kill(pid);
    }
});

// --- the server ---

let delayed = null; // where the browser is to ask, if not the server itself
function serve(port = 0) {
    const child = spawn(falconer, ["serve", "--port", String(port), "--engines", `${folder}/engines.txt`, folder], { stdio: ["ignore", "pipe", "inherit"] });
    return new Promise((resolve, reject) => {
        let said = "";
        child.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
        child.stdout.on("data", (data) => {
            said += data;
            const found = /Open (\S+)\n/.exec(said);
            if (!found) return;
            const own = new URL(found[1]), address = new URL(own);
            if (delayed) address.host = delayed;
            resolve({ child, own, address });
        });
    });
}

const isOver = (child) => child.exitCode !== null || child.signalCode !== null;
const ended = (child) => new Promise((resolve) => isOver(child) ? resolve(child.exitCode) : child.on("exit", (code) => resolve(code)));
async function stop({ child }) {
    child.kill("SIGINT");
    return ended(child);
}

// --- the browser ---

const browser = await launch();
let server = await serve();
delayed = await startDelays(() => server.own);
if (delayed) server.address.host = delayed;
const complaints = [];

// A page that is logged in; what goes wrong in it is kept, unless that is what is tested.
async function open({ isWatched = true, ...looks } = {}) {
    const page = await openPage(browser, looks);
    if (isWatched) {
        page.on("console", (message) => complaints.push(`console: ${message.text()}`));
        page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
        page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
        page.on("response", (response) => response.status() >= 400 && complaints.push(`${response.status()} ${response.url()}`));
        page.on("request", (request) => {
            const { protocol, host } = new URL(request.url());
            if (host !== server.address.host && !["data:", "blob:"].includes(protocol)) complaints.push(`elsewhere: ${request.url()}`);
        });
    }
    await page.goto(server.address.href);
    await page.waitForURL((url) => url.search === "");
    return page;
}
const go = (page, path) => page.goto(new URL(path, server.address).href);
const cardOf = (name) => `.card:has(.name:text-is("${name}"))`;
const untilLive = (page) => untilIn(page, () => document.querySelector("header .link").textContent === "live");
const says = (page, selector, words) => untilIn(page, ([where, start]) => document.querySelector(where).textContent.startsWith(start), [selector, words]);

// --- Home, while a run begins and ends ---

async function testHome() {
    const page = await open();
    await becomes("home has a card for each thing", () => count(page, ".card"), (cards) => cards === 6);
    // So long that it goes on until it is stopped, on any machine.
    const run = spawn(falconer, ["evolve", "play", "--population", "50", "--generations", "1000000", "-o", `${folder}/new`], { stdio: "ignore" });
    await page.waitForSelector(`${cardOf("new")} .state.running`);
    result("a run that begins appears by itself", true);
    run.kill("SIGINT");
    await ended(run);
    await page.waitForSelector(`${cardOf("new")} .state.stopped`);
    result("and is told of as stopped", true);
    const short = spawn(falconer, ["evolve", "play", "--population", "50", "--generations", "20", "-o", `${folder}/short`], { stdio: "ignore" });
    await ended(short);
    await page.waitForSelector(`${cardOf("short")} .state.finished`);
    result("one that ends is told of as finished", true);
    await page.context().close();
}

// --- Play ---

async function testPlay() {
    const page = await open();
    const thought = () => text(page, "#thought"), firstMove = () => text(page, "#moves button:first-of-type");
    await go(page, "/play");
    await page.waitForSelector("#terms tr");
    await page.selectOption("#color", "both");
    for (const [index, played] of ["f2f3", "e7e5", "g2g4", "d8h4"].entries()) {
        await clickMove(page, played);
        await untilMoves(page, index + 1);
    }
    await becomes("a game to mate by clicking", thought, (words) => words.startsWith("0-1: checkmate"));
    const saved = page.waitForEvent("download");
    await page.click("#save");
    result("is saved as PGN", (await saved).suggestedFilename() === "game.pgn");
    await page.click("#back");
    await untilMoves(page, 3);
    result("a move is taken back", true);

    await page.selectOption("#color", "white");
    await page.selectOption("#strength", "nodes 100");
    await newGame(page);
    await page.fill("#say", "e4");
    await page.press("#say", "Enter");
    await untilMoves(page, 2);
    await becomes("a move by keyboard, and the engine's answer", firstMove, (san) => san === "e4");
    await page.click("#hint");
    await says(page, "#thought", "Hint: ");
    await untilIn(page, () => document.querySelector("#board svg.cg-shapes line") !== null);
    result("a hint, with an arrow", true);

    await page.fill("#fen", "7k/P7/8/8/8/8/8/K7 w - - 0 1");
    await page.press("#fen", "Enter");
    await untilMoves(page, 0);
    await untilPieces(page, 3);
    await clickMove(page, "a7a8r");
    await untilMoves(page, 2);
    await becomes("a promotion is asked for", firstMove, (san) => san.startsWith("a8=R"));

    await page.click("#flip");
    await page.selectOption("#which", "engine/fake");
    await newGame(page);
    await becomes("levels are for weights alone", () => page.locator("#by-level").isDisabled());
    await page.selectOption("#strength", "time 100");
    await clickMove(page, "e2e4");
    await untilMoves(page, 2);
    await becomes("an engine of the list answers, by time", thought, (words) => words.includes("nodes"));
    await page.fill("#fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    await page.press("#fen", "Enter");
    await untilPieces(page, 6);
    await clickMove(page, "a1a8");
    await becomes("which is mated by clicking", thought, (words) => words.startsWith("1-0: checkmate"));
    await newGame(page);
    await page.click("#choose summary");
    for (const which of ["shipped/tal", "shipped/falcon", "engine/fake"]) await page.check(`#others input[value="${which}"]`);
    await untilIn(page, () => document.querySelectorAll("#answers tr[tabindex]").length === 3);
    await page.focus("#answers tr:nth-child(2)");
    await untilIn(page, () => document.querySelectorAll("#board svg.cg-shapes line").length > 0);
    await becomes("what others would play, in a table and as an arrow",
        () => page.locator("#answers tr td:nth-child(2)").allInnerTexts(), (moves) => moves.length === 3 && moves.every((san) => san.length > 1));
    await page.screenshot({ path: `${scratch}/play-others.png`, fullPage: true });
    await page.context().close();
}

// --- Run ---

// Along the row of the first gene until an organism is pointed at, and a click there; gives what was said before the click.
async function clickLine(page) {
    const field = await page.locator("#lines").boundingBox();
    for (let at = field.x + field.width - 2; at > field.x; at -= 6) {
        await page.mouse.move(at, field.y + 7);
        const pointed = await text(page, "#lines-pointed");
        if (!pointed.startsWith("PAWN_VALUE of ")) continue;
        await page.mouse.click(at, field.y + 7);
        return pointed;
    }
    return "";
}

async function testRun() {
    const page = await open();
    const title = () => text(page, "#organism-title"), heads = () => text(page, "#organism-head");
    await page.click(cardOf("run"));
    await becomes("curves are drawn", () => count(page, ".uplot canvas"), (charts) => charts === 2);
    // All parts are there, so that none moves.
    await becomes("the lineage of the best", () => count(page, "#lineage tr"), (rows) => rows > 1);
    await page.focus("#genes");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await becomes("a generation is chosen by keyboard", title, (words) => words === "The best of generation 1");
    await page.waitForSelector("#organism tr");
    const box = await page.locator("#genes").boundingBox();
    await page.mouse.click(box.x + box.width - 4, box.y + 10);
    await becomes("and by a click", title, (words) => words === "The best of generation 20");
    await page.focus("#lines");
    await page.keyboard.press("ArrowDown");
    await says(page, "#organism-title", "Organism ");
    const first = await title();
    await page.keyboard.press("ArrowDown");
    await becomes("an organism is chosen by keyboard", title, (words) => words.startsWith("Organism ") && words !== first);
    await page.selectOption("#lines-scale", "own");
    await page.locator("#lines").scrollIntoViewIfNeeded();
    const pointed = await clickLine(page);
    const start = "Generation 20: ";
    await becomes("and by a click on its line", () => text(page, "#lines-pointed"),
        (words) => words.startsWith(start) && pointed.includes(words.slice(start.length)));
    await page.fill("#kept", "3");
    await becomes("any generation that was kept can be seen", () => text(page, "#kept-label"), (words) => words.startsWith("Generation 3 "));
    await becomes("with published and optimal values", heads, (words) => words.includes("GECCO 2008") && words.includes("optimum"));
    await page.click("#find-error");
    await untilIn(page, () => document.querySelectorAll("#error-positions piece").length > 12);
    await becomes("and where its error lies", () => text(page, "#error-panel:visible #error-figure"), (words) => /training set/.test(words));
    await page.screenshot({ path: `${scratch}/microscope.png`, fullPage: true });
    await page.click("#organism-tools a:first-child");
    await becomes("from which one plays it", () => text(page, "#which option:checked"), (name) => name.includes("generation"));
    await page.waitForSelector("#terms tr");
    await page.context().close();
}

// --- Match ---

// A FEN has six parts.
const untilFen = (page, name) => becomes(name, () => value(page, "#fen"), (fen) => fen.split(" ").length === 6);

async function testMatch() {
    const page = await open();
    const thought = () => text(page, "#thought");
    await page.click(cardOf("match"));
    await page.waitForSelector("#moves button[aria-current]");
    await becomes("the last game is shown", () => text(page, "#players-of-game"), (words) => words.startsWith("Game 4: "));
    await becomes("a name with a script in it is text", () => text(page, "#players"), (names) => names.includes("<img src=x onerror=alert(1)>"));
    await page.click("#games tr:last-child button");
    await says(page, "#players-of-game", "Game 1: ");
    await page.click("#first");
    await becomes("a game from its start", thought, (words) => words === "The start of the game.");
    await page.focus("#board");
    await page.keyboard.press("ArrowRight");
    const san = await page.locator("#moves button[aria-current]").innerText();
    await becomes("move by move, with the engines' scores", thought, (words) => words.startsWith(`${san}: `) && / depth \d/.test(words));
    await page.click("#play-here");
    await untilFen(page, "and played on from there");
    await page.context().close();
}

// A match that goes on until it is stopped; its page shows the boards of its games.
async function testLive() {
    const page = await open();
    const playing = spawn(falconer, ["match", "-engine", "weights=falcon.weights", "name=one", "-engine", "weights=maestro-hand.weights", "name=two",
        "-each", "tc=3000+10", "nodes=50000", "-rounds", "5000", "-repeat", "-openings", "file=openings.epd", "-concurrency", "2", "--resume", `${folder}/live`], { stdio: "ignore" });
    await page.waitForSelector(`${cardOf("live")} .state.running`);
    await page.click(cardOf("live"));
    await becomes("a board for each game that goes on", () => count(page, ".live-game:has(piece) cg-board"), (boards) => boards === 2);
    const places = () => page.locator(".live-game:first-child piece:not(.ghost, .fading)").evaluateAll((all) => all.map((one) => one.className + one.style.transform).sort().join());
    const before = await places();
    await untilIn(page, () => document.querySelector(".live-game:first-child .curve.white").getAttribute("points") !== "");
    await becomes("which changes by itself", places, (now) => now !== "" && now !== before);
    await becomes("with clocks", () => text(page, ".live-game:first-child .white .clock"), (clock) => /^\d\d:\d\d$/.test(clock));
    for (const [scheme, width] of [["light", 1200], ["dark", 1200], ["light", 420], ["dark", 420]]) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: `${scratch}/live-${scheme}-${width}.png` });
    }
    await becomes("and fits a narrow screen", () => tooWide(page), (wide) => wide <= 0);
    playing.kill("SIGINT");
    await ended(playing);
    await becomes("and goes when the match is stopped", () => page.locator("#live-panel").isHidden());
    await page.context().close();
}

// --- Tune, Suite, Players, Papers ---

async function testTune() {
    const page = await open();
    await page.click(cardOf("options"));
    await becomes("a tuning has two charts for each option, and two of its test", () => count(page, ".uplot canvas"), (charts) => charts === 6);
    await becomes("its values with intervals", () => text(page, "#values tr:first-child"), (row) => /^A\s+20\s+[\d.]+\s+[\d.]+ to [\d.]+\s+0\s+100$/.test(row.trim()));
    await becomes("its verdict", () => text(page, "#verdict"), (words) => words.includes("Verdict: "));
    await page.click("#links a");
    await page.waitForSelector("h1:has-text('Options of fake')");
    await becomes("and its report", () => count(page, "svg"), (drawings) => drawings > 3);
    await page.context().close();
}

async function testSuite() {
    const page = await open();
    const boards = () => count(page, "#positions img"), figures = () => count(page, "#positions figure");
    await page.click(cardOf("answers.jsonl"));
    await becomes("a suite has boards, two dozen at a time", boards, (shown) => shown === 24);
    await becomes("a name with tags is text", () => text(page, "#engines"), (names) => names.includes("<b>bold</b>"));
    await untilIn(page, () => document.querySelector("#positions img").naturalWidth > 0);
    result("which are drawn", true);
    await page.click("#on");
    await becomes("the rest is on the next page", boards, (shown) => shown === 6);
    await page.selectOption("#outcome", "solved");
    await page.selectOption("#engine", "1");
    const solved = Number(await page.locator("#engines tr:nth-child(2) td:nth-child(2)").innerText());
    await becomes("those that an engine solved", figures, (shown) => shown === Math.min(24, solved));
    await page.selectOption("#outcome", "all");
    await becomes("all again", figures, (shown) => shown === 24);
    await page.click("#positions figure:first-child a");
    await untilFen(page, "and a position to play from");
    await page.context().close();
}

async function testPlayers() {
    const page = await open();
    await go(page, "/players");
    await becomes("ten players with their cards", () => count(page, "#models .card"), (cards) => cards === 10);
    await becomes("a clone, whose name is text", () => text(page, "#clones"), (names) => names.includes("<i>Tal</i>"));
    await page.fill("#pgn", readFileSync(`${folder}/match/games.pgn`, "utf8").split("\n\n[Event")[0]);
    await page.click("#ask");
    await becomes("who played a game: both sides", () => page.locator("#verdicts h3").allInnerTexts(),
        (names) => names.length === 2 && names.some((name) => name.includes("<img src=x onerror=alert(1)>")));
    await becomes("with chances for all", () => count(page, "#verdicts tbody tr"), (rows) => rows === 20);
    await page.click("#models .card[data-name=tal] a");
    await becomes("from which one plays one", () => value(page, "#which"), (which) => which === "shipped/tal");
    await page.context().close();
}

async function testPapers() {
    const page = await open();
    await page.click(cardOf("results/gecco2008"));
    await page.frameLocator("iframe").locator("h1:has-text('Options of fake')").waitFor();
    await becomes("a paper in a frame", () => text(page, ".card[aria-current]"), (words) => words.includes("version 0.9.9, scale quick"));
    await page.click(".card:has-text('GECCO 2009')");
    await becomes("one that comes with the program", () => count(page, ".text table"), (tables) => tables > 2);
    await page.context().close();
    await testHostilePaper();
}

// A page that somebody put there runs nothing and asks for nothing.
async function testHostilePaper() {
    writeFileSync(`${folder}/results/odd.html`, "<!doctype html><title>odd</title><script>alert(1); document.title = 'ran'</script><img src=http://127.0.0.1:1/x onerror=alert(2)>" +
        "<meta http-equiv=refresh content='0;url=http://127.0.0.1:1/away'><iframe src=http://127.0.0.1:1/frame></iframe><p>odd");
    // It is found by this folder, which comes with all that is in it.
    mkdirSync(`${folder}/results/.odd`);
    writeFileSync(`${folder}/results/.odd/steps.jsonl`, "{}\n");
    renameSync(`${folder}/results/.odd`, `${folder}/results/odd-quick`);
    const page = await open({ isWatched: false });
    const seen = [];
    page.on("dialog", (dialog) => seen.push(dialog.message()));
    // What was blocked before it was sent is told of as failed.
    page.on("response", (response) => new URL(response.url()).host !== server.address.host && seen.push(response.url()));
    page.on("requestfailed", (request) => request.url().includes("127.0.0.1:1/") && !/csp|BLOCKED/i.test(request.failure().errorText) && seen.push(request.url() + request.failure().errorText));
    await page.click(cardOf("results/odd"));
    await page.frameLocator("iframe").locator("p:has-text('odd')").waitFor();
    await page.click("#paper-tools a");
    await page.waitForSelector("p:has-text('odd')");
    // All that it names has been tried by then, and a second is more than its refresh waits for.
    await page.waitForLoadState("load");
    await pause(1000);
    result("a page with scripts runs none and loads nothing", seen.length === 0 && (await page.title()) === "odd", seen.join("; "));
    rmSync(`${folder}/results/odd-quick`, { recursive: true });
    rmSync(`${folder}/results/odd.html`);
    // Other pages must not find it any more.
    await go(page, "/");
    await page.waitForSelector(cardOf("run"));
    await becomes("and goes from home with its file", () => count(page, cardOf("results/odd")), (cards) => cards === 0);
    await page.context().close();
}

// --- New ---

const runCard = (page, name, state) => page.waitForSelector(`#started [data-name="${name}"] .state.${state}`);
async function setField(page, name, value) {
    await page.fill(`#set-${name}`, value);
    await page.press(`#set-${name}`, "Enter");
}
// Starts a preset with so many generations and that seed.
async function startRun(page, seed, generations) {
    await go(page, "/new?preset=play");
    await page.waitForSelector("#set-generations");
    await setField(page, "generations", String(generations));
    await setField(page, "seed", String(seed));
    await untilIn(page, (wanted) => document.getElementById("command").textContent.includes(wanted), `--seed ${seed} `);
    await page.click("#start:enabled");
}

async function testForm(page) {
    const command = () => text(page, "#command");
    await page.waitForSelector("#set-population");
    await page.selectOption("#preset", "gecco2008");
    await says(page, "#command", "falconer evolve gecco2008 ");
    await becomes("a preset tells what it is", () => text(page, "#about"), (words) => words.includes("GECCO 2008"));
    await setField(page, "population", "; touch x");
    await becomes("a wrong value is refused beside its field",
        async () => [await text(page, "#fault:visible"), await count(page, ".field.bad #set-population"), await page.isDisabled("#start")],
        ([words, fields, isDisabled]) => words.startsWith("population must be") && fields === 1 && isDisabled);
    await setField(page, "population", "1000");
    await page.waitForSelector("#start:enabled");
    await becomes("and the preset's own is no change", command, (words) => !words.includes("--population"));
    await page.selectOption("#set-algorithm", "cmaes");
    await page.waitForSelector("#set-step");
    await becomes("another algorithm has other settings", () => count(page, "#set-selection"), (fields) => fields === 0);

    await page.selectOption("#preset", "match");
    await page.waitForSelector("#set-first");
    await page.selectOption("#set-first", "shipped/falcon");
    await page.selectOption("#set-second", "shipped/tal");
    await page.waitForSelector("#start:enabled");
    await becomes("a match of two weights", command, (words) => / name=falcon .* name=tal /.test(words));
    await page.screenshot({ path: `${scratch}/new-match.png`, fullPage: true });
}

async function testNew() {
    const page = await open();
    await go(page, "/new");
    await testForm(page);
    await startRun(page, 11, 1000000);
    await runCard(page, "play-11", "running");
    const home = await page.context().newPage();
    await go(home, "/");
    await home.waitForSelector(`${cardOf("runs/play-11")} .state.running`);
    result("a run is started, and appears at home", true);
    await page.bringToFront();
    await page.click("#started [data-name=play-11] button:has-text('Stop')");
    await runCard(page, "play-11", "stopped");
    await home.bringToFront();
    await home.waitForSelector(`${cardOf("runs/play-11")} .state.stopped`);
    await home.close();
    await page.bringToFront();
    result("it is stopped", true);
    await page.click("#started [data-name=play-11] button:has-text('Resume')");
    await runCard(page, "play-11", "running");
    await page.click("#started [data-name=play-11] button:has-text('Stop')");
    await runCard(page, "play-11", "stopped");
    result("it goes on, and is stopped again", true);
    await startRun(page, 12, 20);
    await runCard(page, "play-12", "finished");
    result("one is watched from its beginning to its end", true);
    await page.screenshot({ path: `${scratch}/new-started.png`, fullPage: true });
    await page.click("#started [data-name=play-12] a");
    await becomes("and leads to its curves", () => count(page, ".uplot canvas"));
    await page.context().close();
}

// --- light and dark, wide and narrow ---

async function testLook(scheme, width) {
    const page = await open({ scheme, width });
    await page.waitForSelector("a.card");
    const paths = await page.locator("a.card").evaluateAll((cards) => cards.map((card) => card.getAttribute("href")));
    let over = "";
    for (const path of ["/", "/play", "/new", "/about", ...paths]) {
        await go(page, path);
        // Pages are live when they are whole.
        if (path === "/about") await untilIn(page, () => document.getElementById("licences").textContent !== "");
        else await untilLive(page);
        const name = path.replace(/\?.*/, "").slice(1) || "home";
        await page.screenshot({ path: `${scratch}/${name}-${scheme}-${width}.png`, fullPage: true });
        const { said, isThere } = await until(() => tooWide(page), (wide) => wide <= 0, 30000);
        if (!isThere) over += ` ${path} by ${said}`;
    }
    result(`${scheme}, ${width} pixels wide: nothing is cut off`, over === "", over);
    await page.context().close();
}

const testLooks = () => Promise.all([testLook("light", 1200), testLook("dark", 1200), testLook("light", 420), testLook("dark", 420)]);

// --- many pages at once: browsers open few connections to a server ---

async function testMany() {
    const first = await open();
    const pages = await Promise.all(Array.from({ length: 11 }, () => first.context().newPage()));
    await Promise.all(pages.map(async (page) => {
        await go(page, "/play");
        await page.waitForSelector("#terms tr");
        await untilLive(page);
    }));
    result("a dozen pages are live at once", true);
    await first.context().close();
}

// --- the server goes away and comes back ---

async function testRestart() {
    const page = await open({ isWatched: false });
    await startRun(page, 13, 1000000);
    await runCard(page, "play-13", "running");
    await untilLive(page);
    result("the server ends with a page open", (await stop(server)) === 0);
    await page.waitForSelector(".link.lost");
    result("the page says so", true);
    // For a moment the port may be somebody else's.
    const again = await until(() => serve(server.own.port));
    if (!again.isThere) throw new Error(again.said);
    server = again.said;
    await page.goto(server.address.href);
    await page.waitForSelector(".card");
    result("and goes on with the new address", true);
    await go(page, "/new");
    await runCard(page, "play-13", "running");
    result("a run that was started before goes on", true);
    await page.click("#started [data-name=play-13] button:has-text('Stop')");
    await runCard(page, "play-13", "stopped");
    result("and is stopped from the new page", true);
    await page.context().close();
}

for (const test of [testHome, testPlay, testRun, testMatch, testLive, testTune, testSuite, testPlayers, testPapers, testNew, testMany, testLooks]) await test();
result("no message, no failure, no request off the machine", complaints.length === 0, complaints.slice(0, 5).join("\n# "));
await testRestart();
await stop(server);
await browser.close();
end();
