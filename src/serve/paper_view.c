// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/paper_view.h"

#include "base/json.h"
#include "base/locate.h"
#include "base/mem.h"
#include "serve/plain_file.h"

#include <stdlib.h>
#include <string.h>

enum { PAPER_TEXT_MAX = 1 << 22 };

static const char page_end[] = ".html", text_end[] = ".md";
// In a source tree, and where `make install` puts them.
static const char *const shipped_folders[] = {"docs/reproduced", "../doc/falconer/docs/reproduced"};
enum { SHIPPED_FOLDERS = sizeof shipped_folders / sizeof *shipped_folders };

// --- what a page says of itself ---

// What stands behind `before` in the text, up to one of `ends`; "" where that is not there.
static StrView find_word(const char *text, const char *before, const char *ends) {
    const char *at = strstr(text, before);
    return at == NULL ? view_from_string("")
                      : view_of(at + strlen(before), strcspn(at + strlen(before), ends));
}

static void add_view(Str *out, const char *key, StrView value) {
    CLEANUP(mem_free_at) char *text = view_copy(value);
    str_addf(out, ",\"%s\":", key);
    json_add_string(out, text);
}

// "By falconer 0.3.0 (commit 1234) with seed 1 at scale papers, in 3 h."
static void add_facts(Str *out, const char *text, const char *name) {
    const char *made = strstr(text, "By falconer ");
    StrView title = strncmp(text, "# ", 2) == 0 ? find_word(text, "# ", "\n") : (StrView){0};
    add_view(out, "title", title.length > 0 ? title : view_from_string(name));
    add_view(out, "version", find_word(made == NULL ? "" : made, "By falconer ", " \n"));
    add_view(out, "scale", find_word(made == NULL ? "" : made, " at scale ", ",\n"));
}

// --- the list ---

// The page's text beside it, PAPER.md, says what it is.
static void add_found(Str *out, const char *id, const char *name, const char *path) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str beside = {0};
    str_append(&beside, path, strlen(path) - strlen(page_end));
    str_add(&beside, text_end);
    if (plain_read(str_text(&beside), PAPER_TEXT_MAX, &text) != OK)
        str_clear(&text);
    str_addf(out, "{\"id\":\"%s\",\"name\":", id);
    json_add_string(out, name);
    add_facts(out, str_text(&text), name);
    str_add(out, "}");
}

typedef struct Found {
    char id[CATALOG_ID_SIZE];
    char *name, *path; // owned
} Found;

// Copied: files are read without the lock.
static Found *find_items(Server *server, size_t *count) {
    Catalog *catalog = &server->catalog;
    Found *found = NULL;
    size_t capacity = 0;
    *count = 0;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    for (size_t i = 0; i < catalog->count; i++) {
        const CatalogItem *item = catalog->items[i];
        if (!item->is_seen || item->kind != ITEM_PAPER)
            continue;
        Found *one = &MEM_ADD(found, *count, capacity);
        *one = (Found){.name = mem_copy_string(item->name), .path = mem_copy_string(item->path)};
        memcpy(one->id, item->id, sizeof one->id);
    }
    pthread_mutex_unlock(&catalog->lock);
    return found;
}

static void add_shipped(Str *out, const char *names) {
    for (const char *name = names; *name != '\0'; name += strcspn(name, "\n") + 1) {
        CLEANUP(str_free) Str text = {0};
        CLEANUP(mem_free_at) char *copy = view_copy(view_of(name, strcspn(name, "\n")));
        if (paper_view_read(copy, &text) != OK)
            continue;
        str_add(out, out->text[out->length - 1] == '[' ? "{\"name\":" : ",{\"name\":");
        json_add_string(out, copy);
        add_facts(out, str_text(&text), copy);
        str_add(out, "}");
    }
}

void paper_view_write_list(Server *server, Str *out) {
    size_t count;
    Found *found = find_items(server, &count);
    str_add(out, "[");
    for (size_t i = 0; i < count; i++) {
        str_add(out, i == 0 ? "" : ",");
        add_found(out, found[i].id, found[i].name, found[i].path);
        free(found[i].name);
        free(found[i].path);
    }
    free(found);
    for (int i = 0; i < SHIPPED_FOLDERS; i++) {
        CLEANUP(str_free) Str names = {0};
        locate_list(shipped_folders[i], text_end, &names);
        add_shipped(out, str_text(&names));
    }
    str_add(out, "]");
}

// Only a name that is in the list: it never becomes a path by itself.
Status paper_view_read(const char *name, Str *out) {
    CLEANUP(str_free) Str wanted = {0};
    CLEANUP(str_free) Str line = {0};
    str_addf(&wanted, "%s%s", name, text_end);
    str_addf(&line, "\n%s\n", name);
    for (int i = 0; i < SHIPPED_FOLDERS && strchr(name, '\n') == NULL; i++) {
        CLEANUP(str_free) Str names = {0};
        CLEANUP(str_free) Str path = {0};
        str_add(&names, "\n");
        locate_list(shipped_folders[i], text_end, &names);
        if (strstr(str_text(&names), str_text(&line)) == NULL)
            continue;
        TRY(locate_shipped(shipped_folders[i], str_text(&wanted), &path));
        CLEANUP(mem_free_at) char *real = realpath(str_text(&path), NULL);
        return plain_read(real != NULL ? real : "", PAPER_TEXT_MAX, out);
    }
    return error_set(ERR_ARG, "no page of that name is shipped");
}
