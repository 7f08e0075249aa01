// SPDX-License-Identifier: GPL-3.0-or-later
// How fast a forest grows and is run: moves_speed FILE.epd ORGANISMS GENERATIONS THREADS.
// GENERATIONS judgements of as many organisms, drawn anew each time near the family's start values,
// as they are in the course of an evolution.
#include "base/clock.h"
#include "base/rng.h"
#include "fitness/moves/forest.h"
#include "fitness/moves/forest_plain.h"

#include <stdio.h>
#include <stdlib.h>

enum { PLAIN_POSITIONS = 200 };

static void draw(const Family *family, Rng *rng, unsigned generation, unsigned generations,
                 int32_t *out) {
    int parameters[TERMS_MAX], coefficients[COEFFICIENTS_MAX];
    for (size_t i = 0; i < family->term_count; i++) {
        const Term *term = &family->terms[i];
        const double near = (double)generation / generations;
        const double value = near * term->start +
                             (1 - near) * (term->low + rng_real(rng) * (term->high - term->low));
        parameters[i] = (int)value;
    }
    family_expand(family, parameters, coefficients);
    for (size_t i = 0; i < family->coefficient_count; i++)
        out[i] = coefficients[i];
}

int main(int argc, char **argv) {
    if (argc != 5)
        return EXIT_FAILURE;
    const Family *family = &family_maestro;
    const size_t organisms = (size_t)atoi(argv[2]);
    const unsigned generations = (unsigned)atoi(argv[3]);
    chess_init();
    PlayedSet set = {0};
    if (played_set_load(&set, argv[1]) != OK) {
        fprintf(stderr, "%s\n", error_message());
        return EXIT_FAILURE;
    }
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    family_limits(family, limits);
    family_start(family, guide);
    const ForestConfig config = {
        .family = family, .rules = FOREST_RULES_DEFAULT, .limits = limits, .guide = guide};
    DistPool *pool = dist_pool_new(atoi(argv[4]));
    Forest *forest = forest_new(FOREST_CHOICES, &set, &config);
    int32_t *coefficients = malloc(organisms * family->coefficient_count * sizeof *coefficients);
    int64_t *hits = malloc(organisms * sizeof *hits), sum = 0;
    int64_t start = clock_now_ns();
    for (unsigned generation = 0; generation < generations; generation++) {
        for (size_t i = 0; i < organisms; i++) {
            Rng rng = rng_at(1, generation, (uint32_t)i, 0);
            draw(family, &rng, generation, generations,
                 coefficients + i * family->coefficient_count);
        }
        if (forest_hits(forest, coefficients, organisms, TIES_BY_ORDER, pool, hits) != OK)
            return EXIT_FAILURE;
        sum += hits[0];
        if (generation == 0)
            printf("first %.3f\n", clock_seconds_since(start));
    }
    const double seconds = clock_seconds_since(start);
    const ForestTotals totals = forest_totals(forest);
    printf("positions %zu\nwide %zu\nmoves %llu\nnodes %llu\ndifferences %llu\nmegabytes %.1f\n",
           totals.positions, totals.wide, (unsigned long long)totals.moves,
           (unsigned long long)totals.nodes, (unsigned long long)totals.differences,
           (double)totals.bytes / 1e6);
    const double judged = (double)generations * (double)organisms * (double)totals.positions;
    printf("run %.3f\nrate %.0f\n", seconds, judged / seconds);
    int plain[COEFFICIENTS_MAX];
    for (size_t i = 0; i < family->coefficient_count; i++)
        plain[i] = coefficients[i];
    start = clock_now_ns();
    for (size_t i = 0; i < PLAIN_POSITIONS && i < set.count; i++)
        sum += forest_plain_hit(&set.items[i], family, plain, &config.rules, TIES_BY_ORDER);
    printf("plain %.0f\nchecksum %lld\n", PLAIN_POSITIONS / clock_seconds_since(start),
           (long long)sum);
    forest_free(forest);
    dist_pool_free(pool);
    free(coefficients);
    free(hits);
    played_set_free(&set);
    return EXIT_SUCCESS;
}
