// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/events.h"

#include "base/json.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// A remark now and then finds out whether anybody still listens.
enum { REMARK_S = 5, EVENT_IDS_MAX = 200 };

typedef struct Listener {
    HttpStream stream;
    Catalog *catalog;
    uint64_t version; // that it has been told of
    Str text;         // to be sent
    size_t sent;      // of it
} Listener;

static void write_change(Listener *listener) {
    const Catalog *catalog = listener->catalog;
    size_t told = 0;
    str_addf(&listener->text, "event: change\ndata: {\"version\":%llu,\"ids\":[",
             (unsigned long long)catalog->version);
    for (size_t i = 0; i < catalog->count && told < EVENT_IDS_MAX; i++) {
        const CatalogItem *item = catalog->items[i];
        if (item->version > listener->version)
            str_addf(&listener->text, "%s\"%s\"", told++ == 0 ? "" : ",", item->id);
    }
    str_add(&listener->text, "]}\n\n");
    listener->version = catalog->version;
}

// Waits for something to say; false where the server ends.
static bool wait_for_news(Listener *listener) {
    Catalog *catalog = listener->catalog;
    struct timespec until;
    int waited = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += REMARK_S;
    pthread_mutex_lock(&catalog->lock);
    while (!catalog->is_ended && catalog->version == listener->version && waited == 0)
        waited = pthread_cond_timedwait(&catalog->changed, &catalog->lock, &until);
    const bool is_ended = catalog->is_ended;
    str_clear(&listener->text);
    listener->sent = 0;
    if (catalog->version != listener->version)
        write_change(listener);
    else
        str_add(&listener->text, ": still here\n\n");
    pthread_mutex_unlock(&catalog->lock);
    return !is_ended;
}

static size_t read_events(void *context, char *buffer, size_t size) {
    Listener *listener = context;
    if (listener->sent == listener->text.length && !wait_for_news(listener))
        return 0;
    const size_t left = listener->text.length - listener->sent, length = left < size ? left : size;
    memcpy(buffer, listener->text.text + listener->sent, length);
    listener->sent += length;
    return length;
}

static void close_events(void *context) {
    Listener *listener = context;
    pthread_mutex_lock(&listener->catalog->lock);
    listener->catalog->listeners--;
    pthread_mutex_unlock(&listener->catalog->lock);
    str_free(&listener->text);
    free(listener);
}

HttpStream *events_open(Catalog *catalog) {
    Listener *listener = mem_alloc_zero(1, sizeof *listener);
    listener->stream = (HttpStream){listener, read_events, close_events};
    listener->catalog = catalog;
    pthread_mutex_lock(&catalog->lock);
    catalog->listeners++;
    listener->version = catalog->version;
    str_addf(&listener->text, "event: hello\ndata: {\"version\":%llu}\n\n",
             (unsigned long long)catalog->version);
    pthread_mutex_unlock(&catalog->lock);
    return &listener->stream;
}
