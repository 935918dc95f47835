/* The program, and the document that describes its page or its answers. */
#include "net/source/source.h"

static int read_NAME(const struct ordo_source_options *options, struct ordo_source_claim *claim,
                     struct ordo_error *error)
{
    (void)options;
    *claim = (struct ordo_source_claim){
        .clock = ORDO_SOURCE_REALTIME, .void_after_raw_ns = INT64_MAX, .age_ns = -1, .leap = ORDO_SOURCE_LEAP_UNKNOWN};
    return ordo_error_set(error, ORDO_E_MISSING, 0, "NAME: it does not run on this host");
}

const struct ordo_source ordo_source_NAME = {
    .name = "NAME",
    .title = "one line for people",
    .read = read_NAME,
};
