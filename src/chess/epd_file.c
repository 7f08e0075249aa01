// SPDX-License-Identifier: GPL-3.0-or-later
// Files of EPD, record by record.
#include "base/lines.h"
#include "chess/epd.h"

#include <inttypes.h>

static Status read_record(LineReader *lines, StrView line, Epd *epd, EpdTaker take, void *context) {
    line = view_trim(line);
    if (line.length == 0 || line.text[0] == '#')
        return OK;
    TRY(epd_parse(epd, line));
    return take(context, epd, line, lines_number(lines));
}

Status epd_read_file(const char *path, EpdTaker take, void *context) {
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    CLEANUP(epd_free) Epd epd = {0};
    TRY(lines_open(&lines, path, EPD_LINE_MAX));
    for (;;) {
        StrView line;
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            return OK;
        TRY_PREFIX(read_record(lines, line, &epd, take, context), "%s:%" PRIu64,
                   stream_name(lines_stream(lines)), lines_number(lines));
    }
}
