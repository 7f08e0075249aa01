// SPDX-License-Identifier: GPL-3.0-or-later
// An organism of a run: its values beside those of others, where its error lies, and what to do with it.
import { el, get, number, post, signed } from "/web/common.js";
import { makeBoard } from "/web/board.js";

const by = (id) => document.getElementById(id);
const shortly = (value) => (value === null || value === undefined ? "–" : number(value, Number.isInteger(value) ? 0 : 1));
const errorsShown = 12;

// `run()` is what the server last said of the run.
export function makeOrganism(id, run) {
    let chosen = null; // {generation, place, figure}; no place: the best of the generation
    let beside = null; // what the server says of reference and optimum
    let besideState = null;
    let asked = 0;

    const keysOf = ({ generation, place }) => (place === undefined ? { id, generation } : { id, generation, place });
    const lastGeneration = () => run().generation_at.at(-1);
    const otherGeneration = () => (by("other").value === "" ? lastGeneration() : Number(by("other").value));

    async function loadBeside() {
        // The optimum comes with the end of a run.
        if (beside && besideState === run().state) return;
        besideState = run().state;
        beside = await get("/api/reference", { id });
    }

    function showTitle() {
        const { generation, place, figure } = chosen;
        by("organism-title").textContent = (place === undefined ? `The best of generation ${generation}` : `Organism ${place} of generation ${generation}`) +
            (figure === undefined || figure === null ? "" : `: ${number(figure, 2)} ${run().unit}`);
        const words = place === undefined ? `organism/${id}/${generation}` : `organism/${id}/${generation}/${place}`;
        const query = new URLSearchParams(keysOf(chosen));
        by("organism-tools").replaceChildren(
            el("a", { href: `/play?${new URLSearchParams({ which: words, name: run().name })}` }, "Play against it"),
            el("a", { href: `/api/organism.weights?${query}`, download: `${words.split("/").slice(2).join("-organism-").replace(/^/, "generation-")}.weights` }, "Download as a weights file"));
    }

    function showTerms(one, other) {
        const { reference, optimum } = beside;
        const heads = ["term", "value", reference?.title, optimum && "optimum", `generation ${otherGeneration()}`, "difference"].filter(Boolean);
        by("organism-head").replaceChildren(...heads.map((head) => el("th", {}, head)));
        by("organism").replaceChildren(...one.terms.map((term, index) => {
            const difference = term.value - other.terms[index].value, best = optimum?.[term.name];
            return el("tr", {}, el("td", { title: term.meaning }, term.name), el("td", {}, String(term.value)),
                reference ? el("td", {}, shortly(reference.values[term.name])) : null,
                optimum ? el("td", { title: best?.error ? `standard error ${number(best.error, 1)}` : null }, shortly(best?.value)) : null,
                el("td", {}, String(other.terms[index].value)),
                el("td", {}, difference === 0 ? "" : signed(difference, Number.isInteger(difference) ? 0 : 1)));
        }));
    }

    // --- where its error lies ---

    function showError(told, one, other) {
        const unit = run().unit;
        const rows = one.terms.map((term, index) => ({ ...term, other: other.terms[index].value, change: told.terms[term.name] - told.figure }))
            .filter((row) => row.value !== row.other && Math.abs(row.change) >= 0.005).sort((a, b) => a.change - b.change);
        by("error-figure").textContent = `${number(told.figure, 2)} ${unit} on the whole training set. ` + (rows.length === 0 ? "" :
            `What it becomes where one value alone is that of generation ${otherGeneration()}:`);
        const shown = rows.length <= errorsShown ? rows : [...rows.slice(0, errorsShown / 2), ...rows.slice(-errorsShown / 2)];
        by("error-terms").replaceChildren(...shown.map((row) => el("tr", {}, el("td", {}, row.name), el("td", {}, String(row.value)), el("td", {}, String(row.other)),
            el("td", {}, number(told.figure + row.change, 2)), el("td", { class: row.change < 0 ? "up" : "down" }, signed(row.change, 2)))));
        by("error-table").hidden = shown.length === 0;
        by("error-positions").replaceChildren(...told.positions.map((position) => {
            const square = el("div");
            const figure = el("figure", {}, el("div", { class: "board" }, square),
                el("figcaption", { class: "soft" }, `${position.turn === "white" ? "White" : "Black"} to move. Mentor ${signed(position.wanted / 100, 2)}, ` +
                    `this organism ${signed(position.found / 100, 2)}: ${number(Math.abs(position.wanted - position.found), 0)} cp apart. `,
                    el("a", { href: `/play?${new URLSearchParams({ fen: position.fen })}` }, "Play from here")));
            requestAnimationFrame(() => makeBoard(square).show(position));
            return figure;
        }));
        by("error-panel").hidden = false;
    }

    async function findError() {
        const of = chosen, number = otherGeneration();
        by("organism-status").textContent = "Looking at the training set …";
        try {
            const query = new URLSearchParams({ ...keysOf(of), other: number });
            const [told, one, other] = await Promise.all([post(`/api/error?${query}`, {}), get("/api/organism", keysOf(of)), get("/api/organism", { id, generation: number })]);
            if (chosen !== of) return;
            showError(told, one, other);
            by("organism-status").textContent = "";
        } catch (error) {
            by("organism-status").textContent = error.message;
        }
    }

    // --- all of it ---

    async function show(wanted) {
        const turn = ++asked;
        chosen = wanted;
        by("error-panel").hidden = true; // that of another one
        try {
            await loadBeside();
            const [one, other] = await Promise.all([get("/api/organism", keysOf(wanted)), get("/api/organism", { id, generation: otherGeneration() })]);
            if (turn !== asked) return;
            by("organism-panel").hidden = false;
            by("organism-status").textContent = "";
            by("find-error").hidden = run().fitness !== "mentor";
            by("other").placeholder = String(lastGeneration());
            showTitle();
            showTerms(one, other);
        } catch (error) {
            if (turn !== asked) return;
            by("organism-status").textContent = by("pointed").textContent = error.message;
        }
    }

    by("other").addEventListener("change", () => chosen && show(chosen));
    by("find-error").addEventListener("click", () => chosen && findError());
    return { show };
}
