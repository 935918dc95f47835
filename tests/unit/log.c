/* The parts of lines of logs: numbers, times, and the programs that wrote the lines. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/log/item.h"

static struct ordo_log_text text_from(const char *text)
{
    return (struct ordo_log_text){text, text + strlen(text)};
}

Test(log, numbers_are_those_of_strtod)
{
    static const char *const numbers[] = {"0",          "-4",        "+1234",    "1612345047363283513",
                                          "-8.621e-06", "1.0",       "0.000001", "1e22",
                                          "-1.5e+300",  "100000000", "1e-30",    "3037000498"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double found, exact = strtod(numbers[i], NULL);
        cr_assert(ordo_log_number(text_from(numbers[i]), &found), "%s", numbers[i]);
        cr_assert_leq(fabs(found - exact), 1e-15 * fabs(exact), "%s: %.17g", numbers[i], found);
    }
}

Test(log, other_words_are_no_numbers)
{
    static const char *const words[] = {"",       "-",   "+",    ".",   "e5",    "1e",  "1e+",
                                        "nan",    "inf", "0x10", "12x", "1.2.3", "--1", "99999999999999999999999",
                                        "1e9999", "1,5"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        double found;
        cr_assert_not(ordo_log_number(text_from(words[i]), &found), "%s", words[i]);
    }
}

/* All forms of one moment. */
Test(log, a_time_is_the_same_in_each_form)
{
    static const char *const forms[] = {"2026-11-29T06:11:14Z x",
                                        "2026-11-29 06:11:14 x",
                                        "2026-11-29T07:11:14+01:00 x",
                                        "2026-11-29T00:41:14-0530 x",
                                        "[2026-11-29 06:11:14] x",
                                        "2026/11/29 06:11:14 x",
                                        "Nov 29 06:11:14 x",
                                        "Nov 29 2026 06:11:14 x",
                                        "Sun Nov 29 06:11:14 2026 x",
                                        "Sun Nov 29 06:11:14 UTC 2026 x",
                                        "Sun 2026-11-29 06:11:14 UTC x",
                                        "Sun, 2026-11-29 06:11:14 x",
                                        "I1129 06:11:14.000000 x",
                                        "1795932674 x",
                                        "<30>1 2026-11-29T06:11:14.000Z x",
                                        "<30>Nov 29 06:11:14 x",
                                        "1795932674.000000 x",
                                        "2026-11-29T06:11:14,000Z x"};
    const int64_t latest_ns = INT64_C(1795999999) * 1000000000;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct ordo_log_text rest = text_from(forms[i]);
        struct ordo_log_time time = {0};
        cr_assert(ordo_log_stamp(&rest, latest_ns, &time), "%s", forms[i]);
        cr_assert(time.has_wall && time.wall_ns == INT64_C(1795932674) * 1000000000, "%s: %jd", forms[i],
                  (intmax_t)time.wall_ns);
        cr_assert_str_eq(rest.at, "x", "%s", forms[i]);
    }
}

Test(log, other_words_are_no_times)
{
    static const char *const words[] = {"",
                                        "2026-13-29T06:11:14Z",
                                        "2026-11-29T06:61:14Z",
                                        "Nov 29",
                                        "nov 29 06:11:14",
                                        "2026-11-29",
                                        "99999999999.5 x",
                                        "5223 x",
                                        "I1399 06:11:14.000000",
                                        "<30>",
                                        "[",
                                        "2026-11-29T06:11:1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct ordo_log_text rest = text_from(words[i]);
        struct ordo_log_time time = {0};
        cr_assert_not(ordo_log_stamp(&rest, INT64_MAX, &time), "%s", words[i]);
    }
}

Test(log, no_year_gives_the_latest_one_that_is_not_in_the_future)
{
    struct ordo_log_time time = {0};
    struct ordo_log_text rest = text_from("Dec 31 23:59:59 x");
    const int64_t january_ns = INT64_C(1798848000) * 1000000000; /* 2027-01-02 */
    cr_assert(ordo_log_stamp(&rest, january_ns, &time));
    cr_assert_eq(time.wall_ns, INT64_C(1798761599) * 1000000000);
}

/* Every prefix of a line, and every line with one byte changed, is read without a step beyond its end. The line is at the
 * end of a block of memory, so that a sanitizer sees such a step. */
Test(log, damaged_lines_are_read_to_their_ends_at_most)
{
    static const char *const lines[] = {
        "Nov 29 06:11:14 host ptp4l[123]: [5223.205] [a:6] master offset -4 s2 freq -25246 path delay 624",
        "<30>1 2026-11-29T06:11:14.1Z host ptp4l 123 id [a b=\"c\"] [5223.205] rms 13 max 22 freq -25253 +/- 9 delay "
        "626 +/- 0",
        "{\"MESSAGE\": \"[5223.205] port 1 (eth0): SLAVE to UNCALIBRATED on X\", \"_PID\":\"1\", "
        "\"time\":\"2026-11-29T06:11:14Z\"}",
        "2026-11-29 06:00:01 10.0.0.1 2 -3.5 0.07 1.0e-06 N 2 2e-03 -2e-04 1e-02 3e-04 8e-03",
        "^* 10.0.0.1                      2   6   377    23   -923us[ -924us] +/-   43ms",
        "0A4D0001,10.77.0.1,2,1795934931.563750931,-0.000002175,-0.000000293,0.000000518,-0.011,0.000,0.106,0."
        "000008695,"
        "0.000002566,1.0,Normal"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (size_t length = 0; length <= strlen(lines[i]); length++)
            for (int change = 0; change < 4; change++) {
                char *copy = malloc(length + 1);
                memcpy(copy + 1, lines[i], length);
                if (length > 0)
                    copy[1 + (length * 7 + (size_t)change) % length] = "]\0,\xff"[change];
                struct ordo_log_text raw = {copy + 1, copy + 1 + length};
                struct ordo_log_habit habit = {.column = 20};
                struct ordo_log_chronyc chronyc = {.report = ORDO_CHRONYC_SOURCES};
                struct ordo_log_line line;
                struct ordo_log_time time = {0};
                struct ordo_log_item item = {.servo = -1};
                (void)ordo_log_chrony_row(raw, false, &time, &item);
                (void)ordo_log_chronyc_line(&chronyc, raw, INT64_MAX, &time, &item);
                ordo_log_line_read(&line, raw, &habit);
                ordo_log_linuxptp(&line, &item);
                ordo_log_chronyd(&line, &item);
                free(copy);
            }
}
