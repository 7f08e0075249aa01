// SPDX-License-Identifier: GPL-3.0-or-later
// Run: its curves, the genes of its population, and its organisms, live.
import { clearError, count, el, frame, get, listen, number, progress, query, showError, state } from "/web/common.js";
import { makeChart } from "/web/chart.js";
import { makeHeatmap } from "/web/heatmap.js";
import { makeLines, rangesOf } from "/web/lines.js";
import { makeOrganism } from "/web/organism.js";

const by = (id) => document.getElementById(id);
const id = query().id;
const columns = ["generation_at", "best_at", "mean_at", "held_out_at", "diversity_at"];
const genesPause = 3000;
const genesPauseMost = 15000, genesShare = 150; // between two looks at a large run is the time of a look, so many times

let run = null; // what the server says of it; the columns are all that came so far
let charts = null;
let genesAt = 0; // when they may be asked for again
let genesFailed = false;

// --- curves ---

function makeCharts() {
    const isError = run.less;
    charts = {
        hasPaper: run.paper !== null,
        curves: makeChart(by("curves"), {
            isLogarithmic: isError, unit: run.unit, height: 320,
            series: [
                { label: `best ${run.figure}`, color: "--series-1" },
                { label: "mean", color: "--series-2" },
                { label: "held out", color: "--series-3" },
                { label: "optimum", color: "--series-4", dash: [6, 4] },
                ...(run.paper === null ? [] : [{ label: "published weights", color: "--soft", dash: [2, 3] }]),
            ],
        }),
        diversity: makeChart(by("diversity"), { height: 170, digits: 3, series: [{ label: "diversity", color: "--series-4" }] }),
    };
}

function showCurves() {
    // The figure of published weights comes with the end of a run.
    if (charts && charts.hasPaper !== (run.paper !== null)) {
        by("curves").replaceChildren();
        by("diversity").replaceChildren();
        charts = null;
    }
    charts ??= (makeCharts(), charts);
    // Organisms that learn by meetings have no figures.
    by("curves").hidden = run.best_at.every((value) => value === null);
    const flat = (value) => run.generation_at.map(() => value);
    charts.curves.set([run.generation_at, run.best_at, run.mean_at, run.held_out_at, flat(run.optimum), ...(run.paper === null ? [] : [flat(run.paper)])]);
    charts.diversity.set([run.generation_at, run.diversity_at]);
}

function showFacts() {
    document.title = `${run.name} - Falconer`;
    by("title").replaceChildren(run.name, " ", state(run));
    by("about").textContent = [run.algorithm, run.family, run.fitness && `learns from ${run.fitness}`, run.data].filter(Boolean).join(", ") +
        (run.damaged ? `; ${count(run.damaged)} damaged lines are left out` : "");
    if (run.report) by("about").append(" ", el("a", { href: `/report?${new URLSearchParams({ id })}` }, "Its report"));
    by("progress").replaceChildren(...(run.state === "finished" ? [] : [progress(run)].filter(Boolean)));
    by("note").textContent = run.best === null ? "" : run.note;
    const unit = run.unit;
    const ended = [["on the training set", run.training], ["on the test set", run.test], ["certified optimum", run.optimum], ["published weights", run.paper]]
        .filter(([, value]) => value !== null).map(([name, value]) => `${name} ${number(value, 2)} ${unit}`);
    by("figures").textContent = `Generation ${count(run.generation)}` + (run.generations ? ` of ${count(run.generations)}` : "") +
        (run.best === null ? "" : `; best ${run.figure} so far ${number(run.best, 2)} ${unit}`) + (ended.length ? `; at the end ${ended.join(", ")}.` : ".");
}

async function load() {
    const from = run ? run.count : 0;
    const told = await get("/api/run", { id, from });
    if (run && (told.count < from || told.from !== from)) {
        run = null;
        return load();
    }
    if (run) for (const name of columns) told[name] = run[name].concat(told[name]);
    run = told;
    showFacts();
    if (run.count > 0) showCurves();
}

// --- genes ---

const map = makeHeatmap(by("genes"), {
    pick: (generation) => showOrganism(generation),
    point: (text) => (by("pointed").textContent = text),
});

