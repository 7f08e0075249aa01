// SPDX-License-Identifier: GPL-3.0-or-later
// GECCO 2009, second stage: what games show of EVOL*, of COEVOL*, and of other ways to begin.
#include "papers/gecco2009.h"

#include "report/number.h"
#include "run/files/run_log.h"

#include <math.h>

// Tables 1 and 2: 500 games each. Table 2 prints 293.0 - 212.0 for the last, which adds up to 505;
// its percentage and its Elo need 207.
typedef struct PaperMatch {
    double percent, elo;
    const char *text;
} PaperMatch;
static const PaperMatch evol_crafty = {50.9, 6, "254.5 - 245.5 with CRAFTY: 50.9%, +6"};
static const PaperMatch coevol_crafty = {60.9, 77, "304.5 - 195.5 with CRAFTY: 60.9%, +77"};
static const PaperMatch coevol_evol = {58.6, 60, "293 - 207: 58.6%, +60"};

// What is known of one co-evolution.
typedef struct Course {
    double start_diversity, end_diversity;
    double start_best, start_worst; // points in percent among the organisms it began with
    MeetingScore verdict, against_evol;
} Course;

// --- words ---

typedef enum Sign { SIGN_NONE, SIGN_BETTER, SIGN_WORSE, SIGN_OPEN } Sign;

static Sign sign_of(const MeetingScore *score) {
    if (page_games(score) == 0)
        return SIGN_NONE;
    const EloEstimate elo = page_elo(score);
    return elo.low > 0 ? SIGN_BETTER : elo.high < 0 ? SIGN_WORSE : SIGN_OPEN;
}

// Whether the games tell the two apart, and where the paper's difference lies.
static void say_sign(Str *out, const MeetingScore *score) {
    static const char *const words[] = {
        [SIGN_NONE] = "It was not played.",
        [SIGN_BETTER] = "It is stronger here.",
        [SIGN_WORSE] = "It is weaker here.",
        [SIGN_OPEN] = "These games do not tell the two apart.",
    };
    str_add(out, words[sign_of(score)]);
}

static void say_place(Str *out, const MeetingScore *score, double theirs) {
    if (page_games(score) == 0)
        return;
    const EloEstimate elo = page_elo(score);
    str_addf(out, " The paper's %+.0f is %s.", theirs,
             theirs > elo.high  ? "above the interval"
             : theirs < elo.low ? "below the interval"
                                : "within the interval");
}

// --- claims ---

static void claim_match(Page *page, const char *claim, const PaperMatch *theirs,
                        const MeetingScore *score, const char *more) {
    Str ours = {0}, remark = {0};
    page_say_match(&ours, score);
    say_sign(&remark, score);
    say_place(&remark, score, theirs->elo);
    str_add(&remark, more);
    page_claim(page, claim, theirs->text, str_text(&ours), str_text(&remark));
    str_free(&ours);
    str_free(&remark);
}

static void claim_verdict(Page *page, const Course *course) {
    Str ours = {0}, remark = {0};
    page_say_match(&ours, &course->verdict);
    say_sign(&remark, &course->verdict);
    page_claim(page, "The same against all ten organisms that it came from", "not played",
               str_text(&ours), str_text(&remark));
    str_free(&ours);
    str_free(&remark);
}

// The engine that met EVOL* most evenly is the one that stands best in CRAFTY's place.
static Status find_even(const Plan *plan, const StandIn **out, MeetingScore *evol,
                        MeetingScore *coevol) {
    Status status = OK;
    double least = HUGE_VAL;
    *out = NULL;
    for (int i = 0; i < GECCO2009_ENGINES && status == OK; i++) {
        const StandIn *engine = &gecco2009_engines[i];
        MeetingScore score;
        status = evidence_meeting(plan, engine->step, GECCO2009_EVOL, engine->program, &score);
        const double distance = fabs(page_percent(&score) - 50);
        if (status == OK && page_games(&score) > 0 && distance < least) {
            least = distance;
            *out = engine;
            *evol = score;
        }
    }
    *coevol = (MeetingScore){0};
    if (status == OK && *out != NULL)
        status = evidence_meeting(plan, (*out)->step, gecco2009_coevolutions[0].player,
                                  (*out)->program, coevol);
    return status;
}

