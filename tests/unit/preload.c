/* The preload's pure parts: lines, the pace, the ring, the settings. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/random.h"
#include "preload/line.h"
#include "preload/messages.h"
#include "preload/pace.h"
#include "preload/settings.h"
#include "preload/slot.h"

enum { LENGTH = 1200000, WIDTH_NS = 80 };

/* A kernel's clock at 2.4 GHz, which is steered now and then. */
struct steered {
    uint64_t at;
    preload_ns32 time;
    uint64_t rate;
};

static uint64_t nominal_rate(void)
{
    return preload_rate_of_hz(2400000000);
}

static void advance(struct steered *kernel, uint64_t at)
{
    kernel->time += (preload_ns32)(at - kernel->at) * kernel->rate;
    kernel->at = at;
}

/* Returns a sight that contains the kernel's time. */
static struct preload_sight see(const struct steered *kernel, uint64_t random)
{
    const int64_t ns = preload_ns_of(kernel->time), below = (int64_t)(random % WIDTH_NS);
    return (struct preload_sight){kernel->at, ns - below, ns - below + WIDTH_NS + 1};
}

static void expect_domination(const struct preload_line *old, const struct preload_line *line)
{
    if (line->base >= old->end) {
        cr_assert(line->start >= preload_line_at(old, old->end), "L2");
        return;
    }
    const uint64_t points[] = {line->base, line->base + (old->end - line->base) / 2, old->end};
    for (int i = 0; i < 3; i++)
        cr_assert(preload_line_at(line, points[i]) >= preload_line_at(old, points[i]), "L1 at point %d", i);
}

/* Follows a kernel whose rate changes by up to `ppm` for many lines. Returns the largest difference in ns. */
static int64_t follow(uint64_t seed, int64_t ppm, int lines, int gaps)
{
    struct steered kernel = {1000, preload_ns32_of(1000000000), nominal_rate()};
    struct preload_pace pace = {.rate = nominal_rate()};
    struct preload_sight sight = see(&kernel, ordo_random_next(&seed));
    struct preload_line line = preload_line_first(&sight, preload_pace_take(&pace, &sight), LENGTH);
    int64_t most = 0;
    for (int i = 0; i < lines; i++) {
        const uint64_t random = ordo_random_next(&seed);
        if (random % 8 == 0)
            kernel.rate = nominal_rate() + (uint64_t)((int64_t)(nominal_rate() / 1000000) *
                                                      ((int64_t)(random / 8 % (uint64_t)(2 * ppm + 1)) - ppm));
        const uint64_t span = preload_line_span(LENGTH), gap = gaps && random % 16 == 1 ? 40 * LENGTH : 0;
        advance(&kernel, line.base + span + random / 1024 % (LENGTH - span) + gap);
        const int64_t difference = preload_ns_of(preload_line_at(&line, kernel.at)) - preload_ns_of(kernel.time);
        if (kernel.at < line.end && i > 8 && (difference > most || -difference > most))
            most = difference > 0 ? difference : -difference;
        sight = see(&kernel, ordo_random_next(&seed));
        const struct preload_line next = preload_line_next(&line, &sight, preload_pace_take(&pace, &sight), LENGTH);
        expect_domination(&line, &next);
        line = next;
    }
    return most;
}

Test(preload, a_line_never_falls_below_the_one_before)
{
    for (uint64_t seed = 1; seed <= 200; seed++)
        (void)follow(seed, seed % 2 ? 500 : 100000, 500, seed % 3 == 0);
}

Test(preload, a_steered_clock_is_followed_within_the_bound)
{
    for (uint64_t seed = 1; seed <= 100; seed++) {
        const int64_t most = follow(seed, 500, 1000, 0);
        cr_assert_leq(most, 2000, "seed %d: %lld ns", (int)seed, (long long)most);
    }
}

Test(preload, the_pace_of_a_constant_clock_becomes_exact)
{
    struct steered kernel = {1000, preload_ns32_of(1000000000), nominal_rate() + nominal_rate() / 5000};
    struct preload_pace pace = {.rate = nominal_rate()};
    uint64_t seed = 7, rate = 0;
    for (int i = 0; i < 1500; i++) {
        const struct preload_sight sight = see(&kernel, ordo_random_next(&seed));
        rate = preload_pace_take(&pace, &sight);
        advance(&kernel, kernel.at + 800000);
    }
    const double error = (double)((int64_t)rate - (int64_t)kernel.rate) / (double)kernel.rate;
    cr_assert(error < 1e-6 && error > -1e-6, "%g", error);
}

Test(preload, a_lead_is_worked_off)
{
    const struct preload_line old = {1000, 1000 + LENGTH, nominal_rate(), preload_ns32_of(50000)};
    struct preload_line line = old;
    for (int i = 0; i < 8; i++) {
        const uint64_t at = line.base + preload_line_span(LENGTH);
        const int64_t ns = preload_ns_of((preload_ns32)(at - 1000) * nominal_rate());
        const struct preload_sight sight = {at, ns, ns + 40};
        line = preload_line_next(&line, &sight, nominal_rate(), LENGTH);
    }
    const int64_t lead = preload_ns_of(line.start) - preload_ns_of((preload_ns32)(line.base - 1000) * nominal_rate());
    cr_assert(lead >= 0 && lead < 200, "%lld ns", (long long)lead);
}

