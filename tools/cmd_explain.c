// SPDX-License-Identifier: GPL-3.0-or-later
// falconer explain: the score of a position term by term, for both sides.
#include "chess/fen.h"
#include "eval/explanation.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct ExplainArgs {
    const char *weights, *fen;
    bool all;
} ExplainArgs;

#define ARGS ExplainArgs
static const ArgOption options[] = {
    ARG("weights", 'w', "FILE", INPUT, weights, "the weights (default: those built in, FALCON's)"),
    ARG("fen", 0, "FEN", STRING, fen, "the position (default: the start position)"),
    ARG_SWITCH("all", 'a', all, "show terms of which neither side has anything, too"),
};

static const ArgSpec spec = {
    .program = "falconer explain",
    .summary =
        "Shows how weights score a position: how much each side has of each term, and what that\n"
        "is worth. Share is a term's part of the sum of all differences. Terms that count nothing\n"
        "for either side are left out.",
    .example = "falconer explain --fen "
               "'r2q1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 b - - 0 11'",
    ARG_TABLE(options),
};

// A score as text: exact, but for tapered families, whose scale is too fine to read.
static ValueText score_text(const Family *family, int score, bool has_sign) {
    ValueText out;
    if (family->taper == NULL)
        return has_sign ? value_text_signed(family, score) : value_text(family, score);
    snprintf(out.text, sizeof out.text, has_sign ? "%+.1f" : "%.1f", (double)score / family->scale);
    return out;
}

static void print_row(const Explanation *explanation, size_t index) {
    const Family *family = explanation->family;
    int score = explanation_difference(explanation, index);
    print_out("%-32s %6s %6d %6d %7s %7s", family_count_name(family, index),
              score_text(family, explanation_unit(explanation, index), false).text,
              explanation->sides[WHITE].counts[index], explanation->sides[BLACK].counts[index],
              score_text(family, explanation_worth(explanation, WHITE, index), false).text,
              score_text(family, explanation_worth(explanation, BLACK, index), false).text);
    if (score == 0)
        print_out(" %7s\n", score_text(family, 0, false).text);
    else
        print_out(" %7s %5.1f%%\n", score_text(family, score, true).text,
                  100.0 * abs(score) / (double)explanation->moved);
}

static void print_score(const Family *family, const Position *pos, int score) {
    bool white = position_turn(pos) == WHITE;
    int seen = white ? score : -score;
    print_out("score %s for White; %s is to move: %s", score_text(family, score, true).text,
              white ? "White" : "Black", score_text(family, seen, true).text);
    if (family->scale > 1 || family_limited(family, score) != score)
        print_out(", in whole centipawns, as the engine has it: %+d",
                  family_centipawns(family, seen));
    print_out("\n");
}

static size_t print_rows(const Explanation *explanation, bool all) {
    size_t left_out = 0;
    for (size_t i = 0; i < explanation->family->feature_count; i++)
        if (all || explanation_is_present(explanation, i))
            print_row(explanation, i);
        else
            left_out++;
    return left_out;
}

static void print_explanation(const Weights *weights, const Position *pos, bool all) {
    const Family *family = weights->family;
    Explanation explanation;
    char fen[FEN_SIZE];
    fen_write(pos, fen);
    explanation_make(&explanation, weights, pos);
    int score = explanation_score(&explanation);
    print_out("%s\n\n%-32s %6s %6s %6s %7s %7s %7s %6s\n", fen, "term", "weight", "White", "Black",
              "White", "Black", "score", "share");
    print_out("%-32s %6s %6s %6s %7s %7s %7s\n", "", "", "count", "count", "cp", "cp", "cp");
    const size_t left_out = print_rows(&explanation, all);
    print_out("%-32s %6s %6s %6s %7s %7s %7s\n\n", "total", "", "", "",
              score_text(family, explanation.totals[WHITE], false).text,
              score_text(family, explanation.totals[BLACK], false).text,
              score_text(family, score, true).text);
    if (left_out > 0)
        print_out("%zu other term%s: neither side has any (--all shows them)\n", left_out,
                  str_plural(left_out));
    if (family->taper != NULL)
        print_out("middlegame %.0f%%, endgame %.0f%%: weights are those between the two\n",
                  100.0 * explanation.taper.middlegame / family->scale,
                  100.0 * explanation.taper.endgame / family->scale);
    print_score(family, pos, score);
}

static Status explain(const ExplainArgs *args) {
    CLEANUP(weights_free) Weights weights = {0};
    Position pos;
    TRY(weights_load_or_default(&weights, args->weights));
    TRY_PREFIX(fen_parse(args->fen == NULL ? fen_start : args->fen, &pos), "--fen");
    print_explanation(&weights, &pos, args->all);
    return OK;
}

int cmd_explain(int argc, char **argv) {
    ExplainArgs args = {0};
    TRY_ARGS(args_parse(&spec, argc, argv, &args, NULL));
    chess_init();
    return args_exit(&spec, explain(&args));
}