static Status claim_engines(const Plan *plan, Page *page) {
    const StandIn *engine;
    MeetingScore evol = {0}, coevol;
    const Status status = find_even(plan, &engine, &evol, &coevol);
    Str more = {0};
    if (engine != NULL)
        str_addf(&more,
                 " The opponent is %s, which of the engines at hand met EVOL* most evenly, at %s "
                 "s a move.",
                 engine->program, gecco2009_move_seconds(plan));
    claim_match(page, "EVOL* is on a par with a grandmaster-level program", &evol_crafty, &evol,
                str_text(&more));
    claim_match(page, "COEVOL* is stronger than that program", &coevol_crafty, &coevol,
                engine == NULL ? "" : " The same opponent.");
    str_free(&more);
    return status;
}

// In a round robin of ten equals with as many games each, the best is more than 39 points above the
// worst in one of twenty: 4.47 deviations, each at most 8.8 points.
#define SPREAD_OF_EQUALS 39

static void claim_alike(Page *page, const Course *course) {
    Str ours = {0};
    str_addf(&ours,
             "%.0f%% to %.0f%% of the points in %d games each; the values differ by %.0f%% "
             "of their range",
             course->start_worst, course->start_best, GECCO2009_GAMES_EACH,
             100 * course->start_diversity);
    const bool is_alike = course->start_best - course->start_worst <= SPREAD_OF_EQUALS;
    page_claim(page, "The best of ten runs have different values and are of similar strength",
               "said, without figures", str_text(&ours),
               is_alike ? "Chance can spread ten equals as far in so few games."
                        : "More than chance does to ten equals: they are not of one strength.");
    str_free(&ours);
}

static Status claim_random(const Plan *plan, Page *page, const Course *course) {
    static const char *const words[] = {
        [SIGN_NONE] = "It was not played.",
        [SIGN_BETTER] = "Here it ends above COEVOL*.",
        [SIGN_WORSE] = "It ends below COEVOL*, after as many generations.",
        [SIGN_OPEN] = "These games do not tell it from COEVOL*.",
    };
    MeetingScore score;
    const Status status =
        evidence_meeting(plan, "pairs", gecco2009_coevolutions[START_RANDOM].player,
                         gecco2009_coevolutions[START_TEN_RUNS].player, &score);
    Str ours = {0}, remark = {0};
    page_say_match(&ours, &score);
    str_add(&ours, " against COEVOL*; ");
    page_say_match(&ours, &course->against_evol);
    str_add(&ours, " against EVOL*");
    str_addf(&remark, "%s Against the random ten it began with: ", words[sign_of(&score)]);
    page_say_match(&remark, &course->verdict);
    str_add(&remark, ".");
    page_claim(page, "Co-evolution needs tuned organisms to begin with: from random ones it fails",
               "said of earlier work", str_text(&ours), str_text(&remark));
    str_free(&ours);
    str_free(&remark);
    return status;
}

static void claim_inbreeding(Page *page, const Course *ten, const Course *one) {
    Str ours = {0}, remark = {0};
    str_addf(&ours, "they differ by %.1f%% of the range of a value, those of ten runs by %.1f%%",
             100 * one->start_diversity, 100 * ten->start_diversity);
    str_add(&remark, one->start_diversity < ten->start_diversity
                         ? "They are closer to each other, as the paper says."
                         : "They are no closer to each other.");
    str_add(&remark, " What came of them, against those they came from: ");
    page_say_match(&remark, &one->verdict);
    str_add(&remark, ".");
    page_claim(page, "The top ten of one run are too similar to begin with",
               "said, without figures", str_text(&ours), str_text(&remark));
    str_free(&ours);
    str_free(&remark);
}

