// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/lp.h"

#include "base/mem.h"

#include <glpk.h>
#include <limits.h>
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
        glp_set_col_bnds(prob, i, GLP_DB, -1, 1);
        glp_set_obj_coef(prob, i, lp->targets[i - 1]);
    }
    for (int j = 1; j <= rows; j++) {
        index[1] = j;
        value[1] = -1;
        glp_set_mat_col(prob, bounded + j, 1, index, value);
        glp_set_col_bnds(prob, bounded + j, GLP_LO, 0, 0);
        glp_set_obj_coef(prob, bounded + j, -lp->widths[j - 1]);
        glp_set_row_bnds(prob, j, GLP_UP, 0, 0);
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
