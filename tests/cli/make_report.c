/* make_report DESCRIPTION [SEED]: prints the report of an imaginary machine to standard output; DESCRIPTION has hwloc's
 * syntax. Prints the number of bytes and the detail of the report to standard error. Exit 0, or 1 if the report cannot
 * be made. */
#include <stdio.h>
#include <time.h>

#include "../unit/synthetic_machine.h"
#include "calibrate/collection/words.h"

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    struct synthetic machine = {NULL, NULL, 0};
    struct ordo_collection_report *report = NULL;
    struct ordo_error error = {.text = "usage: make_report DESCRIPTION [SEED]"};
    char *text = NULL;
    size_t bytes = 0;
    int code = argc < 2 ? -1 : synthetic_make(&machine, argv[1], argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    double begin = seconds();
    if (!code)
        code = synthetic_report(&machine, &report, &error);
    if (!code)
        code = ordo_collection_fit(report, &text, &bytes, &error);
    if (code) {
        fprintf(stderr, "make_report: %s\n", error.text);
        return 1;
    }
    fprintf(stderr, "%d CPUs: %zu bytes, %s, made in %.2f s\n", report->count, bytes,
            ordo_collection_details[report->detail], seconds() - begin);
    (void)fwrite(text, 1, bytes, stdout);
    free(text);
    ordo_collection_free(report);
    synthetic_drop(&machine);
    return 0;
}
