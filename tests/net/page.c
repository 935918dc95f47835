/* page KIND PATH [NAME=VALUE...]: writes a page as ClockBound, fbclock or a hypervisor would, for tests; in place, with the
 * counter of the page. KIND and its values, in ns if nothing else is said:
 *
 *   clockbound   bound drift_ppb age left status   the page of layout 2: written `age` ago, void in `left`
 *   clockbound3  bound off                         the page of layout 3, whose counter tells UTC + off
 *   fbclock      bound off age                     UTC + off, written `age` ago
 *   vmclock      bound off                         UTC + off
 *   shift        off                               the file of tests/net/shift.c: CLOCK_REALTIME is shifted by off
 *   half                                           the page is left half-written
 *   loopback                                       switches on "lo" of this network namespace
 *
 * UTC is the CLOCK_REALTIME of this process. */
#include <fcntl.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <ordo/clock.h>

#include "pages.h"

static int arguments;
static char **argument;

/* Returns the value of NAME=VALUE among the arguments, or `otherwise`. */
static int64_t value_of(const char *name, int64_t otherwise)
{
    size_t length = strlen(name);
    for (int i = 0; i < arguments; i++)
        if (strncmp(argument[i], name, length) == 0 && argument[i][length] == '=')
            return strtoll(argument[i] + length + 1, NULL, 10);
    return otherwise;
}

static int64_t now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Measures the counter's rate for a tenth of a second. Returns ticks per ns. */
static double measure_rate(void)
{
    struct timespec tenth = {0, 100000000};
    int64_t begin_ns = now_ns(CLOCK_MONOTONIC_RAW);
    uint64_t begin = ordo_clock_read();
    nanosleep(&tenth, NULL);
    uint64_t end = ordo_clock_read();
    return (double)(end - begin) / (double)(now_ns(CLOCK_MONOTONIC_RAW) - begin_ns);
}

static void make_page(struct page *page, const char *kind)
{
    int64_t bound_ns = value_of("bound", 200000), off_ns = value_of("off", 0), age_ns = value_of("age", 0);
    if (strcmp(kind, "clockbound") == 0) {
        int64_t coarse_ns = now_ns(CLOCK_MONOTONIC_COARSE), as_of_ns = coarse_ns > age_ns ? coarse_ns - age_ns : 0;
        page_clockbound2(page, as_of_ns, coarse_ns + value_of("left", 1000000000000), bound_ns,
                         (uint32_t)value_of("drift_ppb", 15000), (int)value_of("status", 1));
        return;
    }
    double ticks_per_ns = strcmp(kind, "fbclock") == 0 ? 0 : measure_rate();
    uint64_t ticks = ordo_clock_read();
    int64_t utc_ns = now_ns(CLOCK_REALTIME) + off_ns;
    if (strcmp(kind, "clockbound3") == 0)
        page_clockbound3(page, ticks, utc_ns, utc_ns + 1000000000000, 1e-9 / ticks_per_ns, bound_ns, 100000, 1);
    else if (strcmp(kind, "vmclock") == 0) {
        double period = (double)UINT64_C(0x89705f4136b4a597) / ticks_per_ns;
        page_vmclock(page, 1, ticks, utc_ns + 37000000000, (uint64_t)period, (uint64_t)(period * 1e-4), bound_ns);
    } else
        page_fbclock(page, CLOCK_MONOTONIC_RAW, now_ns(CLOCK_MONOTONIC_RAW) - age_ns, utc_ns + 37000000000 - age_ns,
                     (uint32_t)bound_ns, 0);
}

/* Writes the page between an odd and an even counter, which continue those of the file. */
static int write_in_place(const char *path, const char *kind, struct page *page)
{
    int at = strncmp(kind, "clockbound", 10) == 0 ? 14 : strcmp(kind, "vmclock") == 0 ? 12 : 0;
    int width = at == 14 ? 2 : at == 12 ? 4 : 8, file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    uint64_t counter = 0;
    if (file < 0 || pread(file, &counter, (size_t)width, at) < 0)
        return 1;
    counter |= 1;
    bool wrong = pwrite(file, &counter, (size_t)width, at) != width;
    counter++;
    memcpy(page->bytes + at, &counter, (size_t)width);
    wrong |= pwrite(file, page->bytes, (size_t)at, 0) != at;
    wrong |= pwrite(file, page->bytes + at + width, (size_t)(page->count - at - width), at + width) < 0;
    wrong |= pwrite(file, &counter, (size_t)width, at) != width;
    return wrong | fchmod(file, 0644) | close(file);
}

static int write_number(const char *path, int64_t value)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    return file < 0 || pwrite(file, &value, sizeof value, 0) != sizeof value || close(file);
}

static int raise_loopback(void)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return file < 0 || ioctl(file, SIOCSIFFLAGS, &request) || close(file);
}

int main(int argc, char **argv)
{
    struct page page;
    if (argc < 3)
        return 64;
    arguments = argc - 3;
    argument = argv + 3;
    if (strcmp(argv[1], "shift") == 0)
        return write_number(argv[2], value_of("off", 0));
    if (strcmp(argv[1], "loopback") == 0)
        return raise_loopback();
    if (strcmp(argv[1], "half") == 0) /* of fbclock, whose counter comes first */
        return write_number(argv[2], 3);
    make_page(&page, argv[1]);
    return write_in_place(argv[2], argv[1], &page);
}
