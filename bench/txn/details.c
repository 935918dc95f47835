#include "details.h"

#include <string.h>

#include "boundary.h"
#include "stamps.h"

#define MIB (1024.0 * 1024.0)

/* The printed figures, in their units. */
struct details {
    double aborts_percent, write_percent, validation_percent, uncertain_percent; /* percent of all attempts to commit */
    double rollbacks_percent;                                                    /* percent of the transactions */
    double p50_ns, p90_ns, p99_ns, p999_ns;
    double stamps, stamps_ns, commit_wait_ns, naps; /* per transaction */
    double versions_created, versions_reclaimed;
    double waits, extensions; /* per transaction */
    struct txn_memory memory;
};

static const char *isolation_name(const struct txn_options *options)
{
    return options->snapshot ? "snapshot" : "serialisable";
}

static const char *table_name(const struct txn_options *options)
{
    return options->dense ? "dense" : "hash";
}

static double per(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static struct details gather_details(const struct bench_cell *cell)
{
    const struct txn_subject *subject = cell->variant->context;
    const struct txn_result *result = txn_cell_result(cell);
    const struct txn_work *work = &result->work;
    const struct ordo_txn_counts *counts = &work->counts;
    uint64_t aborts = counts->aborts_write + counts->aborts_validation + counts->aborts_uncertain;
    uint64_t attempts = counts->commits + aborts;
    double ns = 1e9 / *subject->tick_hz;
    struct details details = {
        .aborts_percent = 100 * per(aborts, attempts),
        .write_percent = 100 * per(counts->aborts_write, attempts),
        .validation_percent = 100 * per(counts->aborts_validation, attempts),
        .uncertain_percent = 100 * per(counts->aborts_uncertain, attempts),
        .rollbacks_percent = 100 * per(work->rollbacks, work->transactions),
        .p50_ns = (double)txn_latency_quantile(&work->latency, 0.5) * ns,
        .p90_ns = (double)txn_latency_quantile(&work->latency, 0.9) * ns,
        .p99_ns = (double)txn_latency_quantile(&work->latency, 0.99) * ns,
        .p999_ns = (double)txn_latency_quantile(&work->latency, 0.999) * ns,
        .stamps = per(counts->stamps, work->transactions),
        .naps = per(counts->naps, work->transactions),
        .versions_created = (double)counts->versions_created,
        .versions_reclaimed = (double)counts->versions_reclaimed,
        .waits = per(counts->waits, work->transactions),
        .extensions = per(counts->extensions, work->transactions),
        .memory = result->memory,
    };
    const char *stamp = cell->variant->stamp; /* stamps without hardware time never wait */
    if (stamp && bench_boundary_bounds(stamp))
        details.commit_wait_ns = per(counts->commit_wait_ticks, work->transactions) * ns;
    if (cell->variant->stamp)
        details.stamps_ns = details.stamps * txn_stamp_ns(subject->stamps, cell->variant->stamp, cell->threads);
    return details;
}

/* Returns the parameters of the workload. */
static struct ordo_json txn_parameters_json(const struct txn_store *store)
{
    const struct txn_options *options = store->options;
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "rows", (int64_t)options->rows);
    ordo_json_put_int(&object, "record_bytes", (int64_t)options->record_bytes);
    ordo_json_put_int(&object, "requests", options->requests);
    ordo_json_put_int(&object, "read_percent", options->read_percent);
    ordo_json_put_real(&object, "theta", options->theta);
    ordo_json_put_int(&object, "warehouses", options->warehouses);
    ordo_json_put_text(&object, "isolation", isolation_name(options));
    ordo_json_put_bool(&object, "external_consistency", options->external_consistency);
    ordo_json_put_text(&object, "ahead", txn_ahead_words[options->ahead]);
    ordo_json_put_text(&object, "table", table_name(options));
    return object;
}

static struct ordo_json causes_json(const struct details *d)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_real(&object, "write", d->write_percent);
    ordo_json_put_real(&object, "validation", d->validation_percent);
    ordo_json_put_real(&object, "uncertain", d->uncertain_percent);
    return object;
}

static struct ordo_json latency_json(const struct details *d)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_real(&object, "p50", d->p50_ns);
    ordo_json_put_real(&object, "p90", d->p90_ns);
    ordo_json_put_real(&object, "p99", d->p99_ns);
    ordo_json_put_real(&object, "p99_9", d->p999_ns);
    return object;
}

