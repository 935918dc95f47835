/* The result as JSON, schema ordo-audit/1. */
#include "ordo-net/audited.h"
#include "ordo-net/authority.h"
#include "json/builder.h"

static void put_interval(struct ordo_json *object, const char *key, bool known, struct ordo_interval ns)
{
    if (known)
        ordo_json_put_ints(object, key, ns.low, ns.high);
    else
        ordo_json_put_text(object, key, NULL);
}

static struct ordo_json audited_host(const struct audited *audited, int i)
{
    static const char *const tellings[] = {
        [ORDO_NET_NOT_TOLD] = "not-told", [ORDO_NET_TOLD] = "told", [ORDO_NET_IGNORANT] = "unknown-question"};
    const struct ordo_net_survey_host *host = &audited->result.host[i];
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "host", audited->name[i]);
    ordo_json_put_bool(&object, "answers", host->answers);
    ordo_json_put_text(&object, "clock", host->answers ? ordo_net_clock_name((int)host->clock) : NULL);
    put_interval(&object, "proved_offset_ns", host->proved, host->offset_ns);
    ordo_json_put_text(&object, "claims", tellings[audited->result.claims[i].telling]);
    ordo_json_put_text(&object, "not_audited", audited_gap(audited, i));
    return object;
}

static struct ordo_json against_of(const struct audited *audited, const struct ordo_net_case *one)
{
    if (!one || one->against < 0)
        return ordo_json_null();
    const struct audited_row *other = &audited->row[audited->row_of[one->against]];
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "host", audited->name[other->host]);
    ordo_json_put_text(&object, "source", audited_source(other));
    ordo_json_put_int(&object, "gap_ns", one->gap_ns);
    return object;
}

static struct ordo_json claim_of_row(const struct audited *audited, const struct audited_row *row)
{
    const struct ordo_net_case *one = row->number >= 0 ? &audited->one[row->number] : NULL;
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "host", audited->name[row->host]);
    ordo_json_put_text(&object, "source", audited_source(row));
    ordo_json_put_bool(&object, "authority", one ? one->authority : !row->claim);
    ordo_json_put_text(&object, "verdict", one ? ordo_net_verdict_name(one->verdict) : "no-claim");
    if (one)
        ordo_json_put_int(&object, "reading_ns", one->reading_ns);
    else
        ordo_json_put_text(&object, "reading_ns", NULL);
    put_interval(&object, "utc_minus_clock_ns", one, one ? one->utc_ns : (struct ordo_interval){0, 0});
    bool seen = one && one->view_ns.low != INT64_MIN;
    put_interval(&object, "utc_minus_reference_ns", seen, seen ? one->view_ns : (struct ordo_interval){0, 0});
    if (row->claim && row->claim->age_ns >= 0)
        ordo_json_put_int(&object, "age_ns", row->claim->age_ns);
    else
        ordo_json_put_text(&object, "age_ns", NULL);
    ordo_json_put(&object, "against", against_of(audited, one));
    if (one)
        ordo_json_put_int(&object, "hosts_against", one->hosts_against);
    else
        ordo_json_put_text(&object, "hosts_against", NULL);
    ordo_json_put_text(&object, "evidence", one && !row->claim ? NULL : audited_silence(audited, row));
    return object;
}

static struct ordo_json promises_of(const struct audited *audited)
{
    struct ordo_json object = ordo_json_object(), authorities = ordo_json_array();
    for (int i = 0; i < audited->result.hosts; i++)
        if (audited->authority_ns[i] != AUTHORITY_NONE) {
            struct ordo_json one = ordo_json_object();
            ordo_json_put_text(&one, "host", audited->name[i]);
            if (audited->authority_ns[i] > AUTHORITY_CLAIMS)
                ordo_json_put_int(&one, "bound_ns", audited->authority_ns[i]);
            else
                ordo_json_put_text(&one, "bound_ns", NULL);
            ordo_json_add(&authorities, one);
        }
    ordo_json_put_real(&object, "rate_ppm", audited->options->rate_ppm);
    ordo_json_put_int(&object, "stamp_ns", audited->options->stamp_ns);
    ordo_json_put_int(&object, "liars", audited->options->liars);
    ordo_json_put_int(&object, "wrong", audited->wrong);
    ordo_json_put(&object, "authorities", authorities);
    return object;
}

int audited_print_json(const struct audited *audited, bool line)
{
    struct ordo_json document = ordo_json_document("ordo-audit/1"), hosts = ordo_json_array(),
                     claims = ordo_json_array();
    for (int i = 0; i < audited->result.hosts; i++)
        ordo_json_add(&hosts, audited_host(audited, i));
    for (int i = 0; i < audited->rows; i++)
        ordo_json_add(&claims, claim_of_row(audited, &audited->row[i]));
    ordo_json_put_text(&document, "reference", audited->name[0]);
    ordo_json_put_real(&document, "window_s", (double)audited->options->window_ns * 1e-9);
    ordo_json_put(&document, "promised", promises_of(audited));
    ordo_json_put_bool(&document, "probes_sound", audited->result.sound && audited->result.contraries == 0);
    ordo_json_put_bool(&document, "claims_sound", audited->found.sound);
    ordo_json_put_int(&document, "least_wrong", audited->found.least_wrong);
    put_interval(&document, "authority_ns", audited->found.authority, audited->found.truth_ns);
    ordo_json_put_int(&document, "refuted", audited->found.refuted);
    ordo_json_put_int(&document, "disputed", audited->found.disputed);
    ordo_json_put(&document, "hosts", hosts);
    ordo_json_put(&document, "claims", claims);
    return (line ? ordo_json_write_line : ordo_json_write)(&document, stdout);
}
