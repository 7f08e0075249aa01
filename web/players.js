// SPDX-License-Identifier: GPL-3.0-or-later
// Players: models that come with the program, clones that were made here, and who played a game.
import { clearError, count, el, frame, get, listen, number, percent, post, showError, signed } from "/web/common.js";

const by = (name) => document.getElementById(name);
const playLink = (which) => el("a", { href: `/play?${new URLSearchParams({ which })}` }, "Play against these weights");

// --- cards ---

// "player: Tal, Mikhail N;Tal, Mihail" and other lines that a weights file begins with.
const lineOf = (lineage, key) => lineage.split("\n").map((line) => line.trim()).find((line) => line.startsWith(`${key}: `))?.slice(key.length + 2);

const termRows = (rows) => el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...["weight", "here", "others", "difference"].map((name) => el("th", {}, name)))),
    el("tbody", {}, ...rows.map(({ name, value, usual, digits = 0 }) => el("tr", {}, el("td", {}, name), el("td", {}, number(value, digits)), el("td", {}, number(usual, digits)),
        el("td", {}, signed(value - usual, digits)))))));

function modelCard(model) {
    const spelled = lineOf(model.lineage, "player")?.split(";")[0];
    const positions = /([0-9]+) of ([0-9]+) positions/.exec(lineOf(model.lineage, "data") ?? "");
    return el("section", { class: "card", "data-name": model.name },
        el("h3", { class: "name" }, spelled ?? model.name),
        positions ? el("div", { class: "soft" }, `learned from ${count(Number(positions[1]))} positions`) : null,
        termRows(model.differences ?? []), playLink(`shipped/${model.name}`));
}

// Figures of results.json. It may be anybody's file: what is not as it should be is not shown.
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
function cloneFacts(figures) {
    const parts = [];
    const match = figures.match ?? {};
    if (isNumber(match.clone) && isNumber(match.generic))
        parts.push(el("div", { class: "soft" }, `finds ${percent(match.clone)} of the moves in games it never saw; weights of others find ${percent(match.generic)}`));
    const kinds = (Array.isArray(figures.kinds) ? figures.kinds : []).filter((kind) => kind?.stands === true && isNumber(kind.made) && isNumber(kind.surplus) && isNumber(kind.surplus_of_others));
    parts.push(kinds.length ? el("ul", {}, ...kinds.map((kind) => el("li", {},
        `${kind.kind}: ${percent(kind.made)} of the moves, where others would make ${percent(kind.made - kind.surplus + kind.surplus_of_others)}`))) :
        el("div", { class: "soft" }, "No kind of moves is made more or less often than others would, as far as these games tell."));
    const weights = (Array.isArray(figures.weights) ? figures.weights : []).filter((weight) => weight?.stands === true && isNumber(weight.clone) && isNumber(weight.generic));
    if (weights.length) parts.push(termRows(weights.map((weight) => ({ name: String(weight.name), value: weight.clone, usual: weight.generic, digits: 1 }))));
    return parts;
}

async function cloneCard(clone) {
    const card = el("section", { class: "card", "data-id": clone.id });
    try {
        const figures = await get("/api/clone", { id: clone.id });
        card.append(el("h3", { class: "name" }, typeof figures.player === "string" ? figures.player.split(";")[0] : clone.name), el("div", { class: "soft" }, clone.name), ...cloneFacts(figures));
    } catch (error) {
        card.append(el("h3", { class: "name" }, clone.name), el("div", { class: "complaint" }, `results.json cannot be read: ${error.message}`));
    }
    card.append(el("a", { href: `/report?${new URLSearchParams({ id: clone.id })}` }, "The whole style card"), playLink(clone.which));
    return card;
}

let shown = "";
async function load() {
    try {
        const told = await get("/api/players"), text = JSON.stringify(told);
        if (text === shown) return;
        shown = text;
        const { models, clones } = told;
        // Figures of clones are asked for one by one: nothing is shown before all are there, so that nothing moves.
        const cards = await Promise.all(clones.map(cloneCard));
        by("models").replaceChildren(...models.map(modelCard));
        by("clones-part").hidden = clones.length === 0;
        by("clones").replaceChildren(...cards);
        clearError();
    } catch (error) {
        showError(error);
    }
}

// --- who played ---

function verdict(title, told) {
    const [first] = told.players;
    const answer = told.moves === 0 ? "There are no moves behind the opening." :
        told.answer === null ? `Cannot tell; the likeliest is ${first.name}.` : `${told.answer}, with a chance of ${percent(first.probability)}.`;
    return el("section", {}, el("h3", {}, title), el("p", { class: "answer" }, answer),
        el("p", { class: "soft" }, `${count(told.games)} ${told.games === 1 ? "game" : "games"}, ${count(told.moves)} moves`),
        el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...["player", "chance", "same moves"].map((name) => el("th", {}, name)))),
            el("tbody", {}, ...told.players.map((player) => el("tr", {}, el("td", {}, player.name),
                el("td", {}, el("span", { class: "chance" }, el("meter", { max: 1, value: player.probability, "aria-hidden": "true" }), percent(player.probability))),
                el("td", {}, count(player.agrees))))))));
}

async function ask(event) {
    event.preventDefault();
    by("ask").disabled = true;
    by("who-error").textContent = "";
    try {
        const name = by("name").value.trim();
        const told = await post("/api/recognize", { pgn: by("pgn").value, name });
        const titles = told.verdicts.length === 2 ? [`White: ${told.white || "unknown"}`, `Black: ${told.black || "unknown"}`] : [name];
        by("verdicts").replaceChildren(...told.verdicts.map((one, index) => verdict(titles[index], one)),
            el("p", { class: "soft" }, told.is_calibrated ?
                "Chances are calibrated on games that the weights were not learned from: of answers with a chance of 60%, about 60% are right, if it was one of these players." :
                "There is no calibration: chances are a cautious guess."));
    } catch (error) {
        by("verdicts").replaceChildren();
        by("who-error").textContent = error.message;
    }
    by("ask").disabled = false;
}

frame();
by("who").addEventListener("submit", ask);
await load();
listen(load, 10000);
