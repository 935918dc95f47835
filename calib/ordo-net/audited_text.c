/* The result as tables, and as one line for each window. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/plural.h"
#include "ordo-net/audited.h"
#include "ordo-net/authority.h"

/* Writes a time with a unit and four digits: "1.235 ms". */
static const char *span_text(double ns, char text[24])
{
    static const struct {
        double most_ns, unit_ns;
        const char *unit;
    } units[] = {{1e3, 1, "ns"}, {1e6, 1e3, "us"}, {1e9, 1e6, "ms"}, {INFINITY, 1e9, "s"}};
    int i = 0;
    while (fabs(ns) >= units[i].most_ns)
        i++;
    (void)snprintf(text, 24, "%.4g %s", ns / units[i].unit_ns, units[i].unit);
    return text;
}

static int width_of_hosts(const struct audited *audited)
{
    int width = 4;
    for (int i = 0; i < audited->result.hosts; i++)
        if ((int)strlen(audited->name[i]) > width)
            width = (int)strlen(audited->name[i]);
    return width;
}

static const struct audited_row *row_against(const struct audited *audited, const struct ordo_net_case *one)
{
    return &audited->row[audited->row_of[one->against]];
}

/* Prints a claim that contradicts another one, as the end of a sentence. */
static void print_contrast(const struct audited *audited, const struct ordo_net_case *one)
{
    char text[24];
    const struct audited_row *other = row_against(audited, one);
    printf("at least %s from %s of %s", span_text((double)one->gap_ns, text), audited_source(other),
           audited->name[other->host]);
}

static void print_verdict(const struct audited *audited, const struct ordo_net_case *one)
{
    switch (one->verdict) {
    case ORDO_NET_REFUTED:
        printf("REFUTED");
        break;
    case ORDO_NET_DISPUTED:
        printf("disputed");
        break;
    case ORDO_NET_CONSISTENT:
        printf("consistent");
        return;
    default:
        printf("nothing to compare it with");
        return;
    }
    if (one->against >= 0) {
        printf(": ");
        print_contrast(audited, one);
    }
    if (one->verdict == ORDO_NET_REFUTED && one->hosts_against > 1)
        printf("; if it is true, %d hosts are wrong", one->hosts_against);
}

/* Prints a row. A program that does not run on the host gets none. */
static void print_row(const struct audited *audited, const struct audited_row *row, int width)
{
    char half[24], age[24];
    if (row->claim && row->claim->code == ORDO_E_MISSING)
        return;
    printf("%-*s %-12s ", width, audited->name[row->host], audited_source(row));
    if (row->number < 0) {
        printf("no claim: %s\n", audited_silence(audited, row));
        return;
    }
    const struct ordo_net_case *one = &audited->one[row->number];
    double half_ns = ((double)one->utc_ns.high - (double)one->utc_ns.low) / 2;
    printf("%12s %12s  ", span_text(half_ns, half),
           row->claim && row->claim->age_ns >= 0 ? span_text((double)row->claim->age_ns, age) : "-");
    print_verdict(audited, one);
    printf("\n");
}

/* Prints the intervals behind a contradiction: both claims as UTC minus the clock of the reference. */
static void print_evidence(const struct audited *audited, const struct audited_row *row)
{
    const struct ordo_net_case *one = &audited->one[row->number];
    printf("\n%s of %s: %s\n", audited_source(row), audited->name[row->host],
           row->claim ? row->claim->text : "promised by --authority");
    if (one->against < 0)
        return;
    const struct audited_row *other = row_against(audited, one);
    const struct ordo_net_case *against = &audited->one[other->number];
    bool same = row->host == other->host || one->view_ns.low == INT64_MIN || against->view_ns.low == INT64_MIN;
    struct ordo_interval own = same ? one->utc_ns : one->view_ns, its = same ? against->utc_ns : against->view_ns;
    printf("    by it, UTC minus the clock of %s is from %lld to %lld ns\n", audited->name[same ? row->host : 0],
           (long long)own.low, (long long)own.high);
    printf("    by %s of %s, from %lld to %lld ns\n", audited_source(other), audited->name[other->host],
           (long long)its.low, (long long)its.high);
}

