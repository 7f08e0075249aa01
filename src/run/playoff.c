// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/playoff.h"

#include "base/file.h"
#include "base/mem.h"
#include "run/files/run_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TABLE_MAX = 1 << 20 };

typedef struct Candidates {
    size_t count, width;
    uint32_t generations[PLAYOFF_MOST];
    double *rows;
    double points[PLAYOFF_MOST]; // share of a stage's
} Candidates;

typedef struct Playoff {
    Problem *problem;
    const PlayoffSetup *setup;
    PlayoffResult *result;
    Candidates left;
    Str table; // playoff.csv
    Progress progress;
} Playoff;

static void move_candidate(Candidates *candidates, size_t from, size_t to) {
    const size_t width = candidates->width;
    candidates->generations[to] = candidates->generations[from];
    candidates->points[to] = candidates->points[from];
    memmove(candidates->rows + to * width, candidates->rows + from * width,
            width * sizeof *candidates->rows);
}

static void remove_candidate(Candidates *candidates, size_t at) {
    for (size_t i = at + 1; i < candidates->count; i++)
        move_candidate(candidates, i, i - 1);
    candidates->count--;
}

// Keeps the last ones, each once: of equal organisms the latest.
static Status take_line(void *context, size_t index, const char *text) {
    Candidates *candidates = context;
    const size_t width = candidates->width, bytes = width * sizeof(double);
    CLEANUP(mem_free_at) double *genes = mem_alloc(bytes);
    RunLogLine line;
    (void)index;
    TRY(run_log_parse(text, &line));
    if (!run_log_parse_genes(text, genes, width))
        return OK;
    for (size_t i = 0; i < candidates->count; i++)
        if (memcmp(candidates->rows + i * width, genes, bytes) == 0)
            remove_candidate(candidates, i--);
    if (candidates->count == PLAYOFF_MOST)
        remove_candidate(candidates, 0);
    candidates->generations[candidates->count] = line.generation;
    memcpy(candidates->rows + candidates->count++ * width, genes, bytes);
    return OK;
}

// --- stages ---

static size_t stages_of(size_t count) {
    size_t stages = 0;
    for (; count > 1; count = (count + 1) / 2)
        stages++;
    return stages;
}

// Everybody against everybody, as many games as the stage may have: at least one opening, and none
// twice.
static size_t plan_stage(const Candidates *left, uint64_t games, uint64_t most,
                         EvolveMeeting *meetings) {
    size_t count = 0;
    const uint64_t pairs = left->count * (left->count - 1) / 2, wanted = games / 2 / pairs;
    const uint64_t openings = wanted < most ? wanted : most;
    for (size_t i = 0; i < left->count; i++)
        for (size_t j = i + 1; j < left->count; j++)
            meetings[count++] = (EvolveMeeting){i, j, 2 * (unsigned)(openings > 0 ? openings : 1)};
    return count;
}

static void count_points(Candidates *left, const EvolveMeeting *meetings,
                         const EvolveResult *results, size_t count) {
    memset(left->points, 0, sizeof left->points);
    for (size_t i = 0; i < count; i++) {
        const double games = meetings[i].games * (double)(left->count - 1);
        const double points = (results[i].wins + results[i].draws / 2.0) / games;
        left->points[meetings[i].first] += points;
        left->points[meetings[i].second] += 1.0 / (double)(left->count - 1) - points;
    }
}

// Half of them go on; of equals the later one.
static void keep_half(Candidates *left) {
    for (size_t more = left->count / 2; more > 0; more--) {
        size_t worst = 0;
        for (size_t i = 1; i < left->count; i++)
            if (left->points[i] < left->points[worst])
                worst = i;
        remove_candidate(left, worst);
    }
}

static void write_stage(Playoff *playoff, size_t stage, uint64_t games) {
    const Candidates *left = &playoff->left;
    for (size_t i = 0; i < left->count; i++)
        str_addf(&playoff->table, "%zu,%" PRIu32 ",%" PRIu64 ",%.4f\n", stage, left->generations[i],
                 games, 100 * left->points[i]);
}

