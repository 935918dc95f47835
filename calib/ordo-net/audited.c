#include "ordo-net/audited.h"

#include <stdlib.h>

#include "common/result.h"
#include "ordo-net/authority.h"

bool audited_make(struct audited *audited, int hosts)
{
    size_t most = (size_t)hosts * (ORDO_NET_MOST_HOST_CLAIMS + 1);
    audited->hosts = hosts;
    audited->row = calloc(most, sizeof *audited->row);
    audited->row_of = calloc(most, sizeof *audited->row_of);
    audited->one = calloc(most, sizeof *audited->one);
    audited->proof = calloc((size_t)hosts, sizeof *audited->proof);
    return audited->row && audited->row_of && audited->one && audited->proof;
}

void audited_free(struct audited *audited)
{
    free(audited->row);
    free(audited->row_of);
    free(audited->one);
    free(audited->proof);
}

const char *audited_source(const struct audited_row *row)
{
    return row->claim ? row->claim->source : "authority";
}

static void add_claim_row(struct audited *audited, int host, const struct ordo_net_claim *claim)
{
    audited->row[audited->rows++] = (struct audited_row){host, claim, -1};
}

/* Adds a case for the last row. */
static void add_case(struct audited *audited, struct ordo_net_case one)
{
    audited->row[audited->rows - 1].number = audited->cases;
    audited->row_of[audited->cases] = audited->rows - 1;
    one.host = audited->row[audited->rows - 1].host;
    audited->one[audited->cases++] = one;
}

/* The promise about the clock of an authority is a claim at the instant of the offsets. The host's reading at this instant is known
 * only as an interval; its middle is as good as any reading of it, because the view contains the drift to both ends. */
static void add_authority_row(struct audited *audited, int host)
{
    const struct ordo_interval *offset_ns = &audited->result.host[host].offset_ns;
    int64_t bound_ns = audited->authority_ns[host];
    add_claim_row(audited, host, NULL);
    if (!audited->proof[host].proved || audited->result.host[host].clock != ORDO_NET_REALTIME)
        return;
    int64_t middle_ns = offset_ns->low + (offset_ns->high - offset_ns->low) / 2;
    add_case(audited, (struct ordo_net_case){.authority = true,
                                             .reading_ns = audited->result.at_ns + middle_ns,
                                             .utc_ns = {-bound_ns, bound_ns}});
}

static void add_host_rows(struct audited *audited, int host)
{
    const struct ordo_net_survey_claims *claims = &audited->result.claims[host];
    if (audited->authority_ns[host] > AUTHORITY_CLAIMS)
        add_authority_row(audited, host);
    for (int i = 0; i < claims->count; i++) {
        const struct ordo_net_claim *claim = &claims->claim[i];
        add_claim_row(audited, host, claim);
        if (claim->code == 0)
            add_case(audited, (struct ordo_net_case){.authority = audited->authority_ns[host] == AUTHORITY_CLAIMS,
                                                     .reading_ns = claim->reading_ns,
                                                     .utc_ns = claim->utc_ns});
    }
}

/* If a clock's rate is 1 - r, then UTC gains r / (1 - r) on it in each unit of its own time. */
bool audited_judge(struct audited *audited)
{
    double wrong_rate = audited->options->rate_ppm * 1e-6;
    const struct ordo_net_bench bench = {.hosts = audited->result.hosts,
                                         .proof = audited->proof,
                                         .at_ns = audited->result.at_ns,
                                         .rate = wrong_rate / (1 - wrong_rate),
                                         .stamp_ns = 2 * audited->options->stamp_ns,
                                         .wrong = audited->wrong};
    audited->rows = audited->cases = 0;
    for (int i = 0; i < audited->result.hosts; i++) {
        audited->proof[i] = (struct ordo_net_proof){audited->result.host[i].proved, audited->result.host[i].offset_ns};
        add_host_rows(audited, i);
    }
    audited->judged = ordo_net_referee_judge(&bench, audited->one, audited->cases, &audited->found);
    return audited->judged;
}

int audited_compared(const struct audited *audited)
{
    int compared = 0;
    for (int i = 0; i < audited->cases; i++)
        compared += audited->one[i].verdict != ORDO_NET_UNJUDGED;
    return compared;
}

const char *audited_silence(const struct audited *audited, const struct audited_row *row)
{
    if (row->claim)
        return row->claim->text;
    return audited->proof[row->host].proved ? "its agent does not measure with CLOCK_REALTIME, so a bound to UTC says "
                                              "nothing: give --authority HOST without a bound"
                                            : "the offset of its clock is not proved";
}

const char *audited_gap(const struct audited *audited, int host)
{
    const struct ordo_net_survey_host *one = &audited->result.host[host];
    if (!one->answers)
        return "does not answer";
    switch (audited->result.claims[host].telling) {
    case ORDO_NET_IGNORANT:
        return "its agent does not know the question about claims, or needs too long to read them: update it, or give "
               "it "
               "fewer --claims";
    case ORDO_NET_NOT_TOLD:
        return "its agent did not tell its claims in time";
    default:
        return one->proved ? NULL : "the offset of its clock is not proved";
    }
}

int audited_verdict(const struct audited *audited)
{
    const struct ordo_net_survey_result *result = &audited->result;
    if (!result->sound || result->contraries > 0 || audited->found.refuted > 0 || audited->found.disputed > 0)
        return EXIT_FAILS;
    for (int i = 0; i < result->hosts; i++)
        if (audited_gap(audited, i))
            return EXIT_UNKNOWN;
    return audited_compared(audited) > 0 ? EXIT_OK : EXIT_UNKNOWN;
}
