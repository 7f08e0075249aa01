// SPDX-License-Identifier: GPL-3.0-or-later
// A population as lines: a row for each gene, with a scale of its own, and a line down the rows for each
// organism, the best in colour where there is one.

const rowHeight = 15;
const near = 12; // pixels from a line at which a click still means it

const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const format = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1));

// The least and the most of each gene in some populations.
export function rangesOf(...populations) {
    return populations[0].names.map((_, row) => {
        const values = populations.flatMap((one) => one.organisms.map((organism) => organism.values[row]));
        return [Math.min(...values), Math.max(...values)];
    });
}

// `pick(organism)` is called when one is chosen, `point(text)` with what is pointed at, `step(by)` to go to
// another generation.
export function makeLines(canvas, { pick, point, step }) {
    let population = null; // {generation, names, organisms: [{place, figure, values}]}, the best first
    let ranges = [];
    let chosen = -1;

    const margin = () => Math.min(190, Math.round(canvas.clientWidth * 0.36));
    const top = rowHeight / 2;
    // Where organisms have figures, they are ranked by them.
    const hasBest = () => typeof population.organisms[0]?.figure === "number";
    const placeX = (row, value) => {
        const [low, high] = ranges[row], left = margin() + 4, width = canvas.clientWidth - left - 4;
        return left + width * (high > low ? (value - low) / (high - low) : 0.5);
    };

    function drawOne(context, organism, color, width) {
        context.strokeStyle = color;
        context.lineWidth = width;
        context.beginPath();
        organism.values.forEach((value, row) => context.lineTo(placeX(row, value), top + row * rowHeight));
        context.stroke();
    }

    function drawLabels(context) {
        context.font = "11px system-ui, sans-serif";
        context.textBaseline = "middle";
        context.fillStyle = ink("--soft");
        context.strokeStyle = ink("--line");
        context.lineWidth = 1;
        population.names.forEach((name, row) => {
            const y = top + row * rowHeight;
            context.fillText(name, 0, y, margin() - 6);
            context.beginPath();
            context.moveTo(margin(), y);
            context.lineTo(canvas.clientWidth, y);
            context.stroke();
        });
    }

    function draw() {
        if (!population) return;
        const scale = devicePixelRatio || 1, height = population.names.length * rowHeight;
        canvas.width = Math.round(canvas.clientWidth * scale);
        canvas.height = Math.round(height * scale);
        canvas.style.height = `${height}px`;
        const context = canvas.getContext("2d");
        context.scale(scale, scale);
        context.lineJoin = "round";
        drawLabels(context);
        const { organisms } = population;
        context.globalAlpha = Math.max(0.12, Math.min(0.6, 12 / organisms.length));
        for (const organism of organisms) drawOne(context, organism, ink("--soft"), 1);
        context.globalAlpha = 1;
        if (hasBest()) drawOne(context, organisms[0], ink("--series-1"), 2);
        if (chosen >= 0 && organisms[chosen]) drawOne(context, organisms[chosen], ink("--series-2"), 2.6);
    }

    const nameOf = (rank) => {
        const { place } = population.organisms[rank];
        return !hasBest() ? `organism ${place}` : rank === 0 ? "the best" : `organism ${place}, number ${rank + 1} of the ${population.organisms.length} kept`;
    };

    function choose(rank) {
        if (!population || population.organisms.length === 0) return;
        chosen = Math.min(population.organisms.length - 1, Math.max(0, rank));
        draw();
        point(`Generation ${population.generation}: ${nameOf(chosen)}`);
        pick(population.organisms[chosen]);
    }

    // The line that is nearest to a place, between rows too.
    function nearest(event) {
        const box = canvas.getBoundingClientRect();
        const x = event.clientX - box.left, at = Math.max(0, (event.clientY - box.top - top) / rowHeight);
        const row = Math.min(population.names.length - 1, Math.floor(at)), below = Math.min(population.names.length - 1, row + 1);
        let best = { rank: -1, distance: Infinity, row: Math.min(population.names.length - 1, Math.round(at)) };
        population.organisms.forEach(({ values }, rank) => {
            const from = placeX(row, values[row]), to = placeX(below, values[below]);
            const distance = Math.abs(from + (to - from) * (at - row) - x);
            if (distance < best.distance) best = { ...best, rank, distance };
        });
        return best;
    }

    canvas.addEventListener("mousemove", (event) => {
        if (!population) return;
        const { rank, distance, row } = nearest(event);
        if (distance < near) point(`${population.names[row]} of ${nameOf(rank)}: ${format(population.organisms[rank].values[row])} (scale ${format(ranges[row][0])} to ${format(ranges[row][1])})`);
    });
    canvas.addEventListener("click", (event) => {
        const { rank, distance } = population ? nearest(event) : { distance: Infinity };
        if (distance < near) choose(rank);
    });
    canvas.addEventListener("keydown", (event) => {
        const ranks = { ArrowUp: chosen - 1, ArrowDown: chosen + 1, Home: 0, End: 1e9 };
        const steps = { ArrowLeft: -1, ArrowRight: 1 };
        if (!(event.key in ranks) && !(event.key in steps)) return;
        event.preventDefault();
        if (event.key in ranks) choose(ranks[event.key]);
        else step(steps[event.key]);
    });
    new ResizeObserver(draw).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

    return {
        set(told, scales) {
            if (!population || population.generation !== told.generation) chosen = -1;
            population = told;
            ranges = scales;
            canvas.setAttribute("aria-label", `${told.organisms.length} organisms of generation ${told.generation}, over ${told.names.length} genes`);
            draw();
        },
        choose,
    };
}