static Status claim_masters(const Plan *plan, Page *page) {
    static const char *const words[] = {
        [SIGN_NONE] = "It was not played.",
        [SIGN_BETTER] = "Here it is an improvement.",
        [SIGN_WORSE] = "No improvement here either: it is weaker, with fewer positions to learn "
                       "from.",
        [SIGN_OPEN] = "No improvement that these games could show.",
    };
    MeetingScore score;
    const Status status =
        evidence_meeting(plan, "pairs", gecco2009_coevolutions[START_MASTERS].player,
                         gecco2009_coevolutions[START_TEN_RUNS].player, &score);
    Str ours = {0};
    page_say_match(&ours, &score);
    str_add(&ours, " against COEVOL*");
    page_claim(page, "To begin with one organism per grandmaster is no improvement",
               "preliminary tests", str_text(&ours), words[sign_of(&score)]);
    str_free(&ours);
    return status;
}

static Status claim_games(const Plan *plan, Page *page, const Course courses[COEVOLVE_STARTS]) {
    const Course *ten = &courses[START_TEN_RUNS];
    claim_alike(page, ten);
    claim_match(page, "Co-evolution makes it stronger still: COEVOL* against EVOL*", &coevol_evol,
                &ten->against_evol, "");
    claim_verdict(page, ten);
    Status status = claim_engines(plan, page);
    if (status == OK)
        status = claim_random(plan, page, &courses[START_RANDOM]);
    claim_inbreeding(page, ten, &courses[START_ONE_RUN]);
    return status == OK ? claim_masters(plan, page) : status;
}

// --- the four ways to begin ---

typedef struct Drawing {
    Chart *chart;
    size_t series;
    Course *course;
} Drawing;

static void take_line(void *context, size_t index, const RunLogLine *line) {
    const Drawing *drawing = context;
    chart_add_point(drawing->chart, drawing->series, line->generation, 100 * line->diversity);
    drawing->course->end_diversity = line->diversity;
    if (index > 0)
        return;
    drawing->course->start_diversity = line->diversity;
    drawing->course->start_best = line->best;
    drawing->course->start_worst = line->worst;
}

static Status read_course(const Plan *plan, CoevolveStart start, Chart *chart, Course *out) {
    const Coevolution *way = &gecco2009_coevolutions[start];
    Drawing drawing = {chart, chart_add_series(chart, way->from), out};
    Str path = {0};
    evidence_path(plan, &path, "%s", way->step);
    Status status = run_log_each(str_text(&path), take_line, &drawing);
    str_free(&path);
    if (status == OK)
        status = evidence_verdict(plan, way->step, 1, &out->verdict);
    if (status == OK)
        status = evidence_meeting(plan, "pairs", way->player, GECCO2009_EVOL, &out->against_evol);
    return status;
}

static void add_courses(Report *report, const Course courses[COEVOLVE_STARTS]) {
    Table *table = report_add_table(report, "Four ways to begin co-evolution");
    table_add_text_column(table, "begins with");
    table_add_text_column(table, "what comes of it is called");
    table_add_number_column(table, "differ at the start, %", 1);
    table_add_number_column(table, "at the end, %", 1);
    table_add_number_column(table, "score against those it came from, %", 1);
    table_add_number_column(table, "against EVOL*, %", 1);
    Bars *bars = report_add_bars(
        report, &(BarsSpec){.title = "What co-evolution gains, by how it begins: above 50% is more",
                            .value_label = "score (%)",
                            .decimals = 1});
    bars_add_series(bars, "against those it came from");
    bars_add_series(bars, "against EVOL*");
    for (int i = 0; i < COEVOLVE_STARTS; i++) {
        const Course *course = &courses[i];
        const double scores[] = {page_percent(&course->verdict),
                                 page_percent(&course->against_evol)};
        table_add_text(table, gecco2009_coevolutions[i].from);
        table_add_text(table, gecco2009_coevolutions[i].player);
        table_add_number(table, 100 * course->start_diversity);
        table_add_number(table, 100 * course->end_diversity);
        table_add_number(table, scores[0]);
        table_add_number(table, scores[1]);
        bars_add_group(bars, gecco2009_coevolutions[i].from, scores);
    }
}

