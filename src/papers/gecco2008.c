// SPDX-License-Identifier: GPL-3.0-or-later
// GECCO 2008: MAESTRO's evaluation evolved to mimic FALCON's, which the same search plays with.
#include "papers/paper.h"

#include <math.h>

static void plan_labels(Plan *plan, const char *part) {
    const char *eyas = plan_eyas(plan);
    if (eyas != NULL)
        plan_step(plan, part, 10,
                  "label mentor-%s.epd --no-cache --mentor 'cmd=%s arg=--weights "
                  "arg=falcon.weights depth=2' -o %s/%s.epd",
                  part, eyas, plan->folder, part);
}

static void plan_gecco2008(Plan *plan) {
    plan_labels(plan, "train");
    plan_labels(plan, "test");
    plan_run(plan, "evolve", plan_count(plan, 2, 5),
             "evolve gecco2008 --data %s/train.epd --test %s/test.epd --runs %d", plan->folder,
             plan->folder, 10);
    plan_step(plan, "randorg", 1, "weights random --family maestro --seed 1 -o %s/randorg.weights",
              plan->folder);
    plan_match(
        plan, "pairs", plan_count(plan, 60, 1500),
        "-tournament round-robin -engine name=FALCON weights=falcon.weights -engine name=EVOL* "
        "weights=%s/evolve/run-01/best.weights -engine name=MAESTRO "
        "weights=maestro-hand.weights -engine name=RANDORG weights=%s/randorg.weights -each "
        "nodes=2000 -rounds %d -concurrency 2",
        plan->folder, plan->folder, plan_count(plan, 50, 500));
}

static Status tell_gecco2008(const Plan *plan, Page *page) {
    MeetingScore score;
    Status status = evidence_meeting(plan, "pairs", "EVOL*", "RANDORG", &score);
    Str ours = {0};
    page_say_match(&ours, &score);
    page_claim(page, "EVOL* against RANDORG", "99.5%", str_text(&ours), "");
    str_free(&ours);
    report_add_heading(page->report, "Evolution");
    if (status == OK)
        status = page_add_curve(plan, page->report, "evolve/run-01",
                                &(ChartSpec){.title = "Fig. 2: error by generation",
                                             .x_label = "generation",
                                             .y_label = "error (cp)",
                                             .y_decimals = 1});
    return status;
}

const Paper paper_gecco2008 = {
    .name = "gecco2008",
    .title = "GECCO 2008: evolution from a mentor",
    .citation =
        "O. David-Tabibi, M. Koppel, N. S. Netanyahu: Genetic Algorithms for Mentor-Assisted "
        "Evaluation Function Optimization, GECCO 2008.",
    .plan = plan_gecco2008,
    .tell = tell_gecco2008,
};
