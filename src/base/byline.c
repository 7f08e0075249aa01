// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/byline.h"

#include <stdlib.h>
#include <time.h>

#ifndef FALCONER_VERSION
#define FALCONER_VERSION "unknown"
#endif

static time_t day_of_making(void) {
    const char *told = getenv("SOURCE_DATE_EPOCH");
    char *end;
    if (told != NULL && told[0] >= '0' && told[0] <= '9') {
        const long long seconds = strtoll(told, &end, 10);
        if (*end == '\0')
            return (time_t)seconds;
    }
    return time(NULL);
}

void byline_add(Str *out) {
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    const time_t now = day_of_making();
    struct tm when;
    str_add(out, "Made by Falconer " FALCONER_VERSION);
    // A year that does not fit is not told.
    if (gmtime_r(&now, &when) != NULL)
        str_addf(out, " on %d %s %d (UTC)", when.tm_mday, months[when.tm_mon], when.tm_year + 1900);
}
