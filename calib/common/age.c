#include "age.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int64_t cli_age_ns(const struct ordo_record *head)
{
    unsigned char boot_id[16];
    int64_t uptime_ns = ordo_record_uptime_ns();
    if (ordo_record_boot_id(boot_id) != 0 || memcmp(boot_id, head->boot_id, sizeof boot_id) != 0)
        return -1;
    return uptime_ns >= 0 && (uint64_t)uptime_ns >= head->as_of_ns ? uptime_ns - (int64_t)head->as_of_ns : -1;
}

const char *cli_age_text(int64_t age_ns, char text[48])
{
    static const struct {
        int64_t seconds;
        const char *name;
    } units[] = {{86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    int unit = 0;
    while (unit < 3 && age_ns / 1000000000 < 2 * units[unit].seconds)
        unit++;
    (void)snprintf(text, 48, ", %" PRId64 " %s ago", age_ns / 1000000000 / units[unit].seconds, units[unit].name);
    return age_ns < 0 ? "" : text;
}
