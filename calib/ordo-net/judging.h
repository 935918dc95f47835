/* Reads logs, judges them, and prints the result: the work of `ordo-net judge`. */
#ifndef ORDO_NET_JUDGING_H
#define ORDO_NET_JUDGING_H

#include "net/log/judge.h"

struct judging {
    const char *const *paths;
    int count;
    struct ordo_log_limits limits;
    const char *svg; /* or NULL */
    bool json, all;
};

/** Returns options without files and limits. */
struct judging judging_begin(void);

/** Returns the exit code. */
int judging_run(const struct judging *judging, const char *program);

#endif
