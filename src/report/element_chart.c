// SPDX-License-Identifier: GPL-3.0-or-later
// Charts and bars in a report: characters in text and Markdown, drawings with their data in HTML.
#include "report/element.h"
#include "report/model.h"
#include "report/number.h"
#include "report/svg.h"

static void add_chart_legend(Str *out, const Chart *chart) {
    str_add(out, "<ul class=\"legend\">\n");
    for (size_t i = 0; i < chart->series_count; i++) {
        element_html_key(out, i % SVG_COLOURS, "<path class=\"line\" d=\"M0 5H26\"/>",
                         chart->series[i].name);
    }
    for (size_t i = 0; i < chart->reference_count; i++) {
        CLEANUP(str_free) Str name = {0};
        str_addf(&name, "%s: ", chart->references[i].name);
        number_add(&name, chart->references[i].y, chart->y_decimals);
        element_html_key(out, SVG_COLOURS, "<path class=\"reference\" d=\"M0 5H26\"/>",
                         str_text(&name));
    }
    str_add(out, "</ul>\n");
}

static void add_bars_legend(Str *out, const Bars *bars) {
    str_add(out, "<ul class=\"legend\">\n");
    for (size_t i = 0; i < bars->series_count; i++) {
        element_html_key(out, i % SVG_COLOURS, "<rect class=\"bar\" width=\"26\" height=\"10\"/>",
                         bars->series[i]);
    }
    str_add(out, "</ul>\n");
}

// --- charts ---

static void chart_text(const void *content, Str *out) {
    const Chart *chart = content;
    element_text_line(out, chart->title);
    chart_plot(chart, out);
}

static void chart_markdown(const void *content, Str *out) {
    const Chart *chart = content;
    CLEANUP(str_free) Str plot = {0};
    chart_plot(chart, &plot);
    element_markdown_line(out, "**", chart->title, "**\n\n");
    element_markdown_fenced(out, str_text(&plot));
}

static void chart_html(const void *content, Str *out) {
    const Chart *chart = content;
    str_add(out, "<figure>\n");
    element_html_tag(out, "figcaption", chart->title);
    svg_chart(out, chart, SVG_WIDE);
    svg_chart(out, chart, SVG_NARROW);
    add_chart_legend(out, chart);
    element_html_data(out, chart_to_table(chart, CHART_TABLE_ROWS),
                      chart_x_count(chart) > CHART_TABLE_ROWS);
    str_add(out, "</figure>\n");
}

static void chart_free(void *content) {
    chart_destroy(content);
}

static const ReportElement chart_element = {chart_text, chart_markdown, chart_html, chart_free,
                                            NULL};

Chart *report_add_chart(Report *report, const ChartSpec *spec) {
    Chart *chart = chart_create(spec);
    element_add(report, &chart_element, chart);
    return chart;
}

// --- bars ---

static void bars_text(const void *content, Str *out) {
    const Bars *bars = content;
    element_text_line(out, bars->title);
    bars_plot(bars, out);
}

static void bars_markdown(const void *content, Str *out) {
    const Bars *bars = content;
    CLEANUP(str_free) Str plot = {0};
    bars_plot(bars, &plot);
    element_markdown_line(out, "**", bars->title, "**\n\n");
    element_markdown_fenced(out, str_text(&plot));
}

static void bars_html(const void *content, Str *out) {
    const Bars *bars = content;
    str_add(out, "<figure>\n");
    element_html_tag(out, "figcaption", bars->title);
    add_bars_legend(out, bars);
    svg_bars(out, bars, SVG_WIDE);
    svg_bars(out, bars, SVG_NARROW);
    element_html_data(out, bars_to_table(bars), false);
    str_add(out, "</figure>\n");
}

static void bars_free(void *content) {
    bars_destroy(content);
}

static const ReportElement bars_element = {bars_text, bars_markdown, bars_html, bars_free, NULL};

Bars *report_add_bars(Report *report, const BarsSpec *spec) {
    Bars *bars = bars_create(spec);
    element_add(report, &bars_element, bars);
    return bars;
}
