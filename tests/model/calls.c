/* Tests of single calls: over the whole range of times, with handles that order nothing, and without a wait in
 * ordo_new_time. */
#include <criterion/criterion.h>

#include "model.h"

static ordo_time at(uint64_t ticks)
{
    return (ordo_time){ticks};
}

/* The definition of ordo_cmp_time, in 128-bit numbers, which do not wrap. */
static int definition(uint64_t boundary, uint64_t a, uint64_t b)
{
    unsigned __int128 wide_a = a, wide_b = b;
    return wide_a > wide_b + boundary ? 1 : wide_a + boundary < wide_b ? -1 : 0;
}

/* Returns a time near 0, near the boundary, in the middle of the range, near 2^63 or near 2^64. */
static uint64_t edge_time(int i, uint64_t boundary)
{
    const uint64_t edges[] = {4, boundary, 2 * boundary, UINT64_C(1) << 62, UINT64_C(1) << 63, 0 - boundary, 0};
    return edges[i / 9 % 7] + (uint64_t)(i % 9) - 4;
}

Test(cmp_time, times_are_compared_exactly_over_the_whole_range)
{
    const uint64_t boundaries[] = {1, 2, 3, 100, 1u << 20, UINT64_C(1) << 40, (UINT64_C(1) << 62) - 1};
    for (size_t k = 0; k < sizeof boundaries / sizeof *boundaries; k++) {
        struct ordo o = model_handle(boundaries[k]);
        for (int i = 0; i < 63; i++)
            for (int j = 0; j < 63; j++) {
                uint64_t a = edge_time(i, boundaries[k]), b = edge_time(j, boundaries[k]);
                cr_assert_eq(ordo_cmp_time(&o, at(a), at(b)), definition(boundaries[k], a, b));
            }
    }
}

Test(cmp_time, sentinels_are_later_than_all_times)
{
    struct ordo o = model_handle(1000);
    const uint64_t uncommitted[] = {UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 999, UINT64_MAX - 1000};
    for (int i = 0; i < 4; i++) {
        cr_expect_eq(ordo_cmp_time(&o, at(uncommitted[i]), at(5000000)), 1);
        cr_expect_eq(ordo_cmp_time(&o, at(5000000), at(uncommitted[i])), -1);
        cr_expect_eq(ordo_cmp_time(&o, at(uncommitted[i]), at(0)), 1);
        cr_expect_eq(ordo_cmp_time(&o, at(uncommitted[i]), at(UINT64_MAX)), 0);
    }
    cr_expect_eq(ordo_cmp_time(&o, at(0), at(1000)), 0);
    cr_expect_eq(ordo_cmp_time(&o, at(0), at(1001)), -1);
}

Test(handle, a_closed_handle_orders_nothing)
{
    struct ordo unopened = {0}, zero = ORDO_INIT(0, 1000000000), closed = model_handle(10), refused = model_handle(10);
    ordo_close(&closed);
    cr_expect_eq(ordo_open(&refused, "/nonexistent/boundary"), ORDO_E_MISSING);
    const struct ordo *handles[] = {&unopened, &zero, &closed, &refused};
    model = (struct model_machine){.step = 1, .true_time = 1000};
    for (int k = 0; k < 4; k++) {
        ordo_time out = at(77);
        cr_expect_eq(ordo_status(handles[k]), ORDO_STATUS_CLOSED);
        cr_expect_eq(ordo_boundary(handles[k]), UINT64_MAX);
        cr_expect_eq(ordo_try_new_time(handles[k], at(1), &out), ORDO_E_INVALID);
        cr_expect_eq(out.ticks, 77);
        for (int i = 0; i < 63; i++)
            for (int j = 0; j < 63; j++)
                cr_assert_eq(ordo_cmp_time(handles[k], at(edge_time(i, 10)), at(edge_time(j, 10))), 0);
    }
}

Test(handle, a_handle_may_have_a_constant_boundary)
{
    struct ordo o = ORDO_INIT(1234, 2000000000);
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_CONSTANT);
    cr_expect_eq(ordo_boundary(&o), 1234);
    cr_expect_eq(ordo_tick_hz(&o), 2000000000);
    cr_expect_eq(ordo_flags(&o), 0);
    ordo_close(&o);
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_CLOSED);
    ordo_close(&o);
}

