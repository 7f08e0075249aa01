// SPDX-License-Identifier: GPL-3.0-or-later
// Play: a game against any weights or engine, what they think of the position, and what others would play.
import { count, el, frame, get, listen, post, query, saveText, showError } from "/web/common.js";
import { scoreText, showTerms } from "/web/board.js";
import { fillStrengths, makeGame } from "/web/game.js";
import { makeOthers } from "/web/others.js";

const by = (id) => document.getElementById(id);
const hintNodes = 200000, hintTime = 1000;
// Whose score is shown where the opponent is an engine, which tells none term by term.
const builtIn = "shipped/falcon";
// This page's name for itself: the engines that it asks are its own.
const page = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
let askOthers = null;

const which = () => by("which").value;
const isEngine = () => which().startsWith("engine/");
const opponent = () => by("which").selectedOptions[0].textContent;

function strength() {
    const [kind, value] = by("strength").value.split(" ");
    return { [kind]: Number(value) };
}

async function explain(isCurrent) {
    const terms = await post("/api/explain", { ...told(), page, which: isEngine() ? builtIn : which() });
    if (isCurrent()) showTerms(by("total"), by("terms"), terms);
}

const lookOthers = (isCurrent) => askOthers({ ...told(), page }, Boolean(game.position.end), isCurrent);
// Others are chosen while the opponent may be thinking.
function otherOthers() {
    const { position } = game;
    if (position) lookOthers(() => game.position === position);
}

const { game, told, board, human, guarded, answer, begin, listen: listenToUser } = makeGame({
    position: (asked) => post("/api/position", { ...asked, page }),
    async think(isHint) {
        const limit = isHint ? (isEngine() ? { time: hintTime } : { nodes: hintNodes }) : strength();
        const thought = await post("/api/move", { ...told(), page, which: which(), ...limit });
        const nodes = isHint ? "" : `, ${count(thought.nodes)} nodes`;
        return { ...thought, words: `${scoreText(thought)}, depth ${thought.depth || "–"}${nodes}` };
    },
    async look(isCurrent) {
        await explain(isCurrent);
        if (isCurrent()) await lookOthers(isCurrent);
    },
    resign: (isHint) => isHint ? `${opponent()} would resign.` : `${game.position.turn === "white" ? "0-1" : "1-0"}: ${opponent()} resigns.`,
    stop() {},
    async forget() {},
});
async function save() {
    try {
        const engine = opponent();
        const names = human() === "both" ? { white: "?", black: "?" } :
            human() === "white" ? { white: "You", black: engine } : { white: engine, black: "You" };
        const { pgn } = await post("/api/pgn", { ...told(), page, ...names });
        saveText("game.pgn", "application/x-chess-pgn", pgn);
    } catch (error) {
        showError(error);
    }
}

// --- choices ---

// Levels are Eyas's; XBoard engines know no nodes, and no parts of a second.
function limitStrengths() {
    const isXboard = by("which").selectedOptions[0]?.parentElement.id === "xboard";
    by("by-level").disabled = isEngine();
    by("by-nodes").disabled = isXboard;
    for (const option of by("strength").querySelectorAll("option[value^=time]")) option.disabled = isXboard && Number(option.value.split(" ")[1]) % 1000 !== 0;
    const chosen = by("strength").selectedOptions[0];
    if (chosen.disabled || chosen.parentElement.disabled) by("strength").value = "time 1000";
}

function fillOpponents(weights, wanted) {
    const titles = { organism: "Organism", shipped: "Shipped", players: "Models of players", found: "Found in the folders", engines: "Engines", xboard: "Engines (XBoard)" };
    const chosen = wanted ?? (which() || "shipped/falcon");
    if (wanted?.startsWith("organism/"))
        weights.unshift({ which: wanted, name: `${query().name ?? "organism"}, generation ${wanted.split("/")[2]}`, group: "organism" });
    by("which").replaceChildren(...Object.entries(titles).flatMap(([group, label]) => {
        const options = weights.filter((one) => one.group === group).map((one) => el("option", { value: one.which }, one.name));
        return options.length ? [el("optgroup", { label, id: group }, ...options)] : [];
    }));
    by("which").value = chosen;
}

frame();
try {
    const { weights, levels, nodes_most, time_most } = await get("/api/weights");
    fillOpponents(weights, query().which);
    fillStrengths(levels, nodes_most, time_most);
    limitStrengths();
    askOthers = makeOthers({ list: weights, wanted: (query().others ?? "").split(",").filter(Boolean), arrow: board.arrow,
        changed: otherOthers });
    by("which").addEventListener("change", () => {
        limitStrengths();
        if (game.position) guarded(answer);
    });
    const hasEngines = weights.some((one) => one.which.startsWith("engine/"));
    addEventListener("pagehide", () => hasEngines && post("/api/leave", { page }, { keepalive: true }).catch(() => {}));
    by("save").addEventListener("click", save);
    listenToUser();
    await begin(query().fen ?? "");
} catch (error) {
    showError(error);
}
listen(() => {});
