// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of falconer serve in Chromium: FALCONER=PROGRAM CHROMIUM=PROGRAM node pages.mjs FOLDER SCRATCH, from the root of the repository. Prints TAP.
// FOLDER holds a finished run "run", a finished match "match" a list "engines.txt" with an engine "fake", a tuning "options", a suite "answers.jsonl", a clone "tal" and a paper
// "results/gecco2008"; pictures of all pages go into SCRATCH.
import { spawn as start } from "node:child_process";
import { createRequire } from "node:module";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const { chromium } = createRequire(`${process.cwd()}/build/browser/`)("playwright-core");
const falconer = process.env.FALCONER;
const [folder, scratch] = process.argv.slice(2);
const patience = { timeout: 1000 * (process.env.PATIENCE || 300) };
mkdirSync(scratch, { recursive: true });

let tests = 0;
function result(name, isTrue, note = "") {
    console.log(`${isTrue ? "ok" : "not ok"} ${++tests} - ${name}`);
    if (!isTrue && note) console.log(`# ${note}`);
}

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

function serve(port = 0) {
    const child = spawn(falconer, ["serve", "--port", String(port), "--engines", `${folder}/engines.txt`, folder], { stdio: ["ignore", "pipe", "inherit"] });
    return new Promise((resolve) => {
        let said = "";
        child.stdout.on("data", (data) => {
            said += data;
            const address = /Open (\S+)\n/.exec(said);
            if (address) resolve({ child, address: new URL(address[1]) });
        });
    });
}

const ended = (child) => new Promise((resolve) => child.on("exit", (code) => resolve(code)));
async function stop({ child }) {
    const code = ended(child);
    child.kill("SIGINT");
    return code;
}

// --- the browser ---

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
let server = await serve();
const complaints = [];

// A page that is logged in; what goes wrong in it is kept, unless that is what is tested.
async function open({ width = 1200, scheme = "light", isWatched = true } = {}) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    const page = await context.newPage();
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
    page.setDefaultTimeout(patience.timeout);
    await page.goto(server.address.href);
    await page.waitForURL((url) => url.search === "");
    return page;
}
const go = (page, path) => page.goto(new URL(path, server.address).href);
const text = (page, selector) => page.locator(selector).innerText();

async function clickSquare(page, square, isFlipped = false) {
    const box = await page.locator("#board cg-board").boundingBox();
    const file = square.charCodeAt(0) - 97, rank = Number(square[1]) - 1;
    const x = isFlipped ? 7 - file : file, y = isFlipped ? rank : 7 - rank;
    await page.mouse.click(box.x + (x + 0.5) * box.width / 8, box.y + (y + 0.5) * box.height / 8);
}
async function move(page, from, to, isFlipped = false) {
    await clickSquare(page, from, isFlipped);
    await clickSquare(page, to, isFlipped);
}
// Waits until a function is true in the page. (Playwright's own way needs eval, which the pages forbid.)
async function until(page, check, argument = null) {
    for (const end = Date.now() + patience.timeout; ; await page.waitForTimeout(50)) {
        if (await page.evaluate(check, argument)) return;
        if (Date.now() > end) throw new Error(`never: ${check}`);
    }
}
// Waits until the list has so many moves.
const untilMoves = (page, count) => until(page, (wanted) => document.querySelectorAll("#moves button").length === wanted, count);

// --- Home, while a run begins and ends ---

async function testHome() {
    const page = await open();
    await page.waitForSelector(".card");
    result("home has a card for each thing", (await page.locator(".card").count()) === 6);
    // So long that it goes on until it is stopped, on any machine.
    const run = spawn(falconer, ["evolve", "play", "--population", "50", "--generations", "1000000", "-o", `${folder}/new`], { stdio: "ignore" });
    await page.waitForSelector(".card:has-text('new') .state.running", patience);
    result("a run that begins appears by itself", true);
    run.kill("SIGINT");
    await ended(run);
    await page.waitForSelector(".card:has-text('new') .state.stopped", patience);
    result("and is told of as stopped", true);
    const short = spawn(falconer, ["evolve", "play", "--population", "50", "--generations", "20", "-o", `${folder}/short`], { stdio: "ignore" });
    await ended(short);
    await page.waitForSelector(".card:has-text('short') .state.finished", patience);
    result("one that ends is told of as finished", true);
    await page.context().close();
}

// --- Play ---

