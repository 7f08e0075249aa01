// SPDX-License-Identifier: GPL-3.0-or-later
// Populations that a run has kept, its organisms, what they are put beside, and where they are off.
#include "base/json.h"
#include "eval/value.h"
#include "serve/answer.h"
#include "serve/error_view.h"
#include "serve/opponent.h"
#include "serve/population_view.h"
#include "serve/reference.h"

#include <inttypes.h>
#include <string.h>

// --- populations ---

void answer_population(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(str_free) Str path = {0};
    uint32_t last;
    if (!answer_find_run(server, request, reply, &path, &last))
        return;
    const uint32_t wanted =
        http_query(request, "generation") == NULL ? last : answer_number(request, "generation");
    str_addf(&reply->body, "{\"last\":%" PRIu32, last);
    if (population_view_write(str_text(&path), wanted, &reply->body) != OK)
        http_refuse(reply, 404, "%s", error_message());
    else
        str_add(&reply->body, "}");
}

void answer_lineage(Server *server, const HttpRequest *request, HttpReply *reply) {
    Catalog *catalog = &server->catalog;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    const CatalogItem *item = answer_find(server, request, ITEM_RUN, reply);
    if (item != NULL) {
        str_addf(&reply->body, "{\"id\":\"%s\"", item->id);
        if (population_view_lineage(item->path, &item->run, &reply->body) != OK)
            http_refuse(reply, 404, "%s", error_message());
        else
            str_add(&reply->body, "}");
    }
    pthread_mutex_unlock(&catalog->lock);
}

// --- an organism ---

// "organism/ID/GENERATION", or with "/PLACE" for one that is not the best.
static Status load_organism(Server *server, const HttpRequest *request, const char *generation,
                            const char *place, Weights *out, Str *name) {
    CLEANUP(str_free) Str which = {0};
    const char *id = http_query(request, "id");
    str_addf(&which, "organism/%s/%" PRIu32, id == NULL ? "" : id,
             answer_number(request, generation));
    if (http_query(request, place) != NULL)
        str_addf(&which, "/%" PRIu32, answer_number(request, place));
    return opponent_load(server, str_text(&which), out, name);
}

static void write_organism(const Weights *weights, const char *name, Str *out) {
    const Family *family = weights->family;
    str_addf(out, "{\"family\":\"%s\",\"name\":", family->name);
    json_add_string(out, name);
    str_add(out, ",\"terms\":[");
    for (size_t i = 0; i < family->term_count; i++) {
        const Term *term = &family->terms[i];
        str_addf(out, "%s{\"name\":\"%s\",\"value\":%s", i == 0 ? "" : ",", term->name,
                 value_text(family, weights->parameters[i]).text);
        str_addf(out, ",\"low\":%s", value_text(family, term->low).text);
        str_addf(out, ",\"high\":%s,\"meaning\":", value_text(family, term->high).text);
        json_add_string(out, term->meaning);
        str_add(out, "}");
    }
    str_add(out, "]}");
}

void answer_organism(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(weights_free) Weights weights = {0};
    CLEANUP(str_free) Str name = {0};
    if (load_organism(server, request, "generation", "place", &weights, &name) != OK)
        http_refuse(reply, 404, "%s", error_message());
    else
        write_organism(&weights, str_text(&name), &reply->body);
}

void answer_organism_file(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(weights_free) Weights weights = {0};
    CLEANUP(str_free) Str name = {0};
    if (load_organism(server, request, "generation", "place", &weights, &name) != OK) {
        http_refuse(reply, 404, "%s", error_message());
        return;
    }
    reply->type = "text/plain; charset=utf-8";
    str_setf(&reply->disposition, "attachment; filename=\"generation-%" PRIu32,
             answer_number(request, "generation"));
    if (http_query(request, "place") != NULL)
        str_addf(&reply->disposition, "-organism-%" PRIu32, answer_number(request, "place"));
    str_add(&reply->disposition, ".weights\"");
    weights_write(&weights, &reply->body);
}

// --- beside others ---

// The folder of a run's settings: of one of several runs the one above it; and its family.
static bool find_settings(Server *server, const HttpRequest *request, HttpReply *reply, Str *folder,
                          Str *family) {
    Catalog *catalog = &server->catalog;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    const CatalogItem *item = answer_find(server, request, ITEM_RUN, reply);
    if (item != NULL) {
        run_view_settings_folder(&item->run, item->path, folder);
        str_setf(family, "%s", str_text(&item->run.family));
    }
    pthread_mutex_unlock(&catalog->lock);
    return item != NULL;
}

void answer_reference(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(str_free) Str folder = {0};
    CLEANUP(str_free) Str family = {0};
    if (!find_settings(server, request, reply, &folder, &family))
        return;
    str_add(&folder, "/optimum.csv");
    str_add(&reply->body, "{\"family\":");
    json_add_string(&reply->body, str_text(&family));
    reference_write(str_text(&family), str_text(&folder), &reply->body);
    str_add(&reply->body, "}");
}

void answer_error(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(str_free) Str folder = {0};
    CLEANUP(str_free) Str family = {0};
    CLEANUP(str_free) Str name = {0};
    CLEANUP(weights_free) Weights organism = {0};
    CLEANUP(weights_free) Weights other = {0};
    if (!find_settings(server, request, reply, &folder, &family))
        return;
    if (load_organism(server, request, "generation", "place", &organism, &name) != OK ||
        load_organism(server, request, "other", "other_place", &other, &name) != OK ||
        error_view_write(&server->errors, str_text(&folder), &organism, &other, &reply->body) != OK)
        http_refuse(reply, 404, "%s", error_message());
}
