// SPDX-License-Identifier: GPL-3.0-or-later
// New: a preset with its settings, checked by the server as the command line checks them, or a match; and the runs that were started so.
import { clearError, el, frame, get, listen, post, progress, query, showError, state } from "/web/common.js";

const by = (id) => document.getElementById(id);
const titles = { run: "What is evolved, from what", mentor: "The mentor", mentors: "Several mentors", moves: "Moves", games: "Games", suite: "Suite", match: "Match", algorithm: "Algorithm" };
const openAtFirst = ["run", "algorithm", "match"];
// In a list, what leaves a setting as the preset has it.
const unchanged = "=";

const changes = new Map();
// The preset's own values.
const original = new Map();
let facts = { read_only: false, presets: [] };
let asked = 0;

const order = () => ({ preset: by("preset").value, threads: by("threads").value,
    changes: [...changes].map(([name, value]) => `${name}=${value}`).join("\n") });

// --- the form ---

const options = (list, chosen) => list.map(([value, name]) => el("option", { value, selected: value === chosen }, name));

// What files a setting may be, by the server's names for them.
function filesOf(setting) {
    const weights = facts.weights.filter((one) => ["shipped", "players", "found"].includes(one.group));
    const ofFiles = { sets: facts.sets.map((name) => [name, name]), weights: weights.map((one) => [one.which, one.name]) };
    ofFiles.runs = [...facts.runs.map((one) => [one.which, one.name]), ...ofFiles.weights];
    const isChanged = setting.change !== undefined;
    return [[unchanged, isChanged ? "as in the preset" : setting.value || "none"], ...(isChanged || setting.value ? [["", "none"]] : []), ...ofFiles[setting.kind]];
}

function allowed(setting) {
    return setting.low === undefined ? "" : ` (${setting.low.toLocaleString("en")} to ${setting.high.toLocaleString("en")})`;
}

function inputOf(setting) {
    const id = `set-${setting.name}`;
    const isFile = ["sets", "weights", "runs"].includes(setting.kind);
    const value = setting.change ?? setting.value;
    if (isFile) return el("select", { id }, ...options(filesOf(setting), setting.change ?? unchanged));
    if (setting.choices) {
        const list = setting.choices.includes(value) ? setting.choices : [value, ...setting.choices];
        return el("select", { id }, ...options(list.map((name) => [name, name || "none"]), value));
    }
    return el("input", { id, value, autocomplete: "off", spellcheck: "false", inputmode: setting.kind === "text" ? "text" : "decimal" });
}

// Fields and sections stay where they are while they are the same, and the one with the focus in any case: who types is not interrupted.
const fields = new Map();
const sections = new Map();

function makeField(setting) {
    const input = inputOf(setting);
    let committed = input.value;
    const commit = () => {
        if (input.value === committed) return;
        committed = input.value;
        change(setting, committed);
    };
    input.addEventListener("change", commit);
    input.addEventListener("blur", commit);
    input.setAttribute("aria-describedby", `${input.id}-meaning`);
    const node = el("div", {}, el("label", { for: input.id }, setting.name), input,
        el("span", { class: "meaning", id: `${input.id}-meaning` }, setting.meaning + allowed(setting)));
    return { node, input };
}

function fieldOf(setting, error) {
    const key = JSON.stringify(setting);
    const isBad = Boolean(error) && (error.name || error.message.split(/[ :]/)[0]) === setting.name;
    const before = fields.get(setting.name);
    const isKept = before && (before.key === key || before.input === document.activeElement);
    const field = isKept ? before : { key, ...makeField(setting) };
    fields.set(setting.name, field);
    field.node.className = `field${setting.change === undefined ? "" : " changed"}${isBad ? " bad" : ""}`;
    field.input.setAttribute("aria-invalid", isBad);
    return field.node;
}

function sectionOf(name) {
    if (!sections.has(name)) {
        const grid = el("div", { class: "grid" });
        sections.set(name, { grid, node: el("details", { open: openAtFirst.includes(name) }, el("summary", {}, titles[name] ?? name), grid) });
    }
    return sections.get(name);
}

function place(parent, nodes) {
    const isSame = nodes.length === parent.children.length && nodes.every((node, index) => node === parent.children[index]);
    if (!isSame) parent.replaceChildren(...nodes);
}

function showForm(form) {
    const focused = document.activeElement;
    const names = [...new Set(form.settings.map((setting) => setting.section))];
    place(by("form"), names.map((name) => sectionOf(name).node));
    for (const name of names)
        place(sectionOf(name).grid, form.settings.filter((setting) => setting.section === name).map((setting) => fieldOf(setting, form.error)));
    if (focused !== document.activeElement && by("form").contains(focused)) focused.focus();
    by("command").textContent = form.command;
    by("fault").textContent = form.error?.message ?? "";
    by("fault").hidden = !form.error;
    by("start").disabled = facts.read_only || Boolean(form.error);
}

