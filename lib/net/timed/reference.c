#include "net/timed/reference.h"

static const int64_t source_every_ns = 1000000000;

bool ordo_timed_reference_make(struct ordo_timed_reference *reference,
                               const struct ordo_timed_reference_options *options, int64_t every_ns)
{
    *reference = (struct ordo_timed_reference){.options = options};
    if (options->source)
        return true;
    if (!ordo_net_prober_make(&reference->prober, &options->address, every_ns, 0))
        return false;
    reference->prober.key = options->key;
    return true;
}

void ordo_timed_reference_free(struct ordo_timed_reference *reference)
{
    ordo_net_prober_free(&reference->prober);
}

/* Pings that left before are stamped by another clock, or before a jump, so their pongs must count no more. */
static void abandon_pings(struct ordo_net_prober *prober)
{
    for (int i = 0; i < ORDO_NET_OPEN_PAIRS; i++)
        prober->open[i].number = UINT64_MAX;
}

void ordo_timed_reference_forget(struct ordo_timed_reference *reference, const struct ordo_timed_clock *clock)
{
    double r = 1e-6 * clock->rate_ppm;
    reference->fix = (struct ordo_net_fix){.rate = r / (1 - r), .stamp_ns = clock->boundary_ns + 1};
    reference->heard_ns = reference->next_ns = 0;
    reference->broken = false;
    abandon_pings(&reference->prober);
}

void ordo_timed_reference_stood(struct ordo_timed_reference *reference, int64_t most_ns)
{
    reference->fix.offset_ns.high += most_ns;
    abandon_pings(&reference->prober);
}

/* Narrows the fix by a claim, which was made between the local times `before_ns` and `after_ns` [R4]. */
static void take_claim(struct ordo_timed_reference *reference, const struct ordo_source_claim *claim, int64_t before_ns,
                       int64_t after_ns)
{
    struct ordo_net_fix *fix = &reference->fix;
    int64_t took_ns = after_ns - before_ns;
    fix->above = fix->below = false;
    if (claim->state != ORDO_SOURCE_SYNCHRONISED && claim->state != ORDO_SOURCE_FREE)
        return;
    if (claim->earliest_ns > claim->latest_ns || !ordo_net_stamps_known(claim->earliest_ns, claim->latest_ns))
        return;
    fix->at_ns = after_ns;
    fix->above = fix->below = true;
    fix->offset_ns = (struct ordo_interval){claim->earliest_ns - after_ns - fix->stamp_ns,
                                            claim->latest_ns - after_ns + took_ns + took_ns / 8 + fix->stamp_ns};
}

static void read_source(struct ordo_timed_reference *reference, const struct ordo_timed_clock *clock, int64_t now_ns)
{
    const struct ordo_timed_reference_options *options = reference->options;
    const struct ordo_source_options place = {.path = options->path[0] ? options->path : NULL,
                                              .patience_ns = source_every_ns / 10};
    struct ordo_source_claim claim;
    int64_t before_ns = ordo_timed_clock_ns(clock);
    reference->error.code = 0;
    reference->next_ns = now_ns + source_every_ns;
    if (options->source->read(&place, &claim, &reference->error)) {
        reference->fix.above = reference->fix.below = false;
        return;
    }
    take_claim(reference, &claim, before_ns, ordo_timed_clock_ns(clock));
    reference->heard_ns = now_ns;
}

int64_t ordo_timed_reference_act(struct ordo_timed_reference *reference, struct ordo_net_port *port,
                                 const struct ordo_timed_clock *clock, int64_t now_ns)
{
    if (reference->options->source) {
        if (reference->next_ns <= now_ns)
            read_source(reference, clock, now_ns);
        return reference->next_ns;
    }
    if (reference->prober.next_ns <= now_ns)
        ordo_net_prober_act(&reference->prober, port, now_ns);
    return reference->prober.next_ns;
}

bool ordo_timed_reference_take(struct ordo_timed_reference *reference, struct ordo_net_port *port,
                               const struct ordo_net_message *message, const struct ordo_net_arrival *arrival)
{
    struct ordo_net_fix *fix = &reference->fix;
    if (reference->options->source || !ordo_net_prober_take(&reference->prober, port, message, arrival))
        return false;
    if (message->kind != ORDO_NET_PONG)
        return true;
    reference->heard_ns = ordo_net_port_now_ns();
    ordo_net_fix_move(fix, ordo_net_socket_now_ns(&port->socket));
    ordo_net_fix_take(fix, &reference->prober, message->number);
    if (message->number >= 2) /* the pong also has the departure of pong number - 2 */
        ordo_net_fix_take(fix, &reference->prober, message->number - 2);
    /* By [R1] each bound may be wrong by E: the bounds contradict each other if they are more than 2 E apart. */
    if (fix->above && fix->below && fix->offset_ns.low - fix->offset_ns.high > 2 * reference->options->error_ns) {
        fix->above = fix->below = false;
        reference->broken = true;
    }
    return true;
}

bool ordo_timed_reference_at(struct ordo_timed_reference *reference, int64_t at_ns, struct ordo_interval *offset_ns)
{
    struct ordo_net_fix *fix = &reference->fix;
    if (!fix->above || !fix->below)
        return false;
    *offset_ns = ordo_net_fix_at(fix, at_ns);
    offset_ns->low -= reference->options->error_ns;
    offset_ns->high += reference->options->error_ns;
    return offset_ns->low <= offset_ns->high;
}
