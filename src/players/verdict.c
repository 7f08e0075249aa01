// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/verdict.h"

#include "base/json.h"

void verdict_rank(const Verdict *verdict, VerdictRanking *out) {
    const size_t count = verdict->models->count;
    recognition_posterior(verdict->recognition, verdict->rule, verdict->evidence, verdict->prior,
                          out->posterior);
    for (size_t i = 0; i < count; i++) {
        size_t place = i;
        for (; place > 0 && out->posterior[out->order[place - 1]] < out->posterior[i]; place--)
            out->order[place] = out->order[place - 1];
        out->order[place] = i;
    }
    const double first = out->posterior[out->order[0]], second = out->posterior[out->order[1]];
    out->is_told =
        verdict->evidence->moves > 0 && first - second > 1e-9 && first >= verdict->threshold;
}

void verdict_add_agreeing(const Verdict *verdict, Str *out) {
    const PlayerModels *models = verdict->models;
    const size_t before = out->length;
    unsigned most = 0;
    for (size_t i = 0; i < models->count; i++)
        most = verdict->evidence->hits[i] > most ? verdict->evidence->hits[i] : most;
    for (size_t i = 0; i < models->count; i++)
        if (verdict->evidence->hits[i] == most)
            str_addf(out, "%s%s", out->length > before ? ", " : "", models->names[i]);
}

void verdict_write_json(const Verdict *verdict, Str *out) {
    const Evidence *evidence = verdict->evidence;
    CLEANUP(str_free) Str agreeing = {0};
    VerdictRanking ranking;
    verdict_rank(verdict, &ranking);
    verdict_add_agreeing(verdict, &agreeing);
    str_addf(out, "{\"games\":%zu,\"moves\":%u,\"rule\":", verdict->games, evidence->moves);
    json_add_string(out, recognition_rule_names[verdict->rule]);
    str_add(out, ",\"answer\":");
    if (ranking.is_told)
        json_add_string(out, verdict->models->names[ranking.order[0]]);
    else
        str_add(out, "null");
    str_add(out, ",\"agrees_most\":");
    json_add_string(out, str_text(&agreeing));
    str_add(out, ",\"players\":[");
    for (size_t i = 0; i < verdict->models->count; i++) {
        const size_t player = ranking.order[i];
        str_add(out, i == 0 ? "{\"name\":" : ",{\"name\":");
        json_add_string(out, verdict->models->names[player]);
        str_addf(out, ",\"agrees\":%u,\"log_likelihood\":%.6f,\"probability\":%.6f}",
                 evidence->hits[player],
                 evidence->log_likelihood[verdict->recognition->step][player],
                 ranking.posterior[player]);
    }
    str_add(out, "]}");
}