Test(preload, a_line_after_a_gap_is_not_below_the_end_of_the_one_before)
{
    const struct preload_line old = {1000, 1000 + LENGTH, nominal_rate(), preload_ns32_of(50000)};
    for (uint64_t gap = 0; gap < 3 * LENGTH; gap += LENGTH / 100) {
        const uint64_t at = old.end + gap;
        const int64_t ns = preload_ns_of((preload_ns32)(at - 1000) * nominal_rate());
        const struct preload_sight sight = {at, ns, ns + 40};
        const struct preload_line line = preload_line_next(&old, &sight, nominal_rate(), LENGTH);
        expect_domination(&old, &line);
        cr_assert(preload_ns_of(line.start) <= ns + 50040, "the lead does not grow");
    }
}

Test(preload, a_time_outside_of_a_line_is_its_end)
{
    const struct preload_line line = {1000, 2000, UINT64_C(1) << 32, preload_ns32_of(5)};
    cr_assert_eq(preload_ns_of(preload_line_at(&line, 10)), 5);
    cr_assert_eq(preload_ns_of(preload_line_at(&line, 1500)), 505);
    cr_assert_eq(preload_ns_of(preload_line_at(&line, 9000)), 1005);
}

Test(preload, a_slot_is_read_back_as_it_was_published)
{
    static struct preload_ring ring;
    struct preload_slot copy;
    for (uint64_t i = 1; i < 40; i++) {
        struct preload_slot slot = {.base = i, .span = 5, .length = 8, .known = 1};
        const struct preload_line line = {i, i + 8, 77, preload_ns32_of((int64_t)i * 1500000000) + 12345};
        preload_slot_take(&slot, PRELOAD_STEERED, &line);
        slot.offset_ns[PRELOAD_REALTIME] = 600000000;
        preload_slot_split(&slot);
        preload_ring_publish(&ring, &slot);
        cr_assert_eq(preload_ring_copy(&ring, &copy), i);
        const struct preload_line found = preload_slot_line(&copy, PRELOAD_STEERED);
        cr_assert(found.base == i && found.end == i + 8 && found.rate == 77 && found.start == line.start);
        cr_assert_eq(copy.at[PRELOAD_REALTIME].seconds * 1000000000 + copy.at[PRELOAD_REALTIME].ns,
                     i * 1500000000 + 600000000);
    }
}

Test(preload, settings_are_read_as_they_were_written)
{
    struct preload_settings settings, again;
    char text[PRELOAD_PATH + 200];
    cr_assert(preload_settings_read("order=raised,max-boundary-ns=25000,reopen=0,record=/a,b=c", &settings));
    cr_assert(settings.order == PRELOAD_RAISED && settings.max_boundary_ns == 25000 && !settings.reopen);
    cr_assert_str_eq(settings.record, "/a,b=c");
    cr_assert(preload_settings_write(&settings, text, sizeof text));
    cr_assert(preload_settings_read(text, &again));
    cr_assert_eq(memcmp(&settings, &again, sizeof settings), 0);
    cr_assert(preload_settings_read(NULL, &settings) && settings.reopen && settings.order == PRELOAD_ORDERED);
}

Test(preload, malformed_settings_are_refused)
{
    static const char *const wrong[] = {"order=",          "order=fast",
                                        "reopen=2",        "max-boundary-ns=-1",
                                        "order",           "max-boundary-ns=1x",
                                        "record=relative", "count=",
                                        "reopen=",         "record=",
                                        "other=1",         "max-boundary-ns=9999999999999999"};
    struct preload_settings settings;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_assert(!preload_settings_read(wrong[i], &settings), "%s", wrong[i]);
}

static bool are_slower(int64_t there, int64_t back, int64_t eighths)
{
    const int64_t deltas[] = {ORDO_DELTA_UNMEASURED, there, back, ORDO_DELTA_UNMEASURED};
    return preload_messages_are_slower(deltas, 2, eighths);
}

Test(preload, clocks_are_ordered_if_messages_are_slower_than_their_offset)
{
    cr_expect(are_slower(380, 390, 2) && are_slower(380, 390, 3));
    cr_expect(are_slower(300, 100, 2) && !are_slower(300, 100, 3));
    cr_expect(!are_slower(400, 90, 2) && !are_slower(90, 400, 2));
    cr_expect(!are_slower(400, 0, 2) && !are_slower(-1, 400, 2));
    cr_expect(!are_slower(400, ORDO_DELTA_UNMEASURED, 2) && !are_slower(ORDO_DELTA_UNMEASURED, 400, 2));
}

Test(preload, every_pair_of_three_cpus_has_to_be_ordered)
{
    int64_t deltas[] = {0, 200, 210, 190, 0, 205, 195, 200, 0};
    cr_expect(preload_messages_are_slower(deltas, 3, 3));
    deltas[7] = 40; /* from CPU 2 to CPU 1 */
    cr_expect_not(preload_messages_are_slower(deltas, 3, 3));
}
