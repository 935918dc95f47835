/* Oplog and TL2 on two CPUs. More are in doc/scaling.md. */
#include "lab/figures/ordo/ordo.h"

int ordo_paper_oplog(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const char workload[] = "map, 0.1% reads";
    static const char *const arguments[] = {
        "ordo-bench", "oplog", "--structure", "map", "--stamp", "ordo,logical,tsc", "--baseline", "rwlock,wfcqueue",
        "--boundary", "1000",  "--runs",      "15",  "--json",  "--read-permille",  "1",          NULL};
    struct ordo_json_value *document;
    int code = ordo_paper_program(arguments, &document, error);
    if (code)
        return code;
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "reverse map, 0.1% reads", "threads",
                                                        "million operations per second", ORDO_FIGURE_LINEAR);
    ordo_paper_draw(panel, "Oplog with Ordo", document, "oplog", "ordo", workload);
    ordo_paper_draw(panel, "Oplog with the raw clock", document, "oplog", "tsc", workload);
    ordo_paper_draw(panel, "one queue for all", document, "wfcqueue", NULL, workload);
    ordo_paper_draw(panel, "a lock", document, "rwlock", NULL, workload);
    double queue = ordo_paper_ratio(document, "oplog/ordo", "wfcqueue", workload, 2);
    double raw = ordo_paper_ratio(document, "oplog/ordo", "oplog/tsc", workload, 2);
    ordo_json_free(document);
    ordo_figure_claim(run, queue > ORDO_PAPER_LEAST_GAIN,
                      "at 2 threads Oplog with Ordo is more than 1.2 times as fast as one queue for all");
    ordo_figure_claim(run, raw > 2.0 / 3, "Ordo costs Oplog less than a third of its speed with the raw clock");
    return ORDO_OK;
}

/* The gain is compared with the least that is published. The factor, 1.1, is half of that gain. */
int ordo_paper_tl2(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const char workload[] = "hash, 20% updates";
    static const char *const arguments[] = {"ordo-bench",   "stm",        "--structure", "hash",       "--stamp",
                                            "ordo,logical", "--baseline", "none",        "--boundary", "1000",
                                            "--runs",       "31",         "--json",      NULL};
    struct ordo_json_value *document = NULL;
    double counter_per_s;
    int code = ordo_paper_counter(&counter_per_s, error);
    code = code ? code : ordo_paper_program(arguments, &document, error);
    if (code)
        return code;
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "hash, 20% updates", "threads", "million operations per second", ORDO_FIGURE_LINEAR);
    ordo_paper_draw(panel, "TL2", document, "stm", "logical", workload);
    ordo_paper_draw(panel, "TL2 with Ordo", document, "stm", "ordo", workload);
    static const char gain[] = "speed with Ordo over that with a logical clock, 2 threads";
    ordo_figure_explain(
        run, gain,
        "the counter is no bottleneck for two threads: measured here, TL2 takes less than a tenth of the "
        "timestamps that both threads can take from one counter");
    ordo_figure_claim(run, 0.2 * ordo_paper_speed(document, "stm", "logical", workload, 2) < counter_per_s / 10,
                      "at 2 threads, TL2 takes less than a tenth of the timestamps that a shared counter gives");
    ordo_figure_value(run, gain, "", ORDO_PAPER_LEAST_GAIN,
                      ordo_paper_ratio(document, "stm/ordo", "stm/logical", workload, 2), ORDO_FIGURE_MORE, 1.1);
    ordo_json_free(document);
    return ORDO_OK;
}
