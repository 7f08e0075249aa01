// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/ini.h"

#include "base/file.h"

#include <string.h>

enum { INI_FILE_MAX = 1 << 20 };

typedef struct Reader {
    Str section, key, value;
    IniHandler handler;
    void *context;
} Reader;

static void assign(Str *to, StrView text) {
    str_clear(to);
    str_append(to, text.text, text.length);
}

static Status read_section(Reader *reader, StrView line) {
    if (line.text[line.length - 1] != ']')
        return error_set(ERR_PARSE, "a section without its ']'");
    assign(&reader->section, view_trim(view_of(line.text + 1, line.length - 2)));
    return OK;
}

static Status read_setting(Reader *reader, StrView line) {
    const char *equals = memchr(line.text, '=', line.length);
    if (equals == NULL)
        return error_set(ERR_PARSE, "neither a section, a comment, nor 'key = value'");
    const size_t before = (size_t)(equals - line.text);
    assign(&reader->key, view_trim(view_of(line.text, before)));
    assign(&reader->value, view_trim(view_of(equals + 1, line.length - before - 1)));
    if (reader->key.length == 0)
        return error_set(ERR_PARSE, "a value without a name");
    return reader->handler(reader->context, str_text(&reader->section), str_text(&reader->key),
                           str_text(&reader->value));
}

static Status read_line(Reader *reader, StrView line) {
    line = view_trim(line);
    if (line.length == 0 || line.text[0] == ';' || line.text[0] == '#')
        return OK;
    if (memchr(line.text, '\0', line.length) != NULL)
        return error_set(ERR_PARSE, "a NUL byte");
    return line.text[0] == '[' ? read_section(reader, line) : read_setting(reader, line);
}

Status ini_read_text(StrView text, const char *name, IniHandler handler, void *context) {
    Reader reader = {.handler = handler, .context = context};
    Status status = OK;
    unsigned number = 0;
    while (text.length > 0 && status == OK) {
        const char *end = memchr(text.text, '\n', text.length);
        const size_t length = end == NULL ? text.length : (size_t)(end - text.text);
        number++;
        status = read_line(&reader, view_of(text.text, length));
        const size_t used = end == NULL ? length : length + 1;
        text = view_of(text.text + used, text.length - used);
    }
    if (status != OK)
        error_prefix("%s:%u", name, number);
    str_free(&reader.section);
    str_free(&reader.key);
    str_free(&reader.value);
    return status;
}

Status ini_read_file(const char *path, IniHandler handler, void *context) {
    CLEANUP(str_free) Str text = {0};
    Status status = file_read(path, INI_FILE_MAX, &text);
    if (status == OK)
        status = ini_read_text(view_of(str_text(&text), text.length), path, handler, context);
    return status;
}
