// SPDX-License-Identifier: GPL-3.0-or-later
// Match: the games that go on, the table, the difference and its test, and finished games to replay.
import { clearError, count, el, frame, get, listen, number, percent, progress, query, showError, signed, state } from "/web/common.js";
import { makeBoard, scoreText } from "/web/board.js";
import { makeChart } from "/web/chart.js";
import { makeLive } from "/web/live.js";

const by = (id) => document.getElementById(id);
const id = query().id;
const pageSize = 100;
const pawnsMost = 10; // what a chart of scores shows

let match = null;
let charts = {};

// --- the table ---

const elo = (value) => (value === null ? "–" : signed(value, 1));

function showPlayers() {
    // Of two the difference above says it all.
    by("ratings").hidden = match.player_count < 3;
    for (const cell of by("players").closest("table").querySelectorAll("th.elo")) cell.hidden = match.player_count < 3;
    const order = match.players.map((player, index) => [player, index]).sort(([a], [b]) => b.elo - a.elo || b.score - a.score);
    by("players").replaceChildren(...order.map(([player]) => el("tr", {},
        el("td", {}, player.name), el("td", {}, count(player.wins + player.draws + player.losses)), el("td", {}, count(player.wins)),
        el("td", {}, count(player.draws)), el("td", {}, count(player.losses)), el("td", {}, percent(player.score)),
        ...(match.player_count < 3 ? [] : [el("td", {}, elo(player.elo)), el("td", {}, player.plus === null ? "–" : `+${number(player.plus, 0)} −${number(player.minus, 0)}`)]))));
}

function showDifference() {
    const { difference, sprt } = match;
    if (!difference) return;
    const verdicts = { "goes on": "has not decided", H0: `accepted ${sprt?.elo0} Elo`, H1: `accepted ${sprt?.elo1} Elo` };
    by("difference").textContent =
        `${match.players[0].name} against ${match.players[1].name}: ${elo(difference.elo)} Elo ` +
        `(95% interval ${elo(difference.low)} to ${elo(difference.high)}), by ${difference.pairs ? "pairs of games" : "single games"}; likelihood of superiority ${percent(difference.los)}.` +
        (sprt ? ` The sequential test of ${sprt.elo0} against ${sprt.elo1} Elo ${verdicts[sprt.verdict]} ` +
            `(LLR ${number(sprt.llr, 2)} within ${number(sprt.lower, 2)} to ${number(sprt.upper, 2)}).` : "");
}

function showPaths() {
    if (!match.path || match.path.length < 2) return;
    by("paths-panel").hidden = false;
    const games = match.path.map((step) => step.games);
    // The first games leave everything possible, and would make all others small.
    const later = match.path.slice(match.path.length < 40 ? 0 : Math.ceil(match.path.length / 20));
    charts.elo ??= makeChart(by("elo-path"), { x: "games", unit: "Elo", digits: 1, height: 240, series: [
        { label: "difference", color: "--series-1" }, { label: "low", color: "--soft", width: 1 }, { label: "high", color: "--soft", width: 1 }] });
    charts.elo.set([later.map((step) => step.games), ...["elo", "low", "high"].map((key) => later.map((step) => step[key]))]);
    if (!match.sprt) return;
    charts.llr ??= makeChart(by("llr-path"), { x: "games", digits: 2, height: 200, series: [
        { label: "LLR", color: "--series-1" }, { label: "H0", color: "--series-2", dash: [6, 4] }, { label: "H1", color: "--series-3", dash: [6, 4] }] });
    charts.llr.set([games, match.path.map((step) => step.llr), games.map(() => match.sprt.lower), games.map(() => match.sprt.upper)]);
}

const loadLive = makeLive(by("live"), id);

// Boards change all the time, the rest when a game has ended: true where it has.
async function watch() {
    const told = await loadLive();
    by("live-panel").hidden = told.boards.length === 0;
    return told.games !== match.games || told.state !== match.state;
}

async function load() {
    match = await get("/api/match", { id });
    document.title = `${match.name} - Falconer`;
    by("title").replaceChildren(match.name, " ", state(match));
    by("about").textContent = `${match.kind_of_event} of ${count(match.field)}; game ${count(match.games)}` +
        (match.total === null ? "" : ` of ${count(match.total)}`);
    by("progress").replaceChildren(...(match.state === "finished" ? [] : [progress(match)].filter(Boolean)));
    showPlayers();
    showDifference();
    showPaths();
}

// --- the list of games ---

let listFrom = null; // null: the last ones
let listsAsked = 0, gamesAsked = 0; // the last that was asked for is shown, whichever answer comes last

async function showGames() {
    const turn = ++listsAsked;
    const from = listFrom ?? Math.max(0, match.games - pageSize);
    const { games } = await get("/api/games", { id, from });
    if (turn !== listsAsked) return;
    const name = (index) => match.players[index]?.name ?? "?";
    by("games").replaceChildren(...games.slice(0, pageSize).reverse().map((game) =>
        el("tr", { "aria-current": replay.number === game.game ? "true" : null },
            el("td", {}, el("button", { type: "button", onclick: () => open(game.game) }, String(game.game))),
            el("td", {}, name(game.white)), el("td", {}, name(game.black)), el("td", {}, game.result), el("td", {}, count(game.plies)))));
    by("older").disabled = from === 0;
    by("newer").disabled = from + pageSize >= match.games;
}