async function testPlay() {
    const page = await open();
    await go(page, "/play");
    await page.waitForSelector("#terms tr");
    await page.selectOption("#color", "both");
    for (const [index, [from, to]] of [["f2", "f3"], ["e7", "e5"], ["g2", "g4"], ["d8", "h4"]].entries()) {
        await move(page, from, to);
        await untilMoves(page, index + 1);
    }
    await page.waitForSelector("#thought .outcome");
    result("a game to mate by clicking", (await text(page, "#thought")).startsWith("0-1: checkmate"), await text(page, "#thought"));
    const saved = page.waitForEvent("download");
    await page.click("#save");
    result("is saved as PGN", (await saved).suggestedFilename() === "game.pgn");
    await page.click("#back");
    await untilMoves(page, 3);
    result("a move is taken back", true);

    await page.selectOption("#color", "white");
    await page.selectOption("#strength", "nodes 100");
    await page.click("#new");
    await untilMoves(page, 0);
    await page.fill("#say", "e4");
    await page.press("#say", "Enter");
    await untilMoves(page, 2);
    result("a move by keyboard, and the engine's answer", (await text(page, "#moves button:first-of-type")) === "e4");
    await page.click("#hint");
    await until(page, () => document.getElementById("thought").textContent.startsWith("Hint: "));
    await until(page, () => document.querySelector("#board svg.cg-shapes line") !== null);
    result("a hint, with an arrow", true);

    await page.fill("#fen", "7k/P7/8/8/8/8/8/K7 w - - 0 1");
    await page.press("#fen", "Enter");
    await until(page, () => document.querySelectorAll("#moves button").length === 0 && document.querySelectorAll("#board piece:not(.ghost, .fading)").length === 3);
    await move(page, "a7", "a8");
    await page.click("dialog button:has-text('Rook')");
    await untilMoves(page, 2);
    result("a promotion is asked for", (await text(page, "#moves button:first-of-type")).startsWith("a8=R"));

    await page.click("#flip");
    await page.selectOption("#which", "engine/fake");
    await page.click("#new");
    await untilMoves(page, 0);
    result("levels are for weights alone", await page.locator("#by-level").isDisabled());
    await page.selectOption("#strength", "time 100");
    await move(page, "e2", "e4");
    await untilMoves(page, 2);
    result("an engine of the list answers, by time", (await text(page, "#thought")).includes("nodes"));
    await page.fill("#fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    await page.press("#fen", "Enter");
    await until(page, () => document.querySelectorAll("#board piece:not(.ghost, .fading)").length === 6);
    await move(page, "a1", "a8");
    await page.waitForSelector("#thought .outcome");
    result("which is mated by clicking", (await text(page, "#thought")).startsWith("1-0: checkmate"), await text(page, "#thought"));
    await page.click("#new");
    await untilMoves(page, 0);
    await page.click("#choose summary");
    for (const which of ["shipped/tal", "shipped/falcon", "engine/fake"]) await page.check(`#others input[value="${which}"]`);
    await until(page, () => document.querySelectorAll("#answers tr[tabindex]").length === 3);
    await page.focus("#answers tr:nth-child(2)");
    await until(page, () => document.querySelectorAll("#board svg.cg-shapes line").length > 0);
    result("what others would play, in a table and as an arrow",
        (await page.locator("#answers tr td:nth-child(2)").allInnerTexts()).every((san) => san.length > 1));
    await page.screenshot({ path: `${scratch}/play-others.png`, fullPage: true });
    await page.context().close();
}

// --- Run ---

async function testRun() {
    const page = await open();
    await page.waitForSelector(".card");
    await page.click("a.card:has-text('run')");
    await until(page, () => document.getElementById("genes").height > 200);
    result("curves are drawn", (await page.locator(".uplot canvas").count()) === 2);
    await page.focus("#genes");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector("#organism tr");
    result("a generation is chosen by keyboard", (await text(page, "#organism-title")) === "The best of generation 1", await text(page, "#organism-title"));
    const box = await page.locator("#genes").boundingBox();
    await page.mouse.click(box.x + box.width - 4, box.y + 10);
    await until(page, () => !document.getElementById("organism-title").textContent.endsWith(" 1"));
    result("and by a click", true);
    await page.focus("#lines");
    await page.keyboard.press("ArrowDown");
    await until(page, () => document.getElementById("organism-title").textContent.startsWith("Organism "));
    const first = await text(page, "#organism-title");
    await page.keyboard.press("ArrowDown");
    await until(page, (before) => document.getElementById("organism-title").textContent !== before, first);
    result("an organism is chosen by keyboard", true);
    const field = await page.locator("#lines").boundingBox();
    await page.selectOption("#lines-scale", "own");
    // Along the row of the first gene until something is pointed at.
    let at = field.x + field.width - 2;
    do await page.mouse.move(at -= 6, field.y + 7);
    while (at > field.x && !(await text(page, "#lines-pointed")).startsWith("PAWN_VALUE of "));
    const pointed = await text(page, "#lines-pointed");
    await page.mouse.click(at, field.y + 7);
    await until(page, () => document.getElementById("lines-pointed").textContent.startsWith("Generation 20: "));
    result("and by a click on its line", pointed.includes((await text(page, "#lines-pointed")).slice("Generation 20: ".length)), pointed);
    await page.fill("#kept", "3");
    await until(page, () => document.getElementById("kept-label").textContent.startsWith("Generation 3 "));
    result("any generation that was kept can be seen", true);
    result("with published and optimal values", (await text(page, "#organism-head")).includes("GECCO 2008") && (await text(page, "#organism-head")).includes("optimum"));
    await page.click("#find-error");
    await until(page, () => document.querySelectorAll("#error-positions piece").length > 12);
    result("and where its error lies", /training set/.test(await text(page, "#error-figure")));
    result("the lineage of the best", (await page.locator("#lineage tr").count()) > 1);
    await page.screenshot({ path: `${scratch}/microscope.png`, fullPage: true });
    await page.click("#organism-tools a:first-child");
    await page.waitForSelector("#terms tr");
    result("from which one plays it", (await page.locator("#which option:checked").innerText()).includes("generation"));
    await page.context().close();
}

// --- Match ---

async function testMatch() {
    const page = await open();
    await page.waitForSelector(".card");
    await page.click("a.card:has-text('match')");
    await page.waitForSelector("#moves button[aria-current]");
    result("the last game is shown", (await text(page, "#players-of-game")).startsWith("Game 4: "));
    result("a name with a script in it is text", (await text(page, "#players")).includes("<img src=x onerror=alert(1)>"));
    await page.click("#games tr:last-child button");
    await until(page, () => document.getElementById("players-of-game").textContent.startsWith("Game 1: "));
    await page.click("#first");
    result("a game from its start", (await text(page, "#thought")) === "The start of the game.");
    await page.focus("#board");
    await page.keyboard.press("ArrowRight");
    const san = await text(page, "#moves button[aria-current]");
    result("move by move, with the engines' scores", (await text(page, "#thought")).startsWith(`${san}: `) && / depth \d/.test(await text(page, "#thought")));
    await page.click("#play-here");
    await page.waitForSelector("#terms tr");
    result("and played on from there", (await page.inputValue("#fen")).split(" ").length === 6);
    await page.context().close();
}

// A match that goes on until it is stopped; its page shows the boards of its games.
async function testLive() {
    const page = await open();
    const playing = spawn(falconer, ["match", "-engine", "weights=falcon.weights", "name=one", "-engine", "weights=maestro-hand.weights", "name=two",
        "-each", "tc=3000+10", "nodes=50000", "-rounds", "5000", "-repeat", "-openings", "file=openings.epd", "-concurrency", "2", "--resume", `${folder}/live`], { stdio: "ignore" });
    await page.waitForSelector("a.card:has-text('live') .state.running");
    await page.click("a.card:has-text('live')");
    await page.waitForSelector(".live-game piece");
    await until(page, () => document.querySelectorAll(".live-game").length === 2);
    result("a board for each game that goes on", (await page.locator(".live-game cg-board").count()) === 2);
    const places = () => page.locator(".live-game:first-child piece:not(.ghost, .fading)").evaluateAll((all) => all.map((one) => one.className + one.style.transform).sort().join());
    const before = await places();
    await until(page, () => document.querySelector(".live-game:first-child .curve.white").getAttribute("points") !== "");
    for (const end = Date.now() + patience.timeout; (await places()) === before && Date.now() < end;) await page.waitForTimeout(100);
    result("which changes by itself", (await places()) !== before);
    const clock = await text(page, ".live-game:first-child .white .clock");
    result("with clocks", /^\d\d:\d\d$/.test(clock), clock);
    for (const [scheme, width] of [["light", 1200], ["dark", 1200], ["light", 420], ["dark", 420]]) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: `${scratch}/live-${scheme}-${width}.png` });
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    result("and fits a narrow screen", wide <= 0, `${wide} too wide`);
    playing.kill("SIGINT");
    await ended(playing);
    await until(page, () => document.getElementById("live-panel").hidden);
    result("and goes when the match is stopped", true);
    await page.context().close();
}

