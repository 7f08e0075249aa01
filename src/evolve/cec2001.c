// SPDX-License-Identifier: GPL-3.0-or-later
// CEC 2001: members in a vector learn by meeting each other. The one at the cursor plays one drawn
// from those after it, the loser becomes a copy of the winner, and copies vary. At the end of a
// generation the vector is reversed. The boxes are those of the start: members may leave them,
// unless they are to be kept in.
#include "evolve/mutation.h"
#include "evolve/random.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    CEC_GAMES = OPTIONS_COMMON,
    CEC_START_STEP,
    CEC_CLEAR_SPREAD,
    CEC_NARROW_SPREAD,
    CEC_WINNER_SPREAD,
    CEC_LEVEL_SPREAD,
    CEC_LEAST_DEVIATION,
    CEC_RESCUE_RATE,
    CEC_RESCUE_STEP,
    CEC_KEEP_IN_RANGE, // from here on: later than 0.2
    CEC_OPTION_COUNT,
};

static const char *const no_yes[] = {"no", "yes", NULL};

static const Setting options[] = {
    OPTIONS_FOR_ALL(2, "50", "44"),
    OPTION_WHOLE("games", 1, 1000000, "2", "games of a meeting"),
    OPTION_REAL("start-step", 0, 1e9, "1",
                "members start so many steps of this above the low bounds; 0: anywhere"),
    OPTION_REAL("clear-spread", 0, 100, "2",
                "spread of the copy after a meeting won in every game, in deviations"),
    OPTION_REAL("narrow-spread", 0, 100, "1", "the same after a meeting won by less"),
    OPTION_REAL("winner-spread", 0, 100, "0.2", "spread of the winner itself then"),
    OPTION_REAL("level-spread", 0, 100, "0.5", "spread of both after a level meeting"),
    OPTION_REAL("least-deviation", 0, 1e9, "0.2",
                "a parameter that varies less over the population is stirred"),
    OPTION_REAL("rescue-rate", 0, 1, "0.1", "chance of each member to be stirred"),
    OPTION_REAL("rescue-step", 0, 1e9, "0.1", "how far it is stirred at most"),
    OPTION_CHOICE("keep-in-range", "no", no_yes,
                  "keep members within their bounds; no: only the first generation"),
};
static_assert(sizeof options / sizeof *options == CEC_OPTION_COUNT, "one row per option");

// What is known of a member's past.
enum { MARK_FROM_START = 1, MARK_UNCHANGED = 2, MARKS_ALL = 3 };

typedef struct Cec {
    Population vector;
    size_t cursor;
    int64_t *marks; // of each member
    bool has_marks; // false after a checkpoint of a version that kept none
    double *deviations;
    EvolveMeeting *meetings; // from the cursor on, as many as share no member
    size_t meeting_count;
    bool *busy;
} Cec;

static const EvolveField fields[] = {
    FIELD_VALUE(Cec, cursor, KEPT_SIZE),
    FIELD_ARRAY(Cec, vector.rows, 1, ALL_PARAMETERS, KEPT_DOUBLES),
    FIELD_ARRAY(Cec, marks, 1, MEMBERS, NOT_KEPT),
    FIELD_ARRAY(Cec, deviations, 1, PARAMETERS, NOT_KEPT),
    FIELD_ARRAY(Cec, meetings, 1, MEMBERS, NOT_KEPT),
    FIELD_ARRAY(Cec, busy, 1, MEMBERS, NOT_KEPT),
};

// The meetings that can be played at once: up to the first with a member that has one already, for
// that member may be another one afterwards.
static void plan_meetings(Cec *cec, const EvolveRun *run, uint32_t generation) {
    memset(cec->busy, 0, cec->vector.size * sizeof *cec->busy);
    cec->meeting_count = 0;
    for (size_t first = cec->cursor; first + 1 < cec->vector.size; first++) {
        Rng rng = evolve_rng(run->seed, run->run, generation, (uint32_t)first, USE_MEETING);
        size_t second = first + 1 + rng_below(&rng, (uint32_t)(cec->vector.size - first - 1));
        if (cec->busy[first] || cec->busy[second])
            return;
        cec->busy[first] = cec->busy[second] = true;
        cec->meetings[cec->meeting_count++] =
            (EvolveMeeting){first, second, (unsigned)run->options[CEC_GAMES]};
    }
}

