/* Numbers in text, and the numbering of threads and ranks (lib/trace/input, lib/trace/event). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "trace/event/ranks.h"
#include "trace/input/number.h"
#include "trace/input/tracks.h"

static struct ordo_text text_of(const char *letters)
{
    return (struct ordo_text){letters, strlen(letters)};
}

Test(number, a_decimal_number_is_read_exactly)
{
    static const struct {
        const char *text;
        int places;
        int64_t whole;
        uint32_t billionths;
        bool is_whole;
    } known[] = {
        {"0", 3, 0, 0, true},
        {"-0.0", 3, 0, 0, true},
        {"12.345", 3, 12345, 0, true},
        {"12.3456", 3, 12345, 600000000, false},
        {"-12.3456", 3, -12346, 400000000, false},
        {"1700000000123456.789", 3, 1700000000123456789, 0, true},
        {"1700000000.123456789", 9, 1700000000123456789, 0, true},
        {"1.7e18", 0, 1700000000000000000, 0, true},
        {"1.700000000123456789E+18", 0, 1700000000123456789, 0, true},
        {"17000000001234567890000e-4", 0, 1700000000123456789, 0, true},
        {"9223372036854775807", 0, INT64_MAX, 0, true},
        {"-9223372036854775807", 0, -INT64_MAX, 0, true},
        {"9223372036854775.807", 3, INT64_MAX, 0, true},
        {"9007199254740993", 0, 9007199254740993, 0, true}, /* 2^53 + 1 */
        {"0.000000001", 0, 0, 1, false},
        {"0.0000000001", 0, 0, 0, false},
        {"-0.0000000001", 0, -1, 999999999, false},
        {"-1e-30", 3, -1, 999999999, false},
        {"5e-4", 3, 0, 500000000, false},
        {"0e999999999999999999", 3, 0, 0, true},
        {"1e-999999999999999999", 3, 0, 0, false},
        {"00012.50", 1, 125, 0, true},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct ordo_decimal number;
        cr_assert(ordo_text_decimal(text_of(known[i].text), known[i].places, &number) == ORDO_TEXT_FITS, "%s",
                  known[i].text);
        cr_assert(number.whole == known[i].whole && number.billionths == known[i].billionths &&
                      number.is_whole == known[i].is_whole,
                  "%s: %lld and %u", known[i].text, (long long)number.whole, number.billionths);
    }
}

Test(number, too_large_numbers_have_their_own_error)
{
    static const char *const none[] = {"",   "-",  "+",   ".",   "e5",  "1e",   "1e+",  "1.2.3", "1-2",   "0x10",
                                       "1 ", " 1", "inf", "nan", "--1", "1e5e", "1e5.", "\"1\"", "1e--5", "null"};
    static const char *const large[] = {"9223372036854775808",
                                        "1e19",
                                        "-1e300",
                                        "1e999999999999999999",
                                        "9223372036854775.808e3",
                                        "100000000000000000000000000000000"};
    struct ordo_decimal number;
    int64_t time_ns;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        cr_assert(ordo_text_decimal(text_of(none[i]), 3, &number) == ORDO_TEXT_NO_NUMBER, "'%s'", none[i]);
        cr_assert(ordo_text_time(text_of(none[i]), INT64_MAX, &time_ns) == ORDO_TEXT_NO_NUMBER, "'%s'", none[i]);
    }
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        cr_assert(ordo_text_decimal(text_of(large[i]), 0, &number) == ORDO_TEXT_TOO_LARGE, "%s", large[i]);
        cr_assert(ordo_text_time(text_of(large[i]), INT64_MAX, &time_ns) == ORDO_TEXT_TOO_LARGE, "%s", large[i]);
    }
    cr_assert(ordo_text_time(text_of("1001"), 1000, &time_ns) == ORDO_TEXT_TOO_LARGE);
    cr_assert(ordo_text_time(text_of("-1.001e3"), 1000, &time_ns) == ORDO_TEXT_TOO_LARGE);
    cr_assert(ordo_text_time(text_of("1.5"), 1000, &time_ns) == ORDO_TEXT_NO_NUMBER);
    cr_assert(ordo_text_time(text_of("15.0e1"), 1000, &time_ns) == ORDO_TEXT_FITS && time_ns == 150);
}

