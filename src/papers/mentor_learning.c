// SPDX-License-Identifier: GPL-3.0-or-later
// Figures 2 and 3 of GECCO 2008 and GPEM 2010, which are the same in both.
#include "eval/weights.h"
#include "papers/mentor.h"

#include <math.h>

// Fig. 2 and the text around it, in centipawns. What is said to be more or less than a figure is
// given as that figure.
static const struct {
    double start_best, start_mean, best_35, end_best, end_mean, training, test, seconds;
} theirs = {130, 250, 50, 28, 47, 28, 30, 442};

enum { EARLY_GENERATION = 35 };

// What the runs of one evolution came to.
typedef struct Learning {
    Grid runs;      // runs.csv
    double early;   // the best error at EARLY_GENERATION, mean of the runs
    double seconds; // of one run, mean
    double least;   // no weights of the family have a lower training error; NaN where not known
    Weights best;   // of the run with the least training error
    bool is_there;
} Learning;

// --- one evolution ---

static void add_chart(const RunsCourse *course, Report *report) {
    Chart *chart = page_add_course(
        report, course,
        &(ChartSpec){.title = "Fig. 2: error by generation, ten runs of the paper's "
                              "procedure (bands: least to greatest; dotted: where the "
                              "paper's run ended)",
                     .x_label = "generation",
                     .y_label = "mean error, centipawns",
                     .is_log_y = true,
                     .y_decimals = 1});
    chart_add_reference(chart, "paper: best", theirs.end_best);
    chart_add_reference(chart, "paper: mean", theirs.end_mean);
}

static Status read_learning(const Plan *plan, const char *step, Report *chart, Learning *out) {
    *out = (Learning){.early = (double)NAN, .seconds = (double)NAN, .least = (double)NAN};
    if (!plan_has(plan, step))
        return OK;
    Str path = {0}, weights = {0};
    RunsCourse course = {0};
    evidence_path(plan, &path, "%s/runs.csv", step);
    evidence_path(plan, &weights, "%s/best.weights", step);
    Status status = grid_read(&out->runs, str_text(&path));
    if (status == OK)
        status = weights_load(&out->best, str_text(&weights));
    out->is_there = status == OK;
    if (status == OK)
        status = evidence_run_seconds(plan, step, MENTOR_RUNS, &out->seconds);
    if (status == OK)
        status = course_read(&course, plan, step, MENTOR_RUNS);
    if (status == OK && course.count > EARLY_GENERATION)
        out->early = course_mean(&course.items[EARLY_GENERATION].best);
    if (status == OK && chart != NULL)
        add_chart(&course, chart);
    if (status == OK) // every run tells how far it is above the same bound
        out->least = grid_at(&out->runs, 0, "training") /
                     (1 + grid_at(&out->runs, 0, "above_optimum") / 100);
    course_free(&course);
    str_free(&path);
    str_free(&weights);
    return status;
}

static void learning_free(Learning *learning) {
    if (learning->is_there)
        weights_free(&learning->best);
    grid_free(&learning->runs);
}

static double mean_of(const Learning *learning, const char *column) {
    return learning->is_there ? grid_mean(&learning->runs, column) : (double)NAN;
}

// --- tables ---

static void add_row(Table *table, const char *what, const char *paper, double literal,
                    double play) {
    table_add_text(table, what);
    table_add_text(table, paper);
    table_add_number(table, literal);
    table_add_number(table, play);
}

static void add_errors(Report *report, const Learning *literal, const Learning *play) {
    Table *table = report_add_table(report, "Errors in centipawns, means of ten runs");
    table_add_text_column(table, "error");
    table_add_text_column(table, "the paper");
    table_add_number_column(table, "to the letter", 1);
    table_add_number_column(table, "play", 1);
    add_row(table, "best, at the start", "> 130", mean_of(literal, "start_best"),
            mean_of(play, "start_best"));
    add_row(table, "mean of all, at the start", "> 250", mean_of(literal, "start_mean"),
            mean_of(play, "start_mean"));
    add_row(table, "best, generation 35", "< 50", literal->early, play->early);
    add_row(table, "best, at the end", "28", mean_of(literal, "end_best"),
            mean_of(play, "end_best"));
    add_row(table, "mean of all, at the end", "47", mean_of(literal, "end_mean"),
            mean_of(play, "end_mean"));
    add_row(table, "the best, all training positions", "28", mean_of(literal, "training"),
            mean_of(play, "training"));
    add_row(table, "the best, test positions", "30", mean_of(literal, "test"),
            mean_of(play, "test"));
    add_row(table, "the least that any weights have in training", "", literal->least, play->least);
    add_row(table, "above that, %", "", mean_of(literal, "above_optimum"),
            mean_of(play, "above_optimum"));
}