// Redraws the random members, from the multiples of a step.
static void start_in_steps(Cec *cec, const EvolveRun *run, double step) {
    for (size_t i = run->start_count; i < cec->vector.size; i++) {
        Rng rng = evolve_run_rng(run, i, USE_START);
        for (size_t j = 0; j < cec->vector.width; j++) {
            const EvolveParameter *box = &run->space->parameters[j];
            const double steps = floor((box->high - box->low) / step);
            const uint32_t chosen = rng_below(&rng, steps < 1e9 ? (uint32_t)steps + 1 : 1u << 30);
            cec->vector.rows[i * cec->vector.width + j] = box->low + step * chosen;
        }
    }
}

static Status create(void *state, const EvolveRun *run) {
    Cec *cec = state;
    population_start(run, cec->vector.rows, cec->vector.size);
    if (run->options[CEC_START_STEP] > 0)
        start_in_steps(cec, run, run->options[CEC_START_STEP]);
    for (size_t i = 0; i < cec->vector.size; i++)
        cec->marks[i] = MARK_UNCHANGED | (i < run->start_count ? MARK_FROM_START : 0);
    cec->has_marks = true;
    plan_meetings(cec, run, run->generation);
    return OK;
}

static const EvolveMeeting *ask_meetings(void *state, size_t *count) {
    const Cec *cec = state;
    *count = cec->meeting_count;
    return cec->meetings;
}

static bool is_fixed(const EvolveRun *run, size_t parameter) {
    return run->space->parameters[parameter].low == run->space->parameters[parameter].high;
}

static void move(Cec *cec, const EvolveRun *run, size_t member, size_t parameter, double step) {
    const EvolveParameter *box = &run->space->parameters[parameter];
    double *value = &cec->vector.rows[member * cec->vector.width + parameter];
    *value += step;
    if (run->options[CEC_KEEP_IN_RANGE] != 0)
        *value = fmin(fmax(*value, box->low), box->high);
    cec->marks[member] &= ~(int64_t)MARK_UNCHANGED;
}

static void vary(Cec *cec, const EvolveRun *run, size_t member, double spread, Rng *rng) {
    for (size_t j = 0; j < cec->vector.width; j++)
        if (!is_fixed(run, j))
            move(cec, run, member, j, mutation_step(spread, cec->deviations[j], rng));
}

static void copy_member(Cec *cec, size_t from, size_t to) {
    memcpy(cec->vector.rows + to * cec->vector.width, cec->vector.rows + from * cec->vector.width,
           cec->vector.width * sizeof *cec->vector.rows);
    cec->marks[to] = cec->marks[from];
}

static void learn_meeting(Cec *cec, const EvolveRun *run, const EvolveMeeting *meeting,
                          const EvolveResult *result) {
    Rng rng = evolve_run_rng(run, meeting->first, USE_CLONING);
    mutation_deviations(cec->vector.rows, cec->vector.size, cec->vector.width, cec->deviations);
    if (result->wins == result->losses) {
        vary(cec, run, meeting->first, run->options[CEC_LEVEL_SPREAD], &rng);
        vary(cec, run, meeting->second, run->options[CEC_LEVEL_SPREAD], &rng);
        return;
    }
    bool first_won = result->wins > result->losses;
    size_t winner = first_won ? meeting->first : meeting->second;
    size_t loser = first_won ? meeting->second : meeting->first;
    bool clear = (first_won ? result->wins : result->losses) == meeting->games;
    copy_member(cec, winner, loser);
    vary(cec, run, loser, run->options[clear ? CEC_CLEAR_SPREAD : CEC_NARROW_SPREAD], &rng);
    if (!clear)
        vary(cec, run, winner, run->options[CEC_WINNER_SPREAD], &rng);
}

