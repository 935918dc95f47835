/* The readers of the reports of real daemons. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "lab/net/evaluate/daemon.h"

static double read_of(const char *daemon, const char *line)
{
    double error_ns;
    cr_assert(ordo_net_daemon_find(daemon)->read(line, &error_ns), "%s", line);
    return error_ns;
}

Test(evaluate, an_offset_is_read_with_its_sign_and_unit)
{
    cr_expect_eq(read_of("linuxptp", "ptp4l[9.1]: master offset      -1784 s0 freq   -2066 path delay      2225"),
                 -1784);
    cr_expect_eq(read_of("linuxptp", "ptp4l[9.1]: [x] master offset 12 s0 freq +1 path delay 2"), 12);
    /* chrony reports by how many seconds the client is behind, so the sign changes */
    cr_expect_float_eq(read_of("chrony",
                               "2026-11-22 23:50:43 10.77.0.1       N  1 111 111 1111  -3 -3 1.00 -1.265e-06  1.3e-05 "
                               "3.490e-08  0.000e+00  0.000e+00 7F7F0101 4B K K"),
                       1265, 1e-6);
}

Test(evaluate, a_line_without_an_offset_is_ignored)
{
    static const char *const lines[] = {"",
                                        "ptp4l[1.1]: port 1: LISTENING to UNCALIBRATED on RS_SLAVE",
                                        "ptp4l[1.1]: master offset",
                                        "   Date (UTC) Time     IP Address   L St 123 567 ABCD  LP RP Score    Offset",
                                        "2026-11-22T23:50:36Z Selected source 10.77.0.1",
                                        "2026-11-22 23:50:43 10.77.0.1 N 1 111 111 1111 -3 -3 1.00 none"};
    double error_ns;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (const struct ordo_net_daemon *const *at = ordo_net_daemons; *at; at++)
            cr_expect_not((*at)->read(lines[i], &error_ns), "%s: %s", (*at)->name, lines[i]);
    cr_expect_null(ordo_net_daemon_find("ntpd"));
}

Test(evaluate, the_configuration_lets_no_daemon_steer_a_clock)
{
    for (const struct ordo_net_daemon *const *at = ordo_net_daemons; *at; at++)
        for (int server = 0; server < 2; server++) {
            char *text = NULL;
            size_t bytes;
            FILE *file = open_memstream(&text, &bytes);
            (*at)->configure(file, server, 3);
            cr_assert_eq(fclose(file), 0);
            const char *const *arguments = server ? (*at)->server : (*at)->client;
            bool measures = strstr(text, "free_running 1\n") != NULL;
            for (int i = 0; i < ORDO_NET_DAEMON_ARGUMENTS && arguments[i]; i++)
                measures |= strcmp(arguments[i], "-x") == 0;
            cr_expect(measures, "%s", (*at)->name);
            free(text);
        }
}

Test(evaluate, a_histogram_counts_each_error_once)
{
    double errors_ns[100], same_ns[] = {7, 7, 7};
    for (int i = 0; i < 100; i++)
        errors_ns[i] = 99 - i;
    struct ordo_net_histogram histogram = ordo_net_histogram_of(errors_ns, 100);
    cr_expect(histogram.low_ns == 0 && histogram.high_ns == 99);
    for (int bin = 0; bin < ORDO_NET_HISTOGRAM; bin++)
        cr_expect_eq(histogram.count[bin], 5, "%d: %zu", bin, histogram.count[bin]);
    cr_expect_eq(ordo_net_histogram_of(same_ns, 3).count[0], 3);
}
