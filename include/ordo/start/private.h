/* The record of a private handle. It is in memory of this process, and has the layout of a published record. Therefore
 * ordo_status loads its status word, ordo_close unmaps it, and a mark is visible to all copies of the handle in the
 * process. The state of ordo_start_look follows the record.
 *
 * A fork copies the memory. The child's record has the status that it had at the fork; from then on each process must
 * call ordo_start_look for itself. The memory is not shared with the child: sharing would carry a mark to the child,
 * but a child that has dropped its privileges, or that misbehaves, could then remove the mark, or make the parent read
 * beyond the record.
 *
 * The record never has ORDO_FLAG_PRIVATE, which only the handle has. */
#ifndef ORDO_START_PRIVATE_H
#define ORDO_START_PRIVATE_H

#include <ordo/ordo.h>
#include <ordo/start/gauge.h>
#include <ordo/start/libc.h>

struct ordo_start_private {
    struct ordo_record head;
    struct ordo_section section;
    unsigned char cpus[ORDO_RECORD_MOST_CPUS / 8];
    uint64_t looks;          /* number of started looks */
    uint64_t rate_error_ppb; /* bound on the error of tick_hz */
};

/** The result of a measurement. */
struct ordo_start_result {
    const struct ordo_record_set *set;
    struct ordo_start_moment moment; /* the clocks at the start of the measurement */
    struct ordo_start_rate rate;
    uint64_t boundary_ticks, granule_ticks, flags, runs;
    int64_t drift_min_ppb, drift_max_ppb;
};

/* Writes the CPUs as a bitmap. Returns its size in bytes, a multiple of 8. */
static inline size_t ordo_start_write_cpus(unsigned char *bitmap, const struct ordo_record_set *set)
{
    unsigned long cpu;
    size_t bytes = 0;
    for (cpu = 0; cpu < ORDO_RECORD_MOST_CPUS; cpu++) {
        if (!ordo_record_set_has(set, cpu))
            continue;
        bitmap[cpu / 8] = (unsigned char)(bitmap[cpu / 8] | 1u << cpu % 8);
        bytes = cpu / 8 + 1;
    }
    return (bytes + 7) / 8 * 8;
}

static inline void ordo_start_write_head(struct ordo_record *head, const struct ordo_start_result *result)
{
    const struct ordo_record_moment *now = &result->moment.all;
    memcpy(head->magic, ORDO_RECORD_MAGIC, sizeof head->magic);
    head->status = ORDO_RECORD_VALID;
    head->layout = ORDO_RECORD_LAYOUT;
    head->boundary_ticks = result->boundary_ticks;
    head->tick_hz = result->rate.tick_hz;
    head->flags = result->flags;
    (void)ordo_record_boot_id(head->boot_id); /* zeros in a sandbox; no check compares this field */
    head->as_of_ns = (uint64_t)now->uptime_ns;
    head->void_after_ns = UINT64_MAX;
    head->as_of_ticks = now->before_ticks;
    head->as_of_raw_ns = now->raw_ns < 0 ? 0 : (uint64_t)now->raw_ns;
    head->suspended_ns = now->raw_ns < 0 ? 0 : (uint64_t)now->suspended_low_ns;
    head->granule_ticks = result->granule_ticks;
    head->runs = result->runs;
    head->drift_min_ppb = result->drift_min_ppb;
    head->drift_max_ppb = result->drift_max_ppb;
    head->repeats = 2;
    head->method = ORDO_METHOD_TOURNAMENT;
    head->clock = ORDO_CLOCK_ID;
    (void)snprintf(head->tool_version, sizeof head->tool_version, "%s", ORDO_VERSION);
}

/* Makes a record from the result, and opens a handle of it. */
static inline int ordo_start_private_open(struct ordo *o, const struct ordo_start_result *result,
                                          struct ordo_error *error)
{
    struct ordo_start_private *made = (struct ordo_start_private *)ordo_start_map(sizeof *made);
    size_t bytes;
    if (!made)
        return ordo_start_refuse(error, ORDO_E_SYSTEM, errno, "memory of the private record: %s", strerror(errno));
    ordo_start_write_head(&made->head, result);
    bytes = ordo_start_write_cpus(made->cpus, result->set);
    made->section.type = ORDO_SECTION_CPUS;
    made->section.bytes = (uint32_t)bytes;
    made->head.total_bytes = sizeof made->head + sizeof made->section + bytes;
    made->head.checksum = ordo_record_checksum((const unsigned char *)made + ORDO_RECORD_SEALED,
                                               (size_t)made->head.total_bytes - ORDO_RECORD_SEALED);
    made->rate_error_ppb = result->rate.error_ppb;
    memset(o, 0, sizeof *o);
    o->not_boundary = ~result->boundary_ticks;
    o->tick_hz = made->head.tick_hz;
    o->flags = made->head.flags | ORDO_FLAG_PRIVATE;
    o->record = &made->head;
    o->record_bytes = sizeof *made;
    return ORDO_OK;
}

/* Copies the head of a handle's record and finds its sections. Meanwhile other threads may change the words `status`
 * and `seen`. Returns 0, or ORDO_E_MALFORMED. */
static inline int ordo_start_view(const struct ordo *o, struct ordo_record_view *view)
{
    const unsigned char *bytes = (const unsigned char *)o->record;
    memset(view, 0, sizeof *view);
    memcpy((unsigned char *)&view->head + ORDO_RECORD_SEALED, bytes + ORDO_RECORD_SEALED,
           sizeof view->head - ORDO_RECORD_SEALED);
    /* Relaxed: neither word carries other data with it. */
    view->head.status = __atomic_load_n(&o->record->status, __ATOMIC_RELAXED);
    view->head.seen = __atomic_load_n(&o->record->seen, __ATOMIC_RELAXED);
    view->bytes = bytes;
    if (ordo_record_sealed_end(&view->head) > o->record_bytes || view->head.total_bytes > o->record_bytes)
        return ORDO_E_MALFORMED;
    return ordo_record_parse_sections(bytes, view);
}

/* Returns the private record of a handle, with its state; NULL if the handle is not private. */
static inline struct ordo_start_private *ordo_start_private_of(const struct ordo *o)
{
    return o->flags & ORDO_FLAG_PRIVATE ? (struct ordo_start_private *)(uintptr_t)o->record : NULL;
}

#endif
