/* The published record of this machine, as `ordo advise` tells of it. */
#ifndef ORDO_CALIB_ADVICE_RECORD_H
#define ORDO_CALIB_ADVICE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <ordo/record.h>

struct advice_record {
    bool there;       /* it was read */
    bool usable;      /* it holds here and now */
    char path[512];   /* its place, also of an absent one */
    char reason[256]; /* why it is not usable */
    int trust;        /* enum ordo_trust_class */
    bool forced;
    uint64_t boundary_ns;
    int64_t age_ns; /* -1: unknown */
};

/** Reads the record that ordo_open would open. */
void advice_record_read(struct advice_record *record);

#endif
