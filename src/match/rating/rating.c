// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/rating/rating.h"

#include "base/error.h"
#include "base/mem.h"
#include "match/rating/elo.h"
#include "match/rating/rating_internal.h"

#include <math.h>
#include <stdlib.h>

const char *const rating_model_names[] = {"bayeselo", "logistic", NULL};
const char *const rating_errors_names[] = {"joint", "held", NULL};

// A square of covariances (natural units) per group, one behind the other; groups that are too
// large for it have none.
typedef struct RatingBlocks {
    double *values;
    size_t *start;   // of each group's square
    uint32_t *size;  // of each group; 0: it has no square
    uint32_t *place; // of each player in its group
} RatingBlocks;

// What is worked on.
typedef struct Work {
    const RatingResult *results;
    size_t count;
    const RatingConfig *config;
    RatingGroups groups;
    Meeting *meetings;
    RatingProblem problem;
    RatingFit fit;
} Work;

RatingConfig rating_defaults(RatingModel model) {
    RatingConfig config = {.model = model, .anchor = RATING_NOBODY};
    if (model == RATING_BAYESELO) {
        config.advantage = 32.8;
        config.draw_elo = 97.3;
        config.prior = 2;
    }
    return config;
}

static double games_of(const RatingResult *r) {
    return r->wins + r->draws + r->losses;
}

static void count_games(const Work *work, Ratings *out) {
    for (size_t i = 0; i < work->count; i++) {
        const RatingResult *r = &work->results[i];
        Rating *white = &out->players[r->white], *black = &out->players[r->black];
        white->games += games_of(r);
        black->games += games_of(r);
        white->score += r->wins + r->draws / 2;
        black->score += r->losses + r->draws / 2;
        white->draws += r->draws;
        black->draws += r->draws;
    }
    for (size_t p = 0; p < out->count; p++) {
        Rating *rating = &out->players[p];
        rating->score = rating->games > 0 ? rating->score / rating->games : 0.5;
        rating->draws = rating->games > 0 ? rating->draws / rating->games : 0;
    }
}

// Half the virtual draws are each player's own, spread over its opponents as its games are, and
// over both colours (as in bayeselo).
static double virtual_draws(const Work *work, const RatingResult *r, const Ratings *out) {
    const Rating *white = &out->players[r->white], *black = &out->players[r->black];
    double prior = white->is_bounded ? RATING_BOUND_PRIOR : work->config->prior;
    return prior * games_of(r) * (1 / white->games + 1 / black->games) / 4;
}

static void make_meetings(Work *work, const Ratings *out) {
    bool is_logistic = work->config->model == RATING_LOGISTIC;
    double worth = is_logistic ? 0.5 : 1;
    work->meetings = mem_alloc(2 * work->count * sizeof *work->meetings + 1);
    size_t count = 0;
    for (size_t i = 0; i < work->count; i++) {
        const RatingResult *r = &work->results[i];
        if (!(games_of(r) > 0))
            continue;
        double extra = virtual_draws(work, r, out), draws = worth * (r->draws + extra);
        work->meetings[count++] = (Meeting){r->white, r->black, r->wins + draws, r->losses + draws};
        if (extra > 0)
            work->meetings[count++] = (Meeting){r->black, r->white, worth * extra, worth * extra};
        work->problem.draws += is_logistic ? 0 : r->draws + 2 * extra;
    }
    work->problem.meetings = work->meetings;
    work->problem.count = count;
}

static void fit(Work *work, Ratings *out) {
    const RatingConfig *config = work->config;
    bool has_draw_elo = config->model == RATING_BAYESELO;
    work->problem.players = out->count;
    work->problem.fits_advantage = config->fits_advantage;
    work->problem.fits_draw_elo = has_draw_elo && config->fits_draw_elo && work->problem.draws > 0;
    work->fit.ratings = mem_alloc_zero(out->count + 1, sizeof *work->fit.ratings);
    work->fit.advantage = config->advantage / RATING_ELO_PER_UNIT;
    work->fit.draw_elo = has_draw_elo ? config->draw_elo / RATING_ELO_PER_UNIT : 0;
    // Found from inside only: at 0 draws are impossible.
    if (work->problem.fits_draw_elo && work->fit.draw_elo < 0.01)
        work->fit.draw_elo = 0.01;
    rating_maximize(&work->problem, &work->fit);
    out->advantage = work->fit.advantage * RATING_ELO_PER_UNIT;
    out->draw_elo = work->fit.draw_elo * RATING_ELO_PER_UNIT;
    double x = exp(-work->fit.draw_elo);
    out->scale = 4 * x / ((1 + x) * (1 + x));
}

