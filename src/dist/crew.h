// SPDX-License-Identifier: GPL-3.0-or-later
// The other ranks as rank 0 sees them. For one kind of work they are a team with seats, each of
// which is handed pieces of work as bytes and hands bytes back. Everything here is for rank 0's
// main thread. Where there are no other ranks the crew is NULL, and so are its teams: everything
// takes that, and does nothing.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "dist/world.h"

#include <stdint.h>

typedef struct DistCrew DistCrew;
typedef struct DistTeam DistTeam;

// What it all took, summed up over everything that ran: for reports.
typedef struct DistCosts {
    uint64_t pieces, messages; // of work, and both ways
    uint64_t bytes_out, bytes_in, bytes_spread;
    int64_t wall_ns;    // of the time in which there was work
    int64_t seats_ns;   // the same times the seats there were, rank 0's threads among them
    int64_t compute_ns; // of all of them
    int64_t message_ns; // from sending to the answer, but for computing there and here in between
    int seats, idle;    // of the last team that worked, and those that never had anything to do
} DistCosts;

// NULL where rank 0 is alone. `world` is borrowed.
DistCrew *dist_crew_new(DistWorld *world);
// Sends everybody home.
void dist_crew_free(DistCrew *crew);
// How many ranks there are, rank 0 among them.
int dist_crew_ranks(const DistCrew *crew);
DistCosts dist_crew_costs(const DistCrew *crew);

typedef struct DistTeamSetup {
    const char *service; // its name
    StrView context;     // what the service opens
    const char *const *files;
    size_t file_count; // inputs that the service reads by these paths: read here and sent along
    int threads;       // of each rank; 0: one for each core it may run on
    // A piece may take far longer than those before, as engines that hang do: only few are handed
    // out at a time, so that the first of them is soon heard of.
    bool may_hang;
} DistTeamSetup;

// Has the service opened on all other ranks, and does not wait for it: rank 0 may do its own part
// meanwhile.
MUST_CHECK Status dist_team_open(DistTeam **out, DistCrew *crew, const DistTeamSetup *setup);
// Waits until all have opened it; fails where one could not, or has another fingerprint.
MUST_CHECK Status dist_team_wait(DistTeam *team, uint64_t fingerprint);
void dist_team_close(DistTeam *team);
// Seats of the other ranks; 0 for no team, and before the wait is over.
int dist_team_seats(const DistTeam *team);
// What all seats of a rank have in common.
int dist_team_rank_of(const DistTeam *team, int seat);
// Asks for answers soon: the service decides what that means. Safe to be called by callbacks, and
// again.
void dist_team_cancel(DistTeam *team);

// Work for the seats while it lasts. All of these are called by the thread that runs it.
typedef struct DistWork {
    void *context;
    // Appends the next piece of work for a seat that has nothing to do, with a tag to know it by;
    // false where there is none at present: for nobody, unless it is by seat.
    bool (*next)(void *context, int seat, uint64_t *tag, Str *work);
    bool is_by_seat;
    // What came of it: OK and the answer, or a status with the message in error_message().
    void (*done)(void *context, int seat, uint64_t tag, Status status, StrView answer);
    // True when no more work will come and nothing is going on here: asked when seats are idle.
    bool (*is_over)(void *context);
    // About how many pieces are left, for small ones are handed out several at a time; NULL: one.
    size_t (*left)(void *context);
    // Does a part of the work in this thread, and returns whether there was any; may be NULL.
    bool (*here)(void *context);
    int local_seats; // threads of this rank that are at it meanwhile: they count as seats, too
} DistWork;

// Hands out work until it is over and every answer is there.
void dist_team_run(DistTeam *team, const DistWork *work);
// Adds computing that was done here to the costs. By the thread that runs the work.
void dist_team_count(DistTeam *team, uint64_t pieces, int64_t compute_ns);
// The same for work that was done here alone, while all others waited.
void dist_team_count_alone(DistTeam *team, uint64_t pieces, int64_t compute_ns);
// What a message to a seat and back takes beside the computing, in nanoseconds; 0 while unknown.
double dist_team_message_ns(const DistTeam *team);
// Nanoseconds that the seat computed for what it answered last.
int64_t dist_team_last_ns(const DistTeam *team, int seat);
