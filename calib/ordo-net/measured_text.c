/* The result as tables, and as one line for each window. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/plural.h"
#include "common/result.h"
#include "ordo-net/pairs.h"

int measured_known(const struct measured *measured)
{
    int known = 0;
    for (int i = 0; i < measured->result.hosts; i++)
        known += measured->result.host[i].proved;
    return known;
}

int measured_answering(const struct measured *measured)
{
    int answering = 0;
    for (int i = 0; i < measured->result.hosts; i++)
        answering += measured->result.host[i].answers;
    return answering;
}

int measured_slow(const struct measured *measured)
{
    int slow = 0;
    for (int i = 0; i < measured->result.hosts; i++)
        slow += measured->result.host[i].slow;
    return slow;
}

int measured_verdict(const struct measured *measured)
{
    int hosts = measured->result.hosts, limits = alarm_verdict(measured->alarm);
    if (!measured->result.sound || measured->result.contraries > 0 || limits == EXIT_FAILS)
        return EXIT_FAILS;
    return limits == EXIT_OK && measured_known(measured) == hosts && measured_answering(measured) == hosts &&
                   measured_slow(measured) == 0
               ? EXIT_OK
               : EXIT_UNKNOWN;
}

int measured_used(const struct measured *measured)
{
    int used = 0;
    for (int i = 0; i < measured->result.edges; i++)
        used += measured->result.edge[i].used;
    return used;
}

uint64_t measured_refused(const struct ordo_net_survey_host *host)
{
    uint64_t sum = 0;
    for (int i = 0; i < ORDO_NET_REFUSALS; i++)
        sum += host->refused[i];
    return sum;
}

static int width_of_names(const struct measured *measured)
{
    int width = 4;
    for (int i = 0; i < measured->result.hosts; i++)
        if ((int)strlen(measured->name[i]) > width)
            width = (int)strlen(measured->name[i]);
    return width;
}

static void print_figures(const struct ordo_net_survey_host *host, bool sound)
{
    if (!host->joined)
        printf("no edge joins it to the reference");
    else if (!host->proved)
        printf("%20lld %41s", (long long)host->estimate_ns,
               !sound          ? "nothing is proved"
               : host->refuted ? "not proved: it contradicts the others"
                               : "not proved: liars could cut it off");
    else
        printf("%20lld %20lld %20lld %9.0f %10.0f %9.0f", (long long)host->estimate_ns, (long long)host->offset_ns.low,
               (long long)host->offset_ns.high, host->drift_ppb, floor(host->drift_low_ppb),
               ceil(host->drift_high_ppb));
}

static void print_agent(const struct ordo_net_survey_host *host)
{
    printf("  %s, %s", ordo_net_clock_name((int)host->clock), ordo_net_stamps_name((int)host->stamps));
    const char *before = "; refused: ";
    for (int k = 0; k < ORDO_NET_REFUSALS; k++)
        if (host->refused[k]) {
            printf("%s%s %llu", before, ordo_net_refusal_name(k), (unsigned long long)host->refused[k]);
            before = ", ";
        }
}

/* Prints the line of a host. If a host died in the window, its clock may be known from earlier observations of other
 * hosts. */
static void print_host(const struct measured *measured, int i, int width)
{
    const struct ordo_net_survey_host *host = &measured->result.host[i];
    printf("%-*s ", width, measured->name[i]);
    if (host->answers || host->joined)
        print_figures(host, measured->result.sound);
    if (host->answers)
        print_agent(host);
    else
        printf("%sdoes not answer", host->joined ? "  " : "");
    if (host->slow)
        printf("; too slow: not all of its probes were collected");
    printf("\n");
}

static const char *remark_of(const struct ordo_net_survey_edge *edge)
{
    static const char *const whys[] = {
        [ORDO_NET_USED] = "",
        [ORDO_NET_WITHOUT_KEY] = "  not used: the first host has no key with the number of the second host's key",
        [ORDO_NET_WITHOUT_PLACE] = "  not used: the first host probes along as many edges as it can",
        [ORDO_NET_WITHOUT_ANSWER] = "  not used: one of the two hosts does not answer",
        [ORDO_NET_WITHOUT_PROBE] = "  not used: no probe came there and back",
        [ORDO_NET_WITHOUT_TIME] = "  not used: the first host was too slow to report its probes",
        [ORDO_NET_CLOCK_SET] = "  not used: a clock was set",
    };
    return edge->used && !edge->coded ? "  too few are pure: all probes count" : whys[edge->why];
}

static void print_edges(const struct measured *measured, int width)
{
    printf("\n%-*s %-*s %10s %10s %10s %10s\n", width, "edge", width, "", "pairs", "came", "pure there", "pure back");
    for (int i = 0; i < measured->result.edges; i++) {
        const struct ordo_net_survey_edge *edge = &measured->result.edge[i];
        printf("%-*s %-*s %10llu %10llu %10llu %10llu%s\n", width, measured->name[edge->a], width,
               measured->name[edge->b], (unsigned long long)edge->pairs, (unsigned long long)edge->came,
               (unsigned long long)edge->pure_there, (unsigned long long)edge->pure_back, remark_of(edge));
    }
}

