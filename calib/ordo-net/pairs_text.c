/* The pairs as a table and as lines. */
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "base/plural.h"
#include "common/duration.h"
#include "ordo-net/pairs.h"

enum { MOST_COLUMNS = 16, WIDEST_NAME = 40, CELL = 9 };

static char mark_of_finding(enum alarm_finding worst)
{
    return worst == ALARM_EXCEEDS ? '!' : worst == ALARM_UNDECIDED ? '?' : ' ';
}

/* Prints the likely offset of the row's clock from the column's, and the mark. */
static void print_cell(const struct measured *measured, int column, int row)
{
    char text[DURATION_TEXT] = "";
    struct ordo_net_survey_pair pair = ordo_net_survey_pair(&measured->result, column, row);
    if (pair.likely)
        (void)duration_brief(pair.estimate_ns, text);
    printf("%*s%c", CELL - 1, text, mark_of_finding(alarm_worst(measured->alarm, &pair)));
}

static int width_of(const struct measured *measured, const int *host, int count)
{
    int width = 4;
    for (int i = 0; i < count; i++)
        width = (int)ordo_max(width, (int64_t)strlen(measured->name[host[i]]));
    return (int)ordo_min(width, WIDEST_NAME);
}

static void print_legend(const struct measured *measured, int count)
{
    printf("\npairs: likely offset of the clock of each row from that of each column%s; ? cannot be told\n",
           alarm_limits(measured->alarm) ? "; ! certainly exceeds a limit" : "");
    if (count < measured->result.hosts)
        printf("the %d of %d hosts with the most marks or the largest offsets; --json --pairs lists all pairs\n", count,
               measured->result.hosts);
    if (measured->result.through_reference)
        printf("only by the offsets from the reference: with so many hosts and liars, other paths take too long\n");
}

static void print_matrix(const struct measured *measured)
{
    int count, *host = pairs_choose(measured, MOST_COLUMNS, &count);
    if (!host)
        return;
    int width = width_of(measured, host, count);
    print_legend(measured, count);
    printf("%5s %-*s", "", width, "host");
    for (int i = 0; i + 1 < count; i++)
        printf("%*d ", CELL - 1, host[i] + 1);
    printf("\n");
    for (int row = 0; row < count; row++) {
        printf("%5d %-*.*s", host[row] + 1, width, WIDEST_NAME, measured->name[host[row]]);
        for (int i = 0; i < row; i++)
            print_cell(measured, host[i], host[row]);
        printf("\n");
    }
    free(host);
}

/* Prints a line for each pair with this finding. */
static void print_lines(const struct measured *measured, enum alarm_kind kind, enum alarm_finding finding,
                        const char *head)
{
    char text[PAIR_TEXT];
    for (int b = 1; b < measured->alarm->hosts; b++)
        for (int a = 0; a < b; a++) {
            struct ordo_net_survey_pair pair = ordo_net_survey_pair(&measured->result, a, b);
            if (alarm_find(measured->alarm, kind, &pair) != finding)
                continue;
            printf("%s%s\n", head, pairs_describe(measured, kind, a, b, text));
            head = "";
        }
}

/* Names the host that is in the most pairs that exceed the limit, if it is in all of them. */
static void print_culprit(const struct measured *measured, enum alarm_kind kind)
{
    const struct alarm *alarm = measured->alarm;
    int worst = 0;
    for (int i = 1; i < alarm->hosts; i++)
        if (alarm->raised[kind][i] > alarm->raised[kind][worst])
            worst = i;
    if (alarm->hosts > 2 && alarm->count[kind].raised > 1 && alarm->raised[kind][worst] == alarm->count[kind].raised)
        printf("; all of these have %s", measured->name[worst]);
}

static void print_pairs_of_kind(const struct measured *measured, enum alarm_kind kind)
{
    char text[PAIR_TEXT];
    print_lines(measured, kind, ALARM_UNDECIDED, "\ncannot be told\n");
    print_lines(measured, kind, ALARM_EXCEEDS, "\nEXCEEDS\n");
    printf("\n%s", pairs_sum(measured, kind, text));
    print_culprit(measured, kind);
    printf("\n");
}

void pairs_print(const struct measured *measured)
{
    print_matrix(measured);
    for (int kind = 0; kind < ALARM_KINDS; kind++)
        if (measured->alarm->limit_ns[kind])
            print_pairs_of_kind(measured, (enum alarm_kind)kind);
}