const turnPage = (step) => {
    if (!match) return null;
    const last = Math.max(0, match.games - pageSize);
    const from = Math.min(last, Math.max(0, (listFrom ?? last) + step * pageSize));
    listFrom = from === last ? null : from;
    return guarded(showGames);
};

// --- a game ---

const replay = { number: 0, game: null, ply: 0, orientation: "white" };
const board = makeBoard(by("board"));

function showScores() {
    // From White's view, in pawns; mates at the edge.
    const pawns = (move) => (move.mate !== undefined ? Math.sign(move.mate) * pawnsMost :
        move.cp !== undefined ? Math.max(-pawnsMost, Math.min(pawnsMost, move.cp / 100)) : null);
    const { played, start } = replay.game;
    const first = start.split(" ")[1] === "w" ? 0 : 1;
    const of = (color) => played.map((move, index) => ((index + first) % 2 === color ? pawns(move) : null));
    charts.scores ??= makeChart(by("scores"), { x: "ply", height: 180, range: [-pawnsMost, pawnsMost], onPick: (ply) => show(ply), series: [
        { label: "White's score", color: "--series-1" }, { label: "Black's score, from White's view", color: "--series-2" }] });
    charts.scores.set([played.map((_, index) => index + 1), of(0), of(1)]);
}

function showMoves() {
    const { played, start } = replay.game;
    const black = start.split(" ")[1] === "b" ? 1 : 0, first = Number(start.split(" ")[5]);
    by("moves").replaceChildren(...played.flatMap((move, index) => {
        const place = index + black, cells = [];
        if (place % 2 === 0 || index === 0) cells.push(el("span", { class: "soft" }, `${first + Math.floor(place / 2)}.`));
        if (index === 0 && black) cells.push(el("span", {}, "…"));
        cells.push(el("button", { type: "button", "data-ply": index + 1, onclick: () => show(index + 1) }, move.san));
        return cells;
    }));
}

// What the mover thought of its move.
function thoughtOf(move) {
    if (move.cp === undefined && move.mate === undefined) return `${move.san}: no score`;
    return `${move.san}: ${scoreText(move)}${move.mate === undefined ? " for White" : ""}, depth ${move.depth}` + (move.seconds === null ? "" : `, ${number(move.seconds, 3)} s`);
}

function show(ply) {
    const { played, start } = replay.game;
    replay.ply = Math.min(played.length, Math.max(0, ply));
    const move = played[replay.ply - 1];
    const fen = move?.fen ?? start;
    board.show({ fen, turn: fen.split(" ")[1] === "w" ? "white" : "black", check: move?.check, last: move?.uci }, { orientation: replay.orientation });
    by("thought").textContent = move ? thoughtOf(move) : "The start of the game.";
    by("play-here").href = `/play?${new URLSearchParams({ fen })}`;
    for (const button of by("moves").querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const current = by("moves").querySelector(`[data-ply="${replay.ply}"]`);
    current?.setAttribute("aria-current", "true");
    if (current) by("moves").scrollTop = current.offsetTop - by("moves").offsetTop - 60;
    by("first").disabled = by("previous").disabled = replay.ply === 0;
    by("next").disabled = by("last").disabled = replay.ply === played.length;
}

async function guarded(work) {
    try {
        await work();
        clearError();
    } catch (error) {
        showError(error);
    }
}

const open = (wanted) => guarded(async () => {
    const turn = ++gamesAsked;
    const game = await get("/api/game", { id, game: wanted });
    if (turn !== gamesAsked) return;
    replay.game = game;
    replay.number = wanted;
    const { white, black, result, termination } = replay.game;
    by("game").value = wanted;
    by("players-of-game").textContent = `Game ${wanted}: ${white} – ${black}, ${result} (${termination || "normal"})`;
    history.replaceState(null, "", `/match?${new URLSearchParams({ id, game: wanted })}`);
    showMoves();
    showScores();
    show(replay.game.played.length);
    await showGames();
});

// --- the page ---

frame();
by("game").addEventListener("change", () => open(Number(by("game").value)));
by("older").addEventListener("click", () => turnPage(-1));
by("newer").addEventListener("click", () => turnPage(1));
const goTo = { first: () => 0, previous: () => replay.ply - 1, next: () => replay.ply + 1, last: () => replay.game.played.length };
for (const [name, place] of Object.entries(goTo)) by(name).addEventListener("click", () => replay.game && show(place()));
by("flip").addEventListener("click", () => {
    replay.orientation = replay.orientation === "white" ? "black" : "white";
    if (replay.game) show(replay.ply);
});
by("board").addEventListener("keydown", (event) => {
    const key = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    if (!key || !replay.game) return;
    event.preventDefault();
    show(goTo[key]());
});
await guarded(async () => {
    await load();
    await watch();
    if (match.games > 0) await open(Number(query().game) || match.games);
});
listen((changed) => changed(id) && guarded(async () => {
    if (!(await watch())) return;
    await load();
    if (listFrom === null) await showGames();
    if (!replay.game && match.games > 0) await open(match.games);
}));