/* Prints the edges that contradict each other and the possible causes, as the end of a sentence. */
static void print_contradiction(const struct measured *measured)
{
    for (int i = 0; i < measured->result.contraries; i++) {
        const struct ordo_net_survey_edge *edge = &measured->result.edge[measured->result.contrary[i]];
        printf("%s%s to %s", i ? ", " : "", measured->name[edge->a], measured->name[edge->b]);
    }
    printf(" contradict each other: one of these hosts lies, its clock was set, or its rate is not within %g ppm",
           measured->options->rate_ppm);
}

/* Returns the assumption of the proofs about liars as text, such as "if at most 1 lies". */
static const char *if_honest(const struct measured *measured, char text[40])
{
    int liars = measured->options->liars;
    (void)snprintf(text, 40,
                   liars == 0   ? "if none lies"
                   : liars == 1 ? "if at most %d lies"
                                : "if at most %d lie",
                   liars);
    return text;
}

void measured_print_table(const struct measured *measured)
{
    char honest[40];
    int width = width_of_names(measured);
    printf("%d host%s against %s, %d of %d edge%s used, in %g s; estimator %s, rates within %g ppm, true %s\n",
           measured->result.hosts, ordo_plural(measured->result.hosts), measured->name[0], measured_used(measured),
           measured->result.edges, ordo_plural(measured->result.edges), (double)measured->options->window_ns * 1e-9,
           measured->options->estimator->name, measured->options->rate_ppm, if_honest(measured, honest));
    printf("%-*s %20s %20s %20s %9s %10s %9s  clock, stamps\n", width, "host", "offset, ns", "from", "to", "drift, ppb",
           "from", "to");
    for (int i = 0; i < measured->result.hosts; i++)
        print_host(measured, i, width);
    print_edges(measured, width);
    if (measured->result.contraries > 0) {
        printf("\nThe intervals of the edges ");
        print_contradiction(measured);
        printf("\n");
    }
    if (measured->options->pairs)
        pairs_print(measured);
}

/* Returns the proved host, other than the reference, with the widest interval. 0: there is none. */
static int widest(const struct measured *measured)
{
    int worst = 0;
    const struct ordo_net_survey_host *host = measured->result.host;
    for (int i = 1; i < measured->result.hosts; i++)
        if (host[i].proved && (worst == 0 || host[i].offset_ns.high - host[i].offset_ns.low >
                                                 host[worst].offset_ns.high - host[worst].offset_ns.low))
            worst = i;
    return worst;
}

static void print_slow(const struct measured *measured)
{
    const char *before = ", too slow: ";
    for (int i = 0; i < measured->result.hosts; i++)
        if (measured->result.host[i].slow) {
            printf("%s%s", before, measured->name[i]);
            before = " and ";
        }
}

static void print_limits(const struct measured *measured)
{
    char text[PAIR_TEXT];
    for (int kind = 0; kind < ALARM_KINDS; kind++)
        if (measured->alarm->limit_ns[kind])
            printf("; %s, %zu alarm%s", pairs_sum(measured, (enum alarm_kind)kind, text),
                   measured->alarm->count[kind].raised, ordo_plural((int64_t)measured->alarm->count[kind].raised));
}

void measured_print_line(const struct measured *measured)
{
    char text[32], honest[40];
    time_t at = (time_t)measured->at_s;
    struct tm utc;
    uint64_t refused = 0;
    (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&at, &utc));
    for (int i = 0; i < measured->result.hosts; i++)
        refused += measured_refused(&measured->result.host[i]);
    printf("%s %d of %d hosts proved %s, %d of %d edges", text, measured_known(measured), measured->result.hosts,
           if_honest(measured, honest), measured_used(measured), measured->result.edges);
    int silent = measured->result.hosts - measured_answering(measured);
    if (silent > 0)
        printf(", %d host%s did not answer", silent, ordo_plural(silent));
    print_slow(measured);
    if (measured->result.contraries > 0) {
        printf("; the intervals of the edges ");
        print_contradiction(measured);
    }
    print_limits(measured);
    if (!measured->result.sound) {
        printf("\n");
        return;
    }
    int i = widest(measured);
    if (i == 0 && measured->result.hosts > 1) {
        printf("; no offset is proved; refused %llu\n", (unsigned long long)refused);
        return;
    }
    const struct ordo_net_survey_host *host = &measured->result.host[i];
    printf(", widest %lld ns: %s at %lld ns; refused %llu\n", (long long)(host->offset_ns.high - host->offset_ns.low),
           measured->name[i], (long long)host->estimate_ns, (unsigned long long)refused);
}
