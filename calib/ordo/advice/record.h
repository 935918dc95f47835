/* The published record of this machine, as `ordo advise` reports it. */
#ifndef ORDO_CALIB_ADVICE_RECORD_H
#define ORDO_CALIB_ADVICE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <ordo/record.h>

struct advice_record {
    bool there;       /* the record could be read */
    bool usable;      /* the record is usable on this machine at present */
    char path[512];   /* path of the record, even if there is none */
    char reason[256]; /* why the record is not usable */
    int trust;        /* enum ordo_trust_class */
    bool forced;
    uint64_t boundary_ns;
    int64_t age_ns; /* -1: unknown */
};

/** Reads the record that ordo_open would open. */
void advice_record_read(struct advice_record *record);

#endif