async function loadGenes() {
    if (genesFailed || !run || run.count === 0) return;
    const of = by("of").value;
    try {
        const told = await get("/api/genes", { id, of });
        if (of === by("of").value) map.set(told);
    } catch (error) {
        genesFailed = true;
        by("pointed").textContent = error.message;
        by("genes").hidden = true;
    }
}

// --- an organism ---

const organism = makeOrganism(id, () => run);
const showOrganism = (generation) => organism.show({ generation });

// --- the population as lines ---

let population = null; // the one that is shown
let firstPopulation = null; // whose scales are those of the start
let populationsFailed = false;
let populationsAsked = 0;

const lines = makeLines(by("lines"), {
    pick: ({ place, figure }) => organism.show({ generation: population.generation, place, figure }),
    point: (text) => (by("lines-pointed").textContent = text),
    step: (steps) => goTo(Number(by("kept").value) + steps),
});

function drawLines() {
    lines.set(population, by("lines-scale").value === "own" ? rangesOf(population) : rangesOf(firstPopulation, population));
}

async function loadPopulation(generation = null) {
    const turn = ++populationsAsked;
    if (populationsFailed || run.count === 0) return;
    try {
        firstPopulation ??= await get("/api/population", { id, generation: 0 });
        const told = await get("/api/population", generation === null ? { id } : { id, generation });
        if (turn !== populationsAsked || told.generations.length === 0) return;
        population = told;
        by("lines-panel").hidden = false;
        by("kept").max = population.generations.length - 1;
        by("kept").value = population.generations.indexOf(population.generation);
        by("kept-label").textContent = `Generation ${count(population.generation)} (${count(population.generations.length)} are kept)`;
        drawLines();
    } catch {
        populationsFailed = true; // older runs have none
    }
}

function goTo(index) {
    by("kept").value = index; // within its bounds
    return loadPopulation(population.generations[Number(by("kept").value)]);
}
// Whoever looks at the last generation sees the next one as it comes.
const followPopulation = () => (population && population.generation !== population.generations.at(-1) ? null : loadPopulation());

// --- the lineage of the best ---

function origin(step, unit) {
    if (step.generation === 0) return "the start";
    if (step.survived) return `survived from generation ${step.generation - 1}, where others were better (${number(step.mother, 2)} ${unit})`;
    if (step.mother === null) return "new: its parents are not known";
    if (step.father === null) return `a mutation of one with ${number(step.mother, 2)} ${unit}`;
    return `a child of two with ${number(step.mother, 2)} and ${number(step.father, 2)} ${unit}`;
}

async function loadLineage() {
    try {
        const { changes, steps } = await get("/api/lineage", { id });
        by("lineage-panel").hidden = steps.length === 0;
        by("lineage-note").textContent = `The best organism became another one ${count(changes)} times` +
            (steps.length < changes ? `; the last ${count(steps.length)} are shown.` : ".") + " Parents are told with the algorithms ga, memetic and halves, with their figures in the generation before.";
        by("lineage").replaceChildren(...steps.map((step, index) => {
            const until = index === 0 ? run.generation : steps[index - 1].generation - 1;
            return el("tr", {}, el("td", {}, el("button", { type: "button", onclick: () => showOrganism(step.generation) }, String(step.generation))),
                el("td", {}, step.figure === null ? "–" : number(step.figure, 2)), el("td", {}, `${count(until - step.generation + 1)}`), el("td", {}, origin(step, run.unit)));
        }));
    } catch {
        by("lineage-panel").hidden = true; // older runs have no genes
    }
}

// --- the page ---

async function refresh() {
    try {
        await load();
        if (run.state !== "running" || Date.now() > genesAt) {
            const started = Date.now();
            await loadGenes();
            await followPopulation();
            await loadLineage();
            genesAt = Date.now() + Math.min(genesPauseMost, Math.max(genesPause, genesShare * (Date.now() - started)));
        }
        clearError();
    } catch (error) {
        showError(error);
    }
}

frame();
by("of").addEventListener("change", () => loadGenes());
by("kept").addEventListener("input", () => goTo(Number(by("kept").value)));
by("lines-scale").addEventListener("change", drawLines);
await refresh();
listen((changed) => changed(id) && refresh());
