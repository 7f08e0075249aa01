// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/names.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { INITIALS_MAX = 3, LATIN1_FIRST = 0xC0, EXTENDED_FIRST = 0x100, EXTENDED_END = 0x180 };

// The letters from U+00C0 on, as rating lists write them.
static const char *const latin1[] = {
    "a", "a", "a", "a", "ae", "a", "ae", "c", "e", "e", "e", "e", "i",  "i", "i",  "i",
    "d", "n", "o", "o", "o",  "o", "oe", "",  "o", "u", "u", "u", "ue", "y", "th", "ss",
};
// From U+0100 on.
static const char extended[] =
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNn"
    "OoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
static_assert(sizeof extended - 1 == EXTENDED_END - EXTENDED_FIRST, "one letter each");

// A word as it stands in the text, before it is taken apart.
typedef struct Word {
    char text[NAME_SIZE];
    size_t length;
    bool is_upper; // capitals only
} Word;

static void word_add(Word *word, const char *letters) {
    for (; *letters != '\0' && word->length < sizeof word->text; letters++)
        word->text[word->length++] = *letters;
}

// Takes a letter of one or two bytes; returns how many.
static size_t add_letter(Word *word, StrView rest) {
    unsigned char c = (unsigned char)rest.text[0];
    if (isalpha(c)) {
        word->is_upper &= isupper(c) != 0;
        word_add(word, (char[]){(char)tolower(c), '\0'});
        return 1;
    }
    if (c < 0xC3 || c > 0xC5 || rest.length < 2)
        return 1;
    unsigned code = (c & 0x1Fu) << 6 | ((unsigned char)rest.text[1] & 0x3Fu);
    word->is_upper = false;
    if (code < EXTENDED_FIRST)
        word_add(word, latin1[(code - LATIN1_FIRST) % 32]); // small letters are 32 behind
    else
        word_add(word, (char[]){(char)tolower(extended[code - EXTENDED_FIRST]), '\0'});
    return 2;
}

static void push(Name *name, const char *text, size_t length) {
    size_t end = name->begin[name->count];
    if (name->count == NAME_WORDS_MAX || length == 0 || end + length > sizeof name->text)
        return;
    memcpy(name->text + end, text, length);
    name->begin[++name->count] = (uint8_t)(end + length);
}

static bool is_title(const Word *word) {
    static const char *const titles[] = {"gm", "im", "fm", "wgm", "wim", "wfm"};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (word->is_upper && view_equals(view_of(word->text, word->length), titles[i]))
            return true;
    return false;
}

// Ends a word: initials that stand together are split, titles behind a given name are dropped.
static void finish_word(Name *name, Word *word) {
    if (word->is_upper && name->count > 0 && word->length <= INITIALS_MAX) {
        for (size_t i = 0; i < word->length && !(name->count > 1 && is_title(word)); i++)
            push(name, word->text + i, 1);
    } else {
        push(name, word->text, word->length);
    }
    *word = (Word){.is_upper = true};
}

void name_parse(StrView text, Name *out) {
    *out = (Name){0};
    Word word = {.is_upper = true};
    unsigned depth = 0;
    for (size_t i = 0; i < text.length;) {
        char c = text.text[i];
        depth += c == '(';
        if (c == ' ' || c == '.' || c == ',' || c == '_' || c == '(') {
            finish_word(out, &word);
            if (c == ',' && out->before_comma == 0)
                out->before_comma = out->count;
            i++;
        } else if (depth > 0) {
            depth -= c == ')';
            i++;
        } else {
            i += add_letter(&word, view_of(text.text + i, text.length - i));
        }
    }
    finish_word(out, &word);
}

static NameReading reading_of(const Name *name, unsigned surname, unsigned surname_end) {
    NameReading reading = {
        .surname = view_of(name->text + name->begin[surname],
                           (size_t)(name->begin[surname_end] - name->begin[surname])),
        .name = name,
        .given = surname == 0 ? surname_end : 0,
        .given_end = surname == 0 ? name->count : surname,
    };
    return reading;
}

unsigned name_readings(const Name *name, NameReading out[NAME_READINGS_MAX], unsigned *reversed) {
    unsigned count = 0, words = name->count;
    *reversed = 1;
    if (words == 0)
        return 0;
    if (name->before_comma > 0 || words == 1) {
        out[count++] = reading_of(name, 0, words == 1 ? 1 : name->before_comma);
        return count;
    }
    for (unsigned end = 1; end < words; end++)
        out[count++] = reading_of(name, 0, end);
    *reversed = count;
    for (unsigned begin = words - 1; begin > 0; begin--)
        out[count++] = reading_of(name, begin, words);
    return count;
}

static StrView word_at(const Name *name, unsigned index) {
    return view_of(name->text + name->begin[index],
                   (size_t)(name->begin[index + 1] - name->begin[index]));
}

static bool begins(StrView word, StrView front) {
    return front.length <= word.length && memcmp(word.text, front.text, front.length) == 0;
}

NameMatch name_compare(const NameReading *found, const NameReading *listed) {
    unsigned found_count = found->given_end - found->given;
    unsigned listed_count = listed->given_end - listed->given;
    if (found->surname.length != listed->surname.length ||
        !begins(found->surname, listed->surname) || (found_count == 0) != (listed_count == 0))
        return NAME_OTHER;
    bool is_same = found_count == listed_count, has_word = found_count == 0;
    for (unsigned i = 0; i < found_count && i < listed_count; i++) {
        StrView ours = word_at(found->name, found->given + i);
        StrView theirs = word_at(listed->name, listed->given + i);
        // A list that knows an initial alone does not vouch for the first name.
        if (!begins(theirs, ours) && !(i > 0 && theirs.length == 1 && begins(ours, theirs)))
            return NAME_OTHER;
        is_same &= ours.length == theirs.length;
        has_word |= ours.length > 1;
    }
    return is_same && has_word ? NAME_SAME : NAME_LIKE;
}

bool name_fits(const Name *found, const Name *asked) {
    NameReading found_readings[NAME_READINGS_MAX], asked_readings[NAME_READINGS_MAX];
    unsigned reversed;
    unsigned found_count = name_readings(found, found_readings, &reversed);
    unsigned asked_count = name_readings(asked, asked_readings, &reversed);
    for (unsigned a = 0; a < asked_count; a++)
        for (unsigned f = 0; f < found_count; f++)
            if (name_compare(&found_readings[f], &asked_readings[a]) != NAME_OTHER)
                return true;
    return false;
}

bool name_fits_any(StrView found, const char *asked) {
    Name one, other;
    name_parse(found, &one);
    for (size_t length; *asked != '\0'; asked += length + (asked[length] == ';')) {
        length = strcspn(asked, ";");
        name_parse(view_of(asked, length), &other);
        if (other.count > 0 && name_fits(&one, &other))
            return true;
    }
    return false;
}

uint32_t name_hash(StrView surname) {
    uint64_t hash = surname.length;
    for (size_t i = 0; i < surname.length; i++)
        hash = (hash ^ (unsigned char)surname.text[i]) * 0x9E3779B97F4A7C15ULL;
    return (uint32_t)(hash >> 32);
}
