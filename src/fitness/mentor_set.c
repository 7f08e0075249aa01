// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/mentor_set.h"

#include "base/hash.h"
#include "base/lines.h"
#include "base/mem.h"
#include "chess/epd.h"
#include "chess/movegen.h"
#include "chess/see.h"

#include <inttypes.h>
#include <stdlib.h>

// Mates are written as 32767 less the plies to mate, so nothing near that is a score.
enum { BATCH = 8192, MATE_LEAST = 31000 };

typedef enum Fate {
    FATE_USED,
    FATE_BLANK,
    FATE_UNLABELLED,
    FATE_NOT_QUIET,
    FATE_MATE,
    FATE_BEYOND
} Fate;

// One line on its way to a row. `fate` tells why it was left out, `cut` why it was clamped.
typedef struct Item {
    size_t start, length; // in the batch's text
    uint64_t line;
    Fate fate, cut;
    int32_t label;
} Item;

typedef struct Batch {
    const char *path;
    const MentorSetOptions *options;
    Str text;
    Item *items;
    int16_t *rows;
    Position *positions; // NULL where they are not kept
    size_t count, terms;
    Epd *epds; // one per worker
} Batch;

const char *const treatment_names[] = {"drop", "clamp", NULL};

size_t mentor_row_terms(const MentorSetOptions *options) {
    return options->family->coefficient_count + options->tempo;
}

void mentor_row(const MentorSetOptions *options, const Position *pos, int16_t *row) {
    Trace trace;
    const size_t count = options->family->coefficient_count;
    family_trace(options->family, pos, &trace);
    const int sign = position_turn(pos) == WHITE ? 1 : -1;
    for (size_t i = 0; i < count; i++)
        row[i] = (int16_t)(sign * trace.counts[i]);
    if (options->tempo)
        row[count] = 1;
}

static bool mover_wins_material(const Position *pos) {
    Move moves[MOVES_MAX];
    const size_t count = movegen(pos, MOVES_NOISY, moves);
    for (size_t i = 0; i < count; i++)
        if (see_at_least(pos, moves[i], 1))
            return true;
    return false;
}

static bool is_quiet_for_both(const Position *pos) {
    if (position_checkers(pos) != 0 || mover_wins_material(pos))
        return false;
    Position passed = *pos;
    Undo undo;
    position_make_null(&passed, &undo);
    return !mover_wins_material(&passed);
}

// Cuts a score to the limit, or drops it, as told.
static Fate treat(Item *item, MentorTreatment treatment, Fate reason, int32_t limit) {
    if (treatment == MENTOR_DROP)
        return reason;
    item->cut = reason;
    item->label = limit;
    return FATE_USED;
}

static Fate judge_label(const MentorSetOptions *options, const Epd *epd, Item *item) {
    int64_t score;
    if (!epd_get_int(epd, "ce", &score))
        return FATE_UNLABELLED;
    const int32_t limit = score > 0 ? options->clamp : -options->clamp;
    if (score >= MATE_LEAST || score <= -MATE_LEAST)
        return treat(item, options->mates, FATE_MATE, limit);
    if (options->clamp > 0 && (score > options->clamp || score < -options->clamp))
        return treat(item, options->beyond, FATE_BEYOND, limit);
    item->label = (int32_t)score;
    return FATE_USED;
}

static Status read_item(void *context, size_t index, int worker) {
    Batch *batch = context;
    Item *item = &batch->items[index];
    Epd *epd = &batch->epds[worker];
    const StrView line = view_trim(view_of(batch->text.text + item->start, item->length));
    if (line.length == 0 || line.text[0] == '#') {
        item->fate = FATE_BLANK;
        return OK;
    }
    Status status = epd_parse(epd, line);
    if (status == OK)
        status = epd_check(epd);
    if (status != OK) {
        error_prefix("%s:%" PRIu64, batch->path, item->line);
        return status;
    }
    item->fate = judge_label(batch->options, epd, item);
    if (item->fate == FATE_USED && batch->options->quiet_only && !is_quiet_for_both(&epd->pos))
        item->fate = FATE_NOT_QUIET;
    if (item->fate == FATE_USED && batch->positions != NULL)
        batch->positions[index] = epd->pos;
    if (item->fate == FATE_USED)
        mentor_row(batch->options, &epd->pos, batch->rows + index * batch->terms);
    return OK;
}

static void count_fate(MentorSetTotals *totals, const Item *item) {
    totals->lines += item->fate != FATE_BLANK;
    totals->used += item->fate == FATE_USED;
    totals->unlabelled += item->fate == FATE_UNLABELLED;
    totals->not_quiet += item->fate == FATE_NOT_QUIET;
    totals->mates += item->fate == FATE_MATE || (item->fate == FATE_USED && item->cut == FATE_MATE);
    totals->beyond +=
        item->fate == FATE_BEYOND || (item->fate == FATE_USED && item->cut == FATE_BEYOND);
}

