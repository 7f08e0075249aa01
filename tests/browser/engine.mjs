// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of build/wasm/eyas.wasm says what the native one says: EYAS=PROGRAM node engine.mjs NODES BENCH_DEPTH, from the
// root of the repository. Prints TAP.
import { readFileSync } from "node:fs";
import { startEyas } from "../../web/eyas.js";
import { startNative } from "./native.mjs";

const [nodes, benchDepth] = process.argv.slice(2);
const code = readFileSync("build/wasm/eyas.wasm");
const nothing = new Uint8Array();
let tests = 0;
function result(name, isTrue, note = "") {
    console.log(`${isTrue ? "ok" : "not ok"} ${++tests} - ${name}`);
    if (!isTrue && note) console.log(`# ${note}`);
}

// What does not depend on how fast the machine is.
const timeless = (line) => line.replace(/ (nps|time) \d+/g, "").replace(/^(\d+ nodes) .*/, "$1");

// Both engines with the same weights: `same` says a line to both and tells where their answers differ, or "".
function startBoth(weights) {
    let said = [];
    const browser = startEyas(code, { name: weights, weights: readFileSync(weights), book: nothing }, (line) => said.push(line));
    const native = startNative(weights);
    const tell = (line) => {
        native.tell(line);
        browser.line(line);
        said = [];
    };
    tell("setoption name OwnBook value false");
    async function same(line, isLast) {
        said = [];
        browser.line(line);
        const [ours, theirs] = [said, await native.ask(line, isLast)].map((lines) => lines.filter((text) => text !== "").map(timeless));
        const index = ours.findIndex((text, i) => text !== theirs[i]);
        if (ours.length === theirs.length && index < 0) return "";
        return `${line}: "${ours[index] ?? ours.length}" and "${theirs[index] ?? theirs.length}"`;
    }
    return { tell, same, browser, end: native.end };
}
const isMove = (line) => line.startsWith("bestmove");

const positions = [...readFileSync("src/uci/bench.def", "utf8").matchAll(/"([^"]+)"/g)].map((match) => match[1]);
for (const line of readFileSync("tests/data/openings.epd", "utf8").split("\n").slice(1, 11)) positions.push(`${line.split(" ", 4).join(" ")} 0 1`);
positions.push("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");

async function testPositions(weights) {
    const both = startBoth(weights);
    let first = "";
    for (const fen of positions) {
        both.tell("ucinewgame");
        both.tell(`position fen ${fen}`);
        first ||= await both.same(`go nodes ${nodes}`, isMove);
    }
    result(`${weights}: ${positions.length} positions at ${nodes} nodes: moves, scores, lines and counts are the same`, first === "" && positions.length >= 50, first);
    both.end();
}

async function testRest() {
    const both = startBoth("weights/falcon.weights");
    const bench = await both.same(`bench ${benchDepth}`, (line) => / nodes \d+ nps$/.test(line));
    result(`bench ${benchDepth} counts the same nodes`, bench === "", bench);
    let first = "";
    const moves = [];
    for (const move of ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3"]) {
        moves.push(move);
        both.tell(`position startpos moves ${moves.join(" ")}`);
        first ||= await both.same("go nodes 3000", isMove);
    }
    result("a game, in which the table is kept", first === "", first);
    both.tell("setoption name UCI_LimitStrength value true");
    both.tell("setoption name UCI_Elo value 1400");
    first = await both.same("go movetime 600000", isMove);
    result("a level", first === "", first);
    first = await both.same("perft 3", (line) => line.startsWith("Nodes searched"));
    result("perft", first === "", first);

    let said = [];
    const alone = startEyas(code, { name: "tal.weights", weights: readFileSync("weights/players/tal.weights"),
        book: readFileSync("weights/players/tal.bin") }, (line) => said.push(line));
    alone.line("uci");
    result("weights have their name, and their book", said[0].endsWith(" (Tal)") && said.includes("option name OwnBook type check default true"), said[0]);
    said = [];
    alone.line("go nodes 10");
    result("which is played from", said[0] === "info string book move", said[0]);
    said = [];
    alone.line("go infinite");
    result("what could never be stopped is refused", said.length === 1 && said[0].startsWith("info string a search cannot be stopped here"), said[0]);
    for (const [what, question] of [["a move that is none", { ask: "position", moves: "e2e5" }], ["a FEN that is none", { ask: "explain", fen: "x" }],
        ["a question that is none", { ask: "mate" }]]) {
        let message = "";
        try {
            alone.ask(question);
        } catch (error) {
            message = error.message;
        }
        result(`${what} is refused`, message !== "");
    }
    let message = "";
    try {
        startEyas(code, { name: "bad.weights", weights: new TextEncoder().encode("family falcon 99\n"), book: nothing }, () => {});
    } catch (error) {
        message = error.message;
    }
    result("weights that are none are refused", message.startsWith("bad.weights"), message);
    both.end();
}

for (const weights of ["weights/falcon.weights", "weights/maestro-evolved.weights", "weights/players/tal.weights"]) await testPositions(weights);
await testRest();
console.log(`1..${tests}`);
