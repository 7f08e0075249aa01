// SPDX-License-Identifier: GPL-3.0-or-later
// A game on a page, against whatever answers: the server (play.js) or an engine in the page itself (player.js). Both pages have the
// same elements, by their ids.
import { clearError, count, el, showError } from "/web/elements.js";
import { makeBoard, showMoves } from "/web/board.js";

const by = (id) => document.getElementById(id);

// What it needs of the other side:
//   position(told)       what is to be said of a position (src/board)
//   think(isHint)        its move: { move, san, words, line }, or { resigned }
//   look(isCurrent)      shows what is known of the position; isCurrent() tells whether it is still the one on the board
//   resign(isHint)       what is said where it resigns, or would; for those that may
//   stop(), forget()     ends its thinking; prepares for a new game
// `told` is where the game began and the moves since. What was asked for something that the user has left behind is dropped:
// isCurrent() tells.
export function makeGame(rival) {
    const game = { fen: "", moves: [], position: null };
    let orientation = "white";
    let turn = 0; // counts what the user does
    let looks = 0; // and what is shown of positions, which a hint leaves as it is
    let isTyping = false; // a FEN, which no answer replaces

    const board = makeBoard(by("board"), (move) => play(move));
    const told = () => ({ fen: game.fen, moves: game.moves.join(" ") });
    const human = () => by("color").value;
    const isHuman = () => human() === "both" || game.position.turn === human();
    const say = (...words) => by("thought").replaceChildren(...words);
    const outcome = () => el("span", { class: "outcome" }, `${game.position.result}: ${game.position.end}. `);

    async function guarded(work) {
        const mine = ++turn;
        rival.stop();
        try {
            await work(() => mine === turn);
            if (mine === turn) clearError();
        } catch (error) {
            if (mine !== turn) return;
            if (game.position) show();
            say("");
            showError(error);
        }
    }

    function show() {
        board.show(game.position, { orientation, mover: human() === "both" ? game.position.turn : human() });
        if (!isTyping) by("fen").value = game.position.fen;
        by("back").disabled = game.moves.length === 0;
        by("hint").disabled = Boolean(game.position.end) || !isHuman();
        showMoves(by("moves"), game.position, backTo);
    }

    async function setPosition(isCurrent, change = {}) {
        const position = await rival.position({ ...told(), ...change });
        if (!isCurrent()) return false;
        looks++;
        game.position = position;
        game.moves = position.played.map((move) => move.uci);
        show();
        return true;
    }

    function look() {
        const mine = ++looks;
        return rival.look(() => mine === looks);
    }

    async function answer(isCurrent) {
        if (game.position.end) say(outcome());
        if (game.position.end || isHuman()) return look();
        say("thinking …");
        const thought = await rival.think(false);
        if (!isCurrent()) return;
        if (thought.resigned) {
            say(el("span", { class: "outcome" }, rival.resign(false)));
            return look();
        }
        game.moves.push(thought.move);
        if (!(await setPosition(isCurrent))) return;
        say(...(game.position.end ? [outcome()] : []), `${thought.san}: ${thought.words}. `, el("span", { class: "soft" }, thought.line));
        await look();
    }

    const play = (move) => guarded(async (isCurrent) => {
        game.moves.push(move);
        by("hint").disabled = true;
        if (await setPosition(isCurrent)) await answer(isCurrent);
    });

    // As people write moves, for the keyboard.
    const playSaid = (text) => guarded(async (isCurrent) => {
        if (!(await setPosition(isCurrent, { say: text }))) return;
        by("say").value = "";
        await answer(isCurrent);
    });

    const begin = (fen) => guarded(async (isCurrent) => {
        const before = { fen: game.fen, moves: game.moves };
        Object.assign(game, { fen, moves: [] });
        try {
            if (human() !== "both") orientation = human();
            say("");
            // Also where the first move comes before the answer.
            const [isShown] = await Promise.all([setPosition(isCurrent), rival.forget()]);
            if (isShown && isCurrent()) await answer(isCurrent);
        } catch (error) {
            if (isCurrent()) Object.assign(game, before);
            throw error;
        }
    });

    // Behind a move of the user's, the opponent answers anew.
    const backTo = (length) => guarded(async (isCurrent) => {
        game.moves = game.moves.slice(0, length);
        say("");
        if (await setPosition(isCurrent)) await answer(isCurrent);
    });

    // Back to the last position in which the user was to move.
    function takeBack() {
        const own = human() === "both" || !isHuman() ? 1 : 2;
        return backTo(Math.max(0, game.moves.length - own));
    }

    const hint = () => guarded(async (isCurrent) => {
        say("thinking …");
        const thought = await rival.think(true);
        if (!isCurrent()) return;
        if (thought.resigned) return say(rival.resign(true));
        board.arrow(thought.move);
        say(`Hint: ${thought.san} (${thought.words}). `, el("span", { class: "soft" }, thought.line));
    });

    // Whoever has filled in the choices lets the user go on.
    function listen() {
        by("new").addEventListener("click", () => begin(""));
        by("color").addEventListener("change", () => !game.position ? begin(game.fen) : guarded(async (isCurrent) => {
            if (human() !== "both") orientation = human();
            show();
            await answer(isCurrent);
        }));
        by("back").addEventListener("click", () => game.position && takeBack());
        by("hint").addEventListener("click", () => game.position && hint());
        by("flip").addEventListener("click", () => {
            orientation = orientation === "white" ? "black" : "white";
            if (game.position) show();
        });
        by("say-form").addEventListener("submit", (event) => {
            event.preventDefault();
            if (by("say").value.trim()) playSaid(by("say").value.trim());
        });
        by("fen-form").addEventListener("submit", (event) => {
            event.preventDefault();
            isTyping = false;
            begin(by("fen").value.trim());
        });
        by("fen").addEventListener("input", () => (isTyping = true));
        by("fen").addEventListener("blur", () => (isTyping = false));
    }

    return { game, told, board, human, say, guarded, answer, begin, listen };
}

export function fillStrengths({ least, most }, mostNodes, mostTime) {
    const option = (kind, value, text) => el("option", { value: `${kind} ${value}` }, text);
    const ofLevels = el("optgroup", { id: "by-level", label: "Levels (Elo of the built-in weights)" });
    for (let elo = least; elo <= most; elo += 200) ofLevels.append(option("level", elo, `level ${elo}`));
    const ofTime = el("optgroup", { label: "Full strength, so much time a move" });
    for (const ms of [100, 500, 1000, 3000, 10000].filter((one) => one <= mostTime)) ofTime.append(option("time", ms, `${ms / 1000} s`));
    const ofNodes = el("optgroup", { id: "by-nodes", label: "Full strength, so many nodes a move" });
    for (let nodes = 100; nodes <= mostNodes; nodes *= 10) ofNodes.append(option("nodes", nodes, `${count(nodes)} nodes`));
    by("strength").append(ofLevels, ofNodes, ofTime);
    by("strength").value = "nodes 10000";
}
