// SPDX-License-Identifier: GPL-3.0-or-later
// The games of a match that go on: a small board for each, its clocks and the scores of both sides.
import { el, get, svg } from "/web/common.js";
import { makeBoard, scoreText } from "/web/board.js";

const pawnsMost = 10; // what a curve shows
const width = 300, height = 60;

// --- clocks ---

function clockText(ms) {
    const seconds = Math.max(0, ms) / 1000;
    if (seconds < 60) return seconds.toFixed(1);
    const whole = Math.floor(seconds), two = (value) => String(value).padStart(2, "0");
    const minutes = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
    return whole < 3600 ? minutes : `${Math.floor(whole / 3600)}:${minutes}`;
}

// What a side has left: the mover's clock runs. Without clocks, how long the mover thinks.
function clockOf(game, color) {
    const isMover = game.turn === color, thought = isMover ? Date.now() - game.since_ms : 0;
    const left = game[`${color}_ms`];
    return left === null ? (isMover ? clockText(thought) : "") : clockText(left - thought);
}

// --- curves ---

const place = (value) => height / 2 - Math.max(-1, Math.min(1, value / 100 / pawnsMost)) * (height / 2 - 2);

// Scores that a side told, from White's view; both sides have every other ply.
function curveOf(game, color) {
    const first = game.plies % 2 === 0 ? game.turn : game.turn === "white" ? "black" : "white";
    const step = width / Math.max(40, game.curve.length);
    return game.curve.map((value, index) => [index, value])
        .filter(([index, value]) => value !== null && (index % 2 === 0) === (first === color))
        .map(([index, value]) => `${((index + 0.5) * step).toFixed(1)},${place(value).toFixed(1)}`).join(" ");
}

const drawCurves = (game) => svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
    "aria-label": `Scores of both sides over ${game.plies} plies, from White's view` },
    svg("line", { class: "even", x1: 0, x2: width, y1: height / 2, y2: height / 2 }),
    ...["white", "black"].map((color) => svg("polyline", { class: `curve ${color}`, points: curveOf(game, color) })));

// --- boards ---

function makeSide(color) {
    const name = el("span", { class: "who" }), score = el("span", { class: "soft" }), clock = el("span", { class: "clock" });
    const node = el("div", { class: `live-side ${color}` }, name, score, clock);
    return {
        node,
        show(game) {
            const told = game[`${color}_score`];
            name.textContent = game[color];
            score.textContent = told ? scoreText(told) : "";
            node.classList.toggle("thinks", game.turn === color);
        },
        tick: (game) => (clock.textContent = clockOf(game, color)),
    };
}

function makeGame() {
    const title = el("div", { class: "soft" }), square = el("div"), curves = el("div", { class: "live-curves" });
    const sides = { white: makeSide("white"), black: makeSide("black") };
    const node = el("article", { class: "live-game" }, title, sides.black.node, el("div", { class: "board" }, square), sides.white.node, curves);
    let board = null, shown = null;
    const tick = () => shown && Object.values(sides).forEach((side) => side.tick(shown));
    return {
        node, tick,
        show(game) {
            // A board must be part of the page when it is made: it measures itself.
            board ??= makeBoard(square);
            shown = game;
            node.dataset.plies = game.plies;
            title.textContent = `Game ${game.game}, move ${game.fen.split(" ")[5]}`;
            board.show(game);
            for (const side of Object.values(sides)) side.show(game);
            curves.replaceChildren(drawCurves(game));
            tick();
        },
    };
}

// Shows the games of a match in `node`, each on the board it began on; `load` gives what the server
// says.
export function makeLive(node, id) {
    const boards = new Map();
    setInterval(() => !document.hidden && boards.forEach((board) => board.tick()), 200);

    function show(games) {
        const told = new Set(games.map((game) => game.board));
        for (const [place, board] of boards) {
            if (told.has(place)) continue;
            board.node.remove();
            boards.delete(place);
        }
        for (const game of games) {
            if (!boards.has(game.board)) {
                boards.set(game.board, makeGame());
                node.append(boards.get(game.board).node);
            }
            boards.get(game.board).show(game);
        }
    }
    return async function load() {
        const told = await get("/api/live", { id });
        show(told.boards);
        return told;
    };
}
