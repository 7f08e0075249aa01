// SPDX-License-Identifier: GPL-3.0-or-later
#include "dist/crew.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "dist/mean.h"
#include "dist/patience.h"
#include "dist/protocol.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    CHUNK_NS = 20000000, // what a seat is given at a time takes about this long
    CHUNK_MOST = 4096,   // pieces
    CHUNK_MOST_HANGING = 16,
    WORKERS_MAX = 1 << 16, // of a rank
};
// How much of the mean of messages is left when it may be too long.
static const double message_decay = 0.9;

typedef struct Seat {
    int rank, worker;
    bool is_busy;
    int64_t sent_ns, computed_ns;
    double piece_ns; // what a piece takes here; 0: not known
    uint64_t *tags;  // of the pieces it has
    size_t tag_count, tag_capacity;
} Seat;

// What a rank said to the opening.
typedef struct Opened {
    bool is_there;
    Status status;
    int workers, first_seat;
    uint64_t fingerprint;
    char message[512];
} Opened;

struct DistTeam {
    DistCrew *crew;
    uint32_t number;
    Opened *opened; // of each rank
    int waiting;    // ranks that have not answered
    Seat *seats;
    int seat_count, busy;
    double message_ns;
    size_t chunk_most;
    bool is_cancelled;
    const DistWork *work; // at hand
    bool was_working;     // here, before the messages that are being taken
};

struct DistCrew {
    DistWorld *world;
    DistTeam *teams[DIST_TEAMS_MAX];
    uint32_t opened;
    DistCosts costs;
};

// --- messages ---

static void send_to(DistCrew *crew, int rank, Str *bytes) {
    crew->costs.messages++;
    crew->costs.bytes_out += bytes->length;
    crew->world->send(crew->world->self, rank, bytes);
}

static void send_to_all(DistCrew *crew, DistMessage kind, uint32_t team) {
    for (int rank = 1; rank < crew->world->ranks; rank++) {
        Str bytes = {0};
        bytes_add_u8(&bytes, (uint8_t)kind);
        bytes_add_u32(&bytes, team);
        send_to(crew, rank, &bytes);
    }
}

static void note_opened(DistTeam *team, int rank, ByteReader *in) {
    Opened *opened = &team->opened[rank];
    if (opened->is_there)
        return;
    opened->is_there = true;
    opened->status = (Status)bytes_u8(in);
    const StrView message = bytes_text(in);
    snprintf(opened->message, sizeof opened->message, "%.*s", (int)message.length, message.text);
    opened->workers = (int)bytes_u32(in);
    opened->fingerprint = bytes_u64(in);
    if (!bytes_are_done(in) || opened->status > ERR_LIMIT || opened->workers < 1 ||
        opened->workers > WORKERS_MAX) {
        opened->status = ERR_PARSE;
        snprintf(opened->message, sizeof opened->message, "what came back is no opening");
    }
    team->waiting--;
}

// What a message took, as far as can be told, for the costs. An answer that came while this rank
// computed has been waiting to be seen: then it took no longer than this, and perhaps much less.
static int64_t note_message(DistTeam *team, int64_t took_ns) {
    const double mean = team->message_ns;
    if (!team->was_working || (double)took_ns < mean) {
        mean_blend(&team->message_ns, (double)took_ns + 1);
        return took_ns;
    }
    team->message_ns *= message_decay;
    return (int64_t)mean;
}

static void note_times(DistTeam *team, Seat *seat, int64_t compute_ns) {
    DistCosts *costs = &team->crew->costs;
    const int64_t whole = clock_now_ns() - seat->sent_ns;
    const int64_t message = whole > compute_ns ? whole - compute_ns : 0;
    costs->compute_ns += compute_ns;
    costs->message_ns += note_message(team, message);
    costs->pieces += seat->tag_count;
    seat->computed_ns = compute_ns;
    mean_blend(&seat->piece_ns, (double)compute_ns / (double)seat->tag_count + 1);
}

