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
    Status status = OK;
    if (record->move != MOVE_NONE)
        status = epd_set_moves(epd, "sm", &record->move, 1);
    if (status == OK && record->result != RESULT_UNKNOWN)
        status = epd_set_string(epd, "c9",
                                view_from_string(pgn_result_text((GameResult)record->result)));
    str_clear(text);
    str_addf(text, "%s, ply %d", record->label, record->ply);
    return status == OK ? epd_set_string(epd, "id", view_of(text->text, text->length)) : status;
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
    uint64_t count = sample_set_count(sample, set);
    Epd epd = {0};
    Str text = {0};
    Status status = OK;
    for (uint64_t i = 0; i < count && status == OK; i++) {
        status = sample->options.by_frequency
                     ? set_frequency(&epd, &sample->frequency.entries[i])
                     : set_record(&epd, &records[sample->set_begin[set] + i], &text);
        if (status != OK)
            break;
        str_clear(&text);
        epd_write(&epd, &text);
        str_add(&text, "\n");
        status = outfile_write(file, text.text, text.length);
    }
    epd_free(&epd);
    str_free(&text);
    return status;
}

Status sample_write(const Sample *sample, size_t set, const char *path) {
    OutFile *file;
    Status status = outfile_open(&file, path);
    if (status != OK)
        return status;
    status = write_lines(sample, set, file);
    if (status == OK)
        return outfile_commit(file);
    outfile_discard(file);
    return status;
}
