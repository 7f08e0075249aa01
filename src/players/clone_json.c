// SPDX-License-Identifier: GPL-3.0-or-later
// What a clone came to, for machines.
#include "base/json.h"
#include "base/mem.h"
#include "players/clone.h"
#include "report/number.h"

#include <inttypes.h>
#include <math.h>

// `"name": value`, with what separates it from the member before.
static void add_number(Str *out, const char *before, const char *name, double value) {
    str_addf(out, "%s\"%s\": ", before, name);
    if (isfinite(value))
        number_add_exact(out, value);
    else
        str_add(out, "null");
}

static void add_figure(Str *out, const CloneFigure *figure) {
    str_addf(out, "{\"positions\": %" PRIu64, figure->positions);
    add_number(out, ", ", "clone", figure->models[MODEL_CLONE].mean);
    add_number(out, ", ", "generic", figure->models[MODEL_GENERIC].mean);
    add_number(out, ", ", "difference", figure->difference.mean);
    add_number(out, ", ", "difference_deviation", figure->difference.deviation);
    add_number(out, ", ", "difference_of_others", figure->of_others.mean);
    add_number(out, ", ", "difference_of_others_deviation", figure->of_others.deviation);
    add_number(out, ", ", "p", figure->chance);
    str_addf(out, ", \"stands\": %s}", figure->stands ? "true" : "false");
}

static void add_set(Str *out, const char *name, const CloneSet *set) {
    str_addf(out,
             "  \"%s\": {\"positions\": %zu, \"games\": %zu, \"groups\": %zu, \"all_positions\": "
             "%zu},\n",
             name, set->played.count, set->game_count, set->group_count, set->all_positions);
}

static void add_kinds(Str *out, const CloneVerdict *verdict) {
    str_add(out, "  \"kinds\": [");
    for (int trait = 0; trait < TRAIT_NB; trait++) {
        const CloneKind *kind = &verdict->kinds[trait];
        str_add(out, trait > 0 ? ",\n    {\"kind\": " : "\n    {\"kind\": ");
        json_add_string(out, move_trait_names[trait]);
        add_number(out, ", ", "made", kind->made.mean);
        add_number(out, ", ", "surplus", kind->surplus.mean);
        add_number(out, ", ", "surplus_deviation", kind->surplus.deviation);
        add_number(out, ", ", "surplus_of_others", kind->of_others.mean);
        add_number(out, ", ", "surplus_of_others_deviation", kind->of_others.deviation);
        add_number(out, ", ", "p", kind->chance);
        str_addf(out, ", \"stands\": %s, \"match\": ", kind->stands ? "true" : "false");
        add_figure(out, &kind->match);
        str_add(out, "}");
    }
    str_add(out, "],\n");
}

static void add_weights(Str *out, const Clone *clone, const CloneConfig *config) {
    const Family *family = config->fit.start->family;
    CLEANUP(mem_free_at) bool *stands = mem_alloc(family->term_count + 1);
    clone_weights_stand(clone, config, stands);
    str_add(out, "  \"weights\": [");
    for (size_t i = 0; i < family->term_count; i++) {
        str_addf(out, "%s\n    {\"name\": \"%s\"", i > 0 ? "," : "", family->terms[i].name);
        add_number(out, ", ", "clone", clone->fits[MODEL_CLONE].values[i]);
        add_number(out, ", ", "generic", clone->fits[MODEL_GENERIC].values[i]);
        add_number(out, ", ", "clone_deviation", clone->fits[MODEL_CLONE].deviations[i]);
        add_number(out, ", ", "generic_deviation", clone->fits[MODEL_GENERIC].deviations[i]);
        add_number(out, ", ", "p", clone_weight_chance(clone, config, i));
        add_number(out, ", ", "effect_cp", clone_weight_effect_cp(clone, config, i));
        str_addf(out, ", \"stands\": %s}", stands[i] ? "true" : "false");
    }
    str_add(out, "]\n");
}

void clone_write_json(const Clone *clone, const CloneConfig *config, Str *out) {
    const CloneVerdict *verdict = &clone->verdict;
    str_add(out, "{\n  \"player\": ");
    json_add_string(out, config->source.player);
    str_addf(out, ",\n  \"family\": \"%s\",\n  \"seed\": %" PRIu64 ",\n  \"replies\": %u,\n",
             config->fit.start->family->name, config->source.seed, config->fit.rules.replies);
    add_set(out, "training", &clone->data.sets[WHO_PERSON][PART_TRAINING]);
    add_set(out, "held_out", &clone->data.sets[WHO_PERSON][PART_HELD_OUT]);
    add_number(out, "  ", "leash_cp", clone_leashes_cp[clone->leash]);
    str_add(out, ",\n  \"match\": ");
    add_figure(out, &verdict->match);
    str_add(out, ",\n  \"log_likelihood\": ");
    add_figure(out, &verdict->likelihood);
    str_add(out, ",\n  \"phases\": {");
    for (int phase = 0; phase < PHASE_NB; phase++) {
        str_addf(out, "%s\"%s\": ", phase > 0 ? ", " : "", phase_names[phase]);
        add_figure(out, &verdict->phases[phase]);
    }
    str_add(out, "},\n");
    add_kinds(out, verdict);
    add_weights(out, clone, config);
    str_add(out, "}\n");
}
