// SPDX-License-Identifier: GPL-3.0-or-later
// Positions that show what a card says: moves that the person's organism chooses and the others'
// does not.
#include "players/clone_look.h"

#include <math.h>

// Kinds that are made more often, the one that stands out most first.
static size_t rank_kinds(const CloneVerdict *verdict, MoveTrait ranked[TRAIT_NB]) {
    double ratios[TRAIT_NB];
    size_t count = 0;
    for (MoveTrait trait = 0; trait < TRAIT_NB; trait++) {
        const CloneKind *kind = &verdict->kinds[trait];
        const double ratio = kind->made.mean / fmax(clone_kind_usual(kind), 1e-9);
        if (!kind->stands || ratio < 1)
            continue;
        size_t at = count++;
        for (; at > 0 && ratios[at - 1] < ratio; at--) {
            ratios[at] = ratios[at - 1];
            ranked[at] = ranked[at - 1];
        }
        ratios[at] = ratio;
        ranked[at] = trait;
    }
    return count;
}

static bool is_of_used_game(const CloneSet *person, const CloneVerdict *verdict, size_t position) {
    for (size_t i = 0; i < verdict->example_count; i++)
        if (person->games[verdict->examples[i].position] == person->games[position])
            return true;
    return false;
}

// The position in which the clone finds the move by the most more likely than the generic organism,
// of a game that has no example yet.
static void add_example(const CloneSet *person, const CloneSeen *seen, MoveTrait trait,
                        CloneVerdict *verdict) {
    size_t best = person->played.count;
    double most = 0;
    for (size_t i = 0; i < person->played.count; i++) {
        const float *likely = seen[i].log_likelihood;
        const double more = (double)(likely[MODEL_CLONE] - likely[MODEL_GENERIC]);
        if (!seen[i].is_hit[MODEL_CLONE] || seen[i].is_hit[MODEL_GENERIC] || more <= most ||
            (trait != TRAIT_NB && (seen[i].traits >> trait & 1) == 0) ||
            is_of_used_game(person, verdict, i))
            continue;
        best = i;
        most = more;
    }
    if (best < person->played.count)
        verdict->examples[verdict->example_count++] =
            (CloneExample){best, seen[best].chosen[MODEL_GENERIC], trait};
}

void clone_choose_examples(const CloneSet *person, const CloneSeen *seen, bool organisms_differ,
                           CloneVerdict *verdict) {
    MoveTrait ranked[TRAIT_NB];
    const size_t kinds = rank_kinds(verdict, ranked);
    verdict->example_count = 0;
    // Where fewer kinds stand than there is room for, each has several.
    for (size_t round = 0; round < CLONE_EXAMPLES && kinds > 0; round++)
        for (size_t i = 0; i < kinds && verdict->example_count < CLONE_EXAMPLES; i++)
            add_example(person, seen, ranked[i], verdict);
    while (verdict->example_count < CLONE_EXAMPLES && organisms_differ) {
        const size_t before = verdict->example_count;
        add_example(person, seen, TRAIT_NB, verdict);
        if (verdict->example_count == before)
            break;
    }
}
