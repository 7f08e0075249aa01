// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of a player's page, in a worker: questions, and searches by UCI.

// "info depth 9 ... score cp 31 ... pv e2e4 e7e5" in parts; null where there is no line in it.
function readInfo(line) {
    const words = line.split(" ");
    const after = (word) => words[words.indexOf(word) + 1];
    if (words[0] !== "info" || !words.includes("score") || words[1] === "string") return null;
    return {
        depth: Number(after("depth")),
        nodes: words.includes("nodes") ? Number(after("nodes")) : 0,
        score: { [after("score")]: Number(words[words.indexOf("score") + 2]) },
        line: words.includes("pv") ? words.slice(words.indexOf("pv") + 1) : [],
    };
}

// `script` is the worker's text, `player` what startEyas takes, with the engine. A search cannot be
// interrupted: `stop` ends the worker, and the next question or search begins another.
export function makeEngine(script, player) {
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    let worker = null, waiting = new Map(), search = null, asked = 0;

    function hear({ data }) {
        if (typeof data === "string") search?.hear(data);
        else if (waiting.has(data.id)) {
            const { resolve, reject } = waiting.get(data.id);
            waiting.delete(data.id);
            if (data.error) reject(new Error(data.error));
            else resolve(data.answer);
        } else fail(data.error);
    }

    function fail(message) {
        const error = new Error(`The engine failed: ${message}`);
        search?.reject(error);
        for (const { reject } of waiting.values()) reject(error);
        stop();
    }

    function stop() {
        worker?.terminate();
        worker = search = null;
        waiting = new Map();
    }

    function start() {
        if (worker) return;
        const mine = worker = new Worker(address);
        // What one said that was ended since is not for the next.
        mine.onmessage = (event) => mine === worker && hear(event);
        mine.onerror = (event) => {
            event.preventDefault();
            if (mine === worker) fail(event.message ?? "its worker did not start");
        };
        worker.postMessage({ start: player });
    }

    const ask = (question) => new Promise((resolve, reject) => {
        start();
        waiting.set(++asked, { resolve, reject });
        worker.postMessage({ id: asked, question });
    });

    // Says lines of UCI, the last of which is answered until `isLast` is true of a line; gives all of them.
    const converse = (lines, isLast, onLine = () => {}) => new Promise((resolve, reject) => {
        const said = [];
        start();
        search = { reject, hear: (line) => {
            said.push(line);
            onLine(line);
            if (!isLast(line)) return;
            search = null;
            resolve(said);
        } };
        lines.forEach((line) => worker.postMessage(line));
    });

    // The best move with what was said of it, { move, depth, nodes, score, line }; scores are the mover's. `tell` hears of each depth.
    async function think(lines, tell) {
        let last = { depth: 0, nodes: 0, score: { cp: 0 }, line: [] }, isBook = false;
        const said = await converse(lines, (line) => line.startsWith("bestmove "), (line) => {
            isBook ||= line === "info string book move";
            last = readInfo(line) ?? last;
            if (last.line.length) tell(last);
        });
        return { ...last, isBook, move: said.at(-1).split(" ")[1] };
    }

    return { ask, converse, think, stop, isThinking: () => search !== null };
}
