// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/coefficient_header.h"

#include "base/mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "falconer-coefficients";

// Bounds beyond BOUND_MAX are no weights. Names are as long as messages can show.
enum { VERSION = 1, BOUND_MAX = 1000000, SCALE_MAX = 32767, NAME_MAX_LENGTH = SHOWN_MAX };

static const char *const label_names[] = {
    [LABEL_NONE] = "", [LABEL_CENTIPAWNS] = "centipawns", [LABEL_RESULT] = "result"};

bool coefficient_header_is_first(StrView line) {
    return view_equals(view_next_word(&line), magic);
}

CoefficientHeader *coefficient_header_create(void) {
    return mem_alloc_zero(1, sizeof(CoefficientHeader));
}

void coefficient_header_destroy(CoefficientHeader *header) {
    if (header == NULL)
        return;
    for (size_t i = 0; i < header->family.term_count; i++)
        free((char *)header->terms[i].name);
    free(header->terms);
    free(header);
}

// --- lines ---

Status coefficient_header_begin(StrView line) {
    int64_t version;
    if (!coefficient_header_is_first(line))
        return error_set(ERR_PARSE, "the first line must be '%s %d'", magic, VERSION);
    (void)view_next_word(&line);
    if (!view_to_int(view_next_word(&line), &version) || view_next_word(&line).length != 0)
        return error_set(ERR_PARSE, "expected '%s %d'", magic, VERSION);
    return version == VERSION
               ? OK
               : error_set(ERR_PARSE, "version %" PRId64 " of the format: this program reads %d",
                           version, VERSION);
}

// "label centipawns"
static Status add_label(CoefficientHeader *header, StrView rest) {
    const StrView name = view_next_word(&rest);
    if (header->label != LABEL_NONE)
        return error_set(ERR_PARSE, "the label was said already: keep one of the lines");
    for (CoefficientLabel label = LABEL_CENTIPAWNS; label <= LABEL_RESULT; label++)
        if (view_equals(name, label_names[label]) && view_next_word(&rest).length == 0)
            header->label = label;
    return header->label != LABEL_NONE
               ? OK
               : error_set(ERR_PARSE, "expected 'label centipawns' or 'label result'");
}

// "counts 24"
static Status add_counts(CoefficientHeader *header, StrView rest) {
    int64_t scale;
    if (header->family.scale != 0)
        return error_set(ERR_PARSE, "the counts were said already: keep one of the lines");
    if (!view_to_int(view_next_word(&rest), &scale) || scale < 1 || scale > SCALE_MAX ||
        view_next_word(&rest).length != 0)
        return error_set(ERR_PARSE,
                         "expected 'counts N': a whole number from 1 to %d, which makes "
                         "one of what is counted",
                         SCALE_MAX);
    header->family.scale = (int)scale;
    return OK;
}

// Names stand in weights files, in columns and in lists with commas, '=' and ':'.
static Status check_name(const CoefficientHeader *header, StrView name) {
    bool is_good = name.length > 0 && name.length <= NAME_MAX_LENGTH &&
                   (isalpha((unsigned char)name.text[0]) || name.text[0] == '_');
    for (size_t i = 0; i < name.length && is_good; i++)
        is_good = isalnum((unsigned char)name.text[i]) || memchr("_.-[]", name.text[i], 5) != NULL;
    if (!is_good || view_equals(name, "family"))
        return error_set(ERR_PARSE,
                         "'%s' cannot be a name: a letter, then letters, digits, and _ . - [ ], "
                         "%d in all at most, and not 'family'",
                         view_shown(name).text, NAME_MAX_LENGTH);
    for (size_t i = 0; i < header->family.term_count; i++)
        if (view_equals(name, header->terms[i].name))
            return error_set(ERR_PARSE, "%s was declared already, as index %zu",
                             header->terms[i].name, i);
    return OK;
}

