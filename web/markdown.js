// SPDX-License-Identifier: GPL-3.0-or-later
// The Markdown that our reports are written in, as elements: headings, tables, quotations, lists, code. What is more is shown as text.
import { el } from "/web/elements.js";

// **strong**, `code`, [words](where), \\* as itself. Links lead out of the page: their words alone are shown.
function inline(text) {
    const parts = [];
    const pattern = /\\([\\*_`|<>[\]#])|\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]*)\]\([^)]*\)/g;
    let at = 0;
    for (const found of text.matchAll(pattern)) {
        if (found.index > at) parts.push(text.slice(at, found.index));
        const [whole, escaped, strong, code, words] = found;
        if (escaped !== undefined) parts.push(escaped);
        else if (strong !== undefined) parts.push(el("strong", {}, ...inline(strong)));
        else if (code !== undefined) parts.push(el("code", {}, code));
        else parts.push(...inline(words));
        at = found.index + whole.length;
    }
    if (at < text.length) parts.push(text.slice(at));
    return parts;
}

// The cells of a row; a bar behind a backslash belongs to its cell.
const cells = (line) => line.trim().replace(/^\|/, "").replace(/\|$/, "").split(/(?<!\\)\|/).map((cell) => cell.trim());

function table(lines) {
    const sides = cells(lines[1]).map((rule) => (rule.endsWith(":") && !rule.startsWith(":") ? "right" : null));
    const row = (line, tag) => el("tr", {}, ...cells(line).map((cell, index) => el(tag, { class: sides[index] }, ...inline(cell))));
    return el("div", { class: "scroll" }, el("table", {}, el("thead", {}, row(lines[0], "th")), el("tbody", {}, ...lines.slice(2).map((line) => row(line, "td")))));
}

const isRule = (line) => line !== undefined && /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(line) && line.includes("|");

const kinds = [
    { begins: (lines) => lines[0].startsWith("```"), take(lines) {
        lines.shift();
        const code = [];
        while (lines.length && !lines[0].startsWith("```")) code.push(lines.shift());
        lines.shift();
        return el("pre", {}, el("code", {}, code.join("\n")));
    } },
    { begins: (lines) => /^#{1,6} /.test(lines[0]), take(lines) {
        const [, marks, words] = /^(#+) (.*)/.exec(lines.shift());
        return el(`h${Math.min(6, marks.length + 1)}`, {}, ...inline(words));
    } },
    { begins: (lines) => lines[0].startsWith("|") && isRule(lines[1]), take: (lines) => table(takeWhile(lines, (line) => line.startsWith("|"))) },
    { begins: (lines) => lines[0].startsWith(">"), take: (lines) =>
        el("blockquote", {}, ...markdown(takeWhile(lines, (line) => line.startsWith(">")).map((line) => line.replace(/^> ?/, "")).join("\n"))) },
    { begins: (lines) => /^[-*] /.test(lines[0]), take: (lines) =>
        el("ul", {}, ...takeWhile(lines, (line) => /^[-*] /.test(line)).map((line) => el("li", {}, ...inline(line.slice(2))))) },
];

function takeWhile(lines, test) {
    const taken = [];
    while (lines.length && test(lines[0])) taken.push(lines.shift());
    return taken;
}

export function markdown(text) {
    const lines = text.split("\n"), nodes = [];
    while (lines.length) {
        if (lines[0].trim() === "") {
            lines.shift();
            continue;
        }
        const kind = kinds.find(({ begins }) => begins(lines));
        if (kind) nodes.push(kind.take(lines));
        else {
            const words = [lines.shift()];
            while (lines.length && lines[0].trim() !== "" && !kinds.some(({ begins }) => begins(lines))) words.push(lines.shift());
            nodes.push(el("p", {}, ...inline(words.join(" "))));
        }
    }
    return nodes;
}
