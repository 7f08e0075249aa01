// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as WebAssembly (src/wasm), with what it needs of a system: a clock, and somewhere to write to. For a worker:
// a search blocks until it has ended.

const noDescriptor = 8; // WASI's EBADF: there are no files
const done = 0;

function makeSystem(memory, write) {
    const view = () => new DataView(memory());
    return {
        fd_write(descriptor, parts, count, written) {
            let total = 0;
            for (let part = parts; part < parts + 8 * count; part += 8) {
                const at = view().getUint32(part, true), length = view().getUint32(part + 4, true);
                write(descriptor, new Uint8Array(memory(), at, length));
                total += length;
            }
            view().setUint32(written, total, true);
            return done;
        },
        // Both clocks tell the time of day, which never goes back here; the seed of a book's choices comes from it.
        clock_time_get(clock, precision, out) {
            view().setBigUint64(out, BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n, true);
            return done;
        },
        proc_exit(code) {
            throw new Error(`the engine has ended (${code})`);
        },
    };
}

// Collects bytes into lines.
function makeLines(hear) {
    const decoder = new TextDecoder();
    let rest = "";
    return (bytes) => {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
        rest = lines.pop();
        lines.forEach(hear);
    };
}

// Starts an engine from its bytes. `player` has a name ("tal.weights"), and weights and book as bytes; `hear` gets the lines
// that it says.
export function startEyas(code, player, hear) {
    const encoder = new TextEncoder();
    const module = new WebAssembly.Module(code);
    const out = makeLines(hear);
    const complaints = [];
    const complain = makeLines((line) => complaints.push(line));
    let engine = null;
    const memory = () => engine.memory.buffer;
    const system = makeSystem(memory, (descriptor, bytes) => (descriptor === 1 ? out : complain)(bytes));
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module))
        (imports[from] ??= {})[name] = system[name] ?? (() => noDescriptor);
    engine = new WebAssembly.Instance(module, imports).exports;
    engine._initialize();

    function put(...parts) {
        const size = parts.reduce((sum, part) => sum + part.length, 0);
        let at = engine.eyas_room(size);
        for (const part of parts) {
            new Uint8Array(memory(), at, part.length).set(part);
            at += part.length;
        }
    }
    const answer = () => new TextDecoder().decode(new Uint8Array(memory(), engine.eyas_answer(), engine.eyas_answer_length()));
    function must(isDone) {
        if (!isDone) throw new Error(answer());
    }

    const name = encoder.encode(`${player.name}\0`);
    put(name, player.weights, player.book);
    must(engine.eyas_start(name.length, player.weights.length));
    return {
        // A line of UCI.
        line(text) {
            put(encoder.encode(`${text}\n`));
            engine.eyas_line();
            if (complaints.length) throw new Error(complaints.splice(0).join("\n"));
        },
        // A question: { ask: "position" | "explain" | "pgn", fen, moves, ... }.
        ask(question) {
            put(encoder.encode(JSON.stringify(question)));
            must(engine.eyas_ask());
            return JSON.parse(answer());
        },
    };
}
