/* Traces without names and without fixes. The code is compiled into the test, which checks its calls of memcmp, memcpy
 * and qsort: these functions require valid addresses even for 0 bytes. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refused;

static int watched_memcmp(const void *a, const void *b, size_t bytes)
{
    refused += !a || !b;
    return bytes > 0 ? memcmp(a, b, bytes) : 0;
}

static void *watched_memcpy(void *to, const void *from, size_t bytes)
{
    refused += !to || !from;
    return bytes > 0 ? memcpy(to, from, bytes) : to;
}

static void watched_qsort(void *all, size_t count, size_t bytes, int (*compare)(const void *, const void *))
{
    refused += !all;
    if (count > 0)
        qsort(all, count, bytes, compare);
}

#define memcmp watched_memcmp
#define memcpy watched_memcpy
#define qsort watched_qsort
#include "trace/event/names.c"
#include "trace/sync/fix.c"
#undef memcmp
#undef memcpy
#undef qsort

static struct ordo_text text(const char *word)
{
    return (struct ordo_text){word, word ? strlen(word) : 0};
}

Test(trace_empty, unnamed_events_share_one_number)
{
    struct ordo_names names = {0};
    cr_expect_eq(ordo_names_number(&names, text("send")), 0);
    cr_expect_eq(ordo_names_number(&names, text(NULL)), 1);
    cr_expect_eq(ordo_names_number(&names, text("receive")), 2);
    cr_expect_eq(ordo_names_number(&names, text(NULL)), 1);
    cr_expect_eq(ordo_names_number(&names, text("")), 1);
    cr_expect_eq(ordo_names_number(&names, text("send")), 0);
    cr_expect_eq(refused, 0, "a function was given no address");
    ordo_names_free(&names);
}

Test(trace_empty, many_names_keep_their_numbers)
{
    struct ordo_names names = {0};
    char word[16];
    for (int again = 0; again < 2; again++)
        for (uint32_t i = 0; i < 1000; i++) {
            (void)snprintf(word, sizeof word, "%u", i);
            cr_assert_eq(ordo_names_number(&names, text(word)), i);
        }
    ordo_names_free(&names);
}

Test(trace_empty, an_empty_list_of_exchanges_can_be_sorted)
{
    struct ordo_fixes fixes = {0};
    ordo_fixes_sort(&fixes);
    cr_expect_eq(refused, 0, "a function was given no address");
    cr_expect_eq(ordo_fixes_sessions(&fixes), 0);
}
