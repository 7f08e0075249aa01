// SPDX-License-Identifier: GPL-3.0-or-later
// What was sampled, as EPD.
#include "base/file.h"
#include "chess/epd.h"
#include "data/sample/sample_internal.h"

#include <inttypes.h>
#include <stdio.h>

enum { TEXT_SIZE = 32 };

static Status set_record(Epd *epd, const SampleRecord *record, Str *text) {
    epd_clear(epd);
    position_unpack(&record->packed, &epd->pos);
    if (record->move != MOVE_NONE)
        TRY(epd_set_moves(epd, "sm", &record->move, 1));
    if (record->result != RESULT_UNKNOWN)
        TRY(epd_set_string(epd, "c9",
                           view_from_string(pgn_result_text((GameResult)record->result))));
    // Many games have the same players and year: those of a match have.
    str_setf(text, "%010" PRIx64, record->game >> 24);
    TRY(epd_set_string(epd, "c8", view_of(text->text, text->length)));
    str_setf(text, "%s, ply %d", record->label, record->ply);
    return epd_set_string(epd, "id", view_of(text->text, text->length));
}

static Status set_frequency(Epd *epd, const FrequencyEntry *entry) {
    char text[TEXT_SIZE];
    epd_clear(epd);
    position_unpack(&entry->packed, &epd->pos);
    snprintf(text, sizeof text, "%" PRIu32 " games", entry->games);
    return epd_set_string(epd, "c0", view_from_string(text));
}

static Status write_lines(const Sample *sample, size_t set, OutFile *file) {
    const SampleRecord *records = sample->workers[0].choice.items;
    const uint64_t count = sample_set_count(sample, set);
    CLEANUP(epd_free) Epd epd = {0};
    CLEANUP(str_free) Str text = {0};
    for (uint64_t i = 0; i < count; i++) {
        TRY(sample->options.by_frequency
                ? set_frequency(&epd, &sample->frequency.entries[i])
                : set_record(&epd, &records[sample->set_begin[set] + i], &text));
        str_clear(&text);
        epd_write(&epd, &text);
        str_add(&text, "\n");
        TRY(outfile_write(file, text.text, text.length));
    }
    return OK;
}

Status sample_write(const Sample *sample, size_t set, const char *path) {
    CLEANUP(outfile_discard_at) OutFile *file = NULL;
    TRY(outfile_open(&file, path));
    TRY(write_lines(sample, set, file));
    return outfile_commit(TAKE(file));
}