static Status play_stage(Playoff *playoff, size_t stage, uint64_t games) {
    Candidates *left = &playoff->left;
    EvolveMeeting meetings[PLAYOFF_MOST * PLAYOFF_MOST];
    EvolveResult results[PLAYOFF_MOST * PLAYOFF_MOST];
    const size_t count =
        plan_stage(left, games, problem_playoff_openings(playoff->problem), meetings);
    const EvolveBatch batch = {left->rows, left->count, left->width, (uint32_t)stage};
    TRY(problem_play(playoff->problem, playoff->setup->run, PLAY_FOR_PLAYOFF, &batch, meetings,
                     count, results));
    count_points(left, meetings, results, count);
    write_stage(playoff, stage, meetings[0].games * (uint64_t)(left->count - 1));
    playoff->result->games += meetings[0].games * count;
    progress_show(&playoff->progress, playoff->result->games, NULL);
    keep_half(left);
    return OK;
}

static Status play_stages(Playoff *playoff) {
    const PlayoffSetup *setup = playoff->setup;
    const size_t stages = stages_of(playoff->left.count);
    for (size_t stage = 1; stage <= stages; stage++) {
        if (setup->stop != NULL && atomic_load(setup->stop)) {
            playoff->result->is_done = false;
            return OK;
        }
        TRY(play_stage(playoff, stage, setup->games / stages));
    }
    return OK;
}

static Status play(Playoff *playoff, double *best) {
    const PlayoffSetup *setup = playoff->setup;
    const Candidates *left = &playoff->left;
    CLEANUP(str_free) Str path = {0};
    str_add(&playoff->table, "stage,generation,games,points\n");
    progress_start(&playoff->progress, setup->progress, "games of the play-off", setup->games, 0);
    const Status status = play_stages(playoff);
    progress_end(&playoff->progress);
    if (status != OK || !playoff->result->is_done)
        return status;
    memcpy(best, left->rows, left->width * sizeof *best);
    playoff->result->generation = left->generations[0];
    str_addf(&path, "%s/playoff.csv", setup->directory);
    return file_write(str_text(&path), str_text(&playoff->table), playoff->table.length);
}

// --- reading ---

Status playoff_each(const char *directory, PlayoffVisit *visit, void *context) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    str_addf(&path, "%s/playoff.csv", directory);
    if (access(str_text(&path), F_OK) != 0)
        return OK;
    TRY(file_read(str_text(&path), TABLE_MAX, &text));
    for (const char *line = strchr(str_text(&text), '\n'); line != NULL && line[1] != '\0';
         line = strchr(line + 1, '\n')) {
        PlayoffRow row;
        if (sscanf(line + 1, "%" SCNu32 ",%" SCNu32 ",%" SCNu64 ",%lf", &row.stage, &row.generation,
                   &row.games, &row.points) != 4)
            return error_set(ERR_PARSE, "%s: damaged: move it away to do without it",
                             str_text(&path));
        visit(context, &row);
    }
    return OK;
}

// Each game is in the rows of two candidates.
static void add_games(void *context, const PlayoffRow *row) {
    uint64_t *twice = context;
    *twice += row->games;
}

Status playoff_games(const char *directory, uint64_t *games) {
    *games = 0;
    TRY(playoff_each(directory, add_games, games));
    *games /= 2;
    return OK;
}

Status playoff_choose(Problem *problem, const PlayoffSetup *setup, double *best,
                      PlayoffResult *result) {
    const size_t width = problem_space(problem)->count;
    CLEANUP(mem_free_at)
    double *rows = mem_alloc(PLAYOFF_MOST * width * sizeof *rows);
    Playoff playoff = {problem, setup, result, .left = {.width = width, .rows = rows}};
    *result = (PlayoffResult){.is_done = true};
    TRY(run_log_each_text(setup->directory, take_line, &playoff.left));
    result->candidates = playoff.left.count;
    if (result->candidates == 0)
        return OK;
    const Status status = play(&playoff, best);
    str_free(&playoff.table);
    return status;
}
