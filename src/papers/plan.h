// SPDX-License-Identifier: GPL-3.0-or-later
// What a paper's experiments are made of: a list of falconer's own commands, each a step that
// runs in one folder and writes there. The steps that are done are written down there, with the
// time they took, so that work which was stopped goes on.
#pragma once

#include "base/error.h"
#include "base/str.h"

typedef enum Scale { SCALE_QUICK, SCALE_PAPERS } Scale;
const char *scale_name(Scale scale);

typedef struct Step {
    char *name;      // owned; what it writes is FOLDER/NAME or FOLDER/OUTPUT, or begins so
    char *command;   // owned; as it is typed after "falconer", in the folder
    char *origin;    // owned; of a stage that goes on: the command that began the run; or NULL
    char *output;    // owned; of runs: the name of their folder; NULL otherwise
    char *resume;    // owned; the command that goes on with what was begun, or NULL: the same
    bool is_spread;  // takes --concurrency, which is no part of the command: it changes no result
    int rounds;      // of a match, which its command ends with; 0: no match
    size_t settled;  // of a match: the length of its command before them
    double estimate; // seconds on two cores
    double before;   // seconds that earlier starts took, and of a match its earlier rounds
    double seconds;  // that it took; negative while it is not done
    Str recorded;    // the commit of the record that stands, or could stand, for it; empty: none
    Str engines;     // what other engines call themselves: lines NAME=VERSION
} Step;

typedef struct Plan {
    Scale scale;
    uint64_t seed;
    int games_max;       // of two players in a match; 0: as many as the scale asks for
    int timed_games_max; // the same of games against the clock, if it is less
    int concurrency;     // games and positions at a time: 1 unless set
    char *folder;        // owned
    const char *records; // the folder of records that are kept and read; NULL: those that come with
                         // falconer are read; borrowed
    const char *commit;  // that this program was built from; borrowed
    bool is_fresh;       // no records are read
    const char *const *only; // patterns of names: only these steps are run, and what they need that
                             // is recorded or takes less than a minute; borrowed
    size_t only_count;       // 0: all
    Step *steps;             // owned
    size_t count, capacity;
    Str missing;              // engines that steps were left out for, with commas
    const char *const *named; // engines that the user adds, each in cutechess's words; borrowed
    size_t named_count;
} Plan;

void plan_init(Plan *plan, Scale scale, uint64_t seed, const char *folder);
void plan_deinit(Plan *plan);

// A step by its command. Names are unique within a plan.
void plan_step(Plan *plan, const char *name, double estimate, const char *command);
// A suite by the words after "suite", without --concurrency.
void plan_suite(Plan *plan, const char *name, double estimate, const char *words);
// Runs of evolve or coevolve: their directory is FOLDER/NAME, and -o must not be given. Each of
// several stages is a step: NAME-1, NAME-2 and so on, and the last is NAME.
void plan_run(Plan *plan, const char *name, double estimate, int stages, const char *command);
// A match or tournament of so many rounds, from the words after "match": its folder is FOLDER/NAME,
// and neither -resume, -rounds nor -concurrency must be given. Colours, adjudication and the seed
// are the same for all, and so are the openings, unless words name others. A later plan may ask for
// more rounds: then those that are missing are played. The words of a timed one, against the clock,
// should forgive late answers (timemargin): other work on the machine would decide games.
void plan_match(Plan *plan, const char *name, double estimate, int rounds, bool is_timed,
                const char *words);
// Whether an engine is installed: a name that falconer finds beside itself, in PATH, or where
// Debian puts games. Where it is not, it is noted as missing.
bool plan_engine(Plan *plan, const char *name);
// The words an engine is played with, so that it uses no book and one core.
const char *plan_engine_words(const char *name);
// Starts the engines that a step's command names, and notes what they call themselves.
void plan_ask_versions(Step *step);
// Appends what an engine calls itself, from a step's `engines`; false where it is not noted.
bool plan_find_version(const char *versions, const char *name, Str *out);

// Adds the versions of a step's engines to a list with commas, each once.
void plan_add_versions(const Step *step, Str *list);
// Appends with which profile and table the engines of a match or suite search that are ours.
void plan_say_search(const Step *step, Str *out);
// When games of matches are ended before they are over, as a sentence.
extern const char plan_adjudication[];

// What is given to falconer for a step that was not begun: its command, and how much at a time.
void plan_add_command(const Plan *plan, const Step *step, Str *out);
const Step *plan_find(const Plan *plan, const char *name);
bool plan_has(const Plan *plan, const char *name);
// The command that a step's results depend on.
const char *plan_origin(const Step *step);
// Whether two steps are stages of one run.
bool plan_is_same_run(const Step *one, const Step *other);
// Whether a step's name matches a pattern.
bool plan_matches(const Plan *plan, const char *pattern);
// Whether a step is to be run, by plan->only.
bool plan_is_asked_for(const Plan *plan, const Step *step);
// An earlier step that is not done and whose results a step reads; NULL where there is none.
const Step *plan_find_needed(const Plan *plan, const Step *step);
// Makes the command of a match one of so many rounds; nothing for 0.
void plan_set_rounds(Step *step, int rounds);
// Seconds that the steps which are neither done nor recorded will take, on two cores, roughly.
double plan_remaining(const Plan *plan);
// Seconds that those took which are done.
double plan_spent(const Plan *plan);

// Makes the folder ours, or sees that it is; ERR_ARG where it holds anything else. Removes what
// killed processes left.
MUST_CHECK Status plan_begin(const Plan *plan);
// Reads which steps are done from FOLDER/steps.jsonl. ERR_ARG where one was done by another
// command: the folder belongs to other settings or another version. A match of fewer rounds is not
// done; one of more is, and its command is the step's then.
MUST_CHECK Status plan_recall(Plan *plan);
// Writes down which steps are done.
MUST_CHECK Status plan_save(const Plan *plan);
// Writes down that a step was begun, and how long it goes on by now: whatever ends this process,
// its time is known to the next. May be called by another thread while nobody changes the plan.
MUST_CHECK Status plan_note(const Plan *plan, const Step *step, double seconds);
// Writes down that a step is done, after so many seconds since it was last begun.
MUST_CHECK Status plan_done(Plan *plan, Step *step, double seconds);
