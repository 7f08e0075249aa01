// SPDX-License-Identifier: GPL-3.0-or-later
// Genes by generations, as a picture: a row for each gene, scaled by itself, without the outermost
// twentieth of its values: the first generations are far from all others.

const rowHeight = 15;
const bottom = 18;

// From dark to bright, told apart without colours too.
const stops = [[22, 18, 62], [44, 75, 130], [33, 128, 132], [104, 176, 92], [240, 222, 80]];
function shade(share) {
    const at = Math.min(0.9999, Math.max(0, share)) * (stops.length - 1);
    const low = Math.floor(at), part = at - low;
    return stops[low].map((value, index) => Math.round(value + part * (stops[low + 1][index] - value)));
}

const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// `pick(generation)` is called when one is chosen, `point(text)` with what is pointed at.
export function makeHeatmap(canvas, { pick, point }) {
    let genes = null; // {names, generations, values}
    let ranges = [];
    let picture = null;
    let chosen = { column: -1, row: 0 };

    const margin = () => Math.min(190, Math.round(canvas.clientWidth * 0.36));

    function paint() {
        const { names, generations, values } = genes;
        picture = new OffscreenCanvas(Math.max(1, generations.length), Math.max(1, names.length));
        ranges = names.map((_, row) => {
            const sorted = values.map((one) => one[row]).sort((a, b) => a - b);
            const cut = Math.floor(sorted.length / 20);
            return [sorted[cut], sorted[sorted.length - 1 - cut]];
        });
        const image = new ImageData(picture.width, picture.height);
        values.forEach((column, x) => column.forEach((value, y) => {
            const [low, high] = ranges[y];
            image.data.set([...shade(high > low ? (value - low) / (high - low) : 0.5), 255], 4 * (y * picture.width + x));
        }));
        picture.getContext("2d").putImageData(image, 0, 0);
    }

    function drawLabels(context, left, width, height) {
        const { names, generations } = genes;
        context.font = "11px system-ui, sans-serif";
        context.textBaseline = "middle";
        names.forEach((name, row) => {
            context.fillStyle = row === chosen.row && chosen.column >= 0 ? ink("--accent") : ink("--soft");
            context.fillText(name, 0, (row + 0.5) * rowHeight, left - 6);
        });
        context.fillStyle = ink("--soft");
        context.textAlign = "left";
        context.fillText(`generation ${generations[0]}`, left, height + bottom / 2);
        context.textAlign = "right";
        context.fillText(String(generations.at(-1)), left + width, height + bottom / 2);
        context.textAlign = "left";
    }

    function draw() {
        if (!genes) return;
        const left = margin(), width = canvas.clientWidth - left, height = genes.names.length * rowHeight;
        const scale = devicePixelRatio || 1;
        canvas.width = Math.round(canvas.clientWidth * scale);
        canvas.height = Math.round((height + bottom) * scale);
        canvas.style.height = `${height + bottom}px`;
        const context = canvas.getContext("2d");
        context.scale(scale, scale);
        context.imageSmoothingEnabled = false;
        context.drawImage(picture, left, 0, width, height);
        drawLabels(context, left, width, height);
        if (chosen.column < 0) return;
        const step = width / genes.generations.length;
        context.strokeStyle = "#ffffff";
        context.lineWidth = 2;
        context.strokeRect(left + chosen.column * step, 1, Math.max(2, step), height - 2);
    }

    function tell(column, row) {
        const [low, high] = ranges[row];
        point(`${genes.names[row]}, generation ${genes.generations[column]}: ${format(genes.values[column][row])} ` +
            `(dark ${format(low)}, bright ${format(high)})`);
    }
    const format = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1));

    function choose(column, row) {
        if (!genes || genes.generations.length === 0) return;
        const clamp = (value, most) => Math.min(most, Math.max(0, value));
        chosen = { column: clamp(column, genes.generations.length - 1), row: clamp(row, genes.names.length - 1) };
        draw();
        tell(chosen.column, chosen.row);
        pick(genes.generations[chosen.column]);
    }

    function placeOf(event) {
        const box = canvas.getBoundingClientRect(), left = margin();
        const column = Math.floor((event.clientX - box.left - left) / (box.width - left) * genes.generations.length);
        const row = Math.floor((event.clientY - box.top) / rowHeight);
        return column >= 0 && column < genes.generations.length && row >= 0 && row < genes.names.length ? { column, row } : null;
    }

    canvas.addEventListener("mousemove", (event) => {
        const place = genes && placeOf(event);
        if (place) tell(place.column, place.row);
    });
    canvas.addEventListener("click", (event) => {
        const place = genes && placeOf(event);
        if (place) choose(place.column, place.row);
    });
    canvas.addEventListener("keydown", (event) => {
        const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-1e9, 0], End: [1e9, 0] };
        const step = steps[event.key];
        if (!step) return;
        event.preventDefault();
        choose(chosen.column + step[0], chosen.row + step[1]);
    });
    new ResizeObserver(draw).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

    return {
        set(told) {
            const generation = genes && chosen.column >= 0 ? genes.generations[chosen.column] : null;
            genes = told;
            chosen.column = generation === null ? -1 : told.generations.findIndex((one) => one >= generation);
            canvas.setAttribute("aria-label", `${told.names.length} genes over ${told.generations.length} generations`);
            paint();
            draw();
        },
        choose,
    };
}
