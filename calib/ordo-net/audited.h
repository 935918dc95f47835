/* The results of `ordo-net audit` for a window, in four formats: tables, one line, JSON and Prometheus text. */
#ifndef ORDO_NET_AUDITED_H
#define ORDO_NET_AUDITED_H

#include <stdbool.h>

#include "net/live/survey.h"
#include "net/referee/referee.h"

/** A row of the result: a claim, a host's reason for no claim, or the promise about an authority. */
struct audited_row {
    int host;
    const struct ordo_net_claim *claim; /* NULL: the row is the promise about an authority */
    int number;                         /* of its case; -1: it claims nothing, so it is not judged */
};

struct audited {
    char **name; /* names of the hosts */
    const struct ordo_net_survey_options *options;
    const int64_t *authority_ns; /* by host: as authority_parse sets it */
    int wrong;                   /* number of hosts that may have a wrong claim */
    struct ordo_net_survey_result result;

    int hosts, rows, cases;
    struct audited_row *row;
    int *row_of;                  /* by case */
    struct ordo_net_case *one;    /* the judged claims */
    struct ordo_net_proof *proof; /* by host */
    struct ordo_net_judgement found;
    bool judged; /* false: the window failed */

    uint64_t windows, failed; /* number of windows so far, and of failed ones among them */
    double at_s;              /* CLOCK_REALTIME at the end of the window */
};

/** Allocates memory for the rows of `hosts` hosts. False if out of memory; call audited_free in both cases. */
bool audited_make(struct audited *audited, int hosts);
void audited_free(struct audited *audited);

/** Judges the claims of the result. False if out of memory. */
bool audited_judge(struct audited *audited);

/** Returns the verdict:
 *
 * EXIT_FAILS: a claim is refuted, or claims contradict each other, or the intervals of edges do
 * EXIT_UNKNOWN: a host did not answer, does not tell claims, or its offset is not proved; or no claim was judged
 * EXIT_OK: all other cases */
int audited_verdict(const struct audited *audited);

/** Returns the number of claims that were compared with another one. */
int audited_compared(const struct audited *audited);

/** Returns the name of the source of a row: that of its claim, or "authority" for the promise about a clock. */
const char *audited_source(const struct audited_row *row);

/** Returns why a row claims nothing. */
const char *audited_silence(const struct audited *audited, const struct audited_row *row);

/** Returns why a host is not audited, for people; NULL: it is. */
const char *audited_gap(const struct audited *audited, int host);

void audited_print_table(const struct audited *audited);
void audited_print_line(const struct audited *audited);

/** Prints JSON; on one line if `line`. Returns 0, or -1 if out of memory, or if stdout cannot be written. */
int audited_print_json(const struct audited *audited, bool line);

/** Writes Prometheus text, and replaces the file `path` by it. */
int audited_write_metrics(const struct audited *audited, const char *path, struct ordo_error *error);

#endif
