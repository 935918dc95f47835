#include "net/log/item.h"

const char *ordo_log_series_name(enum ordo_log_series series)
{
    static const char *const names[ORDO_LOG_SERIES] = {"servo", "tracking", "statistics", "measurements", "refclock"};
    return names[series];
}
