#include "net/timed/publisher.h"

#include <stdarg.h>
#include <stdlib.h>

struct ordo_timed {
    const struct ordo_timed_options *options;
    struct ordo_timed_clock clock;
    struct ordo_timed_page page;
    struct ordo_net_port port;
    struct ordo_timed_reference reference[ORDO_TIMED_REFERENCES];
    struct ordo_timed_era era;    /* since this state all evidence was gathered */
    struct ordo_now_handle marks; /* VMClock's page, mapped */
    uint64_t marker;              /* of the era */
    int64_t publish_ns;           /* CLOCK_MONOTONIC of the next slot */
    bool anew;                    /* the next slot begins a new file */
    enum ordo_timed_agreement last;
    bool failed;      /* the last slot could not be written */
    bool refuted;     /* the last agreement was a contradiction */
    int64_t quiet_ns; /* CLOCK_MONOTONIC before which no agreement is tried */
    struct ordo_timed_counts counts;
};

static void tell_event(const struct ordo_timed *timed, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void tell_event(const struct ordo_timed *timed, const char *format, ...)
{
    char line[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    ordo_error_tidy(line);
    if (timed->options->say)
        timed->options->say(line);
}

/* Forgets all evidence, and begins an era. The next slot begins a new file. */
static void begin_era(struct ordo_timed *timed, const struct ordo_timed_era *era)
{
    timed->era = *era;
    timed->marker = timed->marks.vmclock ? ordo_now_marker(timed->marks.vmclock) : 0;
    timed->anew = true;
    timed->last = ORDO_TIMED_TOO_FEW;
    for (int i = 0; i < timed->options->references; i++)
        ordo_timed_reference_forget(&timed->reference[i], &timed->clock);
}

/* Withdraws the page because of the event, and begins anew. */
static void disrupt(struct ordo_timed *timed, const struct ordo_timed_era *era, const char *event)
{
    ordo_timed_page_withdraw(&timed->page);
    timed->counts.withdrawals++;
    tell_event(timed, "withdrawn: %s", event);
    begin_era(timed, era);
}

static int open_vmclock(struct ordo_timed *timed, struct ordo_error *error)
{
    struct ordo_now_head head = {.flags = 0};
    const char *path = timed->options->vmclock;
    if (!path[0])
        return ORDO_OK;
    if (strlen(path) >= sizeof head.vmclock)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%.60s...: the path of VMClock's page is too long", path);
    (void)snprintf(head.vmclock, sizeof head.vmclock, "%s", path);
    timed->marks.head = &head;
    int code = ordo_now_map_vmclock(&timed->marks, error);
    timed->marks.head = NULL;
    return code;
}

static int open_port(struct ordo_timed *timed, struct ordo_error *error)
{
    timed->port.keys = timed->options->keys;
    int code = ordo_net_socket_open(&timed->port.socket, NULL, AF_INET6, ORDO_NET_MONOTONIC, error);
    if (code) /* if the kernel has no IPv6 */
        code = ordo_net_socket_open(&timed->port.socket, NULL, AF_INET, ORDO_NET_MONOTONIC, error);
    timed->port.socket.read_ns = ordo_timed_clock_ns;
    timed->port.socket.context = &timed->clock;
    return code;
}

static int open_all(struct ordo_timed *timed, struct ordo_error *error)
{
    const struct ordo_timed_options *options = timed->options;
    struct ordo_timed_era era;
    int code = ordo_timed_clock_open(&timed->clock, options->kind, options->record, options->rate_ppm,
                                     options->stamp_ns, error);
    if (!code)
        code = open_port(timed, error);
    if (!code)
        code = open_vmclock(timed, error);
    for (int i = 0; !code && i < options->references; i++)
        if (!ordo_timed_reference_make(&timed->reference[i], &options->reference[i], options->probe_every_ns))
            code = ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    if (!code && !ordo_timed_era_read(&timed->clock, &era))
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "CLOCK_BOOTTIME and CLOCK_MONOTONIC cannot be read together");
    if (!code)
        code = ordo_timed_page_open(&timed->page, options->output, options->capacity, error);
    if (!code)
        begin_era(timed, &era);
    return code;
}

int ordo_timed_new(const struct ordo_timed_options *options, struct ordo_timed **result, struct ordo_error *error)
{
    struct ordo_timed *timed = calloc(1, sizeof *timed);
    *result = NULL;
    if (!timed)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    timed->options = options;
    timed->port.socket.fd = timed->page.lock = -1;
    int code = open_all(timed, error);
    if (code)
        ordo_timed_free(timed);
    else
        *result = timed;
    return code;
}

void ordo_timed_free(struct ordo_timed *timed)
{
    if (!timed)
        return;
    for (int i = 0; i < timed->options->references; i++)
        ordo_timed_reference_free(&timed->reference[i]);
    ordo_net_socket_close(&timed->port.socket);
    ordo_net_keys_forget(&timed->port.keys);
    ordo_timed_page_close(&timed->page);
    ordo_timed_clock_close(&timed->clock);
    ordo_now_close(&timed->marks);
    free(timed);
}

/* Gathers the intervals of all known references. `of` gets the number of each one's reference. */
static int gather(struct ordo_timed *timed, int64_t at_ns, struct ordo_interval *stated, int *of)
{
    int64_t now_ns = ordo_net_port_now_ns();
    int count = 0;
    for (int i = 0; i < timed->options->references; i++) {
        struct ordo_timed_reference *reference = &timed->reference[i];
        if (now_ns - reference->heard_ns > timed->options->hold_ns)
            reference->fix.above = reference->fix.below = false;
        reference->accused = false;
        if (ordo_timed_reference_at(reference, at_ns, &stated[count]))
            of[count++] = i;
    }
    return count;
}

/* Notes which references the agreement left out. Tells it of a reference that was right during the last minute: one that
 * is wrong now and then may not fill the log. */
static void note_accused(struct ordo_timed *timed, const bool *accused, const int *of, int count)
{
    const int64_t minute_ns = 60000000000, now_ns = ordo_net_port_now_ns();
    for (int i = 0; i < count; i++) {
        struct ordo_timed_reference *reference = &timed->reference[of[i]];
        reference->accused = accused[i];
        if (!accused[i])
            continue;
        if (reference->accused_ns == 0 || now_ns - reference->accused_ns > minute_ns)
            tell_event(timed, "reference %s is wrong by more than its error: it contradicts the others",
                       reference->options->name);
        reference->accused_ns = now_ns;
    }
}

/* Lets the references agree on the interval of the reference time minus the local time `at_ns`. */
static enum ordo_timed_agreement agree(struct ordo_timed *timed, int64_t at_ns, struct ordo_interval *hull,
                                       uint32_t *sources)
{
    struct ordo_interval stated[ORDO_TIMED_REFERENCES];
    bool accused[ORDO_TIMED_REFERENCES] = {0};
    int of[ORDO_TIMED_REFERENCES], count = gather(timed, at_ns, stated, of);
    enum ordo_timed_agreement found = ordo_timed_agree(stated, count, timed->options->liars, hull, accused);
    note_accused(timed, accused, of, count);
    *sources = (uint32_t)count;
    for (int i = 0; i < timed->options->references; i++)
        *sources -= timed->reference[i].accused;
    return found;
}

static struct ordo_now_slot slot_of(const struct ordo_timed *timed, const struct ordo_timed_era *era, uint64_t ticks,
                                    struct ordo_interval offset_ns, uint32_t sources)
{
    const struct ordo_timed_clock *clock = &timed->clock;
    int64_t at_ns = ordo_timed_clock_ns_of(clock, ticks);
    double r = 1e-6 * clock->rate_ppm;
    return (struct ordo_now_slot){
        .anchor_ticks = ticks,
        .earliest_ns = at_ns + offset_ns.low - clock->boundary_ns - 1,
        .latest_ns = at_ns + offset_ns.high + clock->boundary_ns + 1,
        .void_ticks = ticks + (uint64_t)((double)timed->options->void_after_ns * 1e-9 * (double)clock->tick_hz),
        .wall_ns = era->wall_ns,
        .rate = (uint32_t)(r / (1 - r) * 4294967296.0) + 1,
        .sources = sources,
        .marker = timed->marker};
}

static void write_slot(struct ordo_timed *timed, const struct ordo_now_slot *slot)
{
    struct ordo_error error = {0};
    uint64_t generation = timed->page.generation;
    int code = ordo_timed_page_add(&timed->page, &timed->clock, timed->options->vmclock, slot, timed->anew, &error);
    if (code) {
        timed->counts.failures++;
        if (!timed->failed)
            tell_event(timed, "not published: %s", error.text);
    } else {
        timed->anew = false;
        timed->counts.slots++;
        timed->counts.files += timed->page.generation != generation;
        if (timed->failed)
            tell_event(timed, "published again");
    }
    timed->failed = code != 0;
}

/* Withdraws the page because of a contradiction, and begins anew after a second. Reports a lasting contradiction once. */
static void refute(struct ordo_timed *timed, const struct ordo_timed_era *era)
{
    const int64_t pause_ns = 1000000000;
    ordo_timed_page_withdraw(&timed->page);
    timed->counts.withdrawals++;
    if (!timed->refuted)
        tell_event(timed, "withdrawn: the references contradict each other: more of them are wrong than may lie");
    begin_era(timed, era);
    timed->refuted = true;
    timed->quiet_ns = ordo_net_port_now_ns() + pause_ns;
}

/* Acts on the result of the agreement. */
static void conclude(struct ordo_timed *timed, const struct ordo_timed_era *era, enum ordo_timed_agreement found,
                     const struct ordo_now_slot *slot)
{
    if (found == ORDO_TIMED_CONTRADICTION) {
        refute(timed, era);
        return;
    }
    timed->refuted = false;
    if (found == ORDO_TIMED_AGREED)
        write_slot(timed, slot);
    if (found != timed->last)
        tell_event(timed, found == ORDO_TIMED_AGREED ? "publishes, %u references" : "waits for references, %u agree",
                   slot->sources);
    timed->last = found;
}

/* True if more references contradicted themselves since the last round than may lie: the interval that rested on them
 * may be wrong. */
static bool too_many_broken(struct ordo_timed *timed)
{
    int broken = 0; /* references, and not contradictions: one liar may contradict itself at each answer */
    for (int i = 0; i < timed->options->references; i++) {
        broken += timed->reference[i].broken;
        timed->reference[i].broken = false;
    }
    return broken > timed->options->liars;
}

/* Returns the event that makes the present evidence worthless; NULL: none. */
static const char *event_of(struct ordo_timed *timed)
{
    if (timed->marks.vmclock && ordo_now_marker(timed->marks.vmclock) != timed->marker)
        return "VMClock's marker changed: a hypervisor moved or restored this guest";
    if (too_many_broken(timed))
        return "references contradict themselves: a clock was set, or a promise about rates was broken";
    return NULL;
}

/* Opens the clock again after a suspend, because the counters of the CPUs may differ by more since then: the record may
 * be refused now. */
static int reopen_clock(struct ordo_timed *timed, struct ordo_error *error)
{
    const struct ordo_timed_options *options = timed->options;
    ordo_timed_clock_close(&timed->clock);
    return ordo_timed_clock_open(&timed->clock, options->kind, options->record, options->rate_ppm, options->stamp_ns,
                                 error);
}

/* Withdraws the page after a suspend, and begins anew. */
static int resume(struct ordo_timed *timed, const struct ordo_timed_era *era, struct ordo_error *error)
{
    timed->counts.suspends++;
    ordo_timed_page_withdraw(&timed->page);
    int code = reopen_clock(timed, error);
    disrupt(timed, era, "the machine was suspended");
    return code;
}

/* CLOCK_REALTIME - CLOCK_MONOTONIC has changed: by a step, or by a suspend that is too short to be told from a step, such
 * as one that a wakeup aborted. The local clock may have stood still meanwhile. */
static void note_step(struct ordo_timed *timed, const struct ordo_timed_era *era)
{
    int64_t most_ns = era->suspended_ns.high - timed->era.suspended_ns.low;
    timed->counts.steps++;
    for (int i = 0; most_ns > 0 && i < timed->options->references; i++)
        ordo_timed_reference_stood(&timed->reference[i], most_ns);
    timed->era = *era;
}

/* Publishes a slot, or withdraws the page. The era is read before the local clock, and after all evidence came. Returns
 * the code of a clock that cannot be used any more. */
static int publish_slot(struct ordo_timed *timed, struct ordo_error *error)
{
    struct ordo_timed_era era;
    struct ordo_interval offset_ns = {0, 0};
    uint32_t sources = 0;
    if (!ordo_timed_era_read(&timed->clock, &era))
        return ORDO_OK;
    if (ordo_timed_era_suspended(&timed->era, &era))
        return resume(timed, &era, error);
    const char *event = event_of(timed);
    if (event) {
        disrupt(timed, &era, event);
        return ORDO_OK;
    }
    if (era.wall_ns != timed->era.wall_ns)
        note_step(timed, &era);
    uint64_t ticks = ordo_timed_clock_ticks(&timed->clock);
    enum ordo_timed_agreement found = agree(timed, ordo_timed_clock_ns_of(&timed->clock, ticks), &offset_ns, &sources);
    struct ordo_now_slot slot = slot_of(timed, &era, ticks, offset_ns, sources);
    conclude(timed, &era, found, &slot);
    return ORDO_OK;
}

/* Follows the boundary record of the clock: a new one replaces a superseded one. */
static int follow_record(struct ordo_timed *timed, struct ordo_error *error)
{
    struct ordo_timed_era era;
    if (!timed->clock.handle.record)
        return ORDO_OK;
    int status = ordo_status(&timed->clock.handle), code = ORDO_OK;
    if (status == ORDO_STATUS_VALID)
        return ORDO_OK;
    if (status == ORDO_STATUS_SUPERSEDED) {
        code = reopen_clock(timed, error);
        if (!code && ordo_timed_era_read(&timed->clock, &era)) {
            tell_event(timed, "the boundary record was superseded: begins anew with generation %llu",
                       (unsigned long long)timed->clock.boundary);
            begin_era(timed, &era);
            return ORDO_OK;
        }
    }
    ordo_timed_page_withdraw(&timed->page);
    return ordo_error_set(error, ORDO_E_DISRUPTED, 0, "the boundary record was withdrawn: run 'ordo calibrate'");
}

static void take_messages(struct ordo_timed *timed)
{
    struct ordo_net_message message;
    struct ordo_net_arrival arrival;
    struct ordo_net_departure departure;
    while (ordo_net_port_departed(&timed->port, &departure))
        ;
    for (int i = 0, got; i < ORDO_NET_AT_A_TIME && (got = ordo_net_port_receive(&timed->port, &message, &arrival)) >= 0;
         i++) {
        bool taken = got == 0;
        for (int k = 0; !taken && k < timed->options->references; k++)
            taken = ordo_timed_reference_take(&timed->reference[k], &timed->port, &message, &arrival);
        if (!taken)
            ordo_net_port_refuse(&timed->port, ORDO_NET_UNEXPECTED);
    }
}

/* True if CLOCK_REALTIME seems to be stepped: readers wait for a slot with the new difference. */
static bool was_stepped(const struct ordo_timed *timed)
{
    int64_t wall_ns;
    return ordo_timed_wall_read(&timed->clock, &wall_ns) && wall_ns != timed->era.wall_ns;
}

int ordo_timed_step(struct ordo_timed *timed, int64_t until_ns, struct ordo_error *error)
{
    const int64_t glance_ns = 20000000; /* the time in which a step of CLOCK_REALTIME is seen */
    int64_t now_ns = ordo_net_port_now_ns(), next_ns = ordo_min(until_ns, now_ns + glance_ns);
    int code = follow_record(timed, error);
    if (code)
        return code;
    for (int i = 0; i < timed->options->references; i++)
        next_ns =
            ordo_min(next_ns, ordo_timed_reference_act(&timed->reference[i], &timed->port, &timed->clock, now_ns));
    ordo_net_port_wait(&timed->port, ordo_min(next_ns, ordo_max(timed->publish_ns, timed->quiet_ns)));
    take_messages(timed);
    now_ns = ordo_net_port_now_ns();
    if (now_ns >= timed->quiet_ns && (now_ns >= timed->publish_ns || was_stepped(timed))) {
        code = publish_slot(timed, error);
        timed->publish_ns = now_ns + (timed->anew ? glance_ns : timed->options->every_ns);
    }
    return code;
}

struct ordo_timed_counts ordo_timed_counts(const struct ordo_timed *timed)
{
    return timed->counts;
}

bool ordo_timed_publishes(const struct ordo_timed *timed)
{
    return !timed->anew && ordo_timed_page_stands(&timed->page);
}

const struct ordo_timed_clock *ordo_timed_clock_of(const struct ordo_timed *timed)
{
    return &timed->clock;
}

void ordo_timed_withdraw(struct ordo_timed *timed)
{
    ordo_timed_page_withdraw(&timed->page);
}
