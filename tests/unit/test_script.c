// SPDX-License-Identifier: GPL-3.0-or-later
// The language of paper files: expressions, blocks, steps, pages, and what is told of mistakes.
#include "base/folder.h"
#include "papers/script.h"
#include "testing.h"

#include <math.h>

// Opens a script of this text; the plan has the folder of the test.
static Status open_text(Script *script, Plan *plan, const char *text) {
    char path[TESTING_PATH];
    testing_write(path, "x.paper", text, strlen(text));
    setenv("FALCONER_DATA", testing_directory, 1);
    plan_init(plan, SCALE_QUICK, 7, testing_directory);
    return script_open(script, "x", plan);
}

static void test_expressions(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"1 + 2 * 3 - 4 / 2", "5"},
        {"-(1 - 3) * 2", "4"},
        {"1 < 2 and 2 <= 2 and 3 > 2 and !(1 != 1)", "1"},
        {"1 == 2 or 0", "0"},
        {"\"a\" == 'a' ? \"yes\" : \"no\"", "yes"},
        {"unknown > 1 ? 1 : unknown < 1 ? 2 : 3", "3"},
        {"\"{1 + 1} and {\"{3}\"}\"", "2 and 3"},
        {"\"{2 / 3 | .2f} {2 / 3 | +.1f} {1234567 | ,} {90 | time}\"",
         "0.67 +0.7 1,234,567 1.5 min"},
        {"each pairs \"; \" \"{a}-{b}\"", "x-1; y z-2"},
        {"item(range(3, 6), 1)", "4"},
        {"max(min(4, 2), hypot(3, 4)) + abs(-1) + sqrt(4)", "8"},
        {"quote(\"a b\")", "'a b'"},
        {"item(words(\" 7.0  8.25 9\"), 1)", "8.25"},
        {"distinct(\"22.0 22 27.1 22.0 27.1\")", "3"},
        // 13, 16 and 18 of 59, and none of fewer; with one more decimal they are not.
        {"common_count(\"22.0 27.1 30.51 0.0\", 1000)", "59"},
        {"is_known(common_count(\"22.00 27.10 30.5\", 100))", "0"},
        {"common_count(\"50 25.0\", 1000)", "4"},
        {"common_count(\"no number\", 10) > 0", "0"},
        {"scale(\"small\", \"large\")", "small"},
        {"is_known(unknown) + is_known(1)", "1"},
        {"has(\"absent\")", "0"},
        {"meeting(\"absent\", \"a\", \"b\")", "not played"},
        {"meeting(\"absent\", \"a\", \"b\").games", "0"},
        {"term_words(\"weights/maestro-hand.weights\", 16)",
         "having bishops on both colours of squares"},
    };
    Plan plan;
    Script script;
    assert_int_equal(open_text(&script, &plan, "data pairs a b\n x | 1\n y z | {1 + 1}\nend\n"),
                     OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ScriptValue value;
        CLEANUP(str_free) Str text = {0};
        if (script_evaluate(&script, view_from_string(cases[i].text), &value) != OK)
            fail_msg("%s: %s", cases[i].text, error_message());
        script_add_value(&text, &value);
        assert_string_equal(str_text(&text), cases[i].expected);
    }
    script_close(&script);
    plan_deinit(&plan);
}

static void test_blocks_make_steps(void **state) {
    (void)state;
    static const char text[] = "; a comment\n"
                               "let sum = 0\n"
                               "data rows name weight\n"
                               "    b | 2\n"
                               "    a | 1\n"
                               "end\n"
                               "define plan\n"
                               "    for rows by weight\n"
                               "        let sum = sum + weight\n"
                               "        if name == \"a\"\n"
                               "            step {name}-{weight} 1 label \\\n"
                               "                x {sum}\n"
                               "        else\n"
                               "            match {name} {weight * 2} 5 -each nodes={sum}\n"
                               "        end\n"
                               "    end\n"
                               "    for i in range(0, 2)\n"
                               "        run run{i} 3 stages={i + 1} evolve y\n"
                               "    end\n"
                               "end\n"
                               "define page\nend\n";
    Plan plan;
    Script script;
    assert_int_equal(open_text(&script, &plan, text), OK);
    assert_int_equal(script_plan(&script), OK);
    assert_int_equal(plan.count, 5);
    assert_string_equal(plan.steps[0].name, "a-1");
    assert_string_equal(plan.steps[0].command, "label x 1");
    assert_string_equal(plan.steps[1].name, "b");
    assert_true(plan.steps[1].estimate == 4 && plan.steps[1].rounds == 5);
    assert_non_null(strstr(plan.steps[1].command, " -each nodes=3 -rounds 5"));
    assert_string_equal(plan.steps[2].name, "run0");
    assert_string_equal(plan.steps[3].name, "run1-1");
    assert_non_null(strstr(plan.steps[3].command, " --stage 1/2"));
    assert_string_equal(plan.steps[4].name, "run1");
    assert_non_null(strstr(plan.steps[4].command, "evolve --resume "));
    assert_true(plan.steps[4].estimate == 1.5);
    script_close(&script);
    plan_deinit(&plan);
}