// --- Tune, Suite, Players, Papers ---

async function testTune() {
    const page = await open();
    await page.click("a.card:has-text('options')");
    await page.waitForSelector("#option-1 .uplot canvas");
    result("a tuning has two charts for each option, and two of its test", (await page.locator(".uplot canvas").count()) === 6);
    result("its values with intervals", /^A\s+20\s+[\d.]+\s+[\d.]+ to [\d.]+\s+0\s+100$/.test((await text(page, "#values tr:first-child")).trim()), await text(page, "#values tr:first-child"));
    result("its verdict", (await text(page, "#verdict")).includes("Verdict: "));
    await page.click("#links a");
    await page.waitForSelector("h1:has-text('Options of fake')");
    result("and its report", (await page.locator("svg").count()) > 3);
    await page.context().close();
}

async function testSuite() {
    const page = await open();
    await page.click("a.card:has-text('answers.jsonl')");
    await page.waitForSelector("#positions img");
    result("a suite has boards, two dozen at a time", (await page.locator("#positions img").count()) === 24);
    result("a name with tags is text", (await text(page, "#engines")).includes("<b>bold</b>"));
    await until(page, () => document.querySelector("#positions img").naturalWidth > 0);
    result("which are drawn", true);
    await page.click("#on");
    result("the rest is on the next page", (await page.locator("#positions img").count()) === 6);
    await page.selectOption("#outcome", "solved");
    await page.selectOption("#engine", "1");
    const solved = Number((await page.locator("#engines tr:nth-child(2) td:nth-child(2)").innerText()));
    result("those that an engine solved", (await page.locator("#positions figure").count()) === Math.min(24, solved), `${solved}`);
    await page.selectOption("#outcome", "all");
    await page.click("#positions figure:first-child a");
    await page.waitForSelector("#terms tr");
    result("and a position to play from", (await page.inputValue("#fen")).split(" ").length === 6);
    await page.context().close();
}