/* Moves the decimal point, and compensates by an exponent: the value stays the same. */
Test(number, the_notation_of_a_number_does_not_change_its_value)
{
    uint64_t random = 7;
    for (int i = 0; i < 20000; i++) {
        int64_t wanted = (int64_t)(ordo_random_next(&random) >> (1 + ordo_random_next(&random) % 63));
        char digits[32], text[80];
        int length = snprintf(digits, sizeof digits, "%lld", (long long)wanted);
        int point = (int)(ordo_random_next(&random) % (uint64_t)(length + 1)),
            zeros = (int)(ordo_random_next(&random) % 9);
        bool negative = wanted > 0 && ordo_random_next(&random) % 2;
        (void)snprintf(text, sizeof text, "%s%.*s.%s%.*se%d", negative ? "-" : "", point, digits, digits + point, zeros,
                       "000000000", length - point - 3);
        struct ordo_decimal number;
        cr_assert(ordo_text_decimal(text_of(text), 3, &number) == ORDO_TEXT_FITS, "%s", text);
        cr_assert(number.is_whole && number.whole == (negative ? -wanted : wanted), "%s: %lld", text,
                  (long long)number.whole);
    }
}

Test(number, a_thread_keeps_its_number_if_it_is_free)
{
    struct ordo_tracks tracks = {0};
    const struct ordo_thread_track *track;
    static const struct {
        int32_t rank;
        const char *process, *thread;
        uint32_t number;
        bool is_renamed;
    } known[] = {
        {0, "7", "3", 3, false},
        {0, "8", "3", ORDO_TRACKS_NEW, true},
        {0, "8", "0", 0, false},
        {1, "8", "3", 3, false},
        {0, "7", "\"x\"", ORDO_TRACKS_NEW + 1, false},
        {0, "8", "\"x\"", ORDO_TRACKS_NEW + 2, true},
        {0, "7", "", ORDO_TRACKS_NEW + 3, false},
        {0, "8", "", ORDO_TRACKS_NEW + 4, true},
        {0, "7", "99999999999", ORDO_TRACKS_NEW + 5, false},
        {0, "7", "5", 5, false},
        {1, "8", "5", 5, false},
        {0, "77", "3", ORDO_TRACKS_NEW + 6, true},
        {0, "7", "1073741824", ORDO_TRACKS_NEW + 7,
         true}, /* numbers from here on are reserved for threads that are renamed */
    };
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            track = ordo_tracks_find(&tracks, known[i].rank, text_of(known[i].process), text_of(known[i].thread));
            cr_assert(track && track->number == known[i].number && track->is_renamed == known[i].is_renamed,
                      "thread %s of process %s: %u", known[i].thread, known[i].process, track ? track->number : 0);
        }
    ordo_tracks_free(&tracks);
}

Test(number, ranks_get_indices_in_order_of_appearance)
{
    struct ordo_ranks ranks = {0};
    cr_assert_eq(ordo_ranks_find(&ranks, 5), -1);
    for (int i = 0; i < 3000; i++) {
        cr_assert_eq(ordo_ranks_add(&ranks, (2999 - i) * 349), i);
        cr_assert_eq(ordo_ranks_add(&ranks, (2999 - i) * 349), i);
    }
    cr_assert_eq(ranks.count, 3000);
    cr_assert_eq(ordo_ranks_find(&ranks, 349), 2998);
    cr_assert_eq(ordo_ranks_find(&ranks, 350), -1);
    int *order = ordo_ranks_sorted(&ranks);
    for (int i = 0; i < 3000; i++)
        cr_assert_eq(ranks.all[order[i]], i * 349);
    free(order);
    ordo_ranks_free(&ranks);
}

Test(number, times_keep_all_digits_up_to_the_largest)
{
    const struct {
        const char *text;
        enum ordo_text_fit fit;
        int64_t whole;
    } times[] = {{"1700000000000012.345", ORDO_TEXT_FITS, INT64_C(1700000000000012345)},
                 {"-1700000000000012.345", ORDO_TEXT_FITS, -INT64_C(1700000000000012345)},
                 {"9223372036854775.807", ORDO_TEXT_FITS, INT64_MAX},
                 {"9223372036854775.808", ORDO_TEXT_TOO_LARGE, 0},
                 {"9999999999999999.999", ORDO_TEXT_TOO_LARGE, 0},
                 {"9223372036854776", ORDO_TEXT_TOO_LARGE, 0},
                 {"17000000000000012.345", ORDO_TEXT_TOO_LARGE, 0},
                 {"20000000000000000.000", ORDO_TEXT_TOO_LARGE, 0},
                 {"0001700000000000012.345", ORDO_TEXT_FITS, INT64_C(1700000000000012345)},
                 {"1.5e3", ORDO_TEXT_FITS, 1500000},
                 {"1.2.3", ORDO_TEXT_NO_NUMBER, 0},
                 {".", ORDO_TEXT_NO_NUMBER, 0},
                 {"-", ORDO_TEXT_NO_NUMBER, 0}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct ordo_decimal number;
        cr_assert_eq(ordo_text_decimal(text_of(times[i].text), 3, &number), times[i].fit, "%s", times[i].text);
        cr_assert(times[i].fit != ORDO_TEXT_FITS || (number.whole == times[i].whole && number.is_whole), "%s",
                  times[i].text);
    }
}