Test(handle, a_handle_shows_the_status_of_its_record)
{
    struct ordo_record record = {.status = ORDO_RECORD_VALID};
    struct ordo o = model_handle(10);
    o.record = &record;
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_VALID);
    record.status = ORDO_RECORD_SUPERSEDED;
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_SUPERSEDED);
    record.status = ORDO_RECORD_DISRUPTED;
    cr_expect_eq(ordo_status(&o), ORDO_STATUS_DISRUPTED);
    for (int bit = 0; bit < 64; bit++) {
        record.status = ORDO_RECORD_VALID ^ UINT64_C(1) << bit;
        cr_expect_eq(ordo_status(&o), ORDO_STATUS_DISRUPTED, "bit %d of the word flipped", bit);
    }
}

Test(try_new_time, try_new_time_succeeds_once_the_clock_has_passed_the_time)
{
    struct ordo o = model_handle(10);
    ordo_time out = at(77);
    model = (struct model_machine){.step = 1, .true_time = 100};
    for (int i = 100; i <= 110; i++) {
        cr_expect_eq(ordo_try_new_time(&o, at(100), &out), ORDO_LATER);
        cr_expect_eq(out.ticks, 77);
    }
    cr_expect_eq(ordo_try_new_time(&o, at(100), &out), ORDO_OK);
    cr_expect_eq(out.ticks, 111);
}

Test(try_new_time, try_new_time_agrees_with_new_time)
{
    for (uint64_t boundary = 1; boundary <= 5; boundary++)
        for (uint64_t ahead = 0; ahead <= boundary; ahead++) {
            struct ordo o = model_handle(boundary);
            ordo_time out;
            int code;
            model = (struct model_machine){.step = 1, .true_time = 100};
            ordo_time now = ordo_new_time(&o, at(100 + ahead));
            model.true_time = 100;
            while ((code = ordo_try_new_time(&o, at(100 + ahead), &out)) == ORDO_LATER)
                continue;
            cr_expect_eq(code, ORDO_OK);
            cr_expect_eq(out.ticks, now.ticks);
        }
}

Test(try_new_time, try_new_time_refuses_times_too_far_ahead)
{
    const uint64_t limit = (UINT64_C(1) << 32) + 10, now = 5000;
    struct ordo o = model_handle(10);
    ordo_time out = at(77);
    model = (struct model_machine){.true_time = now};
    cr_expect_eq(ordo_try_new_time(&o, at(now + limit), &out), ORDO_LATER);
    cr_expect_eq(ordo_try_new_time(&o, at(now + limit + 1), &out), ORDO_E_INVALID);
    cr_expect_eq(ordo_try_new_time(&o, at(UINT64_MAX - 10), &out), ORDO_E_INVALID);
    cr_expect_eq(ordo_try_new_time(&o, at(UINT64_MAX), &out), ORDO_E_INVALID);
    cr_expect_eq(out.ticks, 77);
    cr_expect_eq(ordo_try_new_time(&o, at(0), &out), ORDO_OK);
    cr_expect_eq(out.ticks, now);
}

Test(try_new_time, new_times_require_a_record_that_is_not_disrupted)
{
    struct ordo_record record = {.status = ORDO_RECORD_DISRUPTED};
    struct ordo o = model_handle(10);
    ordo_time out = at(77);
    o.record = &record;
    model = (struct model_machine){.step = 1, .true_time = 1000};
    cr_expect_eq(ordo_try_new_time(&o, at(1), &out), ORDO_E_DISRUPTED);
    cr_expect_eq(out.ticks, 77);
    record.status = ORDO_RECORD_SUPERSEDED; /* the boundary of a superseded record still holds */
    cr_expect_eq(ordo_try_new_time(&o, at(1), &out), ORDO_OK);
}

Test(time_add, time_add_saturates_at_the_largest_time)
{
    cr_expect_eq(ordo_time_add(at(5), 6).ticks, 11);
    cr_expect_eq(ordo_time_add(at(0), UINT64_MAX).ticks, UINT64_MAX);
    cr_expect_eq(ordo_time_add(at(UINT64_MAX - 6), 6).ticks, UINT64_MAX);
    cr_expect_eq(ordo_time_add(at(UINT64_MAX - 6), 7).ticks, UINT64_MAX);
    cr_expect_eq(ordo_time_add(at(UINT64_MAX), UINT64_MAX).ticks, UINT64_MAX);
}

Test(strerror, every_code_has_its_own_text_of_one_line)
{
    enum { LAST = ORDO_E_TRUST };
    for (int code = LAST - 1; code <= ORDO_LATER + 1; code++) {
        const char *text = ordo_strerror(code);
        cr_assert_not_null(text);
        cr_expect(*text && !strchr(text, '\n'));
        cr_expect_eq(strcmp(text, "unknown code") == 0, code < LAST || code > ORDO_LATER);
        for (int other = LAST; other < code && code <= ORDO_LATER; other++)
            cr_expect_str_neq(text, ordo_strerror(other));
    }
}