static void print_promises(const struct audited *audited)
{
    printf("%d claim%s of %d host%s, in %g s; promised: rates within %g ppm, at most %d host%s with a wrong claim",
           audited->cases, ordo_plural(audited->cases), audited->result.hosts, ordo_plural(audited->result.hosts),
           (double)audited->options->window_ns * 1e-9, audited->options->rate_ppm, audited->wrong,
           ordo_plural(audited->wrong));
    if (!audited->found.sound)
        printf(", which is broken: at least %d are wrong", audited->found.least_wrong);
    printf("\n");
}

/* True if no program of the host makes a claim, although the host was asked. */
static bool is_mute(const struct audited *audited, int host)
{
    for (int i = 0; i < audited->rows; i++)
        if (audited->row[i].host == host && audited->row[i].number >= 0)
            return false;
    return !audited_gap(audited, host);
}

static bool has_authority(const struct audited *audited)
{
    bool has = false;
    for (int i = 0; i < audited->result.hosts; i++)
        has = has || audited->authority_ns[i] != AUTHORITY_NONE;
    return has;
}

static void print_gaps(const struct audited *audited)
{
    for (int i = 0; i < audited->result.hosts; i++)
        if (audited_gap(audited, i))
            printf("\n%s: %s\n", audited->name[i], audited_gap(audited, i));
        else if (is_mute(audited, i))
            printf("\n%s: no program of 'ordo-net audit --list' claims a time there\n", audited->name[i]);
    if (audited->found.authorities == 0 && has_authority(audited))
        printf("\nNo authority claims a time that can be compared, so that none judges another claim.\n");
    if (audited->found.authorities > 0 && !audited->found.authority)
        printf("\nThe claims of the authorities contradict each other, so that they judge no other claim.\n");
    if (audited->result.contraries > 0 || !audited->result.sound)
        printf("\nThe probes contradict each other: run 'ordo-net measure' with these hosts.\n");
}

void audited_print_table(const struct audited *audited)
{
    int width = width_of_hosts(audited);
    print_promises(audited);
    printf("%-*s %-12s %12s %12s  verdict\n", width, "host", "source", "claims +-", "age");
    for (int i = 0; i < audited->rows; i++)
        print_row(audited, &audited->row[i], width);
    for (int i = 0; i < audited->rows; i++)
        if (audited->row[i].number >= 0 && audited->one[audited->row[i].number].verdict >= ORDO_NET_DISPUTED)
            print_evidence(audited, &audited->row[i]);
    print_gaps(audited);
}

/* Prints the claims with a verdict: ", 1 refuted: chrony of b, at least 1 ms from ...". */
static void print_those(const struct audited *audited, enum ordo_net_verdict verdict, int count)
{
    const char *before = ": ";
    printf(", %d %s", count, ordo_net_verdict_name(verdict));
    for (int i = 0; i < audited->rows; i++) {
        const struct audited_row *row = &audited->row[i];
        if (row->number < 0 || audited->one[row->number].verdict != verdict)
            continue;
        printf("%s%s of %s ", before, audited_source(row), audited->name[row->host]);
        if (audited->one[row->number].against >= 0)
            print_contrast(audited, &audited->one[row->number]);
        before = "; ";
    }
}

void audited_print_line(const struct audited *audited)
{
    char text[32];
    time_t at = (time_t)audited->at_s;
    struct tm utc;
    int gaps = 0;
    (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&at, &utc));
    for (int i = 0; i < audited->result.hosts; i++)
        gaps += audited_gap(audited, i) != NULL;
    printf("%s %d claim%s of %d host%s, %d compared", text, audited->cases, ordo_plural(audited->cases),
           audited->result.hosts, ordo_plural(audited->result.hosts), audited_compared(audited));
    if (gaps > 0)
        printf(", %d host%s not audited", gaps, ordo_plural(gaps));
    if (audited->found.authorities == 0 && has_authority(audited))
        printf(", no authority");
    print_those(audited, ORDO_NET_REFUTED, audited->found.refuted);
    print_those(audited, ORDO_NET_DISPUTED, audited->found.disputed);
    printf("\n");
}
