/* The windows of `ordo-net measure`: one, or one after the other. */
#ifndef ORDO_NET_SERIES_H
#define ORDO_NET_SERIES_H

#include "ordo-net/measured.h"

struct series_options {
    const char *metrics, *svg, *log; /* files; NULL: none */
    int windows;                     /* with `follow`: the number of windows; 0: until a signal comes */
    bool follow, json;
};

/** Measures, prints and writes the windows. Returns the exit code of the command. */
int series_run(const struct series_options *options, struct ordo_net_survey *survey, struct measured *measured,
               const char *program);

#endif
