// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/gpem2010_event.h"

#include "papers/mentor.h"

#include <string.h>

// Table 6, and who sits in each one's place here: an engine that is given as many times EVOL*'s
// time as that program had cores. Where it is not installed, Eyas with other weights.
typedef struct Seat {
    const char *program;
    int cores;
    const char *slow, *speed; // EVOL*'s result in WCCC and in WCSCC
    const char *name;         // here
    const char *engine;       // its program, or NULL: Eyas
    const char *words;        // of the engine, besides those it always has
    const char *weights;      // of Eyas
} Seat;

static const Seat seats[] = {
    {"RYBKA", 40, "-", "+", "stockfish-2850", "stockfish",
     "option.UCI_LimitStrength=true option.UCI_Elo=2850", "falcon.weights"},
    {"CLUSTER TOGA", 24, "+", "+", "toga2", "toga2", "", "falcon-moves.weights"},
    {"JONNY", 16, "=", "+", "glaurung", "glaurung", "", "maestro-gecco2008.weights"},
    {"JUNIOR", 12, "=", "=", "stockfish-2400", "stockfish",
     "option.UCI_LimitStrength=true option.UCI_Elo=2400", "maestro-hand.weights"},
    {"HIARCS", 8, "-", "-", "FALCON", NULL, NULL, "falcon.weights"},
    {"SHREDDER", 8, "-", "=", "gnuchess", "gnuchess", "", "vazquez-asoc2013.weights"},
    {"THE BARON", 4, "+", "=", "hoichess", "hoichess", "", "shannon-developed.weights"},
    {"SJENG", 4, "-", "=", "sjeng", "sjeng", "", "shannon-1950.weights"},
    {"MOBILE CHESS", 1, "+", "+", "phalanx", "phalanx", "", "shannon-undeveloped.weights"},
};
enum { SEATS = sizeof seats / sizeof seats[0] };

// EVOL*'s time for all of a game, in seconds; a hundredth of it is added for each move.
typedef struct Event {
    const char *step;
    double quick, papers;
} Event;
static const Event events[] = {{"event-slow", 0.3, 6}, {"event-speed", 0.1, 1.5}};
enum { EVENTS = sizeof events / sizeof events[0] };

static double event_seconds(const Plan *plan, const Event *event) {
    return plan->scale == SCALE_QUICK ? event->quick : event->papers;
}

// --- the plan ---

static void add_clock(Str *out, double seconds) {
    str_addf(out, " tc=%g+%g", seconds, seconds / 100);
}

// Eyas in another's place is called by its weights.
static void add_seat(Plan *plan, const Seat *seat, Str *out) {
    const char *path = seat->engine == NULL ? NULL : plan_engine(plan, seat->engine);
    if (path != NULL)
        str_addf(out, " -engine name=%s cmd=%s %s %s", seat->name, path,
                 plan_engine_words(seat->engine), seat->words);
    else
        str_addf(out, " -engine name=%s weights=%s",
                 seat->engine == NULL ? seat->name : seat->weights, seat->weights);
}

void event_plan(Plan *plan) {
    for (int i = 0; i < EVENTS; i++) {
        const double seconds = event_seconds(plan, &events[i]);
        Str words = {0};
        str_add(&words, " -engine ");
        mentor_add_player(plan, PLAYER_EVOL, &words);
        add_clock(&words, seconds);
        for (int j = 0; j < SEATS; j++) {
            add_seat(plan, &seats[j], &words);
            add_clock(&words, seconds * seats[j].cores);
        }
        // The paper has one game with each; here each side has White once.
        plan_timed_match(plan, events[i].step, seconds * 160, 1,
                         "-tournament gauntlet%s -each timemargin=1000", str_text(&words));
        str_free(&words);
    }
}

// --- the page ---

