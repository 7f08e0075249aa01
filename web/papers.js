// SPDX-License-Identifier: GPL-3.0-or-later
// Papers: the pages that falconer reproduce wrote here, in a frame without scripts, and those that come with the program.
import { clearError, el, frame, get, listen, query, showError } from "/web/common.js";
import { markdown } from "/web/markdown.js";

const by = (name) => document.getElementById(name);
const address = (paper) => `/papers?${new URLSearchParams(paper.id ? { id: paper.id } : { name: paper.name })}`;
const isChosen = (paper) => (paper.id ? paper.id === query().id : !query().id && paper.name === query().name);

const card = (paper) => el("a", { class: "card", href: address(paper), "aria-current": isChosen(paper) ? "page" : null },
    el("span", { class: "name" }, paper.title),
    el("span", { class: "soft" }, [paper.version && `version ${paper.version}`, paper.scale && `scale ${paper.scale}`].filter(Boolean).join(", ") || "made by an unknown version"),
    el("span", { class: "soft" }, paper.id ? `found here: ${paper.name}` : "comes with Falconer"));

async function show(paper) {
    by("paper-part").hidden = false;
    by("paper-title").textContent = paper.title;
    document.title = `${paper.title} - Falconer`;
    if (paper.id) {
        const src = `/report?${new URLSearchParams({ id: paper.id })}`;
        by("paper-tools").replaceChildren(el("a", { href: src }, "The page alone"));
        by("paper").replaceChildren(el("iframe", { src, sandbox: "", title: paper.title, class: "report" }));
        return;
    }
    const { text } = await get("/api/paper", { name: paper.name });
    by("paper").replaceChildren(el("div", { class: "text" }, ...markdown(text.replace(/^# .*\n/, ""))));
}

let shown = "";
async function load(isFirst) {
    try {
        const { papers } = await get("/api/papers"), text = JSON.stringify(papers);
        if (text === shown) return;
        shown = text;
        by("papers").replaceChildren(...(papers.length ? papers.map(card) : [el("p", {}, "None yet: falconer reproduce all takes minutes.")]));
        const wanted = papers.find(isChosen);
        if (isFirst && wanted) await show(wanted);
        else if (isFirst && (query().id || query().name)) throw new Error("There is no such paper.");
        else clearError();
    } catch (error) {
        showError(error);
    }
}

frame();
await load(true);
listen(() => load(false), 10000);
