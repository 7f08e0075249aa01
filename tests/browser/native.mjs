// SPDX-License-Identifier: GPL-3.0-or-later
// The native engine as a process, for tests that compare it with the one in a browser.
import { spawn } from "node:child_process";

export function startNative(weights) {
    const child = spawn(process.env.EYAS, weights ? ["--weights", weights] : [], { stdio: ["pipe", "pipe", "inherit"] });
    process.on("exit", () => child.kill());
    let rest = "", said = [], waiting = null;
    child.stdout.on("data", (data) => {
        const lines = (rest + data).split("\n");
        rest = lines.pop();
        for (const line of lines) {
            said.push(line);
            if (waiting?.isLast(line)) {
                waiting.resolve(said);
                waiting = null;
                said = [];
            }
        }
    });
    // Says a line; gives what was answered up to the line that `isLast` is true of.
    const ask = (line, isLast) => new Promise((resolve) => {
        waiting = { isLast, resolve };
        child.stdin.write(`${line}\n`);
    });
    return {
        tell: (line) => child.stdin.write(`${line}\n`),
        ask,
        go: (limits) => ask(`go ${limits}`, (line) => line.startsWith("bestmove")),
        ready: () => ask("isready", (line) => line === "readyok"),
        end: () => child.stdin.end("quit\n"),
    };
}
