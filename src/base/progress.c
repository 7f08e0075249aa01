// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"

#include "base/clock.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <unistd.h>

enum { SHOW_EVERY_NS = 100000000, NOTE_MAX = 256 };

void progress_start(Progress *progress, FILE *out, const char *unit, uint64_t total,
                    uint64_t first) {
    const bool is_seen = out != NULL && isatty(fileno(out));
    *progress = (Progress){.out = is_seen ? out : NULL,
                           .unit = unit,
                           .total = total,
                           .first = first,
                           .started_ns = clock_now_ns()};
}

static void show_time_left(const Progress *progress, uint64_t done, double rate) {
    const double seconds = (double)(progress->total - done) / rate;
    const uint64_t left = (uint64_t)(seconds + 0.5);
    if (left >= 3600)
        fprintf(progress->out, ", %" PRIu64 ":%02" PRIu64 " h left", left / 3600, left / 60 % 60);
    else
        fprintf(progress->out, ", %" PRIu64 ":%02" PRIu64 " min left", left / 60, left % 60);
}

void progress_show(Progress *progress, uint64_t done, const char *note) {
    const int64_t now = clock_now_ns();
    if (progress->out == NULL || now - progress->shown_ns < SHOW_EVERY_NS)
        return;
    progress->shown_ns = now;
    const double seconds = (double)(now - progress->started_ns) / 1e9;
    const double rate = seconds > 0 ? (double)(done - progress->first) / seconds : 0;
    char shown_note[NOTE_MAX] = "";
    if (note != NULL)
        text_clean_fit(shown_note, sizeof shown_note, view_from_string(note));
    fprintf(progress->out, "\r\033[K%" PRIu64, done);
    if (progress->total > 0)
        fprintf(progress->out, " of %" PRIu64, progress->total);
    fprintf(progress->out, " %s", progress->unit);
    if (rate > 0)
        fprintf(progress->out, ", %.*f a second", rate < 10 ? 1 : 0, rate);
    if (rate > 0 && progress->total >= done)
        show_time_left(progress, done, rate);
    if (note != NULL)
        fprintf(progress->out, "  %s", shown_note);
    fflush(progress->out);
}

void progress_end(Progress *progress) {
    if (progress->out == NULL)
        return;
    fputs("\r\033[K", progress->out);
    fflush(progress->out);
}