static Status check_values(const char *name, int64_t low, int64_t high, int64_t start) {
    if (low < -BOUND_MAX || high > BOUND_MAX)
        return error_set(ERR_PARSE, "%s: bounds must be from %d to %d", name, -BOUND_MAX,
                         BOUND_MAX);
    if (low > high)
        return error_set(ERR_PARSE,
                         "%s: its low bound %" PRId64 " is above its high bound %" PRId64, name,
                         low, high);
    if (start < low || start > high)
        return error_set(ERR_PARSE,
                         "%s: its default %" PRId64 " is not from %" PRId64 " to %" PRId64, name,
                         start, low, high);
    return OK;
}

// "param ROOK_OPEN_FILE 0 60 20"
static Status add_parameter(CoefficientHeader *header, StrView rest) {
    const StrView name = view_next_word(&rest);
    int64_t low, high, start;
    Status status = check_name(header, name);
    if (status != OK)
        return status;
    if (header->family.term_count == TERMS_MAX)
        return error_set(ERR_LIMIT, "more than %d parameters", TERMS_MAX);
    if (!view_to_int(view_next_word(&rest), &low) || !view_to_int(view_next_word(&rest), &high) ||
        !view_to_int(view_next_word(&rest), &start) || view_next_word(&rest).length != 0)
        return error_set(ERR_PARSE, "expected 'param NAME LOW HIGH DEFAULT', in whole numbers");
    status = check_values(view_shown(name).text, low, high, start);
    if (status != OK)
        return status;
    MEM_ADD(header->terms, header->family.term_count, header->capacity) =
        (Term){.name = mem_copy_string(view_shown(name).text),
               .low = (int)low,
               .high = (int)high,
               .start = (int)start,
               .meaning = ""};
    return OK;
}

Status coefficient_header_add(CoefficientHeader *header, StrView line) {
    const StrView word = view_next_word(&line);
    if (view_equals(word, "label"))
        return add_label(header, line);
    if (view_equals(word, "counts"))
        return add_counts(header, line);
    if (view_equals(word, "param"))
        return add_parameter(header, line);
    return error_set(ERR_PARSE,
                     "'%s' is neither label, counts nor param, and no position begins so",
                     view_shown(word).text);
}

// --- the whole ---

Status coefficient_header_finish(CoefficientHeader *header) {
    Family *family = &header->family;
    if (header->label == LABEL_NONE)
        return error_set(ERR_PARSE, "the header must say 'label centipawns' or 'label result' "
                                    "before the first position");
    if (family->term_count == 0)
        return error_set(ERR_PARSE, "the header must declare parameters ('param NAME LOW HIGH "
                                    "DEFAULT') before the first position");
    family->name = FAMILY_COEFFICIENTS;
    family->version = VERSION;
    family->unit = 1;
    family->scale = family->scale == 0 ? 1 : family->scale;
    family->terms = header->terms;
    family->coefficient_count = family->feature_count = family->term_count;
    return OK;
}

Status coefficient_header_compare(const CoefficientHeader *header, const CoefficientHeader *other) {
    const Family *a = &header->family, *b = &other->family;
    if (header->label != other->label)
        return error_set(ERR_ARG, "labels are %s, not %s", label_names[other->label],
                         label_names[header->label]);
    if (a->scale != b->scale)
        return error_set(ERR_ARG, "counts are in parts of %d, not of %d", b->scale, a->scale);
    if (a->term_count != b->term_count)
        return error_set(ERR_ARG, "there are %zu parameters, not %zu", b->term_count,
                         a->term_count);
    for (size_t i = 0; i < a->term_count; i++) {
        const Term *x = &a->terms[i], *y = &b->terms[i];
        if (strcmp(x->name, y->name) != 0 || x->low != y->low || x->high != y->high)
            return error_set(ERR_ARG, "parameter %zu is %s from %d to %d, not %s from %d to %d", i,
                             y->name, y->low, y->high, x->name, x->low, x->high);
    }
    return OK;
}
