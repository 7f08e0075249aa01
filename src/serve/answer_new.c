// SPDX-License-Identifier: GPL-3.0-or-later
// New: the form of a preset, starting it, and the runs that were started.
#include "base/json.h"
#include "base/mem.h"
#include "board/play_game.h"
#include "dist/pool.h"
#include "serve/answer.h"
#include "serve/start_form.h"
#include "serve/starter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void answer_presets(Server *server, const HttpRequest *request, HttpReply *reply) {
    (void)request;
    str_addf(&reply->body, "{\"read_only\":%s,\"most\":%d,\"threads\":%d,",
             server->is_read_only ? "true" : "false", STARTER_RUNNING_MAX, dist_cores());
    start_form_write_choices(server, &reply->body);
    str_add(&reply->body, "}");
}

// --- the form ---

// An order, with the words that it borrows.
typedef struct Order {
    StarterOrder order;
    Str stem;
    char **words;
    size_t count, capacity;
} Order;

static void free_order(Order *order) {
    for (size_t i = 0; i < order->count; i++)
        free(order->words[i]);
    free(order->words);
    str_free(&order->stem);
}

static void add_word(void *context, const char *word) {
    Order *order = context;
    MEM_ADD(order->words, order->count, order->capacity) = mem_copy_string(word);
}

static void make_order(const StartPlan *plan, Order *out) {
    str_addf(&out->stem, "%s-%" PRId64, str_text(&plan->name), start_plan_seed(plan));
    start_plan_write(plan, add_word, out);
    out->order = (StarterOrder){.verb = start_plan_verb(plan),
                                .stem = str_text(&out->stem),
                                .words = (const char *const *)out->words,
                                .word_count = out->count,
                                .threads = plan->threads};
}

static void write_error(const StartPlan *plan, Str *out) {
    str_add(out, ",\"error\":{\"name\":");
    json_add_string(out, str_text(&plan->bad));
    str_add(out, ",\"message\":");
    json_add_string(out, error_message());
    str_add(out, "}");
}

void answer_form(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(start_plan_free) StartPlan plan = {0};
    CLEANUP(free_order) Order order = {0};
    CLEANUP(str_free) Str command = {0};
    Str *out = &reply->body;
    const Status status = start_plan_read(&plan, server, request->body);
    str_add(out, "{\"preset\":");
    json_add_string(out, str_text(&plan.name));
    if (status != OK) {
        write_error(&plan, out);
    } else {
        make_order(&plan, &order);
        starter_write_command(&server->starter, &order.order, &command);
    }
    str_add(out, ",\"command\":");
    json_add_string(out, str_text(&command));
    str_add(out, ",\"settings\":");
    start_form_write(&plan, out);
    str_add(out, "}");
}

// --- starting, stopping, going on ---

static void refuse(HttpReply *reply, Status status) {
    http_refuse(reply, status == ERR_LIMIT ? 503 : 400, "%s", error_message());
}

// The catalog looks at once, so that pages soon hear of it.
static void look_soon(Server *server) {
    pthread_mutex_lock(&server->catalog.lock);
    server->catalog.looked_ns = 0;
    pthread_mutex_unlock(&server->catalog.lock);
}

void answer_start(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(start_plan_free) StartPlan plan = {0};
    CLEANUP(free_order) Order order = {0};
    CLEANUP(str_free) Str name = {0};
    Status status = start_plan_read(&plan, server, request->body);
    if (status == OK) {
        make_order(&plan, &order);
        status = starter_start(&server->starter, &order.order, &name);
    }
    look_soon(server);
    if (status != OK) {
        refuse(reply, status);
        return;
    }
    str_add(&reply->body, "{\"name\":");
    json_add_string(&reply->body, str_text(&name));
    str_add(&reply->body, "}");
}

typedef Status Act(Starter *starter, const char *name);

static void act(Server *server, const HttpRequest *request, HttpReply *reply, Act *act_on) {
    CLEANUP(str_free) Str name = {0};
    play_text(request->body, "name", &name);
    const Status status = act_on(&server->starter, str_text(&name));
    look_soon(server);
    if (status != OK)
        refuse(reply, status);
    else
        str_add(&reply->body, "{}");
}

void answer_stop(Server *server, const HttpRequest *request, HttpReply *reply) {
    act(server, request, reply, starter_stop);
}

void answer_resume(Server *server, const HttpRequest *request, HttpReply *reply) {
    act(server, request, reply, starter_resume);
}

// --- what was started ---

// The page of a run: that of its folder, or of the first run in it. To be called with the
// catalog's lock held.
static const CatalogItem *find_item(const Catalog *catalog, const char *folder) {
    CLEANUP(str_free) Str first = {0};
    str_addf(&first, "%s/run-01", folder);
    for (size_t i = 0; i < catalog->count; i++) {
        const CatalogItem *item = catalog->items[i];
        if (item->is_seen && (item->kind == ITEM_RUN || item->kind == ITEM_MATCH) &&
            (strcmp(item->path, folder) == 0 || strcmp(item->path, str_text(&first)) == 0))
            return item;
    }
    return NULL;
}

static void write_run(const Catalog *catalog, const StartedRun *run, Str *out) {
    CLEANUP(str_free) Str output = {0};
    const CatalogItem *item = find_item(catalog, str_text(&run->folder));
    StartedState state = run->state;
    // A match leaves no file that says so.
    if (state == STARTED_STOPPED && item != NULL && item->kind == ITEM_MATCH &&
        item->state == ITEM_FINISHED)
        state = STARTED_FINISHED;
    str_add(out, "{\"name\":");
    json_add_string(out, str_text(&run->name));
    str_addf(out, ",\"state\":\"%s\",\"command\":", started_state_names[state]);
    json_add_string(out, str_text(&run->command));
    if (item != NULL)
        str_addf(out, ",\"kind\":\"%s\",\"id\":\"%s\"", item->kind == ITEM_RUN ? "run" : "match",
                 item->id);
    if (item != NULL && item->kind == ITEM_RUN) {
        str_add(out, ",\"progress\":");
        json_add_number(out, run_view_progress(&item->run));
    }
    started_add_output(run, &output);
    str_add(out, ",\"output\":");
    json_add_string(out, str_text(&output));
    str_add(out, "}");
}

void answer_started(Server *server, const HttpRequest *request, HttpReply *reply) {
    (void)request;
    Catalog *catalog = &server->catalog;
    CLEANUP(started_free) StartedRuns runs = {0};
    starter_reap(&server->starter);
    started_read(&runs, server->starter.root);
    catalog_refresh(catalog);
    str_add(&reply->body, "[");
    pthread_mutex_lock(&catalog->lock);
    for (size_t i = 0; i < runs.count && i < 50; i++) {
        str_add(&reply->body, i == 0 ? "" : ",");
        write_run(catalog, &runs.runs[i], &reply->body);
    }
    pthread_mutex_unlock(&catalog->lock);
    str_add(&reply->body, "]");
}