// Every mistake is named with its line, also one in a branch of the page that is not taken.
static void test_mistakes_are_told_with_their_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"let a 1\n", "x.paper:1: let needs NAME = EXPRESSION"},
        {"\nlet a = 1 +\n", "x.paper:2: a value is missing"},
        {"let a = (1\n", "')' is missing"},
        {"let a = b\n", "what is 'b'?"},
        {"let a = \"x\n", "without its closing \""},
        {"let a = \"{1\"\n", "without its closing \""},
        {"let a = sqrt(1, 2)\n", "sqrt takes 1 arguments, not 2"},
        {"let a = sqr(1)\n", "there is no function 'sqr'"},
        {"let a = 1 2\n", "nothing was expected at '2'"},
        {"if 1\nlet a = 1\n", "x.paper:1: no \"end\" to this"},
        {"for a\nend\n", "for needs a table"},
        {"use a\n", "there is no block 'a'"},
        {"define a\nuse a\nend\nuse a\n", "blocks inside each other without an end"},
        {"data t a b\nx\nend\nfor t\nend\n", "line 2 has no b"},
        {"data t a\nx | y\nend\nfor t\nend\n", "line 2 has more than its columns"},
        {"include no-such\n", "no-such.paper"},
        {"include x\n", "too many files inside each other"},
        {"define plan\nbake x\nend\n", "x.paper:2: a plan has no statement 'bake'"},
        {"define plan\nstep x y z\nend\n", "'y' is no number of seconds or rounds"},
        {"define plan\nend\n", "there is no block 'page'"},
        {"define plan\nend\ndefine page\nif 0\nbake x\nend\nend\n",
         "x.paper:5: a page has no statement 'bake'"},
        {"define plan\nend\ndefine page\nif 1\nelse\ntext {1 | .2g}\nend\nend\n",
         "x.paper:6: not a format: '.2g'"},
        {"define plan\nend\ndefine page\nfor x in players(\"a\")\nclaim {x}\nend\nend\n",
         "x.paper:5: claim takes 4 to 5 fields, not 1"},
        {"define plan\nend\ndefine page\ntable t | a | b:1\nrow x\nend\n",
         "x.paper:5: row takes 2 to 16 fields, not 1"},
        {"define plan\nend\ndefine page\ntable t | a | b:1\nrow x | 1 | 2\nend\n",
         "x.paper:5: a row of 3 fields does not fit what comes before it"},
        {"define plan\nend\ndefine page\nchart t | x | y\npoint 1 | 2\nend\n",
         "x.paper:5: a point of 2 fields does not fit"},
        {"define plan\nend\ndefine page\nbars t | x | a | b\ngroup x | 1\nend\n",
         "x.paper:5: a group of 2 fields does not fit"},
        {"details x\nend\n", "x.paper:1: details needs a summary, on a page"},
        {"for i in range(0, 1000000)\nend\n", "a range of more than 100000 numbers"},
        {"for i in range(0, 2000)\nfor j in range(0, 2000)\nlet a = 1\nend\nend\n",
         "more than 1048576 statements"},
        {"define plan\nend\ndefine page\ntext {meeting(\"a\", \"b\", \"c\").odds}\nend\n",
         "a score has no 'odds'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Plan plan;
        Script script;
        Status status = open_text(&script, &plan, cases[i].text);
        const bool has_plan = strstr(cases[i].text, "plan") != NULL;
        status = status == OK && has_plan ? script_plan(&script) : status;
        status = status == OK ? script_check_page(&script) : status;
        assert_int_not_equal(status, OK);
        if (strstr(error_message(), cases[i].message) == NULL)
            fail_msg("'%s' tells: %s", cases[i].text, error_message());
        script_close(&script);
        plan_deinit(&plan);
    }
}

static void write_log(const Plan *plan, const char *folder, double best, double mean) {
    char path[TESTING_PATH + 64], text[512];
    size_t length = 0;
    for (int i = 0; i < 2; i++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "{\"generation\":%d,\"evaluations\":10,\"best\":%g,\"median\":1,"
                                   "\"mean\":%g,\"worst\":0,\"diversity\":0.1}\n",
                                   i, best + i, mean + i);
    snprintf(path, sizeof path, "%s/%s", plan->folder, folder);
    assert_int_equal(folder_create(path), OK);
    snprintf(path, sizeof path, "%s/%s/log.jsonl", plan->folder, folder);
    assert_int_equal(file_write(path, text, length), OK);
}

