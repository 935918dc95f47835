/* The pairs as parts of the JSON document ordo-measure/1. */
#include "ordo-net/pairs.h"

static void put_limit(struct ordo_json *object, const char *key, int64_t ns)
{
    if (ns)
        ordo_json_put_int(object, key, ns);
    else
        ordo_json_put_text(object, key, NULL);
}

static struct ordo_json limits_as_json(const struct alarm *alarm)
{
    if (!alarm_limits(alarm))
        return ordo_json_null();
    struct ordo_json object = ordo_json_object();
    put_limit(&object, "max_offset_ns", alarm->limit_ns[ALARM_OFFSET]);
    put_limit(&object, "max_bound_ns", alarm->limit_ns[ALARM_BOUND]);
    ordo_json_put_int(&object, "clear_after", alarm->clear_after);
    return object;
}

static struct ordo_json count_of(const struct alarm *alarm, enum alarm_kind kind)
{
    if (!alarm->limit_ns[kind])
        return ordo_json_null();
    struct ordo_json object = ordo_json_object();
    for (int finding = 0; finding < ALARM_FINDINGS; finding++)
        ordo_json_put_int(&object, alarm_finding_word((enum alarm_finding)finding),
                          (int64_t)alarm->count[kind].of[finding]);
    ordo_json_put_int(&object, "alarms", (int64_t)alarm->count[kind].raised);
    return object;
}

static struct ordo_json judgement_of(const struct alarm *alarm, enum alarm_kind kind, int a, int b,
                                     const struct ordo_net_survey_pair *pair)
{
    if (!alarm->limit_ns[kind])
        return ordo_json_null();
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "finding", alarm_finding_word(alarm_find(alarm, kind, pair)));
    ordo_json_put_bool(&object, "alarm", alarm_lasts(alarm, kind, a, b));
    return object;
}

static struct ordo_json pair_of(const struct measured *measured, int a, int b, const struct ordo_net_survey_pair *pair)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "a", measured->name[a]);
    ordo_json_put_text(&object, "b", measured->name[b]);
    if (pair->likely)
        ordo_json_put_int(&object, "offset_ns", pair->estimate_ns);
    else
        ordo_json_put_text(&object, "offset_ns", NULL);
    if (pair->proved)
        ordo_json_put_ints(&object, "proved_offset_ns", pair->offset_ns.low, pair->offset_ns.high);
    else
        ordo_json_put_text(&object, "proved_offset_ns", NULL);
    ordo_json_put(&object, "max_offset", judgement_of(measured->alarm, ALARM_OFFSET, a, b, pair));
    ordo_json_put(&object, "max_bound", judgement_of(measured->alarm, ALARM_BOUND, a, b, pair));
    return object;
}

/* True if the pair is listed although not all pairs are: it exceeds a limit, is undecided, or has an alarm. */
static bool is_listed(const struct alarm *alarm, int a, int b, const struct ordo_net_survey_pair *pair)
{
    bool listed = false;
    for (int kind = 0; kind < ALARM_KINDS; kind++)
        listed = listed || (alarm->limit_ns[kind] && (alarm_lasts(alarm, (enum alarm_kind)kind, a, b) ||
                                                      alarm_find(alarm, (enum alarm_kind)kind, pair) != ALARM_WITHIN));
    return listed;
}

static struct ordo_json list_of(const struct measured *measured)
{
    struct ordo_json list = ordo_json_array();
    for (int b = 1; b < measured->alarm->hosts; b++)
        for (int a = 0; a < b; a++) {
            struct ordo_net_survey_pair pair = ordo_net_survey_pair(&measured->result, a, b);
            if (measured->all_pairs || is_listed(measured->alarm, a, b, &pair))
                ordo_json_add(&list, pair_of(measured, a, b, &pair));
        }
    return list;
}

void pairs_put_json(const struct measured *measured, struct ordo_json *document)
{
    ordo_json_put(document, "limits", limits_as_json(measured->alarm));
    if (!measured->options->pairs) {
        ordo_json_put_text(document, "pairs", NULL);
        return;
    }
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "count", (int64_t)alarm_pairs(measured->alarm));
    ordo_json_put_bool(&object, "through_reference", measured->result.through_reference);
    ordo_json_put(&object, "max_offset", count_of(measured->alarm, ALARM_OFFSET));
    ordo_json_put(&object, "max_bound", count_of(measured->alarm, ALARM_BOUND));
    ordo_json_put(&object, "listed", list_of(measured));
    ordo_json_put(document, "pairs", object);
}
