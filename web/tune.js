// SPDX-License-Identifier: GPL-3.0-or-later
// Tune: the options of an engine over the games that were spent on them, and the tests of what came of it.
import { clearError, count, el, frame, get, listen, number, percent, progress, query, showError, signed, state } from "/web/common.js";
import { makeChart } from "/web/chart.js";

const by = (name) => document.getElementById(name);
const { id } = query();
const charts = new Map();
let tuning = null;

// A chart that is made when it is first drawn.
function draw(node, options, columns) {
    if (!charts.has(node)) charts.set(node, makeChart(node, options));
    charts.get(node).set(columns);
}

// --- results ---

function showResults() {
    const { white_wins: white, draws, black_wins: black, games, race_games: race, verdict } = tuning;
    by("results").textContent = games === 0 ? "No game has ended yet." :
        `${count(games)} games${tuning.trials ? " of tests" : `, ${count(race)} of them of the race`}: White won ${percent(white / games)}, Black ${percent(black / games)}, ${percent(draws / games)} were drawn.`;
    by("verdict").replaceChildren(...verdict.split("\n").filter(Boolean).map((line) => el("p", {}, line)));
    const { path } = tuning;
    const last = (index, key) => path?.options[index]?.[key].at(-1) ?? (key === "value" ? tuning.trials?.options[index].best.at(-1) : undefined);
    by("values").replaceChildren(...tuning.ranges.map((option, index) => el("tr", {}, el("td", {}, option.name), el("td", {}, count(option.start)),
        el("td", {}, number(last(index, "value"), 1)), el("td", {}, path ? `${number(last(index, "low"), 1)} to ${number(last(index, "high"), 1)}` : "–"),
        el("td", {}, count(option.low)), el("td", {}, count(option.high)))));
    by("note").textContent = [tuning.fitted_pairs < tuning.race_pairs ? `Fitted to ${count(2 * tuning.fitted_pairs)} of ${count(2 * tuning.race_pairs)} games so far.` : "",
        tuning.is_cut ? "There are more games than are looked at." : "", tuning.ranges.length > 10 ? "With so many options the quadratic couples no two of them." : ""].join(" ").trim();
}

// --- tests ---

const testNames = { verdict: "The test of the best values against the start values", confirmation: "The same with other limits" };

function testPart(test) {
    const known = document.getElementById(`test-${test.name}`);
    if (known) return known;
    const part = el("section", { class: "panel", id: `test-${test.name}` }, el("h3", {}, testNames[test.name]), el("p", { class: "soft said", role: "status" }),
        el("div", { class: "pair" }, el("div", { class: "chart llr" }), el("div", { class: "chart elo" })));
    by("tests").append(part);
    return part;
}

function showTest(test) {
    const part = testPart(test), last = (key) => test[key].at(-1), size = test.games_at.length;
    const interval = [last("low_at"), last("high_at")];
    part.querySelector(".said").textContent = `${count(test.games)} games: ${last("elo_at") === null ? "no difference to tell yet" : `${signed(last("elo_at"))} Elo`}` +
        (interval.includes(null) ? "" : `, ${signed(interval[0])} to ${signed(interval[1])} (95%)`) +
        `; LLR ${number(last("llr_at"), 2)} between ${number(test.lower, 2)} (no more than ${signed(test.elo0)} Elo) and ${number(test.upper, 2)} (${signed(test.elo1)} Elo).`;
    draw(part.querySelector(".llr"), { x: "games", height: 220, series: [{ label: "LLR", color: "--series-1" },
        { label: "accepted", color: "--series-3", dash: [6, 4] }, { label: "rejected", color: "--series-2", dash: [6, 4] }] },
        [test.games_at, test.llr_at, Array(size).fill(test.upper), Array(size).fill(test.lower)]);
    // The first few games say nothing, over a wide range.
    const from = Math.min(size - 1, test.games_at.findIndex((games) => games >= Math.max(20, test.games / 20)));
    draw(part.querySelector(".elo"), { x: "games", height: 220, digits: 1, bands: [[3, 2]], series: [{ label: "Elo over the start", color: "--series-1" },
        { label: "from", color: "--series-1", width: 0.5 }, { label: "to", color: "--series-1", width: 0.5 }] },
        ["games_at", "elo_at", "low_at", "high_at"].map((key) => test[key].slice(Math.max(0, from))));
}

