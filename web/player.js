// SPDX-License-Identifier: GPL-3.0-or-later
// A player as one file (falconer weights page): a game against the weights that are in it.
import { count, saveText, showError } from "/web/elements.js";
import { scoreText, showTerms } from "/web/board.js";
import { fillStrengths, makeGame } from "/web/game.js";
import { makeEngine } from "/web/player_engine.js";

const by = (id) => document.getElementById(id);
const bytes = (id) => Uint8Array.from(atob(by(id).textContent), (letter) => letter.charCodeAt(0));
const hintNodes = 200000;

const name = by("name").textContent;
const player = { engine: bytes("engine"), name: by("weights").dataset.name, weights: bytes("weights"), book: bytes("book") };
const engine = makeEngine(by("worker").textContent, player);

const positionLine = () => `position ${game.fen ? `fen ${game.fen}` : "startpos"}${game.moves.length ? ` moves ${game.moves.join(" ")}` : ""}`;
const option = (key, value) => `setoption name ${key} value ${value}`;

// What the chosen strength is in UCI.
function strengthLines() {
    const [kind, value] = by("strength").value.split(" ");
    return [
        option("UCI_LimitStrength", kind === "level"),
        ...(kind === "level" ? [option("UCI_Elo", value)] : []),
        option("OwnBook", player.book.length > 0 && by("own-book").checked),
        positionLine(),
        // Levels have nodes of their own; the time is a bound for slow machines.
        kind === "nodes" ? `go nodes ${value}` : `go movetime ${kind === "level" ? 10000 : value}`,
    ];
}
const hintLines = () => [option("UCI_LimitStrength", false), option("OwnBook", false), positionLine(), `go nodes ${hintNodes}`];

// From White's view.
function scoreOf(thought, mover) {
    const sign = mover === "white" ? 1 : -1;
    return scoreText(Object.fromEntries(Object.entries(thought.score).map(([kind, value]) => [kind, sign * value])));
}

const { game, told, human, say, begin, listen } = makeGame({
    position: (asked) => engine.ask({ ask: "position", ...asked }),
    async think(isHint) {
        const mover = game.position.turn;
        const thought = await engine.think(isHint ? hintLines() : strengthLines(), (info) => say(`thinking … depth ${info.depth}, ${scoreOf(info, mover)}`));
        const line = thought.line.length ? thought.line : [thought.move];
        const after = await engine.ask({ ask: "position", fen: game.fen, moves: [...game.moves, ...line].join(" ") });
        const sans = after.played.slice(game.moves.length).map((move) => move.san);
        const words = thought.isBook ? "from the book" : `${scoreOf(thought, mover)}, depth ${thought.depth}, ${count(thought.nodes)} nodes`;
        return { move: thought.move, san: sans[0], words, line: sans.join(" ") };
    },
    async look(isCurrent) {
        const terms = await engine.ask({ ask: "explain", ...told() });
        if (isCurrent()) showTerms(by("total"), by("terms"), { ...terms, name });
    },
    stop: () => engine.isThinking() && engine.stop(),
    forget: () => engine.converse(["ucinewgame", "isready"], (line) => line === "readyok"),
});

// While the engine thinks, this comes after its move.
async function save() {
    try {
        const names = { white: human() === "black" ? name : "You", black: human() === "white" ? name : "You" };
        const { pgn } = await engine.ask({ ask: "pgn", ...told(), ...names });
        saveText("game.pgn", "application/x-chess-pgn", pgn);
    } catch (error) {
        showError(error);
    }
}

async function prepare() {
    const options = await engine.converse(["uci"], (line) => line === "uciok");
    const elo = /^option name UCI_Elo .* min (\d+) max (\d+)$/.exec(options.find((line) => line.startsWith("option name UCI_Elo ")));
    fillStrengths({ least: Number(elo[1]), most: Number(elo[2]) }, 1e7, 10000);
    by("book-field").hidden = player.book.length === 0;
}

async function run() {
    try {
        await prepare();
        by("save").addEventListener("click", save);
        by("save-weights").addEventListener("click", () => saveText(player.name, "text/plain", player.weights));
        listen();
        await begin("");
    } catch (error) {
        showError(error);
    }
}
run();
