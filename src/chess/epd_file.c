// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/epd_file.h"

#include "base/lines.h"

#include <inttypes.h>

static Status read_record(LineReader *lines, StrView line, Epd *epd, EpdTaker take, void *context) {
    line = view_trim(line);
    if (line.length == 0 || line.text[0] == '#')
        return OK;
    Status status = epd_parse(epd, line);
    if (status == OK)
        status = take(context, epd, line, lines_number(lines));
    if (status != OK)
        error_prefix("%s:%" PRIu64, stream_name(lines_stream(lines)), lines_number(lines));
    return status;
}

Status epd_read_file(const char *path, EpdTaker take, void *context) {
    LineReader *lines;
    StrView line;
    Epd epd = {0};
    Status status = lines_open(&lines, path, EPD_LINE_MAX);
    if (status != OK)
        return status;
    while ((status = lines_next(lines, &line)) == OK && line.text != NULL)
        if ((status = read_record(lines, line, &epd, take, context)) != OK)
            break;
    epd_free(&epd);
    lines_close(lines);
    return status;
}