// --- options ---

function optionPart(option, index) {
    const known = document.getElementById(`option-${index}`);
    if (known) return known;
    const part = el("section", { class: "panel", id: `option-${index}` }, el("h3", {}, option.name),
        el("div", { class: "pair" }, el("div", { class: "chart path" }), el("div", { class: "chart slice" })));
    by("options").append(part);
    return part;
}

// A suite has candidates in place of games.
function showTrials(option, index) {
    const part = optionPart(option, index), { number: numbers, effort, least, options } = tuning.trials;
    draw(part.querySelector(".path"), { x: "candidates", height: 240, digits: 0, series: [{ label: "best so far", color: "--series-1" },
        { label: "tried", color: "--series-2", width: 0.8 }] }, [numbers, options[index].best, options[index].tried]);
    if (index === 0) draw(part.querySelector(".slice"), { x: "candidates", height: 240, digits: 1, series: [
        { label: "least effort so far, in thousands", color: "--series-3" }, { label: "effort of a candidate", color: "--soft", width: 0.8 }] },
        [numbers, least.map((value) => value / 1000), effort.map((value) => value / 1000)]);
}

function showOption(option, index) {
    const part = optionPart(option, index), path = tuning.path.options[index], slice = tuning.slices[index];
    const games = [0, ...tuning.path.pairs.map((pairs) => 2 * pairs)];
    draw(part.querySelector(".path"), { x: "games", height: 240, digits: 1, bands: [[3, 2]], series: [{ label: "best so far", color: "--series-1" },
        { label: "from", color: "--series-1", width: 0.5 }, { label: "to", color: "--series-1", width: 0.5 }, { label: "tried", color: "--series-2", dash: [3, 3] }] },
        [games, [option.start, ...path.value], [null, ...path.low], [null, ...path.high], [option.start, ...path.tried]]);
    draw(part.querySelector(".slice"), { x: option.name, height: 240, digits: 1, bands: [[3, 2]], series: [{ label: "Elo over the start", color: "--series-3" },
        { label: "from", color: "--series-3", width: 0.5 }, { label: "to", color: "--series-3", width: 0.5 }, { label: "the start", color: "--soft", dash: [3, 3] }] },
        [slice.at, slice.elo, slice.low, slice.high, slice.at.map(() => 0)]);
}

// --- the page ---

function show() {
    by("title").replaceChildren(tuning.name, " ", state(tuning));
    document.title = `${tuning.name} - Falconer`;
    by("about").textContent = tuning.engine;
    by("progress").replaceChildren(...(tuning.state === "finished" || tuning.progress === null ? [] : [progress(tuning)]));
    by("links").replaceChildren(...(tuning.report ? [el("a", { href: `/report?${new URLSearchParams({ id })}` }, "The report of this tuning")] : []));
    showResults();
    tuning.tests.forEach(showTest);
    by("of-games").hidden = Boolean(tuning.trials);
    by("of-suite").hidden = !tuning.trials;
    if (tuning.trials) tuning.ranges.forEach(showTrials);
    else if (tuning.path) tuning.ranges.forEach(showOption);
}

async function load() {
    try {
        // Long logs are fitted piece by piece.
        for (let before = -1; ;) {
            tuning = await get("/api/tuning", { id });
            show();
            if (!(tuning.fitted_pairs < tuning.race_pairs) || tuning.fitted_pairs === before) break;
            before = tuning.fitted_pairs;
        }
        clearError();
    } catch (error) {
        showError(error);
    }
}

frame();
await load();
listen((changed) => changed(id) && load(), 5000);
