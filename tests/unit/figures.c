/* The figures of documents: the verdict follows from the numbers and claims, and results that do not fit end the run. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "lab/figures/program.h"
#include "lab/figures/run.h"

static struct ordo_figure_run run;

static enum ordo_figure_verdict judged(double published, double ours, enum ordo_figure_sense sense, double factor)
{
    const struct ordo_figure_value value = {.published = published, .ours = ours, .sense = sense, .factor = factor};
    return ordo_figure_judge_value(&value);
}

Test(figures, a_number_within_the_factor_is_reproduced)
{
    cr_expect_eq(judged(10, 12.5, ORDO_FIGURE_EQUAL, 1.25), ORDO_FIGURE_REPRODUCED);
    cr_expect_eq(judged(10, 8, ORDO_FIGURE_EQUAL, 1.25), ORDO_FIGURE_REPRODUCED);
    cr_expect_eq(judged(0, 0, ORDO_FIGURE_EQUAL, 1), ORDO_FIGURE_REPRODUCED);
}

Test(figures, a_number_beyond_the_factor_is_better_only_in_the_better_direction)
{
    cr_expect_eq(judged(10, 5, ORDO_FIGURE_LESS, 1.25), ORDO_FIGURE_BETTER);
    cr_expect_eq(judged(10, 20, ORDO_FIGURE_LESS, 1.25), ORDO_FIGURE_DIFFERS);
    cr_expect_eq(judged(10, 20, ORDO_FIGURE_MORE, 1.25), ORDO_FIGURE_BETTER);
    cr_expect_eq(judged(10, 5, ORDO_FIGURE_MORE, 1.25), ORDO_FIGURE_DIFFERS);
    cr_expect_eq(judged(10, 5, ORDO_FIGURE_EQUAL, 1.25), ORDO_FIGURE_DIFFERS);
}

Test(figures, a_number_that_is_not_finite_or_has_another_sign_differs)
{
    cr_expect_eq(judged(10, NAN, ORDO_FIGURE_LESS, 2), ORDO_FIGURE_DIFFERS);
    cr_expect_eq(judged(0, 1, ORDO_FIGURE_MORE, 2), ORDO_FIGURE_DIFFERS);
    cr_expect_eq(judged(10, -10, ORDO_FIGURE_LESS, 2), ORDO_FIGURE_DIFFERS);
}

Test(figures, an_upper_limit_that_is_kept_is_reproduced)
{
    cr_expect_eq(judged(10, 1, ORDO_FIGURE_LIMIT, 1), ORDO_FIGURE_REPRODUCED);
    cr_expect_eq(judged(10, 0, ORDO_FIGURE_LIMIT, 1), ORDO_FIGURE_REPRODUCED);
    cr_expect_eq(judged(10, 10.1, ORDO_FIGURE_LIMIT, 1), ORDO_FIGURE_DIFFERS);
    cr_expect_eq(judged(10, -1, ORDO_FIGURE_LIMIT, 1), ORDO_FIGURE_DIFFERS);
}

Test(figures, a_reason_explains_no_other_difference)
{
    static struct ordo_figure_run explained;
    ordo_figure_value(&explained, "deviation", "ns", 10, 20, ORDO_FIGURE_LESS, 1.1);
    cr_expect_null(ordo_figure_reason(&explained));
    ordo_figure_explain(&explained, "deviation", "the model has no noise");
    cr_expect_str_eq(ordo_figure_reason(&explained), "the model has no noise");
    ordo_figure_claim(&explained, false, "the ring is the slowest");
    cr_expect_null(ordo_figure_reason(&explained));
}

Test(figures, one_number_or_claim_that_differs_decides)
{
    ordo_figure_value(&run, "error", "ns", 10, 5, ORDO_FIGURE_LESS, 1.1);
    cr_expect_eq(ordo_figure_judge(&run), ORDO_FIGURE_BETTER);
    ordo_figure_value(&run, "messages", "", 10, 10, ORDO_FIGURE_EQUAL, 1);
    cr_expect_eq(ordo_figure_judge(&run), ORDO_FIGURE_REPRODUCED);
    ordo_figure_claim(&run, true, "the tree is the fastest");
    cr_expect_eq(ordo_figure_judge(&run), ORDO_FIGURE_REPRODUCED);
    ordo_figure_claim(&run, false, "the ring is the slowest");
    cr_expect_eq(ordo_figure_judge(&run), ORDO_FIGURE_DIFFERS);
}

static int report_too_much(struct ordo_figure_run *results, struct ordo_error *error)
{
    (void)error;
    for (int i = 0; i <= ORDO_FIGURE_VALUES; i++)
        ordo_figure_value(results, "number", "", 1, 1, ORDO_FIGURE_EQUAL, 1);
    return ORDO_OK;
}

static int report_a_curve(struct ordo_figure_run *results, struct ordo_error *error)
{
    (void)error;
    struct ordo_figure_curve *curve = ordo_figure_curve(
        ordo_figure_panel(results, "errors", "time, s", "error, ns", ORDO_FIGURE_LINEAR), "ours", ORDO_FIGURE_LINE);
    for (int i = 0; i < 1000; i++)
        ordo_figure_point(curve, i, (double)ordo_figure_seed(results) * i);
    return ORDO_OK;
}

Test(figures, more_results_than_there_is_room_for_are_a_failure)
{
    const struct ordo_figure figure = {.name = "fig1", .run = report_too_much};
    struct ordo_figure_run *results = NULL;
    struct ordo_error error = {0};
    cr_expect_eq(ordo_figure_repeat(&figure, 1, &results, &error), ORDO_E_SYSTEM);
    ordo_figure_drop(results);
}

Test(figures, a_curve_keeps_all_of_its_points)
{
    const struct ordo_figure figure = {.name = "fig1", .run = report_a_curve};
    struct ordo_figure_run *results = NULL;
    struct ordo_error error = {0};
    cr_assert_eq(ordo_figure_repeat(&figure, 3, &results, &error), ORDO_OK);
    cr_assert_eq(results->panel[0]->curve[0].count, 1000);
    cr_expect_eq(results->panel[0]->curve[0].points[999].y, 2997);
    ordo_figure_drop(results);
}

Test(figures, a_figure_that_cannot_be_had_says_why)
{
    const struct ordo_figure figure = {.name = "fig1", .because = "it is a photograph"};
    struct ordo_figure_run *results = NULL;
    struct ordo_error error = {0};
    cr_expect_eq(ordo_figure_repeat(&figure, 1, &results, &error), ORDO_E_MISSING);
    cr_expect_str_eq(error.text, "it is a photograph");
    ordo_figure_drop(results);
}

Test(figures, every_document_has_figures_with_names_of_their_own)
{
    for (const struct ordo_document *const *document = ordo_documents; *document; document++) {
        cr_expect((*document)->figures->name);
        for (const struct ordo_figure *figure = (*document)->figures; figure->name; figure++) {
            cr_expect(figure->run || figure->because, "%s %s", (*document)->name, figure->name);
            for (const struct ordo_figure *other = (*document)->figures; other != figure; other++)
                cr_expect_str_neq(other->name, figure->name, "%s", (*document)->name);
        }
    }
}

Test(figures, a_program_that_fails_or_prints_no_document_is_named)
{
    struct ordo_json_value *document = NULL;
    struct ordo_error error = {0};
    cr_expect_eq(ordo_figure_program((const char *const[]){"false", NULL}, &document, &error), ORDO_E_MEASURE);
    cr_expect_eq(ordo_figure_program((const char *const[]){"echo", "{", NULL}, &document, &error), ORDO_E_MEASURE);
    cr_expect(strstr(error.text, "'echo {' printed no JSON document"), "%s", error.text);
    cr_assert_eq(ordo_figure_program((const char *const[]){"echo", "[7]", NULL}, &document, &error), ORDO_OK);
    cr_expect_eq(ordo_json_whole_at(document, 0, 0), 7);
    ordo_json_free(document);
}
