// SPDX-License-Identifier: GPL-3.0-or-later
// What all pages of falconer serve share: requests, news, the frame.
import { el, svg } from "/web/elements.js";
import { openSource } from "/web/news_source.js";

export * from "/web/elements.js";

// --- requests ---

// How far the news had come when the oldest of the answers was made.
let newsAt = Infinity;

async function read(response) {
    newsAt = Math.min(newsAt, Number(response.headers.get("X-Falconer-News") ?? Infinity));
    if (!response.ok) throw new Error((await response.text()).trim() || response.statusText);
    return response.json();
}

export const get = async (path, query = {}) => {
    const text = new URLSearchParams(query).toString();
    return read(await fetch(text ? `${path}?${text}` : path));
};

let session = null;
export const post = async (path, body, options = {}) => {
    session ??= get("/api/session");
    const { token } = await session;
    return read(await fetch(path, { method: "POST", headers: { "X-Falconer-Token": token }, body: JSON.stringify(body), ...options }));
};

// The id and whatever else the address of this page says.
export const query = () => Object.fromEntries(new URLSearchParams(location.search));

// --- news ---

const link = () => document.querySelector("header.top .link");

function showLink(isThere) {
    link().textContent = isThere ? "live" : "connection lost: is falconer serve still running?";
    link().classList.toggle("lost", !isThere);
}

// Browsers open few connections to a server: all pages share one stream of news, where they can.
function openNews(hear) {
    if (!window.SharedWorker) {
        openSource(hear);
        return;
    }
    const { port } = new SharedWorker("/web/news.js", { type: "module", name: "news" });
    port.onmessage = (event) => hear(event.data);
    port.postMessage("hello");
    addEventListener("pagehide", () => port.postMessage("bye"));
    addEventListener("pageshow", (event) => event.persisted && port.postMessage("hello"));
}

// Calls `changed` with a function that tells whether an id is among those that changed: at most
// once in `pause` milliseconds, for a run may write hundreds of generations a second, not before the
// last call is done, however slow its answers are, and not while nobody looks.
export function listen(changed, pause = 1000) {
    let waiting = null;
    let ids = new Set();
    let wasThere = null;
    let isBusy = false;
    const tell = async () => {
        waiting = null;
        if (document.hidden || isBusy) return;
        const told = ids;
        ids = new Set();
        isBusy = true;
        try {
            await changed((id) => told.has(id) || told.has("*"));
        } finally {
            isBusy = false;
            if (ids.size > 0) soon();
        }
    };
    const soon = () => {
        waiting ??= setTimeout(tell, pause);
    };
    document.addEventListener("visibilitychange", () => !document.hidden && ids.size > 0 && soon());
    openNews((news) => {
        if (news.ids) for (const id of news.ids.length ? news.ids : ["*"]) ids.add(id);
        if (news.isThere !== undefined) showLink(news.isThere);
        // What happened in between was not told, nor what did while this page was loaded.
        if (news.isThere && (wasThere === false || (wasThere === null && news.version > newsAt))) ids.add("*");
        wasThere = news.isThere ?? wasThere;
        if (ids.size > 0) soon();
    });
}

// --- the frame of every page ---

const pages = [["/", "Home"], ["/play", "Play"], ["/new", "New"], ["/players", "Players"], ["/papers", "Papers"], ["/about", "About"]];

export function frame() {
    const nav = el("nav", { "aria-label": "pages" });
    for (const [path, name] of pages)
        nav.append(el("a", { href: path, "aria-current": path === location.pathname ? "page" : null }, name), " ");
    document.body.prepend(
        el("a", { href: "#main", class: "skip" }, "Skip to the contents"),
        el("header", { class: "top" },
            el("a", { href: "/", class: "brand" }, el("img", { src: "/web/icon.svg", alt: "" }), "Falconer"),
            nav, el("span", { class: "link", role: "status" })));
}

// A small curve; what it shows is said in words beside it. Errors fall by factors: theirs is
// logarithmic.
export function spark(values, isLogarithmic = false) {
    const scale = (value) => (isLogarithmic ? Math.log(value) : value);
    const known = values.map((value, index) => [index, value])
        .filter(([, value]) => value !== null && !(isLogarithmic && value <= 0))
        .map(([index, value]) => [index, scale(value)]);
    const box = svg("svg", { viewBox: "0 0 100 30", preserveAspectRatio: "none", "aria-hidden": "true" });
    if (known.length < 2) return box;
    const all = known.map(([, value]) => value);
    const low = Math.min(...all), span = Math.max(...all) - low || 1;
    const points = known.map(([index, value]) =>
        `${(100 * index / (values.length - 1)).toFixed(2)},${(28 - 26 * (value - low) / span).toFixed(2)}`);
    box.append(svg("polyline", { class: "spark", points: points.join(" ") }));
    return box;
}

export const state = (item) => el("span", { class: `state ${item.state}` }, item.state);
export const progress = (item) => item.progress === null ? null :
    el("progress", { max: 1, value: item.progress, "aria-label": `${Math.round(100 * item.progress)}% done` });