// Ends what a seat was given with what is read. What cannot be read is a failure of its own.
static void end_seat(DistTeam *team, int index, ByteReader *in) {
    Seat *seat = &team->seats[index];
    seat->is_busy = false;
    team->busy--;
    for (size_t i = 0; i < seat->tag_count; i++) {
        Status status = (Status)bytes_u8(in);
        const StrView answer = bytes_text(in);
        const bool is_last = i + 1 == seat->tag_count;
        if (in->failed || status > ERR_LIMIT || (is_last && !bytes_are_done(in)))
            status = error_set(ERR_PARSE, "what came back is no answer");
        else if (status != OK)
            (void)error_set(status, "%.*s", (int)answer.length, answer.text);
        team->work->done(team->work->context, index, seat->tags[i], status, answer);
    }
}

static void note_done(DistTeam *team, int rank, ByteReader *in) {
    const Opened *opened = &team->opened[rank];
    const uint32_t worker = bytes_u32(in);
    const int64_t compute_ns = (int64_t)bytes_u64(in);
    if (team->seats == NULL)
        return;
    Seat *seats = &team->seats[opened->first_seat];
    if (!in->failed && worker < (uint32_t)opened->workers && seats[worker].is_busy) {
        note_times(team, &seats[worker], compute_ns);
        end_seat(team, opened->first_seat + (int)worker, in);
        return;
    }
    // Whoever it was meant to come from would be waited for: all that the rank has to do fails.
    ByteReader nothing = {view_of("", 0), true};
    for (int i = 0; i < opened->workers; i++)
        if (seats[i].is_busy)
            end_seat(team, opened->first_seat + i, &nothing);
}

static DistTeam *find_team(const DistCrew *crew, uint32_t number) {
    for (int i = 0; i < DIST_TEAMS_MAX; i++)
        if (crew->teams[i] != NULL && crew->teams[i]->number == number)
            return crew->teams[i];
    return NULL;
}

// Takes one message, if there is one. What a team says that was closed in between is of no
// interest.
static bool take_message(DistCrew *crew, Str *message) {
    int from;
    if (!crew->world->receive(crew->world->self, &from, message))
        return false;
    ByteReader in = {view_of(str_text(message), message->length), false};
    const DistMessage kind = (DistMessage)bytes_u8(&in);
    DistTeam *team = find_team(crew, bytes_u32(&in));
    crew->costs.messages++;
    crew->costs.bytes_in += message->length;
    if (team != NULL && kind == DIST_OPENED)
        note_opened(team, from, &in);
    else if (team != NULL && kind == DIST_DONE)
        note_done(team, from, &in);
    return true;
}

// --- the crew ---

DistCrew *dist_crew_new(DistWorld *world) {
    if (world->ranks < 2)
        return NULL;
    DistCrew *crew = mem_alloc_zero(1, sizeof *crew);
    crew->world = world;
    patience_sharpen();
    return crew;
}

void dist_crew_free(DistCrew *crew) {
    if (crew == NULL)
        return;
    send_to_all(crew, DIST_LEAVE, 0);
    free(crew);
}

int dist_crew_ranks(const DistCrew *crew) {
    return crew == NULL ? 1 : crew->world->ranks;
}

DistCosts dist_crew_costs(const DistCrew *crew) {
    return crew == NULL ? (DistCosts){0} : crew->costs;
}

// --- teams ---

// Makes room for all files at once: doubling would take as much again as they are.
static void make_room(const DistTeamSetup *setup, Str *out) {
    size_t need = out->length + 2 * sizeof(uint64_t);
    for (size_t i = 0; i < setup->file_count; i++) {
        struct stat info;
        need += strlen(setup->files[i]) + 2 * sizeof(uint64_t);
        need += stat(setup->files[i], &info) == 0 ? (size_t)info.st_size : 0;
    }
    out->text = mem_grow(out->text, &out->capacity, need, 1);
}

static Status pack_files(const DistTeamSetup *setup, Str *out) {
    Status status = OK;
    make_room(setup, out);
    bytes_add_u64(out, setup->file_count);
    for (size_t i = 0; i < setup->file_count && status == OK; i++) {
        Str bytes = {0};
        status = file_read_raw(setup->files[i], &bytes);
        bytes_add_text(out, view_from_string(setup->files[i]));
        bytes_add_text(out, view_of(str_text(&bytes), bytes.length));
        str_free(&bytes);
    }
    return status;
}