async function ask() {
    const mine = ++asked;
    by("start").disabled = true;
    try {
        const form = await post("/api/form", order());
        if (mine !== asked) return;
        if (changes.size === 0) for (const setting of form.settings) original.set(setting.name, setting.value);
        showForm(form);
        clearError();
    } catch (error) {
        if (mine === asked) showError(error);
    }
}

function change(setting, value) {
    const isFile = ["sets", "weights", "runs"].includes(setting.kind);
    const isBack = value === unchanged || (!isFile && value === original.get(setting.name));
    if (isBack) changes.delete(setting.name);
    else changes.set(setting.name, value);
    // Another algorithm has other options.
    if (setting.name === "algorithm") for (const name of algorithmOptions()) changes.delete(name);
    ask();
}

const algorithmOptions = () => [...sectionOf("algorithm").grid.querySelectorAll("label")].map((label) => label.textContent).filter((name) => name !== "algorithm");

function choosePreset() {
    for (const kept of [changes, original, fields]) kept.clear();
    by("about").textContent = facts.presets.find((preset) => preset.name === by("preset").value)?.about ?? "";
    history.replaceState(null, "", `/new?preset=${encodeURIComponent(by("preset").value)}`);
    ask();
}

// --- what was started ---

async function act(path, body) {
    try {
        await post(path, body);
        clearError();
    } catch (error) {
        showError(error);
    }
    await refresh();
}

const lastLines = (text) => text.trimEnd().split("\n").slice(-6).join("\n");

function card(run) {
    const button = (name, path) => el("button", { type: "button", disabled: facts.read_only, onclick: (event) => {
        event.target.disabled = true;
        act(path, { name: run.name });
    } }, name);
    const isAtWork = ["starting", "running"].includes(run.state);
    return el("div", { class: "card", "data-name": run.name },
        el("div", { class: "row" }, el("span", { class: "name" }, run.id ? el("a", { href: `/${run.kind}?id=${run.id}` }, run.name) : run.name), state(run)),
        run.progress === undefined || run.state === "finished" ? null : progress(run),
        el("pre", { class: "soft" }, run.command),
        ["failed", "stopped"].includes(run.state) && run.output ? el("pre", {}, lastLines(run.output)) : null,
        el("div", { class: "tools" }, isAtWork ? button("Stop", "/api/stop") : null, run.state === "stopped" ? button("Resume", "/api/resume") : null));
}

// Cards stay where they are while nothing but their progress changes, so that they can be clicked.
const shown = new Map();
function cardOf(run) {
    const { progress: done, ...rest } = run;
    const key = JSON.stringify(rest);
    const before = shown.get(run.name);
    const node = before?.key === key ? before.node : card(run);
    const bar = node.querySelector("progress");
    if (bar && done !== undefined) bar.value = done;
    shown.set(run.name, { key, node });
    return node;
}

let again = null, refreshes = 0;

async function refresh() {
    const mine = ++refreshes;
    clearTimeout(again);
    try {
        const runs = await get("/api/started");
        if (mine !== refreshes) return;
        const nodes = runs.length ? runs.map(cardOf) : [el("p", { class: "soft" }, "None yet.")];
        const focused = document.activeElement?.closest?.("[data-name]")?.dataset.name;
        const old = by("started").children;
        if (nodes.length !== old.length || nodes.some((node, index) => node !== old[index])) by("started").replaceChildren(...nodes);
        if (focused && !by("started").contains(document.activeElement))
            by("started").querySelector(`[data-name="${CSS.escape(focused)}"] button`)?.focus();
        // The beginning and the end of a process are no news of a folder.
        if (runs.some((run) => ["starting", "running", "stopping"].includes(run.state))) again = setTimeout(refresh, 1000);
    } catch (error) {
        showError(error);
    }
}

// --- the page ---

async function start() {
    by("start").disabled = true;
    await act("/api/start", order());
    by("started-title").scrollIntoView({ block: "nearest" });
    await ask();
}

frame();
try {
    facts = await get("/api/presets");
    by("rules").textContent = facts.read_only ? "This server was started with --read-only: it starts and stops nothing." :
        `A run goes on without this page and without the server. At most ${facts.most} run at a time.`;
    by("preset").replaceChildren(...options(facts.presets.map(({ name }) => [name, name]).sort(), query().preset ?? "play"));
    by("threads").replaceChildren(...options(Array.from({ length: facts.threads }, (_, index) => [String(index + 1), String(index + 1)]), String(facts.threads)));
    by("preset").addEventListener("change", choosePreset);
    by("threads").addEventListener("change", ask);
    by("start").addEventListener("click", start);
    by("form").addEventListener("submit", (event) => event.preventDefault());
    choosePreset();
    await refresh();
} catch (error) {
    showError(error);
}
listen(refresh);
