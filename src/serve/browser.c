// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/browser.h"

#include "base/mem.h"
#include "base/shell.h"
#include "serve/detached.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MAX = 20 };

static Status write_page(Browser *browser, const char *address) {
    static const char *const places[] = {"XDG_RUNTIME_DIR", "TMPDIR"};
    static const char ending[] = ".html";
    CLEANUP(str_free) Str page = {0};
    const char *folder = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && folder == NULL; i++) {
        const char *place = getenv(places[i]);
        folder = place != NULL && place[0] == '/' && access(place, W_OK) == 0 ? place : NULL;
    }
    str_addf(&page,
             "<!doctype html><meta charset=utf-8><title>Falconer</title>"
             "<meta http-equiv=refresh content=\"0;url=%s\"><a href=\"%s\">Falconer</a>\n",
             address, address);
    str_addf(&browser->file, "%s/falconer-XXXXXX%s", folder == NULL ? "/tmp" : folder, ending);
    const int file = mkostemps(browser->file.text, sizeof ending - 1, 0);
    if (file < 0) {
        str_clear(&browser->file);
        return error_set(ERR_IO, "no file for the browser: %s", strerror(errno));
    }
    const bool is_written = write(file, page.text, page.length) == (ssize_t)page.length;
    close(file);
    return is_written ? OK : error_set(ERR_IO, "%s: %s", browser->file.text, strerror(errno));
}

// Appends a word with the file in the place of "%s"; true where it was there.
static bool fill_in(const char *word, const char *file, Str *out) {
    const char *place = strstr(word, "%s");
    if (place == NULL)
        str_add(out, word);
    else
        str_addf(out, "%.*s%s%s", (int)(place - word), word, file, place + 2);
    return place != NULL;
}

static Status start(const char *command, const char *file) {
    const char *words[WORDS_MAX + 2] = {NULL};
    Str filled[WORDS_MAX] = {0};
    size_t count = 0;
    bool has_file = false;
    CLEANUP(str_free) Str word = {0};
    while (count < WORDS_MAX && shell_next_word(&command, &word)) {
        has_file = fill_in(str_text(&word), file, &filled[count]) || has_file;
        words[count] = str_text(&filled[count]);
        count++;
    }
    if (!has_file)
        words[count] = file;
    pid_t pid;
    const Status status = count == 0 ? error_set(ERR_IO, "no command")
                                     : detached_start(words[0], words, NULL, -1, &pid);
    for (size_t i = 0; i < count; i++)
        str_free(&filled[i]);
    return status;
}

Status browser_open(Browser *browser, const char *address) {
    CLEANUP(str_free) Str list = {0};
    const char *named = getenv("BROWSER");
    TRY(write_page(browser, address));
    str_addf(&list, "%s%sxdg-open", named == NULL ? "" : named, named == NULL ? "" : ":");
    char *rest = list.text, *command;
    while ((command = strsep(&rest, ":")) != NULL)
        if (start(command, browser->file.text) == OK)
            return OK;
    return error_set(ERR_IO, "no browser can be started ($BROWSER, xdg-open): open the address in "
                             "one yourself");
}

void browser_close(Browser *browser) {
    if (browser->file.length > 0)
        unlink(browser->file.text);
    str_free(&browser->file);
}
