// SPDX-License-Identifier: GPL-3.0-or-later
// A board: what is said of a position (src/board), shown by chessground; the moves that led to it, and its score.
import { Chessground } from "/web/lib/chessground.js";
import { count, el, number, signed, svg } from "/web/elements.js";

const lastRank = { white: "8", black: "1" };

// Asks which piece a pawn becomes: the letter, or null where the answer is to take the move back.
function askPromotion() {
    return new Promise((resolve) => {
        const dialog = document.createElement("dialog");
        dialog.setAttribute("aria-label", "Promote to");
        for (const [letter, name] of [["q", "Queen"], ["r", "Rook"], ["b", "Bishop"], ["n", "Knight"]]) {
            const button = document.createElement("button");
            button.textContent = name;
            button.addEventListener("click", () => dialog.close(letter));
            dialog.append(button, " ");
        }
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve(dialog.returnValue || null);
        });
        document.body.append(dialog);
        dialog.showModal();
    });
}

export function makeBoard(node, onMove = null) {
    let shown = null;
    const ground = Chessground(node, {
        coordinates: true,
        premovable: { enabled: false },
        movable: { free: false, color: undefined, showDests: true },
        drawable: { enabled: true },
        animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 150 },
    });

    async function after(from, to) {
        const piece = ground.state.pieces.get(to);
        const promotes = piece?.role === "pawn" && to[1] === lastRank[piece.color];
        const letter = promotes ? await askPromotion() : "";
        if (letter === null) show(shown.position, shown.options);
        else onMove(from + to + letter);
    }

    // `mover` is the colour that may be moved by hand, if it is to move.
    function show(position, options = {}) {
        const { orientation = "white", mover = null } = options;
        shown = { position, options };
        const last = position.last ?? position.played?.at(-1)?.uci;
        ground.set({
            fen: position.fen,
            orientation,
            turnColor: position.turn,
            check: position.check ?? false,
            lastMove: last ? [last.slice(0, 2), last.slice(2, 4)] : undefined,
            viewOnly: onMove === null,
            movable: {
                color: mover === position.turn && !position.end ? mover : undefined,
                dests: new Map(Object.entries(position.legal ?? {})),
                events: { after },
            },
        });
        ground.setAutoShapes([]);
    }

    // Of a move, or of none.
    const arrow = (uci) => ground.setAutoShapes(uci === null ? [] : [{ orig: uci.slice(0, 2), dest: uci.slice(2, 4), brush: "paleBlue" }]);
    return { show, arrow };
}

// "+0.31", "mate in 3": from White's view.
export const scoreText = (score) =>
    score.mate === undefined && score.cp === undefined ? "no score" :
    score.mate !== undefined ? `mate in ${Math.abs(score.mate)} for ${score.mate > 0 ? "White" : "Black"}` :
    `${score.cp > 0 ? "+" : ""}${(score.cp / 100).toFixed(2)}`;

// --- beside the board ---

// The moves of a game; a click on one calls `goTo` with the number of plies up to it.
export function showMoves(list, position, goTo) {
    const black = position.start.split(" ")[1] === "b" ? 1 : 0;
    const first = Number(position.start.split(" ")[5]);
    const cells = [];
    position.played.forEach((move, index) => {
        const place = index + black;
        if (place % 2 === 0 || index === 0) cells.push(el("span", { class: "soft" }, `${first + Math.floor(place / 2)}.`));
        if (index === 0 && black) cells.push(el("span", {}, "…"));
        cells.push(el("button", { type: "button", title: "Go back to here", "aria-current": index === position.played.length - 1 ? "true" : null,
            onclick: () => goTo(index + 1) }, move.san));
    });
    list.replaceChildren(...cells);
    list.scrollTop = list.scrollHeight;
}

function bar(score, most) {
    const width = 50 * Math.abs(score) / most;
    return svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect", { x: score < 0 ? 50 - width : 50, y: 0, width, height: 10, class: score < 0 ? "black" : "white" }));
}

// The score term by term, the largest first: a sentence, and the rows of a table.
export function showTerms(total, body, told) {
    const terms = told.terms.sort((a, b) => Math.abs(b.score) - Math.abs(a.score));
    const most = Math.max(1, ...terms.map((term) => Math.abs(term.score)));
    total.textContent = `${told.name} (${told.family}): ${signed(told.score)} cp for White, before any search.`;
    body.replaceChildren(...terms.map((term) => el("tr", {},
        el("td", {}, term.name), el("td", {}, count(term.white)), el("td", {}, count(term.black)),
        el("td", { class: "each" }, number(term.unit)), el("td", {}, signed(term.score)), el("td", { class: "bar-cell" }, bar(term.score, most)))));
}
