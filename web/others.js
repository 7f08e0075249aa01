// SPDX-License-Identifier: GPL-3.0-or-later
// What several weights and engines would play in the position on the board: a table, and an arrow for the row that is looked at.
import { count, el, post } from "/web/common.js";
import { scoreText } from "/web/board.js";

const by = (id) => document.getElementById(id);
const nodeChoices = [1000, 10000, 100000, 1000000];
// An XBoard engine knows no nodes: it has this time.
const xboardTime = 1000;

// `list` is whom one can ask; `changed` is called when others are to be asked; `arrow` draws a move, or none.
export function makeOthers({ list, wanted, changed, arrow }) {
    const boxes = list.map((one) => {
        const box = el("input", { type: "checkbox", value: one.which, checked: wanted.includes(one.which), onchange: changed });
        return { one, box, label: el("label", {}, box, " ", one.name) };
    });
    by("others").replaceChildren(...boxes.map(({ label }) => label));
    by("others-nodes").replaceChildren(...nodeChoices.map((nodes) => el("option", { value: nodes }, `${count(nodes)} nodes`)));
    by("others-nodes").value = 10000;
    by("others-nodes").addEventListener("change", changed);
    by("choose").open = wanted.length > 0;

    function row({ one }, ...cells) {
        return el("tr", {}, el("td", {}, one.name), ...cells);
    }
    function answered(chosen, thought) {
        if (thought.resigned) return row(chosen, el("td", { colspan: 4 }, "resigns"));
        const node = row(chosen, el("td", {}, thought.san), el("td", {}, scoreText(thought)), el("td", {}, thought.depth || "–"),
            el("td", { class: "soft line" }, thought.line));
        node.tabIndex = 0;
        for (const event of ["mouseenter", "focus"]) node.addEventListener(event, () => arrow(thought.move));
        for (const event of ["mouseleave", "blur"]) node.addEventListener(event, () => arrow(null));
        return node;
    }

    // One after the other, so that whoever plays is not kept waiting; who is asked again is not asked on.
    let asked = 0;
    return async function ask(question, isOver, isCurrent) {
        const turn = ++asked;
        const chosen = boxes.filter(({ box }) => box.checked);
        const rows = chosen.map((who) => row(who, el("td", { colspan: 4, class: "soft" }, isOver ? "the game is over" : "…")));
        by("answers").replaceChildren(...rows);
        by("others-table").hidden = chosen.length === 0;
        for (const [index, who] of isOver ? [] : chosen.entries()) {
            const limit = who.one.group === "xboard" ? { time: xboardTime } : { nodes: Number(by("others-nodes").value) };
            let node;
            try {
                node = answered(who, await post("/api/move", { ...question, which: who.one.which, ...limit }));
            } catch (error) {
                node = row(who, el("td", { colspan: 4, class: "error" }, error.message));
            }
            if (turn !== asked || !isCurrent()) return;
            rows[index].replaceWith(node);
        }
    };
}
