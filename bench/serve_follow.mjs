// SPDX-License-Identifier: GPL-3.0-or-later
// What the page of a run does (web/run.js), without a browser: node serve_follow.mjs ADDRESS. Says a line when it follows, and ends with the server: with 0 if
// it was told of a run.
const [address] = process.argv.slice(2);
const base = new URL(address).origin;
const pauseMs = 1000, genesPauseMs = 3000, genesPauseMostMs = 15000, genesShare = 150;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const cookie = (await fetch(address, { redirect: "manual" })).headers.get("set-cookie").split(";")[0];
const get = async (path) => (await fetch(base + path, { headers: { cookie } })).json();

let id = null, count = 0, genesAt = 0;
async function look() {
    id ??= (await get("/api/home")).items.find(({ kind }) => kind === "run")?.id ?? null;
    if (id === null) return;
    const run = await get(`/api/run?id=${id}&from=${count}`);
    count = run.count;
    if (count === 0 || (run.state === "running" && Date.now() <= genesAt)) return;
    const start = Date.now();
    await get(`/api/genes?id=${id}&of=mean`);
    await get(`/api/population?id=${id}`);
    await get(`/api/lineage?id=${id}`);
    genesAt = Date.now() + Math.min(genesPauseMostMs, Math.max(genesPauseMs, genesShare * (Date.now() - start)));
}

// News that come while it looks are looked at afterwards.
let hasNews = false, isLooking = false;
async function hear() {
    hasNews = true;
    if (isLooking) return;
    isLooking = true;
    while (hasNews) {
        await pause(pauseMs);
        hasNews = false;
        await look();
    }
    isLooking = false;
}

// The end of the server cuts what was asked last.
process.on("unhandledRejection", () => process.exit(count > 0 ? 0 : 1));
const events = await fetch(`${base}/api/events`, { headers: { cookie } });
console.log("follows");
try {
    for await (const data of events.body.pipeThrough(new TextDecoderStream())) if (data.includes("event: change")) hear();
} catch {
    // It went away in the middle of an event.
}
process.exit(count > 0 ? 0 : 1);