// Each line of a chart is the mean over the runs, and its band holds all of them; a score fills the
// cells of a match; text may stand where a number is missing.
static void test_a_page_is_filled(void **state) {
    (void)state;
    static const char text[] = "define plan\nend\n"
                               "define page\n"
                               "    claim c | t | o | r\n"
                               "    claim c | t | o | r | {tells(2 > 1, 0)}\n"
                               "    claim c | t | o | r | {tells(unknown > 1, 2 > 1)}\n"
                               "    claim c | t | o | r | {tells(unknown > 1, unknown < 1)}\n"
                               "    chart t | generation | y:1\n"
                               "    series best\n"
                               "    for g in range(0, generations(run(\"ten\", 1)))\n"
                               "        point {g} | {log_mean(\"ten\", 3, g, \"best\")} | "
                               "{log_least(\"ten\", 3, g, \"best\")} \\\n"
                               "            | {log_most(\"ten\", 3, g, \"best\")}\n"
                               "    end\n"
                               "    matches m\n"
                               "    row x | {meeting(\"absent\", \"a\", \"b\")} | 50%\n"
                               "    row y | {meeting(\"absent\", \"a\", \"b\")} | 50% | 50\n"
                               "    details all {1 + 1}\n"
                               "    table n | who | number:1 | other:0\n"
                               "    row {1 + 1} | {1 / 4} | –\n"
                               "    row b | 3 | {unknown}\n"
                               "    end\n"
                               "end\n";
    Plan plan;
    Script script;
    CLEANUP(report_destroy_at) Report *report = report_create("page");
    Page page = {report, page_add_claims(report, "claims"), NULL};
    CLEANUP(str_free) Str csv = {0};
    assert_int_equal(open_text(&script, &plan, text), OK);
    write_log(&plan, "ten/run-01", 10, 2);
    write_log(&plan, "ten/run-02", 16, 4);
    write_log(&plan, "ten/run-03", 13, 6);
    assert_int_equal(script_check_page(&script), OK);
    assert_null(report_table_at(report, 1));
    assert_int_equal(script_page(&script, &page), OK);
    table_write_csv(report_table_at(report, 0), &csv);
    assert_non_null(strstr(str_text(&csv), "\nc,,t,o,r\nc,holds,t,o,r\nc,does not,t,o,r\n"
                                           "c,cannot tell,t,o,r\n"));
    str_clear(&csv);
    table_write_csv(report_table_at(report, 1), &csv);
    assert_non_null(
        strstr(str_text(&csv), "\nx,0,0,0,0,,,,,,50%,\ny,0,0,0,0,,,,,,50%,cannot tell\n"));
    str_clear(&csv);
    table_write_csv(report_table_at(report, 2), &csv);
    assert_string_equal(str_text(&csv), "who,number,other\n2,0.25,–\nb,3,\n");
    str_clear(&csv);
    Table *points = chart_to_table(script.chart, 0);
    table_write_csv(points, &csv);
    assert_non_null(strstr(str_text(&csv), "\n0,13,10,16\n1,14,11,17\n"));
    table_destroy(points);
    str_clear(&csv);
    report_write_markdown(report, &csv);
    assert_non_null(strstr(str_text(&csv), "<summary>all 2</summary>\n\n**n**"));
    script_close(&script);
    plan_deinit(&plan);
}

static void test_a_verdict_cannot_be_written_down(void **state) {
    (void)state;
    Plan plan;
    Script script;
    CLEANUP(report_destroy_at) Report *report = report_create("page");
    Page page = {report, page_add_claims(report, "claims"), NULL};
    assert_int_equal(open_text(&script, &plan, "define page\nclaim a | b | c | d | holds\nend\n"),
                     OK);
    assert_int_equal(script_page(&script, &page), ERR_PARSE);
    assert_non_null(
        strstr(error_message(), "x.paper:2: a verdict is what tells() makes of figures"));
    script_close(&script);
    plan_deinit(&plan);
}

static void test_a_file_that_is_missing_is_named(void **state) {
    (void)state;
    Plan plan;
    Script script;
    CLEANUP(report_destroy_at) Report *report = report_create("page");
    Page page = {report, page_add_claims(report, "claims"), NULL};
    assert_int_equal(
        open_text(&script, &plan, "define page\ntext x\ntext {mean(\"absent\", \"test\")}\nend\n"),
        OK);
    assert_int_equal(script_page(&script, &page), ERR_IO);
    assert_non_null(strstr(error_message(), "x.paper:3: "));
    assert_non_null(strstr(error_message(), "absent/runs.csv"));
    script_close(&script);
    plan_deinit(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_blocks_make_steps),
        cmocka_unit_test(test_mistakes_are_told_with_their_line),
        cmocka_unit_test(test_a_page_is_filled),
        cmocka_unit_test(test_a_verdict_cannot_be_written_down),
        cmocka_unit_test(test_a_file_that_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