async function testPlayers() {
    const page = await open();
    await go(page, "/players");
    await page.waitForSelector("#models .card");
    result("ten players with their cards", (await page.locator("#models .card").count()) === 10);
    result("a clone, whose name is text", (await text(page, "#clones")).includes("<i>Tal</i>"));
    await page.fill("#pgn", readFileSync(`${folder}/match/games.pgn`, "utf8").split("\n\n[Event")[0]);
    await page.click("#ask");
    await page.waitForSelector("#verdicts table");
    const names = await page.locator("#verdicts h3").allInnerTexts();
    result("who played a game: both sides", names.length === 2 && names.some((name) => name.includes("<img src=x onerror=alert(1)>")), names.join("; "));
    result("with chances for all", (await page.locator("#verdicts tbody tr").count()) === 20);
    await page.click("#models .card[data-name=tal] a");
    await page.waitForSelector("#terms tr");
    result("from which one plays one", (await page.inputValue("#which")) === "shipped/tal");
    await page.context().close();
}

async function testPapers() {
    const page = await open();
    await page.click("a.card:has-text('gecco2008')");
    await page.waitForSelector("iframe");
    await page.frameLocator("iframe").locator("h1:has-text('Options of fake')").waitFor();
    result("a paper in a frame", (await text(page, ".card[aria-current]")).includes("version 0.9.9, scale quick"));
    await page.click(".card:has-text('GECCO 2009')");
    await page.waitForSelector(".text table");
    result("one that comes with the program", (await page.locator(".text table").count()) > 2);
    await page.context().close();

    // A page that somebody put there runs nothing and asks for nothing.
    mkdirSync(`${folder}/results/odd-quick`);
    writeFileSync(`${folder}/results/odd-quick/steps.jsonl`, "{}\n");
    writeFileSync(`${folder}/results/odd.html`, "<!doctype html><title>odd</title><script>alert(1); document.title = 'ran'</script><img src=http://127.0.0.1:1/x onerror=alert(2)>" +
        "<meta http-equiv=refresh content='0;url=http://127.0.0.1:1/away'><iframe src=http://127.0.0.1:1/frame></iframe><p>odd");
    const other = await open({ isWatched: false });
    const seen = [];
    other.on("dialog", (dialog) => seen.push(dialog.message()));
    // What was blocked before it was sent is told of as failed.
    other.on("response", (response) => new URL(response.url()).host !== server.address.host && seen.push(response.url()));
    other.on("requestfailed", (request) => request.url().includes("127.0.0.1:1/") && !/csp|BLOCKED/i.test(request.failure().errorText) && seen.push(request.url() + request.failure().errorText));
    await other.waitForSelector("a.card:has-text('odd')");
    await other.click("a.card:has-text('odd')");
    await other.frameLocator("iframe").locator("p:has-text('odd')").waitFor();
    await other.click("#paper-tools a");
    await other.waitForSelector("p:has-text('odd')");
    result("a page with scripts runs none and loads nothing", seen.length === 0 && (await other.title()) === "odd", seen.join("; "));
    await other.context().close();
    rmSync(`${folder}/results/odd-quick`, { recursive: true });
    rmSync(`${folder}/results/odd.html`);
}

