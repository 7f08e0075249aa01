// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/mentor.h"

#include "base/shell.h"

#include <stdio.h>
#include <string.h>

// --- players and engines ---

typedef struct PlayerFile {
    const char *name, *file;
    bool is_ours; // below the plan's folder, else bundled
} PlayerFile;

static const PlayerFile players_all[MENTOR_PLAYERS] = {
    [PLAYER_FALCON] = {"FALCON", "falcon.weights", false},
    [PLAYER_EVOL] = {"EVOL*", "play/best.weights", true},
    [PLAYER_LITERAL] = {"EVOL-literal", "literal/best.weights", true},
    [PLAYER_FIG3] = {"Fig.3", "maestro-gecco2008.weights", false},
    [PLAYER_MAESTRO] = {"MAESTRO", "maestro-hand.weights", false},
    [PLAYER_RANDORG] = {"RANDORG", "randorg.weights", true},
};

// They stand in for CRAFTY, JUNIOR, FRITZ and HIARCS.
static const char *const stand_ins[] = {"toga2", "glaurung", "gnuchess"};

const char *mentor_name(MentorPlayer player) {
    return players_all[player].name;
}

void mentor_add_player(const Plan *plan, MentorPlayer player, Str *out) {
    const PlayerFile *file = &players_all[player];
    str_addf(out, "name=%s weights=%s%s%s", file->name, file->is_ours ? plan->folder_word : "",
             file->is_ours ? "/" : "", file->file);
}

// How commands take an engine: `match` as words of its own, `suite` as one word.
typedef enum EngineForm { FORM_MATCH, FORM_SUITE } EngineForm;

static void add_engine(Str *out, EngineForm form, const char *words) {
    str_add(out, form == FORM_MATCH ? " -engine " : " --engine ");
    if (form == FORM_MATCH)
        shell_quote_words(out, words);
    else
        shell_quote(out, words);
}

// Appends the engines that are there; `limit` may be overruled by what the user says of an engine.
static size_t add_engines(Plan *plan, Str *out, EngineForm form, const char *limit) {
    size_t count = 0;
    Str words = {0};
    for (size_t i = 0; i < sizeof stand_ins / sizeof stand_ins[0]; i++) {
        const char *path = plan_engine(plan, stand_ins[i]);
        if (path == NULL)
            continue;
        str_clear(&words);
        str_addf(&words, "name=%s cmd=%s %s %s", stand_ins[i], path,
                 plan_engine_words(stand_ins[i]), limit);
        add_engine(out, form, str_text(&words));
        count++;
    }
    for (size_t i = 0; i < plan->named_count; i++, count++) {
        str_clear(&words);
        str_addf(&words, "%s %s", limit, plan->named[i]);
        add_engine(out, form, str_text(&words));
    }
    str_free(&words);
    return count;
}

// --- evolution ---

bool mentor_plan_labels(Plan *plan, const MentorPaper *paper, int depth) {
    static const char *const parts[] = {"train", "test"};
    const char *eyas = plan_eyas(plan);
    if (eyas == NULL)
        return false;
    for (int i = 0; i < 2; i++) {
        char name[32];
        Str how = {0};
        snprintf(name, sizeof name, "%s-%d", parts[i], depth);
        if (depth == 0)
            str_add(&how, "--static falcon.weights");
        else
            plan_add_mentor(&how, eyas, "arg=--weights arg=falcon.weights ", depth);
        plan_step(plan, name, depth == 4 ? 2 : 1, "label %s %s -o %s/%s.epd", paper->positions[i],
                  str_text(&how), plan->folder_word, name);
        str_free(&how);
    }
    return true;
}

void mentor_plan_evolution(Plan *plan, const MentorPaper *paper) {
    const char *const folder = plan->folder_word;
    plan_run(plan, "literal", 3, "evolve %s --data %s/train-2.epd --test %s/test-2.epd --runs %d",
             paper->preset, folder, folder, MENTOR_RUNS);
    plan_run(plan, "play", 3, "evolve play --data %s/train-2.epd --test %s/test-2.epd --runs %d",
             folder, folder, MENTOR_RUNS);
    plan_step(plan, "randorg", 0.1,
              "weights random --family maestro --seed 1 -o %s/randorg.weights", folder);
}

// --- matches and suites ---

int mentor_nodes(const Plan *plan) {
    return plan_count(plan, 2000, 10000);
}

void mentor_plan_pairs(Plan *plan, const MentorPlayer *players, size_t count, double estimate) {
    Str words = {0};
    for (size_t i = 0; i < count; i++) {
        str_add(&words, " -engine ");
        mentor_add_player(plan, players[i], &words);
    }
    plan_match(plan, "pairs", estimate, plan_count(plan, 40, 500),
               "-tournament round-robin%s -each nodes=%d", str_text(&words), mentor_nodes(plan));
    str_free(&words);
}

void mentor_plan_others(Plan *plan, const char *step, MentorPlayer player) {
    const char *const limit = plan_count(plan, 1, 0) ? "st=0.01" : "st=0.05";
    Str words = {0};
    str_add(&words, " -engine ");
    mentor_add_player(plan, player, &words);
    str_addf(&words, " %s", limit);
    const size_t engines = add_engines(plan, &words, FORM_MATCH, limit);
    if (engines > 0) // a machine that is busy for a moment must not decide a game
        plan_timed_match(plan, step, (double)engines * plan_count(plan, 3, 770),
                         plan_count(plan, 2, 150), "-tournament gauntlet%s -each timemargin=1000",
                         str_text(&words));
    str_free(&words);
}

// What a position of the suite may take, for a command and in words.
typedef struct TacticsLimit {
    const char *organisms, *engines; // `engines` NULL: none solve
    const char *words;
} TacticsLimit;

static const TacticsLimit *tactics_limit(const Plan *plan, const MentorPaper *paper) {
    static const TacticsLimit alone[] = {
        [SCALE_QUICK] = {"nodes=5000", NULL, "5,000 nodes each"},
        [SCALE_PAPERS] = {"nodes=200000", NULL, "200,000 nodes each"},
    };
    static const TacticsLimit beside_engines[] = {
        [SCALE_QUICK] = {"nodes=5000", "st=0.01",
                         "5,000 nodes each for organisms, 10 ms for other engines"},
        [SCALE_PAPERS] = {"st=1", "st=1", "one second each"},
    };
    return &(paper->has_engines_solve ? beside_engines : alone)[plan->scale];
}

const char *mentor_tactics_limit(const Plan *plan, const MentorPaper *paper) {
    return tactics_limit(plan, paper)->words;
}

void mentor_plan_tactics(Plan *plan, const MentorPaper *paper, const MentorPlayer *players,
                         size_t count, double estimate) {
    const TacticsLimit *limit = tactics_limit(plan, paper);
    Str words = {0}, player = {0};
    for (size_t i = 0; i < count; i++) {
        str_clear(&player);
        mentor_add_player(plan, players[i], &player);
        str_addf(&player, " %s", limit->organisms);
        add_engine(&words, FORM_SUITE, str_text(&player));
    }
    if (limit->engines != NULL)
        add_engines(plan, &words, FORM_SUITE, limit->engines);
    plan_suite(plan, "tactics", estimate, "tactics.epd%s --jsonl %s/tactics.jsonl",
               str_text(&words), plan->folder_word);
    str_free(&player);
    str_free(&words);
}
