// SPDX-License-Identifier: GPL-3.0-or-later
// Applied Soft Computing 2013: real-coded, the better half survives, each survivor has one child by
// mutation, and now and then a player of the past takes the place of a child.
#include "evolve/mutation.h"
#include "evolve/random.h"
#include "evolve/selection.h"
#include "evolve/survival.h"

#include <assert.h>
#include <string.h>

enum {
    HALVES_MUTATION = OPTIONS_COMMON,
    HALVES_SHAPE,
    HALVES_SPREAD,
    HALVES_ARCHIVE,
    HALVES_ARCHIVE_RATE,
    HALVES_GENES,
    HALVES_OPTION_COUNT,
};

typedef enum Mutation { MUTATION_NONUNIFORM, MUTATION_DEVIATION } Mutation;
static const char *const mutation_names[] = {"non-uniform", "deviation", NULL};

typedef enum Genes { GENES_ALL, GENES_ONE } Genes;
static const char *const gene_names[] = {"all", "one", NULL};

static const Setting options[] = {
    OPTIONS_FOR_ALL(2, "20", "200"),
    OPTION_CHOICE("mutation", "non-uniform", mutation_names,
                  "non-uniform (Michalewicz) or by a share of the population's deviation"),
    OPTION_REAL("shape", 0, 100, "5", "how fast non-uniform mutation calms down (b)"),
    OPTION_REAL("spread", 0, 100, "2", "width of deviation mutation, in deviations"),
    OPTION_WHOLE("archive", 0, 100000, "20", "how many players of the past are kept"),
    OPTION_REAL("archive-rate", 0, 1, "0.1", "chance that a child is one of them"),
    OPTION_CHOICE("genes", "all", gene_names, "how many parameters non-uniform mutation moves"),
};
static_assert(sizeof options / sizeof *options == HALVES_OPTION_COUNT, "one row per option");

typedef struct Halves {
    Population now;
    double *next, *deviations;
    uint32_t *order;
    Archive archive;
} Halves;

static const EvolveField fields[] = {
    FIELD_ARRAY(Halves, now.rows, 1, ALL_PARAMETERS, KEPT_ORGANISMS),
    FIELD_ARRAY(Halves, next, 1, ALL_PARAMETERS, NOT_KEPT),
    FIELD_ARRAY(Halves, deviations, 1, PARAMETERS, NOT_KEPT),
    FIELD_ARRAY(Halves, order, 1, MEMBERS, NOT_KEPT),
};

static Status create(void *state, const EvolveRun *run) {
    Halves *halves = state;
    halves->archive =
        survival_archive_create((size_t)run->options[HALVES_ARCHIVE], run->space->count);
    population_start(run, halves->now.rows, halves->now.size);
    return OK;
}

static void destroy(void *state) {
    survival_archive_free(&((Halves *)state)->archive);
}

static void mutate(const Halves *halves, const EvolveRun *run, Rng *rng, double *child) {
    if (run->options[HALVES_MUTATION] == MUTATION_NONUNIFORM) {
        double over =
            run->generation < run->generations ? (double)run->generation / run->generations : 1;
        (run->options[HALVES_GENES] == GENES_ONE ? mutation_nonuniform : mutation_nonuniform_all)(
            run->space, over, run->options[HALVES_SHAPE], rng, child);
        return;
    }
    for (size_t j = 0; j < halves->now.width; j++) {
        double step = mutation_step(run->options[HALVES_SPREAD], halves->deviations[j], rng);
        child[j] = space_nearest(run->space, j, child[j] + step);
    }
}

static void note_mother(const Halves *halves, const int64_t *scores, size_t place, uint32_t mother,
                        bool is_survivor) {
    halves->now.parents[place] =
        (EvolveParents){.mother = mother,
                        .father = EVOLVE_NO_PARENT,
                        .mother_score = mother == EVOLVE_NO_PARENT ? 0 : scores[mother],
                        .is_survivor = is_survivor};
}

// The child of the survivor at place `parent`.
static void make_child(const Halves *halves, const EvolveRun *run, const int64_t *scores,
                       size_t place, size_t parent) {
    const double *mother = halves->next + parent * halves->now.width;
    double *child = halves->next + place * halves->now.width;
    Rng rng = evolve_run_rng(run, place, USE_ARCHIVE);
    const double *past = rng_real(&rng) < run->options[HALVES_ARCHIVE_RATE]
                             ? survival_archive_draw(&halves->archive, &rng)
                             : NULL;
    memcpy(child, past != NULL ? past : mother, halves->now.width * sizeof *child);
    note_mother(halves, scores, place, past != NULL ? EVOLVE_NO_PARENT : halves->order[parent],
                false);
    Rng own = evolve_run_rng(run, place, USE_MUTATION);
    if (past == NULL)
        mutate(halves, run, &own, child);
}

static Status tell(void *state, const EvolveRun *run, const int64_t *scores) {
    Halves *halves = state;
    size_t width = halves->now.width, survivors = (halves->now.size + 1) / 2;
    selection_order(scores, halves->now.size, halves->order);
    mutation_deviations(halves->now.rows, halves->now.size, width, halves->deviations);
    for (size_t i = 0; i < halves->now.size; i++) {
        const double *organism = halves->now.rows + halves->order[i] * width;
        if (i < survivors) {
            memcpy(halves->next + i * width, organism, width * sizeof *organism);
            note_mother(halves, scores, i, halves->order[i], true);
        } else {
            survival_archive_offer(&halves->archive, organism, scores[halves->order[i]]);
        }
    }
    for (size_t i = survivors; i < halves->now.size; i++)
        make_child(halves, run, scores, i, i - survivors);
    double *old = halves->now.rows;
    halves->now.rows = halves->next;
    halves->next = old;
    return OK;
}

static void save(const void *state, Str *out) {
    survival_archive_save(&((const Halves *)state)->archive, out);
}

static Status load(void *state, const EvolveRun *run, ByteReader *in) {
    survival_archive_load(&((Halves *)state)->archive, run->space, in);
    return OK;
}

const EvolveAlgorithm evolve_halves = {
    .name = "halves",
    .summary = "the better half survives and has children by mutation (ASOC 2013)",
    .options = options,
    .option_count = HALVES_OPTION_COUNT,
    .first_later_option = HALVES_GENES,
    .state_size = sizeof(Halves),
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .tells_parents = true,
    .create = create,
    .tell = tell,
    .save = save,
    .load = load,
    .destroy = destroy,
};