static struct ordo_json transactions_json(const struct details *d)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_real(&object, "aborts_percent", d->aborts_percent);
    ordo_json_put(&object, "abort_causes_percent", causes_json(d));
    ordo_json_put_real(&object, "rollbacks_percent", d->rollbacks_percent);
    ordo_json_put(&object, "latency_ns", latency_json(d));
    ordo_json_put_real(&object, "stamps_per_transaction", d->stamps);
    ordo_json_put_real(&object, "stamps_ns_per_transaction", d->stamps_ns);
    ordo_json_put_real(&object, "commit_wait_ns_per_transaction", d->commit_wait_ns);
    ordo_json_put_real(&object, "naps_per_transaction", d->naps);
    ordo_json_put_real(&object, "versions_created", d->versions_created);
    ordo_json_put_real(&object, "versions_reclaimed", d->versions_reclaimed);
    ordo_json_put_real(&object, "waits_per_transaction", d->waits);
    ordo_json_put_real(&object, "extensions_per_transaction", d->extensions);
    ordo_json_put_int(&object, "allocated_bytes", (int64_t)d->memory.allocated_bytes);
    ordo_json_put_int(&object, "resident_bytes", (int64_t)d->memory.resident_bytes);
    return object;
}

struct ordo_json txn_details_json(const struct bench_set *set, const struct bench_cell *cell)
{
    const struct txn_subject *subject = cell->variant->context;
    struct details d = gather_details(cell);
    struct ordo_json object = ordo_json_object();
    (void)set;
    ordo_json_put(&object, "parameters", txn_parameters_json(&subject->store));
    ordo_json_put(&object, "transactions", transactions_json(&d));
    return object;
}

void txn_details_print(FILE *stream, const struct bench_set *set)
{
    const struct txn_subject *first = set->cells[0].variant->context;
    const struct txn_options *options = first->store.options;
    fprintf(stream,
            "\n%s, %s%s: %ju rows; ycsb: of %zu bytes, %u requests, %u%% reads, theta %g, ahead %s, %s table; tpcc: %u "
            "warehouses\n",
            first->store.workload->name, isolation_name(options),
            options->external_consistency ? " and externally consistent" : "", (uintmax_t)options->rows,
            options->record_bytes, options->requests, options->read_percent, options->theta,
            txn_ahead_words[options->ahead], table_name(options), options->warehouses);
    fprintf(
        stream, "%-16s %7s  %s\n", "", "",
        "aborts % (write valid. uncert.)  latency us p50    p90    p99  p99.9   stamps/txn     ns  + wait   versions: "
        "made reclaimed  allocated MiB");
    for (int i = 0; i < set->cell_count; i++) {
        const struct bench_cell *cell = &set->cells[i];
        struct details d = gather_details(cell);
        char name[BENCH_NAME];
        bench_name(cell->variant, name, sizeof name);
        fprintf(
            stream,
            "%-16s %7d  %8.3f (%5.2f %6.2f %7.2f) %15.2f %6.2f %6.2f %6.2f %12.2f %6.1f %7.1f %15.4g %9.4g %14.1f\n",
            name, cell->threads, d.aborts_percent, d.write_percent, d.validation_percent, d.uncertain_percent,
            d.p50_ns / 1e3, d.p90_ns / 1e3, d.p99_ns / 1e3, d.p999_ns / 1e3, d.stamps, d.stamps_ns, d.commit_wait_ns,
            d.versions_created, d.versions_reclaimed, (double)d.memory.allocated_bytes / MIB);
    }
}

static struct ordo_json samples_json(const struct txn_sample *samples, size_t count)
{
    struct ordo_json array = ordo_json_array();
    for (size_t i = 0; i < count; i++) {
        struct ordo_json object = ordo_json_object();
        ordo_json_put_real(&object, "at_s", samples[i].at_s);
        ordo_json_put_bool(&object, "long_reader", samples[i].reading);
        ordo_json_put_int(&object, "resident_bytes", (int64_t)samples[i].memory.resident_bytes);
        ordo_json_put_int(&object, "allocated_bytes", (int64_t)samples[i].memory.allocated_bytes);
        ordo_json_add(&array, object);
    }
    return array;
}

void txn_memory_report(struct bench_report *report, const struct txn_companion *companion)
{
    size_t count;
    const struct txn_sample *samples = txn_companion_samples(companion, &count);
    if (report->json) {
        ordo_json_put(&report->document, "memory", samples_json(samples, count));
        return;
    }
    fprintf(report->stream, "\nmemory over time, s  resident MiB  allocated MiB\n");
    for (size_t i = 0; i < count; i++)
        fprintf(report->stream, "%19.1f %13.1f %14.1f%s\n", samples[i].at_s,
                (double)samples[i].memory.resident_bytes / MIB, (double)samples[i].memory.allocated_bytes / MIB,
                samples[i].reading ? "  a snapshot is held" : "");
}