static int free_place(const DistCrew *crew) {
    int place = 0;
    while (place < DIST_TEAMS_MAX && crew->teams[place] != NULL)
        place++;
    return place;
}

Status dist_team_open(DistTeam **out, DistCrew *crew, const DistTeamSetup *setup) {
    Str bytes = {0};
    *out = NULL;
    if (crew == NULL)
        return OK;
    const int place = free_place(crew);
    if (place == DIST_TEAMS_MAX)
        return error_set(ERR_LIMIT, "%d teams work already", DIST_TEAMS_MAX);
    bytes_add_u32(&bytes, ++crew->opened);
    bytes_add_text(&bytes, view_from_string(setup->service));
    bytes_add_u32(&bytes, (uint32_t)setup->threads);
    bytes_add_text(&bytes, setup->context);
    const Status status = pack_files(setup, &bytes);
    if (status == OK) {
        DistTeam *team = crew->teams[place] = *out = mem_alloc_zero(1, sizeof *team);
        *team = (DistTeam){.crew = crew, .number = crew->opened, .waiting = crew->world->ranks - 1};
        team->chunk_most = setup->may_hang ? CHUNK_MOST_HANGING : CHUNK_MOST;
        team->opened = mem_alloc_zero((size_t)crew->world->ranks, sizeof *team->opened);
        send_to_all(crew, DIST_OPEN, team->number);
        crew->world->spread(crew->world->self, &bytes);
        crew->costs.bytes_spread += bytes.length;
    }
    str_free(&bytes);
    return status;
}

static void make_seats(DistTeam *team) {
    for (int rank = 1; rank < team->crew->world->ranks; rank++) {
        team->opened[rank].first_seat = team->seat_count;
        team->seat_count += team->opened[rank].workers;
    }
    team->seats = mem_alloc_zero((size_t)team->seat_count, sizeof *team->seats);
    for (int rank = 1; rank < team->crew->world->ranks; rank++)
        for (int i = 0; i < team->opened[rank].workers; i++)
            team->seats[team->opened[rank].first_seat + i] = (Seat){.rank = rank, .worker = i};
}

Status dist_team_wait(DistTeam *team, uint64_t fingerprint) {
    if (team == NULL || team->seats != NULL)
        return OK;
    Patience patience = {0};
    Str message = {0};
    while (team->waiting > 0)
        if (take_message(team->crew, &message))
            patience_end(&patience);
        else
            patience_rest(&patience);
    str_free(&message);
    for (int rank = 1; rank < team->crew->world->ranks; rank++) {
        const Opened *opened = &team->opened[rank];
        if (opened->status != OK)
            return error_set(opened->status, "rank %d: %s", rank, opened->message);
        if (opened->fingerprint != fingerprint)
            return error_set(ERR_ARG,
                             "rank %d made other data of the same files (%016" PRIx64
                             ", here %016" PRIx64 ")",
                             rank, opened->fingerprint, fingerprint);
    }
    make_seats(team);
    return OK;
}

void dist_team_close(DistTeam *team) {
    if (team == NULL)
        return;
    send_to_all(team->crew, DIST_CLOSE, team->number);
    for (int i = 0; i < DIST_TEAMS_MAX; i++)
        if (team->crew->teams[i] == team)
            team->crew->teams[i] = NULL;
    for (int i = 0; i < team->seat_count; i++)
        free(team->seats[i].tags);
    free(team->seats);
    free(team->opened);
    free(team);
}

int dist_team_seats(const DistTeam *team) {
    return team == NULL ? 0 : team->seat_count;
}

int dist_team_rank_of(const DistTeam *team, int seat) {
    return team->seats[seat].rank;
}

void dist_team_cancel(DistTeam *team) {
    if (team == NULL || team->is_cancelled)
        return;
    team->is_cancelled = true;
    send_to_all(team->crew, DIST_CANCEL, team->number);
}

// --- work ---

