// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/clone.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/mem.h"
#include "chess/book.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void tell(const CloneConfig *config, const char *text) {
    if (config->tell != NULL)
        config->tell(text);
}

// --- making ---

static void describe_sets(const CloneData *data, Str *out) {
    const CloneSet *training = &data->sets[WHO_PERSON][PART_TRAINING];
    const CloneSet *held_out = &data->sets[WHO_PERSON][PART_HELD_OUT];
    str_addf(out,
             "%zu positions of %zu game%s to learn from, %zu of %zu game%s held out; as many of "
             "others",
             training->played.count, training->game_count, str_plural(training->game_count),
             held_out->played.count, held_out->game_count, str_plural(held_out->game_count));
}

static void add_lineage(Clone *clone, const CloneConfig *config, CloneModel model) {
    const CloneSet *set = &clone->data.sets[model][PART_TRAINING];
    Str *lineage = &clone->weights[model].lineage;
    str_addf(lineage, "%s: %s\n", model == MODEL_CLONE ? "player" : "anybody but",
             config->source.player);
    str_addf(lineage, "method: descent over leaves from %s, leash %g centipawns\n",
             config->start_name, clone_leashes_cp[clone->leash]);
    str_addf(lineage, "data: %zu positions of %zu games\n", set->played.count, set->game_count);
    str_addf(lineage, "seed: %" PRIu64 "\n", config->source.seed);
    str_addf(lineage, "match: %.2f percent of moves learned from\n",
             100 * (double)clone->fits[model].hits / (double)set->played.count);
    str_addf(lineage, "command: %s\n", config->command);
}

static bool has_weight_that_stands(const Clone *clone, const CloneConfig *config) {
    bool stands[TERMS_MAX], has_any = false;
    clone_weights_stand(clone, config, stands);
    for (size_t i = 0; i < config->fit.start->family->term_count; i++)
        has_any |= stands[i];
    return has_any;
}

static Status judge(Clone *clone, const CloneConfig *config) {
    const CloneJudging judging = {
        .models = {&clone->weights[MODEL_CLONE], &clone->weights[MODEL_GENERIC]},
        .rules = config->fit.rules,
        .temperature_cp = config->fit.temperature_cp,
        .weights_stand = has_weight_that_stands(clone, config)};
    return clone_judge(&judging, &clone->data.sets[WHO_PERSON][PART_HELD_OUT],
                       &clone->data.sets[WHO_OTHERS][PART_HELD_OUT], config->pool, &clone->verdict);
}

static Status learn_and_judge(Clone *clone, const CloneConfig *config) {
    const CloneSet *const sets[WHO_NB] = {&clone->data.sets[WHO_PERSON][PART_TRAINING],
                                          &clone->data.sets[WHO_OTHERS][PART_TRAINING]};
    CLEANUP(str_free) Str text = {0};
    describe_sets(&clone->data, &text);
    tell(config, str_text(&text));
    TRY(clone_fit(&config->fit, sets, config->pool, clone->fits, clone->losses, &clone->leash));
    for (CloneModel model = 0; model < MODEL_NB; model++) {
        clone_fit_weights(&clone->fits[model], config->fit.start, &clone->weights[model]);
        add_lineage(clone, config, model);
    }
    tell(config, "judging both by the games held out");
    return judge(clone, config);
}

Status clone_make(Clone **out, const CloneConfig *config) {
    CLEANUP(clone_destroy_at) Clone *clone = mem_alloc_zero(1, sizeof *clone);
    tell(config, "reading games");
    TRY(clone_data_load(&clone->data, &config->source));
    TRY(learn_and_judge(clone, config));
    *out = TAKE(clone);
    return OK;
}

void clone_destroy(Clone *clone) {
    if (clone == NULL)
        return;
    clone_data_free(&clone->data);
    for (int model = 0; model < MODEL_NB; model++) {
        clone_fit_free(&clone->fits[model]);
        weights_free(&clone->weights[model]);
    }
    free(clone);
}

