/* A lease that no two programs hold at the same time, although each reads the clock of its own host.
 *
 * A register that both can change atomically has the holder and the end of the lease, in ns of the reference time. Here
 * it is a file under a lock; a real system would use a replicated register.
 *   - The holder acts only while the reference time is certainly before the end (ordo_now_before).
 *   - Another program takes the lease only when the reference time is certainly after the end (ordo_now_after).
 * The reference time is one and the same on both hosts, so the two never overlap. If the time becomes unknown, the
 * holder stops, and no one takes the lease.
 *
 *     lease-once REGISTER NAME SECONDS       prints each time for which it held the lease, by CLOCK_MONOTONIC
 *
 * The program crashes now and then without giving the lease back, as programs do. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include <ordo/now.h>

enum { LEASE_NS = 20000000 };

struct lease {
    int64_t end_ns;
    char holder[56];
};

static int64_t monotonic_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Takes the lease if it is certainly over, or extends it if it is ours and certainly not over. Returns its end; 0: it is
 * not ours. */
static int64_t take_lease(const struct ordo_now_handle *page, int fd, const char *name)
{
    struct lease lease = {0};
    int64_t end_ns = 0;
    (void)flock(fd, LOCK_EX);
    ssize_t got = pread(fd, &lease, sizeof lease, 0);
    bool ours = got == (ssize_t)sizeof lease && strcmp(lease.holder, name) == 0 && ordo_now_before(page, lease.end_ns);
    if (got == 0 || ours || ordo_now_after(page, lease.end_ns)) {
        struct ordo_now_interval now = ordo_now(page);
        memset(&lease, 0, sizeof lease);
        lease.end_ns = now.earliest_ns + LEASE_NS;
        (void)snprintf(lease.holder, sizeof lease.holder, "%s", name);
        if ((now.status == ORDO_NOW_VALID || now.status == ORDO_NOW_SUPERSEDED) &&
            pwrite(fd, &lease, sizeof lease, 0) == (ssize_t)sizeof lease)
            end_ns = lease.end_ns;
    }
    (void)flock(fd, LOCK_UN);
    return end_ns;
}

/* Acts as the holder until the lease may be over. Prints the first and the last moment at which it acted. */
static void hold_lease(const struct ordo_now_handle *page, int64_t end_ns)
{
    int64_t first_ns = 0, last_ns = 0, at_ns;
    do {
        at_ns = monotonic_ns();
        if (!ordo_now_before(page, end_ns)) /* the check follows the act's time, so that the act was within the lease */
            break;
        first_ns = first_ns ? first_ns : at_ns;
        last_ns = at_ns;
    } while (at_ns - first_ns < LEASE_NS);
    if (first_ns)
        printf("%" PRId64 " %" PRId64 "\n", first_ns, last_ns);
}

int main(int argc, char **argv)
{
    struct ordo_now_handle page;
    struct ordo_error error;
    int fd = argc == 4 ? open(argv[1], O_RDWR | O_CREAT | O_CLOEXEC, 0644) : -1;
    if (fd < 0)
        return fprintf(stderr, "usage: lease-once REGISTER NAME SECONDS\n"), 64;
    if (ordo_now_open(&page, NULL, &error))
        return fprintf(stderr, "lease-once: %s\n", error.text), 2;
    int64_t until_ns = monotonic_ns() + (int64_t)(atof(argv[3]) * 1e9);
    while (monotonic_ns() < until_ns) {
        int64_t end_ns = take_lease(&page, fd, argv[2]);
        if (end_ns)
            hold_lease(&page, end_ns);
        else
            (void)poll(NULL, 0, 1);
        (void)ordo_now_refresh(&page, NULL, NULL);
    }
    ordo_now_close(&page);
    return 0;
}
