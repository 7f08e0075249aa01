// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimum/lp.h"

#include "base/mem.h"

#include <glpk.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

// GLPK counts from 1: its rows are our columns, its columns our rows and then one p for each row.
static void fill(glp_prob *prob, const LpDual *lp) {
    int rows = (int)lp->columns, bounded = (int)lp->rows;
    glp_set_obj_dir(prob, GLP_MAX);
    glp_add_rows(prob, rows);
    glp_add_cols(prob, bounded + rows);
    int *index = mem_alloc((lp->columns + 1) * sizeof *index);
    double *value = mem_alloc((lp->columns + 1) * sizeof *value);
    for (int i = 1; i <= bounded; i++) {
        int length = 0;
        for (int j = 1; j <= rows; j++) {
            int16_t count = lp->counts[(size_t)(j - 1) * lp->rows + (size_t)(i - 1)];
            if (count == 0)
                continue;
            index[++length] = j;
            value[length] = count;
        }
        glp_set_mat_col(prob, i, length, index, value);
        glp_set_col_bnds(prob, i, GLP_DB, -lp->most[i - 1], lp->most[i - 1]);
        glp_set_obj_coef(prob, i, lp->targets[i - 1]);
    }
    for (int j = 1; j <= rows; j++) {
        index[1] = j;
        value[1] = -1;
        glp_set_mat_col(prob, bounded + j, 1, index, value);
        glp_set_col_bnds(prob, bounded + j, GLP_LO, 0, 0);
        glp_set_obj_coef(prob, bounded + j, -lp->widths[j - 1]);
        glp_set_row_bnds(prob, j, GLP_UP, 0, lp->rest == NULL ? 0 : -lp->rest[j - 1]);
    }
    free(index);
    free(value);
}

static Status run(glp_prob *prob) {
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    // All y are bounded on both sides, so that the basis of slacks can be made feasible for the
    // dual simplex by flipping bounds, and a long step may flip many more on its way.
    options.meth = GLP_DUALP;
    options.r_test = GLP_RT_FLIP;
    int code = glp_simplex(prob, &options);
    if (code != 0)
        return error_set(ERR_LIMIT, "the linear program was not solved: GLPK's simplex says %d",
                         code);
    if (glp_get_status(prob) != GLP_OPT)
        return error_set(ERR_LIMIT, "the linear program was not solved: GLPK's status is %d",
                         glp_get_status(prob));
    return OK;
}

Status lp_solve(const LpDual *lp, double *multipliers, double *prices) {
    if (lp->rows > INT_MAX / 2 || lp->columns > INT_MAX / 2)
        return error_set(ERR_LIMIT, "%zu rows and %zu columns are too many for GLPK", lp->rows,
                         lp->columns);
    // Its setting and its memory belong to this thread, and go with glp_free_env.
    glp_term_out(GLP_OFF);
    glp_prob *prob = glp_create_prob();
    fill(prob, lp);
    Status status = run(prob);
    for (size_t i = 0; status == OK && i < lp->rows; i++)
        multipliers[i] = glp_get_col_prim(prob, (int)i + 1);
    for (size_t j = 0; status == OK && j < lp->columns; j++)
        prices[j] = glp_get_row_dual(prob, (int)j + 1);
    glp_delete_prob(prob);
    glp_free_env();
    return status;
}

// --- games ---

// Column j of the game is column j + 1, the value is the last one, free.
static void fill_game(glp_prob *prob, const double *payoffs, int rows, int columns) {
    int *index = mem_alloc(((size_t)columns + 2) * sizeof *index);
    double *value = mem_alloc(((size_t)columns + 2) * sizeof *value);
    glp_set_obj_dir(prob, GLP_MAX);
    glp_add_rows(prob, rows + 1);
    glp_add_cols(prob, columns + 1);
    for (int j = 1; j <= columns; j++) {
        glp_set_col_bnds(prob, j, GLP_LO, 0, 0);
        index[j] = j;
    }
    index[columns + 1] = columns + 1;
    glp_set_col_bnds(prob, columns + 1, GLP_FR, 0, 0);
    glp_set_obj_coef(prob, columns + 1, 1);
    for (int i = 1; i <= rows; i++) {
        for (int j = 1; j <= columns; j++)
            value[j] = payoffs[(i - 1) * columns + (j - 1)];
        value[columns + 1] = -1;
        glp_set_mat_row(prob, i, columns + 1, index, value);
        glp_set_row_bnds(prob, i, GLP_LO, 0, 0);
    }
    for (int j = 1; j <= columns; j++)
        value[j] = 1;
    glp_set_mat_row(prob, rows + 1, columns, index, value);
    glp_set_row_bnds(prob, rows + 1, GLP_FX, 1, 1);
    free(index);
    free(value);
}

Status lp_solve_game(const double *payoffs, size_t rows, size_t columns, double *column_mix,
                     double *row_mix, double *value) {
    glp_term_out(GLP_OFF);
    glp_prob *prob = glp_create_prob();
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    fill_game(prob, payoffs, (int)rows, (int)columns);
    const int code = glp_simplex(prob, &options);
    const Status status =
        code == 0 && glp_get_status(prob) == GLP_OPT
            ? OK
            : error_set(ERR_LIMIT, "the game of mentors was not solved: GLPK's simplex says %d",
                        code);
    for (size_t j = 0; status == OK && j < columns; j++)
        column_mix[j] = glp_get_col_prim(prob, (int)j + 1);
    // A row's price is how much the value would grow if the row asked for less: what is mixed in.
    for (size_t i = 0; status == OK && i < rows; i++)
        row_mix[i] = fabs(glp_get_row_dual(prob, (int)i + 1));
    *value = glp_get_obj_val(prob);
    glp_delete_prob(prob);
    glp_free_env();
    return status;
}
