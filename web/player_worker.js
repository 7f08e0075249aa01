// SPDX-License-Identifier: GPL-3.0-or-later
// The worker of a player's page: messages that are texts are lines of UCI, both ways; others start the engine or ask for
// what a board needs.
import { startEyas } from "/web/eyas.js";

let eyas = null;

function take(message) {
    if (typeof message === "string") eyas.line(message);
    else if (message.start) eyas = startEyas(message.start.engine, message.start, (line) => postMessage(line));
    else postMessage({ id: message.id, answer: eyas.ask(message.question) });
}

onmessage = ({ data }) => {
    try {
        take(data);
    } catch (error) {
        postMessage({ id: data.id, error: error.message });
    }
};