// Ratings in Elo: each group about its mean, or as its anchor says.
static void place_ratings(const Work *work, Ratings *out) {
    const RatingConfig *config = work->config;
    CLEANUP(mem_free_at) double *shift = mem_alloc_zero(out->group_count + 1, sizeof *shift);
    CLEANUP(mem_free_at) double *size = mem_alloc_zero(out->group_count + 1, sizeof *size);
    for (size_t p = 0; p < out->count; p++) {
        Rating *rating = &out->players[p];
        rating->elo = work->fit.ratings[p] * RATING_ELO_PER_UNIT * out->scale;
        shift[rating->group] -= rating->elo;
        size[rating->group]++;
    }
    for (size_t g = 0; g < out->group_count; g++)
        shift[g] = config->mean + shift[g] / size[g];
    if (config->anchor != RATING_NOBODY) {
        const Rating *anchor = &out->players[config->anchor];
        shift[anchor->group] = config->anchor_elo - anchor->elo;
    }
    for (size_t p = 0; p < out->count; p++)
        out->players[p].elo += shift[out->players[p].group];
    for (size_t i = 0; i < work->count; i++) {
        const RatingResult *r = &work->results[i];
        Rating *white = &out->players[r->white], *black = &out->players[r->black];
        if (games_of(r) > 0) {
            white->opponents += black->elo * games_of(r) / white->games;
            black->opponents += white->elo * games_of(r) / black->games;
        }
    }
}

// --- errors ---

static RatingBlocks *blocks_create(const Ratings *out) {
    RatingBlocks *blocks = mem_alloc_zero(1, sizeof *blocks);
    blocks->start = mem_alloc_zero(out->group_count + 1, sizeof *blocks->start);
    blocks->size = mem_alloc_zero(out->group_count + 1, sizeof *blocks->size);
    blocks->place = mem_alloc_zero(out->count + 1, sizeof *blocks->place);
    for (size_t p = 0; p < out->count; p++)
        blocks->place[p] = blocks->size[out->players[p].group]++;
    size_t total = 0;
    for (size_t g = 0; g < out->group_count; g++) {
        if (blocks->size[g] > RATING_JOINT_MAX)
            blocks->size[g] = 0;
        blocks->start[g] = total;
        total += (size_t)blocks->size[g] * blocks->size[g];
    }
    blocks->values = mem_alloc_zero(total + 1, sizeof *blocks->values);
    return blocks;
}

static void blocks_free(RatingBlocks *blocks) {
    if (blocks == NULL)
        return;
    free(blocks->values);
    free(blocks->start);
    free(blocks->size);
    free(blocks->place);
    free(blocks);
}

// The covariance of two players of one group that has a square.
static double *covariance(const Ratings *ratings, uint32_t a, uint32_t b) {
    const RatingBlocks *blocks = ratings->joint;
    uint32_t group = ratings->players[a].group;
    return &blocks->values[blocks->start[group] + (size_t)blocks->place[a] * blocks->size[group] +
                           blocks->place[b]];
}

static bool is_joint(const Ratings *ratings, uint32_t player) {
    return ratings->joint->size[ratings->players[player].group] > 0;
}

static void fill_blocks(const Work *work, Ratings *out) {
    out->joint = blocks_create(out);
    for (size_t i = 0; i < work->problem.count; i++) {
        const Meeting *m = &work->meetings[i];
        if (!is_joint(out, m->white))
            continue;
        double stiffness = rating_stiffness(&work->fit, m);
        *covariance(out, m->white, m->white) += stiffness;
        *covariance(out, m->black, m->black) += stiffness;
        *covariance(out, m->white, m->black) -= stiffness;
        *covariance(out, m->black, m->white) -= stiffness;
    }
    for (size_t g = 0; g < out->group_count; g++)
        rating_invert(out->joint->values + out->joint->start[g], out->joint->size[g]);
}

// Variance of the difference of two players of a group.
static double variance_between(const Ratings *ratings, uint32_t a, uint32_t b) {
    double variance =
        *covariance(ratings, a, a) + *covariance(ratings, b, b) - 2 * *covariance(ratings, a, b);
    return fmax(variance, 0);
}

