// SPDX-License-Identifier: GPL-3.0-or-later
// Elements, messages and numbers: what pages need that have no server, too. Text from files goes into text nodes alone.
export function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
        else if (value === true) node.setAttribute(name, "");
        else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
}

export function svg(tag, attributes = {}, ...children) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
}

export function showError(error) {
    const main = document.querySelector("main");
    main.querySelector(".error")?.remove();
    main.prepend(el("p", { class: "error", role: "alert" }, error.message));
}
export const clearError = () => document.querySelector("main .error")?.remove();

// --- numbers ---

export const number = (value, digits = 1) =>
    value === null || value === undefined ? "–" : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
export const signed = (value, digits = 1) => (value > 0 ? "+" : "") + number(value, digits);
export const count = (value) => number(value, 0);
export const percent = (value) => (value === null ? "–" : `${number(100 * value, 1)}%`);

export function saveText(name, type, text) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    el("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}
