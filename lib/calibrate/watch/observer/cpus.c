/* Observes the online CPUs and the CPUs that the cgroup allows. When a CPU comes online, its counter may start from any
 * value, even if the CPU was online before. */
#include <stdio.h>
#include <string.h>

#include "calibrate/watch/observe.h"

/* Reads the list of online CPUs. The list may be longer than `online`, for example if every second CPU of a large
 * machine is online; the FNV-1a checksum covers the whole list. */
static void look_at_cpus(struct ordo_sight *sight)
{
    FILE *file = fopen("/sys/devices/system/cpu/online", "re");
    size_t used = 0;
    int letter;
    sight->online_checksum = UINT64_C(0xcbf29ce484222325);
    while (file && (letter = getc(file)) != EOF && letter != '\n') {
        sight->online_checksum = (sight->online_checksum ^ (unsigned)letter) * UINT64_C(0x100000001b3);
        if (used + 1 < sizeof sight->online)
            sight->online[used++] = (char)letter;
    }
    sight->online[used] = '\0';
    if (file)
        (void)fclose(file);
}

static bool judge_cpus(const struct ordo_sight *base, const struct ordo_sight *before, const struct ordo_sight *now,
                       double tick_hz, struct ordo_finding *finding)
{
    (void)base, (void)tick_hz;
    bool online = before->online[0] && now->online[0] &&
                  (strcmp(before->online, now->online) != 0 || before->online_checksum != now->online_checksum);
    bool allowed = before->allowed[0] && now->allowed[0] &&
                   (strcmp(before->allowed, now->allowed) != 0 || before->allowed_checksum != now->allowed_checksum);
    if (!online && !allowed)
        return false;
    finding->event = "cpus";
    finding->follow = ORDO_FOLLOW_RENEW;
    (void)snprintf(finding->text, sizeof finding->text, "the CPUs that are %s changed from %.60s to %.60s",
                   online ? "online" : "allowed", online ? before->online : before->allowed,
                   online ? now->online : now->allowed);
    return true;
}

const struct ordo_observer ordo_observer_cpus = {.name = "cpus", .look = look_at_cpus, .judge = judge_cpus};
