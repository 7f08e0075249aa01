// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever is read of a file of coefficients is within what its header declares, and is the same
// when written and read again; what is refused is refused with file and line. The first line is put
// before the input, or little would get past it.
#include "base/mem.h"
#include "fitness/linear/coefficient_reader.h"
#include "fuzz/fuzz.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/falconer-fuzz-XXXXXX";

static void remove_file(void) {
    unlink(path);
}

// Not by file_write, which waits for the disk.
static void write_file(const void *bytes, size_t size) {
    static const char first[] = "falconer-coefficients 1\n";
    FILE *file = fopen(path, "wb");
    MUST_HOLD(file != NULL && fputs(first, file) >= 0);
    MUST_HOLD(size == 0 || fwrite(bytes, 1, size, file) == size);
    MUST_HOLD(fclose(file) == 0);
}

static void check_position(const CoefficientHeader *header, const CoefficientPosition *position) {
    bool *seen = mem_alloc_zero(header->family.term_count, sizeof *seen);
    int64_t most = labs(position->label) * (int64_t)header->family.scale + labs(position->offset);
    for (size_t i = 0; i < position->count; i++) {
        const CoefficientEntry entry = position->entries[i];
        MUST_HOLD(entry.index < header->family.term_count && !seen[entry.index]);
        MUST_HOLD(entry.count != 0);
        seen[entry.index] = true;
        const Term *term = &header->family.terms[entry.index];
        MUST_HOLD(term->low <= term->start && term->start <= term->high);
        most +=
            (int64_t)abs(entry.count) * (abs(term->low) > term->high ? abs(term->low) : term->high);
    }
    MUST_HOLD(most <= INT32_MAX);
    free(seen);
}

static void write_header(const CoefficientHeader *header, Str *out) {
    str_addf(out, "label %s\ncounts %d\n", header->label == LABEL_RESULT ? "result" : "centipawns",
             header->family.scale);
    for (size_t i = 0; i < header->family.term_count; i++) {
        const Term *term = &header->family.terms[i];
        str_addf(out, "param %s %d %d %d\n", term->name, term->low, term->high, term->start);
    }
}

static void write_position(const CoefficientHeader *header, const CoefficientPosition *position,
                           Str *out) {
    static const char *const results[] = {"0", "0.5", "1"};
    if (header->label == LABEL_RESULT)
        str_add(out, results[position->label]);
    else
        str_addf(out, "%" PRId32, position->label);
    str_addf(out, "; offset:%" PRId32, position->offset);
    for (size_t i = 0; i < position->count; i++)
        str_addf(out, " %u:%d", position->entries[i].index, position->entries[i].count);
    str_add(out, "\n");
}

// Reads the file and writes it in one form; false where it is refused.
static bool read_file(Str *out) {
    CoefficientReader *reader;
    CoefficientPosition position;
    bool got = true;
    Status status = coefficient_reader_open(&reader, path);
    if (status != OK)
        return false;
    const CoefficientHeader *header = coefficient_reader_header(reader);
    write_header(header, out);
    while (status == OK && got) {
        status = coefficient_reader_next(reader, &position, &got);
        if (status == OK && got) {
            check_position(header, &position);
            write_position(header, &position, out);
        }
    }
    coefficient_reader_close(reader);
    return status == OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool is_ready;
    Str first = {0}, second = {0};
    if (!is_ready) {
        MUST_HOLD(close(mkstemp(path)) == 0 && atexit(remove_file) == 0);
        is_ready = true;
    }
    write_file(data, size);
    if (read_file(&first)) {
        write_file(first.text, first.length);
        MUST_HOLD(read_file(&second));
        MUST_HOLD(first.length == second.length);
        MUST_HOLD(memcmp(first.text, second.text, first.length) == 0);
    } else {
        MUST_HOLD(strncmp(error_message(), path, strlen(path)) == 0);
    }
    str_free(&first);
    str_free(&second);
    return 0;
}
