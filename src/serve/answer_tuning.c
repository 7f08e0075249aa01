// SPDX-License-Identifier: GPL-3.0-or-later
// A tuning: its options over the games, its tests.
#include "base/clock.h"
#include "serve/answer.h"

#define FIT_NS INT64_C(300000000) // that one answer fits for; the page asks again for the rest

// Takes pairs of the log up to the next place. True where there were any.
static bool take_pairs(Catalog *catalog, TuningView *tuning) {
    TuningFit *fit = &tuning->fit;
    pthread_mutex_lock(&catalog->lock);
    if (fit->model == NULL || fit->epoch != tuning->restarts)
        tuning_fit_begin(fit, &tuning->options, tuning->restarts);
    const TuningPairs *pairs = &tuning->pairs[TUNING_RACE];
    const size_t next = tuning_fit_next(fit), until = next < pairs->count ? next : pairs->count;
    const bool has_any = fit->taken < until;
    while (fit->taken < until)
        tuning_fit_add(fit, &tuning->options, tuning->values + 2 * fit->size * fit->taken,
                       pairs->points[fit->taken]);
    pthread_mutex_unlock(&catalog->lock);
    return has_any;
}

// Fitting takes too long for the catalog's lock. Options do not change once they were read, and
// items stay where they are.
static void fit(Server *server, TuningView *tuning, Str *out) {
    const int64_t start = clock_now_ns();
    pthread_mutex_lock(&server->fitting);
    while (clock_now_ns() - start < FIT_NS && take_pairs(&server->catalog, tuning))
        tuning_fit_run(&tuning->fit, &tuning->options);
    str_addf(out, ",\"fitted_pairs\":%zu", tuning->fit.taken);
    if (tuning->fit.row_count > 0)
        tuning_fit_write(&tuning->fit, &tuning->options, out);
    pthread_mutex_unlock(&server->fitting);
}

void answer_tuning(Server *server, const HttpRequest *request, HttpReply *reply) {
    Catalog *catalog = &server->catalog;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    CatalogItem *item = answer_find(server, request, ITEM_TUNING, reply);
    if (item != NULL) {
        str_add(&reply->body, "{");
        answer_add_item(item, &reply->body);
        tuning_view_write(&item->tuning, &reply->body);
    }
    pthread_mutex_unlock(&catalog->lock);
    if (item == NULL)
        return;
    if (item->tuning.options.count > 0)
        fit(server, &item->tuning, &reply->body);
    str_add(&reply->body, "}");
}
