/* Observes VMClock, a page that the hypervisor writes. Its disruption marker changes when the guest is restored or
 * migrated, because the guest may then read another counter. Layout: linux/vmclock-abi.h and the VMClock specification:
 * little-endian, magic "VCLK" at 0, size at 4, version at 8, a sequence counter at 12 that is odd while the page
 * changes, the marker at 16. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/watch/observe.h"

enum { MAGIC_AT = 0, VERSION_AT = 8, SEQUENCE_AT = 12, MARKER_AT = 16, HEAD = 24, TRIES = 100 };

static uint64_t little(const unsigned char *bytes, int count)
{
    uint64_t value = 0;
    while (count-- > 0)
        value = value << 8 | bytes[count];
    return value;
}

/* Reads the page. If the sequence number is even, and equal before and after the read, the content is consistent. */
static bool read_page(int fd, unsigned char head[HEAD])
{
    unsigned char again[HEAD];
    for (int i = 0; i < TRIES; i++) {
        if (pread(fd, head, HEAD, 0) != HEAD || pread(fd, again, HEAD, 0) != HEAD)
            return false;
        if (memcmp(head, again, HEAD) == 0 && little(head + SEQUENCE_AT, 4) % 2 == 0)
            return true;
    }
    return false;
}

static void look_at_vmclock(struct ordo_sight *sight)
{
    unsigned char head[HEAD];
    sight->vmclock = false;
    int fd = sight->vmclock_path ? open(sight->vmclock_path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    if (read_page(fd, head) && memcmp(head + MAGIC_AT, "VCLK", 4) == 0 && little(head + VERSION_AT, 2) == 1) {
        sight->vmclock = true;
        sight->vmclock_marker = little(head + MARKER_AT, 8);
    }
    (void)close(fd);
}

static bool judge_vmclock(const struct ordo_sight *base, const struct ordo_sight *before, const struct ordo_sight *now,
                          double tick_hz, struct ordo_finding *finding)
{
    (void)base, (void)tick_hz;
    if (!before->vmclock || !now->vmclock || before->vmclock_marker == now->vmclock_marker)
        return false;
    finding->event = "vmclock";
    finding->follow = ORDO_FOLLOW_DISRUPT;
    (void)snprintf(finding->text, sizeof finding->text,
                   "the hypervisor's disruption marker changed from %llu to %llu: the machine was restored or migrated",
                   (unsigned long long)before->vmclock_marker, (unsigned long long)now->vmclock_marker);
    return true;
}

const struct ordo_observer ordo_observer_vmclock = {.name = "vmclock", .look = look_at_vmclock, .judge = judge_vmclock};