// Finds the opponents in the order of the seats, in which the games name them; EVOL* goes to the
// end.
static Status read_opponents(const Plan *plan, Roster *out) {
    const Status status = evidence_roster(plan, events[0].step, out);
    size_t others = 0;
    for (size_t i = 0; i < out->count; i++)
        if (strcmp(out->names[i], mentor_name(PLAYER_EVOL)) != 0) {
            char *name = out->names[i];
            out->names[i] = out->names[others];
            out->names[others++] = name;
        }
    if (status == OK && others != SEATS)
        return error_set(ERR_PARSE, "%s: %zu opponents, not %d", events[0].step, others, SEATS);
    return status;
}

static double points_of(const MeetingScore *score) {
    return (double)score->games.wins + (double)score->games.draws / 2;
}

static void add_result(Table *table, const MeetingScore *score) {
    Str text = {0};
    str_addf(&text, "%g of %lu", points_of(score), (unsigned long)page_games(score));
    table_add_text(table, str_text(&text));
    str_free(&text);
}

static Table *add_columns(Report *report) {
    Table *table = report_add_table(report, "Table 6: a championship with time odds");
    table_add_text_column(table, "there");
    table_add_number_column(table, "cores", 0);
    table_add_text_column(table, "WCCC");
    table_add_text_column(table, "WCSCC");
    table_add_text_column(table, "here");
    table_add_number_column(table, "time odds", 0);
    table_add_text_column(table, "slow");
    table_add_text_column(table, "speed");
    return table;
}

static void claim_event(Page *page, const MeetingScore *totals) {
    Str ours = {0};
    str_addf(&ours, "%.1f%% and %.1f%% of the points, slow and speed", page_percent(&totals[0]),
             page_percent(&totals[1]));
    page_claim(page, "EVOL* holds its own in a championship against faster machines",
               "44% and 67% of the points (4 and 6 of 9)", str_text(&ours),
               "Other opponents, so the figures cannot be compared; the odds are the paper's.");
    str_free(&ours);
}

static Status fill_table(const Plan *plan, Table *table, const Roster *opponents) {
    const char *const evol = mentor_name(PLAYER_EVOL);
    Status status = OK;
    for (size_t i = 0; status == OK && i < SEATS; i++) {
        const Seat *seat = &seats[i];
        MeetingScore slow, speed;
        status = evidence_meeting(plan, events[0].step, evol, opponents->names[i], &slow);
        if (status == OK)
            status = evidence_meeting(plan, events[1].step, evol, opponents->names[i], &speed);
        table_add_text(table, seat->program);
        table_add_number(table, seat->cores);
        table_add_text(table, seat->slow);
        table_add_text(table, seat->speed);
        table_add_text(table, opponents->names[i]);
        table_add_number(table, seat->cores);
        add_result(table, &slow);
        add_result(table, &speed);
    }
    return status;
}

Status event_tell(const Plan *plan, Page *page) {
    if (!plan_has(plan, events[0].step))
        return OK;
    report_add_heading(page->report, "The championship");
    report_add_paragraph(
        page->report,
        "In 2008 the evolved program met nine others on machines with up to 40 cores, one game "
        "each, "
        "at a slow and a fast control: + won, = drawn, - lost. Here EVOL* has %g and %g seconds "
        "for "
        "a game and a hundredth of that for each move; opponents have as many times that as those "
        "programs had cores, which is worth more than the cores are. These games are played "
        "against "
        "the clock, and their results differ from run to run.",
        event_seconds(plan, &events[0]), event_seconds(plan, &events[1]));
    Roster opponents;
    MeetingScore totals[EVENTS];
    Status status = read_opponents(plan, &opponents);
    if (status == OK)
        status = fill_table(plan, add_columns(page->report), &opponents);
    for (int i = 0; status == OK && i < EVENTS; i++)
        status = evidence_player(plan, events[i].step, mentor_name(PLAYER_EVOL), &totals[i]);
    if (status == OK)
        claim_event(page, totals);
    roster_free(&opponents);
    return status;
}
