// SPDX-License-Identifier: GPL-3.0-or-later
// Charts by uPlot, in the colours of the page.
import uPlot from "/web/lib/uplot.js";

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// `series` are {label, color, width, dash}; `bands` are pairs of series, counted from 1, between which is filled; values are rounded to
// `digits`; `onPick` is called with the place of a click.
export function makeChart(node, { series, bands = [], x = "generation", isLogarithmic = false, height = 300, unit = "", digits = 2, range = null, onPick = null }) {
    let plot = null;
    let data = [[], ...series.map(() => [])];
    const axis = () => ({ stroke: color("--soft"), grid: { stroke: color("--line"), width: 1 }, ticks: { stroke: color("--line"), width: 1 } });
    const text = (value) => (value === null || value === undefined ? "–" : `${value.toFixed(digits)}${unit ? ` ${unit}` : ""}`);

    const options = () => ({
        width: Math.max(240, node.clientWidth),
        height,
        scales: { x: { time: false }, y: isLogarithmic ? { distr: 3 } : range ? { range } : {} },
        axes: [axis(), { ...axis(), size: 56 }],
        series: [{ label: x, value: (_, value) => value ?? "–" }, ...series.map((one) => ({
            label: one.label, stroke: color(one.color), width: one.width ?? 1.8, dash: one.dash, spanGaps: true,
            points: { show: false }, value: (_, value) => text(value),
        }))],
        bands: bands.map(([high, low]) => ({ series: [high, low], fill: `color-mix(in srgb, ${color(series[high - 1].color)} 22%, transparent)` })),
        cursor: { drag: { x: true, y: false } },
    });

    function draw() {
        plot?.destroy();
        plot = new uPlot(options(), data, node);
        if (onPick)
            plot.over.addEventListener("click", () => {
                if (plot.cursor.idx !== null) onPick(data[0][plot.cursor.idx]);
            });
    }
    new ResizeObserver(() => plot?.setSize({ width: Math.max(240, node.clientWidth), height })).observe(node);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    draw();
    return {
        // A part that was enlarged stays so.
        set(columns) {
            const { min, max } = plot.scales.x;
            const isEnlarged = data[0].length > 1 && (min > data[0][0] || max < data[0].at(-1));
            data = columns;
            plot.setData(columns, !isEnlarged);
            if (isEnlarged) plot.redraw();
        },
    };
}
