#include <criterion/criterion.h>
#include <string.h>

#include "base/random.h"
#include "base/sorter.h"

/* A record whose length and contents follow from its number. */
static size_t make_record(uint64_t number, unsigned char *bytes)
{
    size_t count = 8 + (size_t)(number * 7 % 50);
    memcpy(bytes, &number, sizeof number);
    memset(bytes + 8, (int)(number & 0xff), count - 8);
    return count;
}

/* Adds `count` records with random keys and checks that they come in the order of keys, and equal keys in the order of
 * adding. */
static void check(uint64_t count, size_t run_bytes)
{
    struct ordo_sorter *sorter = ordo_sorter_create(run_bytes);
    struct ordo_sorted sorted;
    struct ordo_sorter_key last = {0, INT64_MIN};
    uint64_t state = count, before = 0, sum = 0;
    unsigned char bytes[64], expected[64];
    for (uint64_t i = 1; i <= count; i++) {
        struct ordo_sorter_key key = {ordo_random_next(&state) % 3, (int64_t)(ordo_random_next(&state) % 100) - 50};
        cr_assert_eq(ordo_sorter_add(sorter, key, bytes, make_record(i, bytes)), 0);
    }
    cr_assert_eq(ordo_sorter_start(sorter), 0);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t number;
        cr_assert_eq(ordo_sorter_next(sorter, &sorted), 1);
        memcpy(&number, sorted.bytes, sizeof number);
        cr_assert_eq(sorted.count, make_record(number, expected));
        cr_assert_arr_eq(sorted.bytes, expected, sorted.count);
        bool same = sorted.key.group == last.group && sorted.key.time == last.time;
        cr_assert(sorted.key.group > last.group || (sorted.key.group == last.group && sorted.key.time >= last.time));
        cr_assert(!same || number > before);
        last = sorted.key;
        before = number;
        sum += number;
    }
    cr_assert_eq(ordo_sorter_next(sorter, &sorted), 0);
    cr_assert_eq(sum, count * (count + 1) / 2);
    ordo_sorter_free(sorter);
}

Test(sorter, sorts_what_fits_into_memory)
{
    check(0, 1 << 20);
    check(1, 1 << 20);
    check(5000, 1 << 20);
}

Test(sorter, merges_runs_and_keeps_the_order_of_equal_keys)
{
    check(5000, 1 << 15);
    check(20000, 1 << 16);
}

Test(sorter, sorts_records_that_are_larger_than_a_run)
{
    check(300, 1);
}

Test(sorter, returns_records_of_any_length)
{
    static char large[1 << 20];
    struct ordo_sorter *sorter = ordo_sorter_create(1 << 16);
    struct ordo_sorted sorted;
    for (int i = 0; i < 3; i++)
        cr_assert_eq(ordo_sorter_add(sorter, (struct ordo_sorter_key){0, -i}, large, i == 1 ? 0 : sizeof large), 0);
    cr_assert_neq(ordo_sorter_add(sorter, (struct ordo_sorter_key){0, 0}, large, sizeof large + 1), 0);
    cr_assert_eq(ordo_sorter_start(sorter), 0);
    for (int i = 2; i >= 0; i--) {
        cr_assert_eq(ordo_sorter_next(sorter, &sorted), 1);
        cr_assert_eq(sorted.key.time, -i);
        cr_assert_eq(sorted.count, i == 1 ? 0 : sizeof large);
    }
    ordo_sorter_free(sorter);
}