static Status add_values(Report *report, const Learning *literal, const Learning *play) {
    Weights paper, hand;
    Status status = weights_load(&paper, "maestro-gecco2008.weights");
    if (status != OK)
        return status;
    status = weights_load(&hand, "maestro-hand.weights");
    if (status != OK) {
        weights_free(&paper);
        return status;
    }
    const Weights *const columns[] = {&paper, &literal->best, &play->best, &hand};
    static const char *const names[] = {"Fig. 3", "to the letter", "play", "MAESTRO, by hand"};
    Bars *bars = report_add_bars(
        report, &(BarsSpec){.title = "What the pieces are worth", .value_label = "centipawns"});
    Table *table = report_add_table(report, "Fig. 3: the values of the best organisms");
    table_add_text_column(table, "parameter");
    for (int i = 0; i < 4; i++) {
        bars_add_series(bars, names[i]);
        table_add_number_column(table, names[i], 0);
    }
    for (size_t term = 0; term < paper.family->term_count; term++) {
        double values[4];
        table_add_text(table, paper.family->terms[term].name);
        for (int i = 0; i < 4; i++) {
            values[i] = columns[i]->parameters[term];
            table_add_number(table, values[i]);
        }
        if (term < 5) // the pieces come first
            bars_add_group(bars, paper.family->terms[term].name, values);
    }
    weights_free(&paper);
    weights_free(&hand);
    return OK;
}

// --- claims ---

static void claim_errors(Page *page, const Learning *literal, const Learning *play) {
    Str ours = {0}, remark = {0};
    const double above = mean_of(literal, "above_optimum"), training = mean_of(literal, "training");
    str_addf(&ours, "to the letter %.1f and %.1f cp; play, on quiet positions, %.1f and %.1f cp",
             training, mean_of(literal, "test"), mean_of(play, "training"), mean_of(play, "test"));
    str_addf(&remark,
             "Here it is %s. No weights of these 35 terms have less than %.1f cp on these "
             "positions, %.1f cp on the quiet ones; the runs end %.1f%% and %.1f%% above that.",
             training > theirs.training ? "more" : "no more", literal->least, play->least, above,
             mean_of(play, "above_optimum"));
    page_claim(page,
               "The best organism comes close to its mentor's scores, in training and in the test",
               "28 and 30 cp", str_text(&ours), str_text(&remark));
    str_clear(&ours);
    str_clear(&remark);
    const double excess = 100 * (mean_of(literal, "test") / training - 1);
    str_addf(&ours, "%+.1f%%; play %+.1f%%", excess,
             100 * (mean_of(play, "test") / mean_of(play, "training") - 1));
    page_claim(page, "The error in the test is hardly above that of training", "+7.1%",
               str_text(&ours),
               fabs(excess) <= 100 * (theirs.test / theirs.training - 1)
                   ? "It holds: what was learned is not the positions themselves."
                   : "The two are further apart here than in the paper.");
    str_free(&ours);
    str_free(&remark);
}

static void claim_speed(Page *page, const Learning *literal) {
    Str ours = {0};
    page_say_time(&ours, literal->seconds);
    str_add(&ours, " for a run, mean of ten");
    page_claim(
        page, "Evolution takes minutes", "442 s (Athlon 64 3200+)", str_text(&ours),
        "What each term counts in each position is found once; an organism is then a product "
        "of matrices.");
    str_free(&ours);
}

static void explain(Report *report, const MentorPaper *paper) {
    report_add_heading(report, "Evolution");
    report_add_paragraph(
        report,
        "FALCON, with 318 weights, scored 10,000 positions with a search of two plies; 35 weights "
        "of "
        "MAESTRO were evolved to give the same scores without a search. This was done in two ways. "
        "\"To the letter\" is the paper's procedure (falconer evolve %s): all positions, also "
        "those "
        "in which a piece hangs, where a search sees the capture and a static score cannot. The "
        "least "
        "error then asks for other values than good play does (docs/evolve.md has the "
        "measurements). "
        "\"play\" (falconer evolve play) takes quiet positions only, adds a constant for the right "
        "to "
        "move, and refines the best organism. EVOL* is here the organism of play; EVOL-literal, "
        "the "
        "paper's to the letter, stands beside it everywhere. Each is the best of ten runs by its "
        "error on the training positions.",
        paper->preset);
}

Status mentor_tell_learning(const Plan *plan, Page *page, const MentorPaper *paper) {
    Learning literal = {0}, play = {0};
    explain(page->report, paper);
    Status status = read_learning(plan, "literal", page->report, &literal);
    if (status == OK)
        status = read_learning(plan, "play", NULL, &play);
    if (status == OK && literal.is_there && play.is_there) {
        claim_errors(page, &literal, &play);
        claim_speed(page, &literal);
        add_errors(page->report, &literal, &play);
        status = add_values(page->report, &literal, &play);
    }
    learning_free(&literal);
    learning_free(&play);
    return status;
}