// --- New ---

const runCard = (page, name, state) => page.waitForSelector(`#started [data-name="${name}"] .state.${state}`, patience);
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
    await until(page, (wanted) => document.getElementById("command").textContent.includes(wanted), `--seed ${seed} `);
    await page.click("#start:enabled");
}

async function testNew() {
    const page = await open();
    await go(page, "/new");
    await page.waitForSelector("#set-population");
    await page.selectOption("#preset", "gecco2008");
    await until(page, () => document.getElementById("command").textContent.startsWith("falconer evolve gecco2008 "));
    result("a preset tells what it is", (await text(page, "#about")).includes("GECCO 2008"));
    await setField(page, "population", "; touch x");
    await page.waitForSelector("#fault:visible");
    result("a wrong value is refused beside its field",
        (await text(page, "#fault")).startsWith("population must be") && (await page.locator(".field.bad #set-population").count()) === 1 && (await page.isDisabled("#start")));
    await setField(page, "population", "1000");
    await page.waitForSelector("#start:enabled");
    result("and the preset's own is no change", !(await text(page, "#command")).includes("--population"));
    await page.selectOption("#set-algorithm", "cmaes");
    await page.waitForSelector("#set-step");
    result("another algorithm has other settings", (await page.locator("#set-selection").count()) === 0);

    await page.selectOption("#preset", "match");
    await page.waitForSelector("#set-first");
    await page.selectOption("#set-first", "shipped/falcon");
    await page.selectOption("#set-second", "shipped/tal");
    await page.waitForSelector("#start:enabled");
    result("a match of two weights", / name=falcon .* name=tal /.test(await text(page, "#command")), await text(page, "#command"));
    await page.screenshot({ path: `${scratch}/new-match.png`, fullPage: true });

    await startRun(page, 11, 1000000);
    await runCard(page, "play-11", "running");
    const home = await page.context().newPage();
    await go(home, "/");
    await home.waitForSelector(".card:has-text('runs/play-11') .state.running", patience);
    result("a run is started, and appears at home", true);
    await page.click("#started [data-name=play-11] button:has-text('Stop')");
    await runCard(page, "play-11", "stopped");
    await home.waitForSelector(".card:has-text('runs/play-11') .state.stopped", patience);
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
    await until(page, () => document.querySelectorAll(".uplot canvas").length > 0);
    result("and leads to its curves", true);
    await page.context().close();
}

// --- light and dark, wide and narrow ---

async function testLooks() {
    for (const [scheme, width] of [["light", 1200], ["dark", 1200], ["light", 420], ["dark", 420]]) {
        const page = await open({ scheme, width });
        await page.waitForSelector("a.card");
        const paths = await page.locator("a.card").evaluateAll((cards) => cards.map((card) => card.getAttribute("href")));
        let over = "";
        for (const path of ["/", "/play", "/new", "/about", ...paths]) {
            await go(page, path);
            await until(page, () => document.querySelector("header .link").textContent === "live" || location.pathname === "/about");
            const name = path.replace(/\?.*/, "").slice(1) || "home";
            await page.screenshot({ path: `${scratch}/${name}-${scheme}-${width}.png`, fullPage: true });
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            if (wide > 0) over += ` ${path} by ${wide}`;
        }
        result(`${scheme}, ${width} pixels wide: nothing is cut off`, over === "", over);
        await page.context().close();
    }
}

// --- many pages at once: browsers open few connections to a server ---

async function testMany() {
    const first = await open();
    const pages = await Promise.all(Array.from({ length: 11 }, () => first.context().newPage()));
    for (const page of pages) {
        await go(page, "/play");
        await page.waitForSelector("#terms tr");
        await until(page, () => document.querySelector("header .link").textContent === "live");
    }
    result("a dozen pages are live at once", true);
    await first.context().close();
}

// --- the server goes away and comes back ---

async function testRestart() {
    const page = await open({ isWatched: false });
    await startRun(page, 13, 1000000);
    await runCard(page, "play-13", "running");
    await until(page, () => document.querySelector("header .link").textContent === "live");
    result("the server ends with a page open", (await stop(server)) === 0);
    await page.waitForSelector(".link.lost");
    result("the page says so", true);
    server = await serve(server.address.port);
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
console.log(`1..${tests}`);
