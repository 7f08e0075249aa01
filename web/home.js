// SPDX-License-Identifier: GPL-3.0-or-later
// Home: everything that was found, what goes on first.
import { clearError, count, el, frame, get, listen, number, percent, progress, showError, spark, state } from "/web/common.js";

const facts = {
    run: (item) => [
        el("div", { class: "row" },
            el("span", { class: "big" }, item.best === null ? number(item.diversity, 3) : `${number(item.best, 2)} ${item.unit}`),
            el("span", { class: "soft" }, item.best === null ? "diversity" : `best ${item.figure}`)),
        spark(item.curve, item.less && item.best !== null),
        el("div", { class: "soft" },
            `${[item.algorithm, item.family].filter(Boolean).join(", ")}; generation ${count(item.generation)}` +
            (item.generations === null ? "" : ` of ${count(item.generations)}`)),
    ],
    match: (item) => [
        el("div", { class: "row" },
            el("span", { class: "big" }, percent(item.leader_score)),
            el("span", { class: "soft name" }, item.leader)),
        spark(item.curve),
        el("div", { class: "soft" },
            `${item.kind_of_event} of ${count(item.field)}; game ${count(item.games)}` +
            (item.total === null ? "" : ` of ${count(item.total)}`)),
    ],
    tuning: (item) => [
        el("div", { class: "soft" }, item.engine),
        el("div", { class: "soft" }, `options: ${item.options}`),
        el("div", { class: "soft" }, `game ${count(item.games)}` + (item.total === null ? "" : ` of ${count(item.total)}`)),
        ...item.verdict.split("\n").filter((line) => /^(Tuned|Verdict)/.test(line)).map((line) => el("div", { class: "soft" }, line)),
    ],
};

facts.suite = (item) => item.engines.slice(0, 4).map((engine) => el("div", { class: "row" },
    el("span", { class: "soft name" }, engine.name), el("span", {}, `${count(engine.solved)} of ${count(engine.count)}`)));
facts.clone = () => [el("div", { class: "soft" }, "weights and style card of a player")];
facts.paper = () => [el("div", { class: "soft" }, "a reproduced paper")];

const pageOf = { run: "/run", match: "/match", tuning: "/tune", suite: "/suite", clone: "/players", paper: "/papers" };
// Of what is written at once nothing goes on.
const hasState = (item) => ["run", "match", "tuning"].includes(item.kind);

function card(item) {
    const page = pageOf[item.kind];
    return el(page ? "a" : "div", { class: "card", "data-id": item.id, href: page ? `${page}?id=${item.id}` : null },
        el("div", { class: "row" }, el("span", { class: "name" }, item.name), hasState(item) ? state(item) : null),
        ...facts[item.kind](item), item.state === "finished" ? null : progress(item));
}

const order = { running: 0, stopped: 1, finished: 2 };

function list(title, items) {
    items.sort((a, b) => order[a.state] - order[b.state] || a.name.localeCompare(b.name, "en", { numeric: true }));
    return [el("h2", {}, `${title} (${items.length})`), el("div", { class: "cards" }, ...items.map(card))];
}

function show(all) {
    const lists = document.getElementById("lists");
    const focused = document.activeElement?.dataset?.id;
    const parts = [["run", "Runs"], ["match", "Matches"], ["tuning", "Tunings"], ["suite", "Suites"], ["clone", "Players"], ["paper", "Papers"]].flatMap(([kind, title]) => {
        const items = all.items.filter((item) => item.kind === kind);
        return items.length ? list(title, items) : [];
    });
    document.getElementById("where").textContent =
        `In ${all.folders.map((name) => (name === "." ? "the current folder" : name)).join(", ")} and below; ${count(all.weights)} weights files.` +
        (all.is_cut ? " There is more than is looked at: give falconer serve a smaller folder." : "");
    lists.replaceChildren(...(parts.length ? parts : [el("p", {},
        "Nothing here yet. falconer evolve, falconer coevolve and falconer match --resume FOLDER write what this page shows; or start a run on the page ",
        el("a", { href: "/new" }, "New"), ".")]));
    if (focused) lists.querySelector(`[data-id="${focused}"]`)?.focus();
}

async function refresh() {
    try {
        show(await get("/api/home"));
        clearError();
    } catch (error) {
        showError(error);
    }
}

frame();
await refresh();
listen(refresh);
