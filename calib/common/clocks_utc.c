/* Times of a comparison of clocks. */
#include "clocks_utc.h"

#include <stdio.h>
#include <time.h>

void clocks_format_utc(const struct ordo_comparison *comparison, double at_s, char text[40])
{
    int64_t at_ns = comparison->begin_utc_ns + (int64_t)(at_s * 1e9);
    time_t seconds = (time_t)(at_ns / 1000000000);
    struct tm moment = {0};
    size_t length = gmtime_r(&seconds, &moment) ? strftime(text, 24, "%Y-%m-%dT%H:%M:%S", &moment) : 0;
    (void)snprintf(text + length, 40 - length, ".%06dZ", (int)(at_ns % 1000000000 / 1000));
}
