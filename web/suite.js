// SPDX-License-Identifier: GPL-3.0-or-later
// Suite: its positions as boards, and who solved what.
import { clearError, count, el, frame, get, listen, number, percent, query, showError } from "/web/common.js";

const by = (name) => document.getElementById(name);
const { id } = query();
const pageSize = 24;
let suite = null;
let from = 0;

// --- engines ---

function showEngines() {
    const time = (ms) => (ms === null ? "–" : `${count(ms)} ms`);
    by("engines").replaceChildren(...suite.engines.map((engine) => el("tr", {}, el("td", {}, engine.name),
        el("td", {}, count(engine.solved)), el("td", {}, count(engine.count)), el("td", {}, percent(engine.count ? engine.solved / engine.count : null)),
        el("td", {}, `${count(engine.points)} of ${count(engine.max_points)}`), el("td", {}, time(engine.ms)), el("td", {}, count(engine.failed)))));
    if (by("engine").options.length === suite.engines.length + 1) return;
    const chosen = by("engine").value || query().engine || "";
    by("engine").replaceChildren(el("option", { value: "" }, "all engines"),
        ...suite.engines.map((engine, index) => el("option", { value: index }, engine.name)));
    by("engine").value = chosen in suite.engines ? chosen : "";
}

// --- positions ---

const tests = {
    all: () => true,
    solved: (answers) => answers.length > 0 && answers.every((answer) => answer.solved),
    unsolved: (answers) => answers.every((answer) => !answer.solved),
    differ: (answers) => answers.some((answer) => answer.solved) && answers.some((answer) => !answer.solved),
};

function chosen() {
    const test = tests[by("outcome").value] ?? tests.all, engine = by("engine").value, words = by("search").value.toLowerCase();
    const asked = (position) => (engine === "" || test === tests.differ ? position.answers : position.answers.filter((answer) => answer.engine === Number(engine)));
    return suite.list.filter((position) => test(asked(position)) && (position.id ?? "").toLowerCase().includes(words));
}

const score = (answer) => (answer.mate !== undefined ? `, mate ${answer.mate}` : answer.cp !== undefined ? `, ${number(answer.cp / 100, 2)}` : "");
const says = (answer) => (answer.failed ? "failed" : `${answer.move || "–"}${score(answer)}, ${count(answer.ms)} ms`);

function answerLine(answer) {
    return el("li", { class: answer.solved ? "solved" : "unsolved" },
        el("span", { class: "mark" }, answer.solved ? "✓" : "✗", el("span", { class: "skip" }, answer.solved ? " solved by " : " not solved by ")),
        el("span", { class: "who" }, suite.engines[answer.engine].name), el("span", { class: "soft" }, says(answer)));
}

function asks({ bm, am, dm }) {
    return [bm && `best ${bm}`, am && `avoid ${am}`, dm > 0 && `mate in ${dm}`].filter(Boolean).join("; ");
}

// What an older file does not tell is not drawn.
function board({ fen, bm }) {
    if (fen === null) return el("p", { class: "soft" }, "This file was written by a version that does not tell positions.");
    const wanted = new URLSearchParams(bm ? { fen, san: bm.split(" ")[0] } : { fen });
    return el("a", { href: `/play?${new URLSearchParams({ fen })}`, title: "Play from here" },
        el("img", { src: `/api/diagram.svg?${wanted}`, alt: `The position ${fen}`, loading: "lazy", width: 336, height: 336 }));
}

const card = (position) => el("figure", { class: "panel" },
    el("figcaption", {}, el("strong", {}, position.id ?? `line ${position.line}`), el("div", { class: "soft" }, asks(position))),
    board(position), el("ul", { class: "answers" }, ...position.answers.map(answerLine)));

function showPositions() {
    const all = chosen();
    from = Math.max(0, Math.min(from, Math.floor(Math.max(0, all.length - 1) / pageSize) * pageSize));
    const part = all.slice(from, from + pageSize);
    by("shown").textContent = all.length === 0 ? "No position is like that." :
        `${count(from + 1)} to ${count(from + part.length)} of ${count(all.length)}` + (all.length < suite.list.length ? `, of ${count(suite.list.length)} in all` : "");
    by("positions").replaceChildren(...part.map(card));
    by("back").disabled = from === 0;
    by("on").disabled = from + pageSize >= all.length;
}

function choose() {
    from = 0;
    history.replaceState(null, "", `/suite?${new URLSearchParams({ id, outcome: by("outcome").value, engine: by("engine").value })}`);
    showPositions();
}

// --- the page ---

async function load() {
    const first = await get("/api/suite", { id });
    while (first.list.length < first.positions) {
        const more = await get("/api/suite", { id, from: first.list.length });
        if (more.list.length === 0) break;
        first.list.push(...more.list);
    }
    suite = first;
    by("title").textContent = suite.name;
    document.title = `${suite.name} - Falconer`;
    by("about").textContent = `${count(suite.positions)} positions.${suite.is_cut ? " There are more answers than are shown." : ""}`;
    showEngines();
    showPositions();
}

async function guarded(work) {
    try {
        await work();
        clearError();
    } catch (error) {
        showError(error);
    }
}

frame();
if (query().outcome in tests) by("outcome").value = query().outcome;
for (const name of ["outcome", "engine"]) by(name).addEventListener("change", () => suite && choose());
by("search").addEventListener("input", () => suite && choose());
for (const [name, step] of [["back", -pageSize], ["on", pageSize]])
    by(name).addEventListener("click", () => {
        if (!suite) return;
        from += step;
        showPositions();
    });
await guarded(load);
listen((changed) => changed(id) && guarded(load), 3000);
