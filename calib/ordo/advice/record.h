/* The published record of this machine, as `ordo advise` reports it. */
#ifndef ORDO_CALIB_ADVICE_RECORD_H
#define ORDO_CALIB_ADVICE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <ordo/record.h>

struct advice_record {
    bool there;       /* the record was read */
    bool usable;      /* the record is usable here and now */
    char path[512];   /* its place, even if there is no record */
    char reason[256]; /* why the record is not usable */
    int trust;        /* enum ordo_trust_class */
    bool forced;
    uint64_t boundary_ns;
    int64_t age_ns; /* -1: unknown */
};

/** Reads the record that ordo_open would open. */
void advice_record_read(struct advice_record *record);

#endif
