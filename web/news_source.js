// SPDX-License-Identifier: GPL-3.0-or-later
// The server's stream of news: `hear` is told {isThere} when it comes and goes, and {ids} of what changed.

export function openSource(hear) {
    const source = new EventSource("/api/events");
    source.addEventListener("hello", () => hear({ isThere: true }));
    source.addEventListener("change", (event) => hear({ ids: JSON.parse(event.data).ids }));
    source.addEventListener("error", () => hear({ isThere: false }));
    return source;
}