// How many pieces to hand out at a time: few where they are long, and towards the end.
static size_t pieces_for(const DistTeam *team, const Seat *seat) {
    const DistWork *work = team->work;
    if (work->left == NULL || seat->piece_ns == 0)
        return 1;
    const size_t share =
        work->left(work->context) / (2 * (size_t)(team->seat_count + work->local_seats));
    const double wanted = CHUNK_NS / seat->piece_ns;
    size_t pieces = wanted < (double)team->chunk_most ? (size_t)wanted : team->chunk_most;
    pieces = pieces < share ? pieces : share;
    return pieces > 1 ? pieces : 1;
}

// Gives the seat something to do; false where there is nothing.
static bool give_work(DistTeam *team, int index) {
    Seat *seat = &team->seats[index];
    const size_t most = pieces_for(team, seat);
    Str bytes = {0}, pieces = {0}, piece = {0};
    seat->tag_count = 0;
    while (seat->tag_count < most) {
        uint64_t tag;
        str_clear(&piece);
        if (!team->work->next(team->work->context, index, &tag, &piece))
            break;
        seat->tags =
            mem_grow(seat->tags, &seat->tag_capacity, seat->tag_count + 1, sizeof *seat->tags);
        seat->tags[seat->tag_count++] = tag;
        bytes_add_text(&pieces, view_of(str_text(&piece), piece.length));
    }
    const bool has_any = seat->tag_count > 0;
    if (has_any) {
        bytes_add_u8(&bytes, DIST_WORK);
        bytes_add_u32(&bytes, team->number);
        bytes_add_u32(&bytes, (uint32_t)seat->worker);
        bytes_add_u32(&bytes, (uint32_t)seat->tag_count);
        str_append(&bytes, str_text(&pieces), pieces.length);
        seat->sent_ns = clock_now_ns();
        seat->is_busy = true;
        team->busy++;
        send_to(team->crew, seat->rank, &bytes);
    }
    str_free(&pieces);
    str_free(&piece);
    return has_any;
}

static bool give_all(DistTeam *team) {
    bool any = false;
    for (int i = 0; i < team->seat_count && team->busy < team->seat_count; i++) {
        if (team->seats[i].is_busy)
            continue;
        if (give_work(team, i))
            any = true;
        else if (!team->work->is_by_seat)
            break;
    }
    return any;
}

// Does a part of the work in this thread, if there is any.
static bool work_here(DistTeam *team, bool has_given) {
    const DistWorld *world = team->crew->world;
    if (team->work->here == NULL)
        return false;
    if (has_given && world->flush != NULL)
        world->flush(world->self);
    return team->was_working = team->work->here(team->work->context);
}

void dist_team_run(DistTeam *team, const DistWork *work) {
    Patience patience = {0};
    Str message = {0};
    const int64_t start_ns = clock_now_ns();
    team->work = work;
    team->was_working = false;
    for (;;) {
        bool any = false;
        while (take_message(team->crew, &message))
            any = true;
        const bool has_given = give_all(team);
        any = work_here(team, has_given) || has_given || any;
        if (team->busy == 0 && work->is_over(work->context))
            break;
        if (any)
            patience_end(&patience);
        else
            patience_rest(&patience);
    }
    team->work = NULL;
    const int64_t wall_ns = clock_now_ns() - start_ns;
    team->crew->costs.wall_ns += wall_ns;
    team->crew->costs.seats = team->seat_count;
    team->crew->costs.idle = 0;
    for (int i = 0; i < team->seat_count; i++)
        team->crew->costs.idle += team->seats[i].piece_ns == 0;
    team->crew->costs.seats_ns += wall_ns * (team->seat_count + work->local_seats);
    str_free(&message);
}

void dist_team_count(DistTeam *team, uint64_t pieces, int64_t compute_ns) {
    team->crew->costs.pieces += pieces;
    team->crew->costs.compute_ns += compute_ns;
}

void dist_team_count_alone(DistTeam *team, uint64_t pieces, int64_t compute_ns) {
    dist_team_count(team, pieces, compute_ns);
    team->crew->costs.wall_ns += compute_ns;
    team->crew->costs.seats_ns += compute_ns * (team->seat_count + 1);
}

double dist_team_message_ns(const DistTeam *team) {
    return team->message_ns;
}

int64_t dist_team_last_ns(const DistTeam *team, int seat) {
    return team->seats[seat].computed_ns;
}