static Status add_ways(const Plan *plan, Report *report, Course courses[COEVOLVE_STARTS]) {
    report_add_heading(report, "Second stage: evolution by games");
    report_add_paragraph(
        report,
        "Ten organisms play each other, four games for each two, over %d generations (50 in the "
        "paper) at %s nodes a move (5 seconds a side there). The verdict is a match of the best in "
        "the end against those of the first generation, from openings that evolution has not seen.",
        gecco2009_generations(plan), number_of(gecco2009_evolution_nodes(plan)).text);
    Chart *chart = report_add_chart(
        report, &(ChartSpec){.title = "How far the ten organisms differ, by what they began with",
                             .x_label = "generation",
                             .y_label = "deviation of a value (% of its range)",
                             .y_decimals = 1});
    Status status = OK;
    for (int start = 0; start < COEVOLVE_STARTS && status == OK; start++)
        status = read_course(plan, (CoevolveStart)start, chart, &courses[start]);
    add_courses(report, courses);
    return status;
}

// --- matches ---

static Status add_match(const Plan *plan, Table *table, const char *step, const char *a,
                        const char *b, const char *theirs) {
    MeetingScore score;
    const Status status = evidence_meeting(plan, step, a, b, &score);
    Str players = {0};
    str_addf(&players, "%s - %s", a, b);
    if (status == OK && page_games(&score) > 0)
        page_add_match(table, str_text(&players), &score, theirs);
    str_free(&players);
    return status;
}

static Status add_engines(const Plan *plan, Report *report) {
    bool is_any = false;
    for (int i = 0; i < GECCO2009_ENGINES; i++)
        is_any = is_any || plan_has(plan, gecco2009_engines[i].step);
    if (!is_any)
        return OK;
    const char *coevol = gecco2009_coevolutions[START_TEN_RUNS].player;
    Str caption = {0};
    str_addf(&caption, "Tables 1 and 2: against other engines, %s s a move",
             gecco2009_move_seconds(plan));
    Table *table = page_add_matches(report, str_text(&caption));
    str_free(&caption);
    Status status = OK;
    for (int i = 0; i < GECCO2009_ENGINES && status == OK; i++) {
        const StandIn *engine = &gecco2009_engines[i];
        status =
            add_match(plan, table, engine->step, GECCO2009_EVOL, engine->program, evol_crafty.text);
        if (status == OK)
            status =
                add_match(plan, table, engine->step, coevol, engine->program, coevol_crafty.text);
    }
    report_add_paragraph(
        report,
        "These engines stand in for CRAFTY 19. Both sides have the same time for each move, and "
        "our "
        "search has the parts that the paper lists (Profile papers); the paper does not say how "
        "long its games were. Games by the clock come out otherwise each time, and mean little on "
        "a machine that has other work; all others on this page repeat.");
    return status;
}

static Status add_pairs(const Plan *plan, Report *report) {
    const char *players[1 + COEVOLVE_STARTS] = {GECCO2009_EVOL};
    Str caption = {0};
    for (int i = 0; i < COEVOLVE_STARTS; i++)
        players[1 + i] = gecco2009_coevolutions[i].player;
    str_addf(&caption, "Table 2 and all other pairs, at %s nodes a move",
             number_of(gecco2009_match_nodes(plan)).text);
    Table *table = page_add_matches(report, str_text(&caption));
    str_free(&caption);
    Status status = OK;
    for (int b = 0; b < COEVOLVE_STARTS; b++)
        for (int a = b + 1; a <= COEVOLVE_STARTS && status == OK; a++)
            status = add_match(plan, table, "pairs", players[a], players[b],
                               a == 1 ? coevol_evol.text : "");
    return status;
}

Status gecco2009_tell_games(const Plan *plan, Page *page) {
    Course courses[COEVOLVE_STARTS] = {0};
    Status status = add_ways(plan, page->report, courses);
    if (status == OK)
        status = claim_games(plan, page, courses);
    report_add_heading(page->report, "Matches");
    if (status == OK)
        status = add_pairs(plan, page->report);
    return status == OK ? add_engines(plan, page->report) : status;
}
