// SPDX-License-Identifier: GPL-3.0-or-later
// The page on a paper: a report that begins with the paper's claims, theirs beside ours, and the
// rows and cells that all papers' tables have in common.
#pragma once

#include "papers/evidence.h"
#include "report/report.h"

typedef struct Page {
    Report *report;
    Table *claims; // at the top of the report
    Table *also;   // where the claims of all papers are collected, or NULL
} Page;

// Whether a claim of the paper holds here, by our figures and their intervals.
typedef enum PageVerdict { VERDICT_NONE, VERDICT_HOLDS, VERDICT_FAILS, VERDICT_UNSURE } PageVerdict;
const char *page_verdict_words(PageVerdict verdict);

// The columns of a table of claims.
Table *page_add_claims(Report *report, const char *caption);
// A row of it: what is claimed and whether it holds, what the paper found, what was found here, and
// a sentence on the difference, in which a time that a run took has no place.
typedef struct PageClaim {
    const char *claim, *theirs, *ours, *remark;
    PageVerdict verdict;
} PageClaim;
void page_claim(Page *page, const PageClaim *claim);

// The columns of a table of matches: players, those of a score, what the paper says, and whether
// that holds. Fills `elo` with a chart for the same rows.
Table *page_add_matches(Report *report, const char *caption, Intervals **elo);
// A row of the chart, unless there were no games; the paper's percentage is NaN where there is
// none.
void page_add_elo(Intervals *elo, const char *match, const PaperScore *score, double percent);
// Whether the paper's percentage is what the games make here: fewer than PAGE_GAMES_LEAST cannot
// tell, nor can an interval that has it inside and is wider than PAGE_ELO_WIDE. None where the
// percentage is unknown.
enum { PAGE_GAMES_LEAST = 100, PAGE_ELO_WIDE = 80 };
PageVerdict page_judge_match(const PaperScore *score, double percent);
// The cells of a score: games, wins, draws and losses, percent, Elo with its interval, the share
// that was adjudicated.
enum { PAGE_SCORE_CELLS = 9 };
void page_add_score(Table *table, const PaperScore *score);
// The Elo difference with its interval: from pairs of games with colours reversed.
EloEstimate page_elo(const PaperScore *score);
double page_percent(const PaperScore *score);
uint64_t page_games(const PaperScore *score);
// The percentage of the games that were adjudicated; NaN where it is not told.
double page_adjudicated(const PaperScore *score);
// Appends "61.2% of 200 games (+79 Elo, 95% interval +41 to +120)", or "not played".
void page_say_match(Str *out, const PaperScore *score);
// Appends "1.3 s", "12 min" or "3.4 h".
void page_say_time(Str *out, double seconds);