// Whether the anchor is in the player's group.
static bool has_anchor(const Work *work, const Ratings *out, uint32_t player) {
    const uint32_t anchor = work->config->anchor;
    return anchor != RATING_NOBODY && out->players[anchor].group == out->players[player].group;
}

static void set_joint_error(const Work *work, Ratings *out, uint32_t player) {
    const uint32_t anchor = work->config->anchor;
    Rating *rating = &out->players[player];
    double variance = has_anchor(work, out, player) ? variance_between(out, player, anchor)
                                                    : fmax(*covariance(out, player, player), 0);
    rating->plus = rating->minus = ELO_Z_95 * sqrt(variance) * RATING_ELO_PER_UNIT * out->scale;
}

// A player who moves alone takes a share of the group's mean along, from which ratings count.
static void set_held_error(const Work *work, Ratings *out, uint32_t player, double size,
                           double plus, double minus) {
    Rating *rating = &out->players[player];
    double moved = !has_anchor(work, out, player)   ? 1 - 1 / size
                   : player == work->config->anchor ? 0
                                                    : 1;
    rating->plus = plus * moved * RATING_ELO_PER_UNIT * out->scale;
    rating->minus = minus * moved * RATING_ELO_PER_UNIT * out->scale;
}

static void hold_errors(const Work *work, Ratings *out, const bool *is_held) {
    CLEANUP(mem_free_at) double *plus = mem_alloc(out->count * sizeof *plus + 1);
    CLEANUP(mem_free_at) double *minus = mem_alloc(out->count * sizeof *minus + 1);
    CLEANUP(mem_free_at) double *size = mem_alloc_zero(out->group_count + 1, sizeof *size);
    rating_hold(&work->problem, &work->fit, plus, minus);
    for (uint32_t p = 0; p < out->count; p++)
        size[out->players[p].group]++;
    for (uint32_t p = 0; p < out->count; p++)
        if (is_held[p])
            set_held_error(work, out, p, size[out->players[p].group], plus[p], minus[p]);
}

static void set_errors(const Work *work, Ratings *out) {
    CLEANUP(mem_free_at) bool *is_held = mem_alloc_zero(out->count + 1, sizeof *is_held);
    fill_blocks(work, out);
    for (uint32_t p = 0; p < out->count; p++) {
        is_held[p] = work->config->errors == RATING_ERRORS_HELD || !is_joint(out, p);
        out->are_errors_held |= is_held[p];
        if (!is_held[p])
            set_joint_error(work, out, p);
    }
    if (out->are_errors_held)
        hold_errors(work, out, is_held);
    for (uint32_t p = 0; p < out->count; p++)
        if (out->players[p].games == 0)
            out->players[p].plus = out->players[p].minus = INFINITY;
}

Ratings *ratings_compute(const RatingResult *results, size_t count, size_t players,
                         const RatingConfig *config) {
    Work work = {.results = results, .count = count, .config = config};
    Ratings *out = mem_alloc_zero(1, sizeof *out);
    out->count = players;
    out->players = mem_alloc_zero(players + 1, sizeof *out->players);
    work.groups = rating_groups_find(results, count, players);
    out->group_count = work.groups.count;
    for (size_t p = 0; p < players; p++) {
        uint32_t group = work.groups.group[p];
        out->players[p].group = group;
        out->players[p].is_bounded = config->prior == 0 && work.groups.is_unbounded[group];
    }
    count_games(&work, out);
    make_meetings(&work, out);
    fit(&work, out);
    place_ratings(&work, out);
    set_errors(&work, out);
    rating_groups_free(&work.groups);
    free(work.meetings);
    free(work.fit.ratings);
    return out;
}

void ratings_free(Ratings *ratings) {
    if (ratings == NULL)
        return;
    blocks_free(ratings->joint);
    free(ratings->players);
    free(ratings);
}

double ratings_superiority(const Ratings *ratings, uint32_t a, uint32_t b) {
    const Rating *x = &ratings->players[a], *y = &ratings->players[b];
    if (x->group != y->group)
        return NAN;
    double difference = x->elo - y->elo, error;
    if (is_joint(ratings, a)) {
        error = sqrt(variance_between(ratings, a, b)) * RATING_ELO_PER_UNIT * ratings->scale;
    } else {
        // In a group this large nobody weighs much in another's error.
        double x_error = (x->plus + x->minus) / 2, y_error = (y->plus + y->minus) / 2;
        error = hypot(x_error, y_error) / ELO_Z_95;
    }
    return error > 0 ? elo_normal_below(difference / error) : 0.5;
}