// --- weights apart ---

double clone_weight_deviations(const Clone *clone, size_t term) {
    const CloneFit *ours = &clone->fits[MODEL_CLONE], *theirs = &clone->fits[MODEL_GENERIC];
    const double apart = ours->values[term] - theirs->values[term];
    const double spread = hypot(ours->deviations[term], theirs->deviations[term]);
    return spread > 0 ? apart / spread : 0;
}

double clone_weight_chance(const Clone *clone, const CloneConfig *config, size_t term) {
    const unsigned degrees =
        chance_degrees(clone->fits[MODEL_CLONE].deviations[term],
                       clone->fits[MODEL_GENERIC].deviations[term], config->fit.runs);
    return chance_of_student(clone_weight_deviations(clone, term), degrees);
}

double clone_weight_effect_cp(const Clone *clone, const CloneConfig *config, size_t term) {
    const CloneFit *ours = &clone->fits[MODEL_CLONE], *theirs = &clone->fits[MODEL_GENERIC];
    const double apart = fabs(ours->values[term] - theirs->values[term]);
    return apart * (ours->reach[term] + theirs->reach[term]) / 2 / config->fit.start->family->unit;
}

void clone_weights_stand(const Clone *clone, const CloneConfig *config, bool *stands) {
    const size_t count = config->fit.start->family->term_count;
    const double least_cp = config->fit.temperature_cp * log(clone_least_ratio);
    CLEANUP(mem_free_at) double *chances = mem_alloc((count + 1) * sizeof *chances);
    for (size_t i = 0; i < count; i++)
        chances[i] = clone_weight_chance(clone, config, i);
    chance_holm(chances, count, clone_level, stands);
    for (size_t i = 0; i < count; i++)
        stands[i] = stands[i] && clone_weight_effect_cp(clone, config, i) >= least_cp;
}

// --- files ---

enum {
    FILE_MODELS,
    FILE_SETS = FILE_MODELS + MODEL_NB,
    FILE_RESULTS = FILE_SETS + PART_NB,
    FILE_CARD,
    FILE_PAGE,
    FILE_BOOK,
};
const char *const clone_files[] = {
    "clone.weights", "generic.weights", "training.epd", "held-out.epd", "results.json",
    "card.txt",      "card.html",       "clone.bin",    "play.html",    NULL,
};

Status clone_check_folder(const char *directory) {
    return folder_check_unused(directory, clone_files, "a clone");
}

static Status write_text(const char *directory, int file, Str *text) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s", directory, clone_files[file]);
    const Status status = file_write(str_text(&path), str_text(text), text->length);
    str_clear(text);
    return status;
}

static Status write_book(const Clone *clone, const char *directory) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s", directory, clone_files[FILE_BOOK]);
    return clone->data.book_count == 0
               ? OK
               : book_write(str_text(&path), clone->data.book, clone->data.book_count);
}

Status clone_write_files(const Clone *clone, const CloneConfig *config, const char *directory) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(report_destroy_at) Report *card = clone_card(clone, config);
    TRY(folder_create(directory));
    for (int model = 0; model < MODEL_NB; model++) {
        weights_write(&clone->weights[model], &text);
        TRY(write_text(directory, FILE_MODELS + model, &text));
    }
    for (int part = 0; part < PART_NB; part++) {
        clone_set_write(&clone->data.sets[WHO_PERSON][part], &text);
        TRY(write_text(directory, FILE_SETS + part, &text));
    }
    clone_write_json(clone, config, &text);
    TRY(write_text(directory, FILE_RESULTS, &text));
    report_write_text(card, &text);
    TRY(write_text(directory, FILE_CARD, &text));
    report_write_html(card, &text);
    TRY(write_text(directory, FILE_PAGE, &text));
    return write_book(clone, directory);
}
