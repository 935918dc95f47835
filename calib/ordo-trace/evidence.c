#include "ordo-trace/evidence.h"

#include "base/plural.h"

static const char *const kinds[ORDO_EVIDENCE_KINDS] = {"messages", "collectives"};

/* Returns the evidence about a rank; NULL if there is none, as for the rank whose clock is global time. */
static const struct ordo_evidence_rank *of_rank(const struct ordo_correct_report *report, int at)
{
    int32_t rank = report->ranks[at].rank;
    return rank != report->evidence.reference && rank < report->evidence.count ? &report->evidence.ranks[rank] : NULL;
}

static struct ordo_evidence_rank sum_of(const struct ordo_correct_report *report)
{
    struct ordo_evidence_rank sum = {0};
    for (int i = 0; i < report->rank_count; i++) {
        const struct ordo_evidence_rank *of = of_rank(report, i);
        for (int kind = 0; of && kind < ORDO_EVIDENCE_KINDS; kind++)
            for (int side = 0; side < ORDO_EVIDENCE_SIDES; side++) {
                sum.bounds[kind][side] += of->bounds[kind][side];
                sum.tightest[kind][side] += of->tightest[kind][side];
            }
    }
    return sum;
}

/* Prints the kinds of evidence that bound a rank from one side only. */
static void print_one_sided(const struct ordo_correct_report *report, int at, FILE *stream)
{
    const struct ordo_evidence_rank *of = of_rank(report, at);
    for (int kind = 0; of && kind < ORDO_EVIDENCE_KINDS; kind++) {
        const uint64_t *bounds = of->bounds[kind];
        if ((bounds[ORDO_EVIDENCE_ABOVE] == 0) != (bounds[ORDO_EVIDENCE_BELOW] == 0))
            fprintf(stream, "one-sided: the %s of rank %d bound its clock from %s only\n", kinds[kind],
                    report->ranks[at].rank, bounds[ORDO_EVIDENCE_ABOVE] ? "above" : "below");
    }
}

static void print_kind(const struct ordo_evidence_rank *sum, int kind, FILE *stream)
{
    const uint64_t *bounds = sum->bounds[kind], *tightest = sum->tightest[kind];
    fprintf(stream,
            "evidence: %s gave %llu bounds from above and %llu from below; the tightest of %llu and %llu intervals\n",
            kinds[kind], (unsigned long long)bounds[ORDO_EVIDENCE_ABOVE],
            (unsigned long long)bounds[ORDO_EVIDENCE_BELOW], (unsigned long long)tightest[ORDO_EVIDENCE_ABOVE],
            (unsigned long long)tightest[ORDO_EVIDENCE_BELOW]);
}

void evidence_print(const struct ordo_correct_report *report, FILE *stream)
{
    const struct ordo_evidence *evidence = &report->evidence;
    struct ordo_evidence_rank sum = sum_of(report);
    if (!evidence->ranks)
        return;
    if (report->source != ORDO_SOURCE_MESSAGES)
        fprintf(stream, "evidence: ranks without sessions are corrected by messages and collectives\n");
    if (evidence->reference > 0)
        fprintf(stream, "evidence: rank 0 has no events, so global time is the clock of rank %d\n",
                (int)evidence->reference);
    for (int kind = 0; kind < ORDO_EVIDENCE_KINDS; kind++)
        print_kind(&sum, kind, stream);
    for (int i = 0; i < report->rank_count; i++)
        print_one_sided(report, i, stream);
    if (evidence->rootless > 0)
        fprintf(stream, "evidence: %llu collective%s not used, because the trace does not state the root\n",
                (unsigned long long)evidence->rootless, ordo_plural((int64_t)evidence->rootless));
    if (evidence->told[0])
        fprintf(stream, "holes: %llu call%s missing, %llu call%s left out; first %s\n",
                (unsigned long long)evidence->holes, ordo_plural((int64_t)evidence->holes),
                (unsigned long long)evidence->skipped, ordo_plural((int64_t)evidence->skipped), evidence->told);
}

static struct ordo_json kind_json(const struct ordo_evidence_rank *of, int kind)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "above", (int64_t)of->bounds[kind][ORDO_EVIDENCE_ABOVE]);
    ordo_json_put_int(&object, "below", (int64_t)of->bounds[kind][ORDO_EVIDENCE_BELOW]);
    ordo_json_put_int(&object, "tightest_above", (int64_t)of->tightest[kind][ORDO_EVIDENCE_ABOVE]);
    ordo_json_put_int(&object, "tightest_below", (int64_t)of->tightest[kind][ORDO_EVIDENCE_BELOW]);
    return object;
}

static struct ordo_json rank_json(const struct ordo_evidence_rank *of, int32_t rank)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "rank", rank);
    for (int kind = 0; kind < ORDO_EVIDENCE_KINDS; kind++)
        ordo_json_put(&object, kinds[kind], kind_json(of, kind));
    return object;
}

struct ordo_json evidence_json(const struct ordo_correct_report *report)
{
    const struct ordo_evidence *evidence = &report->evidence;
    struct ordo_json object = ordo_json_object(), ranks = ordo_json_array();
    for (int i = 0; i < report->rank_count; i++)
        if (of_rank(report, i))
            ordo_json_add(&ranks, rank_json(of_rank(report, i), report->ranks[i].rank));
    ordo_json_put_int(&object, "reference_rank", evidence->reference);
    ordo_json_put(&object, "ranks", ranks);
    ordo_json_put_int(&object, "collectives", (int64_t)evidence->collectives);
    ordo_json_put_int(&object, "collectives_without_root", (int64_t)evidence->rootless);
    ordo_json_put_int(&object, "calls_missing", (int64_t)evidence->holes);
    ordo_json_put_int(&object, "calls_left_out", (int64_t)evidence->skipped);
    ordo_json_put_text(&object, "first_hole", evidence->told);
    return object;
}
