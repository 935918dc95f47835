/* The interface (get_time, cmp_time, new_time) on the clock of this machine, and RLU on a logical clock and on Ordo. The
 * document lists the code of both; these figures run it. */
#include <math.h>
#include <ordo/ordo.h>
#include <string.h>

#include "lab/figures/ordo/ordo.h"

enum { TIMES = 100000, BOUNDARY = 1000 };

int ordo_paper_interface(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo ordo = ORDO_INIT(BOUNDARY, 0);
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "cmp_time(t + difference, t)", "difference, ticks", "result", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, "boundary of 1000 ticks", ORDO_FIGURE_STEPS);
    bool ordered = true, later = true, grows = true, antisymmetric = true;
    (void)error;
    ordo_time last = ordo_get_time(&ordo);
    for (int i = 0; i < TIMES; i++) {
        ordo_time now = ordo_get_time(&ordo);
        grows &= now.ticks >= last.ticks;
        last = now;
    }
    for (int64_t apart = -2 * BOUNDARY; apart <= 2 * BOUNDARY; apart++) {
        ordo_time other = {last.ticks + (uint64_t)apart};
        int expected = (apart > BOUNDARY) - (apart < -BOUNDARY);
        ordered &= ordo_cmp_time(&ordo, other, last) == expected;
        antisymmetric &= ordo_cmp_time(&ordo, last, other) == -expected;
        ordo_figure_point(curve, (double)apart, ordo_cmp_time(&ordo, other, last));
    }
    for (int i = 0; i < TIMES / 10; i++) {
        ordo_time next = ordo_new_time(&ordo, last);
        later &= ordo_cmp_time(&ordo, next, last) == 1;
        last = next;
    }
    ordo_figure_claim(run, grows, "get_time: 100,000 times of one thread do not decrease");
    ordo_figure_claim(run, ordered && antisymmetric,
                      "cmp_time: times that differ by at most the boundary are uncertain, and all others are ordered");
    ordo_figure_claim(run, later, "new_time: each of 10,000 results is certainly later than the time before it");
    return ORDO_OK;
}

int ordo_paper_code(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const char *const arguments[] = {
        "ordo-bench", "rlu",  "--structure", "list,hash", "--update-percent", "20", "--stamp", "ordo,logical",
        "--baseline", "none", "--boundary",  "1000",      "--runs",           "3",  "--json",  NULL};
    struct ordo_json_value *document;
    int code = ordo_paper_program(arguments, &document, error);
    if (code)
        return code;
    const struct ordo_json_value *results = ordo_json_get(document, "results");
    bool correct = ordo_json_count(results) > 0;
    for (size_t i = 0; i < ordo_json_count(results); i++) {
        const char *audit = ordo_json_word_of(ordo_json_get(ordo_json_item(results, i), "audit"));
        correct &= audit && strcmp(audit, "ok") == 0;
    }
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "hash, 20% updates", "threads", "million operations per second", ORDO_FIGURE_LINEAR);
    ordo_paper_draw(panel, "RLU", document, "rlu", "logical", "hash, 20% updates");
    ordo_paper_draw(panel, "RLU with Ordo", document, "rlu", "ordo", "hash, 20% updates");
    ordo_figure_claim(run, correct, "with both clocks, lists and hash tables lose no element and gain none");
    ordo_figure_claim(run,
                      isfinite(ordo_paper_speed(document, "rlu", "ordo", "hash, 20% updates", 2)) &&
                          isfinite(ordo_paper_speed(document, "rlu", "logical", "hash, 20% updates", 2)),
                      "one implementation runs with either clock: only the stamp is replaced");
    ordo_json_free(document);
    return ORDO_OK;
}
