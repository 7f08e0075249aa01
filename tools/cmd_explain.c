// SPDX-License-Identifier: GPL-3.0-or-later
// falconer explain: the score of a position term by term, for both sides.
#include "chess/fen.h"
#include "eval/value.h"
#include "eval/weights.h"
#include "tools/args.h"
#include "tools/commands.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct ExplainArgs {
    const char *weights, *fen;
} ExplainArgs;

static const ArgOption options[] = {
    {"weights", 'w', "FILE", ARG_STRING, offsetof(ExplainArgs, weights), 0, 0,
     "the weights (default: those built in, of GECCO 2008)"},
    {"fen", 0, "FEN", ARG_STRING, offsetof(ExplainArgs, fen), 0, 0,
     "the position (default: the start position)"},
};

static const ArgSpec spec = {
    .program = "falconer explain",
    .summary =
        "Shows how a set of weights comes to the score of a position: what each side has of\n"
        "each term, and what it is worth. Share is a term's part of all that the terms move.",
    .example = "falconer explain --fen "
               "'r2q1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 b - - 0 11'",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
};

// A score taken apart, in the family's units.
typedef struct Explanation {
    const Family *family;
    Trace sides[COLOR_NB];
    int coefficients[COEFFICIENTS_MAX];
    int totals[COLOR_NB];
    long moved; // sum of what each term moves, up or down
} Explanation;

static int worth(const Explanation *explanation, Color color, size_t index) {
    return explanation->sides[color].counts[index] * explanation->coefficients[index];
}

static int difference(const Explanation *explanation, size_t index) {
    return worth(explanation, WHITE, index) - worth(explanation, BLACK, index);
}

static void take_apart(const Weights *weights, const Position *pos, Explanation *out) {
    const Family *family = weights->family;
    *out = (Explanation){.family = family};
    family->expand(weights->parameters, out->coefficients);
    family->trace_sides(pos, out->sides);
    for (size_t i = 0; i < family->coefficient_count; i++) {
        out->totals[WHITE] += worth(out, WHITE, i);
        out->totals[BLACK] += worth(out, BLACK, i);
        out->moved += labs(difference(out, i));
    }
}

static void print_row(const Explanation *explanation, size_t index) {
    const Family *family = explanation->family;
    int score = difference(explanation, index);
    printf("%-32s %6s %6d %6d %7s %7s", family_coefficient_name(family, index),
           value_text(family, explanation->coefficients[index]).text,
           explanation->sides[WHITE].counts[index], explanation->sides[BLACK].counts[index],
           value_text(family, worth(explanation, WHITE, index)).text,
           value_text(family, worth(explanation, BLACK, index)).text);
    if (score == 0)
        printf(" %7s\n", value_text(family, 0).text);
    else
        printf(" %7s %5.1f%%\n", value_text_signed(family, score).text,
               100.0 * abs(score) / (double)explanation->moved);
}

static void print_score(const Family *family, const Position *pos, int score) {
    bool white = position_turn(pos) == WHITE;
    int seen = white ? score : -score;
    printf("score %s for White; %s is to move: %s", value_text_signed(family, score).text,
           white ? "White" : "Black", value_text_signed(family, seen).text);
    if (family->unit > 1)
        printf(", in whole centipawns, as the engine has it: %+d", family_centipawns(family, seen));
    printf("\n");
}

static void print_explanation(const Weights *weights, const Position *pos) {
    const Family *family = weights->family;
    Explanation explanation;
    char fen[FEN_SIZE];
    fen_write(pos, fen);
    take_apart(weights, pos, &explanation);
    int score = explanation.totals[WHITE] - explanation.totals[BLACK];
    printf("%s\n\n%-32s %6s %6s %6s %7s %7s %7s %6s\n", fen, "term", "weight", "White", "Black",
           "White", "Black", "score", "share");
    printf("%-32s %6s %6s %6s %7s %7s %7s\n", "", "", "count", "count", "cp", "cp", "cp");
    for (size_t i = 0; i < family->coefficient_count; i++)
        print_row(&explanation, i);
    printf("%-32s %6s %6s %6s %7s %7s %7s\n\n", "total", "", "", "",
           value_text(family, explanation.totals[WHITE]).text,
           value_text(family, explanation.totals[BLACK]).text,
           value_text_signed(family, score).text);
    print_score(family, pos, score);
}

static Status explain(const ExplainArgs *args) {
    Weights weights;
    Position pos;
    Status status = args->weights == NULL ? weights_load_default(&weights)
                                          : weights_load(&weights, args->weights);
    if (status != OK)
        return status;
    status = fen_parse(args->fen == NULL ? fen_start : args->fen, &pos);
    if (status == OK)
        print_explanation(&weights, &pos);
    else
        error_prefix("--fen");
    weights_free(&weights);
    return status;
}

int cmd_explain(int argc, char **argv) {
    ExplainArgs args = {0};
    int exit_code = args_parse(&spec, argc, argv, &args, NULL);
    if (exit_code != ARGS_GO_ON)
        return exit_code;
    chess_init();
    if (explain(&args) == OK)
        return EXIT_DONE;
    fprintf(stderr, "falconer explain: %s\n", error_message());
    return EXIT_FAILED;
}
