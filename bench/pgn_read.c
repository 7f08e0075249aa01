// SPDX-License-Identifier: GPL-3.0-or-later
// Reads every game of a file and prints the totals: what bench/pgn measures.
#include "chess/pgn.h"

#include <stdio.h>
#include <sys/resource.h>

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: pgn_read FILE\n");
        return 2;
    }
    chess_init();
    PgnReader *reader;
    const PgnGame *game;
    Status status = pgn_reader_open(&reader, argv[1]);
    if (status == OK) {
        do
            status = pgn_reader_next(reader, &game);
        while (status == OK && game != NULL);
        const PgnTotals *totals = pgn_reader_totals(reader);
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        printf("games %llu, cut %llu, skipped %llu, plies %llu, bytes %llu of %llu, peak %ld KB\n",
               (unsigned long long)totals->games, (unsigned long long)totals->cut,
               (unsigned long long)totals->skipped, (unsigned long long)totals->plies,
               (unsigned long long)totals->bytes_read, (unsigned long long)totals->bytes_there,
               usage.ru_maxrss);
        pgn_reader_close(reader);
    }
    if (status != OK)
        fprintf(stderr, "pgn_read: %s\n", error_message());
    return status == OK ? 0 : 1;
}