static void keep_position(PlayedSet *kept, const Position *pos) {
    kept->items = vec_grow(kept->items, &kept->capacity, kept->count + 1, sizeof *kept->items);
    kept->items[kept->count++] = (PlayedItem){.pos = *pos};
}

static Status take_batch(Batch *batch, MentorSet *set, DistPool *pool) {
    Status status = dist_pool_run(pool, batch->count, read_item, batch);
    for (size_t i = 0; i < batch->count && status == OK; i++) {
        const Item *item = &batch->items[i];
        count_fate(&set->totals, item);
        if (item->fate == FATE_USED)
            status = counts_add(&set->matrix, batch->rows + i * batch->terms,
                                item->label * batch->options->family->unit);
        if (item->fate == FATE_USED && batch->positions != NULL)
            keep_position(&set->positions, &batch->positions[i]);
    }
    batch->count = 0;
    str_clear(&batch->text);
    return status;
}

static Status read_lines(Batch *batch, LineReader *lines, MentorSet *set, DistPool *pool) {
    for (;;) {
        StrView line;
        Status status = lines_next(lines, &line);
        // Unpacking adds an empty line at the end: empty ones are nothing, to the hash too.
        if (status == OK && line.length > 0) {
            batch->items[batch->count++] =
                (Item){batch->text.length, line.length, lines_number(lines), 0, 0, 0};
            str_append(&batch->text, line.text, line.length);
            set->hash = hash_bytes(set->hash, line.text, line.length);
            set->hash = hash_bytes(set->hash, "\n", 1);
        }
        const bool at_end = status == OK && line.text == NULL;
        if (status == OK && (at_end || batch->count == BATCH))
            status = take_batch(batch, set, pool);
        if (status != OK || at_end)
            return status;
    }
}

static Status check_not_empty(const MentorSet *set, const char *path) {
    const MentorSetTotals *totals = &set->totals;
    if (totals->used > 0)
        return OK;
    if (totals->lines > 0 && totals->unlabelled == totals->lines)
        return error_set(ERR_ARG,
                         "%s: none of the %" PRIu64
                         " positions has a score (`ce`); `falconer label` "
                         "asks a mentor for them",
                         path, totals->lines);
    return error_set(ERR_ARG,
                     "%s: no position is left of %" PRIu64 " (%" PRIu64 " without a score, %" PRIu64
                     " mates, %" PRIu64 " beyond the limit, %" PRIu64 " not quiet)",
                     path, totals->lines, totals->unlabelled, totals->mates, totals->beyond,
                     totals->not_quiet);
}

Status mentor_set_load(MentorSet *out, const char *path, const MentorSetOptions *options,
                       DistPool *pool) {
    if (options->mates == MENTOR_CLAMP && options->clamp == 0)
        return error_set(ERR_ARG, "mates can be clamped only where there is a limit for scores");
    if (options->family->taper != NULL)
        return error_set(ERR_ARG,
                         "family %s is tapered: it cannot be learned from a mentor's scores, only "
                         "from moves",
                         options->family->name);
    LineReader *lines;
    Status status = lines_open(&lines, path, EPD_LINE_MAX);
    if (status != OK)
        return status;
    const size_t workers = (size_t)dist_pool_threads(pool);
    Batch batch = {.path = path, .options = options, .terms = mentor_row_terms(options)};
    batch.items = mem_alloc(BATCH * sizeof *batch.items);
    batch.rows = mem_alloc(BATCH * batch.terms * sizeof *batch.rows);
    if (options->keep_positions)
        batch.positions = mem_alloc(BATCH * sizeof *batch.positions);
    batch.epds = mem_alloc_zero(workers, sizeof *batch.epds);
    *out = (MentorSet){.hash = HASH_START, .beyond = options->beyond, .mates = options->mates};
    counts_init(&out->matrix, batch.terms);
    status = read_lines(&batch, lines, out, pool);
    if (status == OK)
        status = check_not_empty(out, path);
    for (size_t i = 0; i < workers; i++)
        epd_free(&batch.epds[i]);
    free(batch.epds);
    free(batch.rows);
    free(batch.positions);
    free(batch.items);
    str_free(&batch.text);
    lines_close(lines);
    if (status != OK)
        mentor_set_free(out);
    return status;
}

void mentor_set_free(MentorSet *set) {
    counts_free(&set->matrix);
    played_set_free(&set->positions);
}

static void add_count(Str *out, uint64_t count, const char *what) {
    if (count > 0)
        str_addf(out, ", %" PRIu64 " %s", count, what);
}

void mentor_set_describe(const MentorSet *set, Str *out) {
    const MentorSetTotals *totals = &set->totals;
    str_addf(out, "%" PRIu64 " of %" PRIu64 " positions used", totals->used, totals->lines);
    add_count(out, totals->unlabelled, "without a score");
    add_count(out, totals->mates, set->mates == MENTOR_CLAMP ? "mates clamped" : "mates dropped");
    add_count(out, totals->beyond,
              set->beyond == MENTOR_CLAMP ? "beyond the limit clamped"
                                          : "beyond the limit dropped");
    add_count(out, totals->not_quiet, "not quiet");
}