// Parameters on which the members have come to agree are stirred a little.
static void rescue_diversity(Cec *cec, const EvolveRun *run) {
    mutation_deviations(cec->vector.rows, cec->vector.size, cec->vector.width, cec->deviations);
    for (size_t i = 0; i < cec->vector.size; i++) {
        Rng rng = evolve_run_rng(run, i, USE_RESCUE);
        for (size_t j = 0; j < cec->vector.width; j++) {
            double chance = rng_real(&rng), step = 2 * rng_real(&rng) - 1;
            if (!is_fixed(run, j) && cec->deviations[j] < run->options[CEC_LEAST_DEVIATION] &&
                chance < run->options[CEC_RESCUE_RATE])
                move(cec, run, i, j, step * run->options[CEC_RESCUE_STEP]);
        }
    }
}

static void reverse_vector(Cec *cec) {
    const size_t width = cec->vector.width;
    for (size_t i = 0, last = cec->vector.size - 1; i < last; i++, last--) {
        const int64_t marks = cec->marks[i];
        cec->marks[i] = cec->marks[last];
        cec->marks[last] = marks;
        for (size_t j = 0; j < width; j++) {
            const double kept = cec->vector.rows[i * width + j];
            cec->vector.rows[i * width + j] = cec->vector.rows[last * width + j];
            cec->vector.rows[last * width + j] = kept;
        }
    }
}

static Status tell_meetings(void *state, const EvolveRun *run, const EvolveResult *results,
                            bool *generation_over) {
    Cec *cec = state;
    for (size_t i = 0; i < cec->meeting_count; i++)
        learn_meeting(cec, run, &cec->meetings[i], &results[i]);
    cec->cursor += cec->meeting_count;
    *generation_over = cec->cursor + 1 >= cec->vector.size;
    if (*generation_over) {
        rescue_diversity(cec, run);
        reverse_vector(cec);
        cec->cursor = 0;
    }
    plan_meetings(cec, run, run->generation + *generation_over);
    return OK;
}

// The end of the vector, where winners gather, is its beginning once it is reversed.
static const double *best(const void *state) {
    const Cec *cec = state;
    return cec->vector.rows;
}

static bool lineage(const void *state, EvolveLineage *out) {
    const Cec *cec = state;
    *out = (EvolveLineage){0};
    for (size_t i = 0; i < cec->vector.size; i++) {
        out->unchanged += (cec->marks[i] & MARK_UNCHANGED) != 0;
        out->from_start += (cec->marks[i] & MARK_FROM_START) != 0;
        out->start_unchanged += cec->marks[i] == MARKS_ALL;
    }
    return cec->has_marks;
}

static void save(const void *state, Str *out) {
    const Cec *cec = state;
    if (cec->has_marks)
        bytes_add_i64s(out, cec->marks, cec->vector.size);
}

// Version 0.2 saved no marks: a run of that version goes on without.
static void load_marks(Cec *cec, ByteReader *in) {
    cec->has_marks = in->rest.length > 0;
    if (!cec->has_marks)
        return;
    bytes_i64s(in, cec->marks, cec->vector.size);
    for (size_t i = 0; i < cec->vector.size; i++)
        in->failed = in->failed || cec->marks[i] < 0 || cec->marks[i] > MARKS_ALL;
}

static Status load(void *state, const EvolveRun *run, ByteReader *in) {
    Cec *cec = state;
    load_marks(cec, in);
    if (in->failed || cec->cursor >= cec->vector.size - 1) {
        in->failed = true;
        return OK;
    }
    plan_meetings(cec, run, run->generation);
    return OK;
}

const EvolveAlgorithm evolve_cec2001 = {
    .name = "cec2001",
    .summary = "members of a vector learn by playing each other (CEC 2001)",
    .options = options,
    .option_count = CEC_OPTION_COUNT,
    .first_later_option = CEC_KEEP_IN_RANGE,
    .state_size = sizeof(Cec),
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .leaves_boxes = true,
    .create = create,
    .ask_meetings = ask_meetings,
    .tell_meetings = tell_meetings,
    .best = best,
    .ends_as_mean = true,
    .lineage = lineage,
    .save = save,
    .load = load,
};
