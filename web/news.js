// SPDX-License-Identifier: GPL-3.0-or-later
// A worker that all pages of this server share: one stream of news for all of them, closed when the
// last page has gone.
import { openSource } from "/web/news_source.js";

const ports = new Set();
let source = null;
let isThere = null, version = 0;

function hear(news) {
    isThere = news.isThere ?? isThere;
    version = news.version ?? version;
    for (const port of ports) port.postMessage(news);
}

function enter(port) {
    ports.add(port);
    if (isThere !== null) port.postMessage({ isThere, version });
    if (source === null || source.readyState === EventSource.CLOSED) source = openSource(hear);
}

function leave(port) {
    ports.delete(port);
    if (ports.size > 0) return;
    source?.close();
    source = isThere = null;
}

self.onconnect = (event) => {
    const [port] = event.ports;
    port.onmessage = (message) => (message.data === "hello" ? enter(port) : leave(port));
};
