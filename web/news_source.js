// SPDX-License-Identifier: GPL-3.0-or-later
// The server's stream of news: `hear` is told {isThere} when it comes and goes, and {ids} of what changed; with the version up to which that
// tells all.

export function openSource(hear) {
    const source = new EventSource("/api/events");
    source.addEventListener("hello", (event) => hear({ isThere: true, version: JSON.parse(event.data).version }));
    source.addEventListener("change", (event) => {
        const { ids, version } = JSON.parse(event.data);
        hear({ ids, version });
    });
    source.addEventListener("error", () => hear({ isThere: false }));
    return source;
}
