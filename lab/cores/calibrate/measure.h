/* What the calibration measures: times of this machine, each with its interval. */
#ifndef ORDO_LAB_CORES_CALIBRATE_MEASURE_H
#define ORDO_LAB_CORES_CALIBRATE_MEASURE_H

#include <stdint.h>

#include "base/error.h"

enum { CORES_CALIBRATE_ROUNDS = 31, CORES_CALIBRATE_TRIES = 20 };

enum cores_calibrate_value {
    CORES_CALIBRATE_CYCLE,
    CORES_CALIBRATE_INSTRUCTION,
    CORES_CALIBRATE_L1,
    CORES_CALIBRATE_L2,
    CORES_CALIBRATE_L3,
    CORES_CALIBRATE_MEMORY,
    CORES_CALIBRATE_CHAINS, /* a load of memory by one of 32 independent chains */
    CORES_CALIBRATE_SECOND, /* added if only the second level of the TLB has a page */
    CORES_CALIBRATE_WALK,   /* added if no level has it */
    CORES_CALIBRATE_MISPREDICT,
    CORES_CALIBRATE_ADD,
    CORES_CALIBRATE_CAS,
    CORES_CALIBRATE_FENCE,
    CORES_CALIBRATE_CLOCK,
    CORES_CALIBRATE_CLOCK_ORDERED,
    CORES_CALIBRATE_PAUSE,
    CORES_CALIBRATE_CALL,
    CORES_CALIBRATE_YIELD,
    CORES_CALIBRATE_WAKE,       /* from the call until the thread runs on an idle CPU */
    CORES_CALIBRATE_WAKE_CALL,  /* the call that wakes a thread, for the caller */
    CORES_CALIBRATE_SWITCH,     /* a call that wakes, a call that sleeps, and the switch */
    CORES_CALIBRATE_STORE_HIT,  /* a store to a line in L1 */
    CORES_CALIBRATE_STORE_MISS, /* one of many stores to lines that are in memory */
    CORES_CALIBRATE_TRANSFER,
    CORES_CALIBRATE_TWO_ADDERS, /* an addition, while two CPUs add to one line */
    CORES_CALIBRATE_VALUES
};

/* The median of the rounds, and their first and last tenths. */
struct cores_calibrate_interval {
    double median, low, high;
};

struct cores_calibrate_machine {
    struct cores_calibrate_interval ns[CORES_CALIBRATE_VALUES];
    uint64_t l1_bytes, l2_bytes, l3_bytes;
    int l1_ways, l2_ways, l3_ways, line_bytes;
    int page_bytes, first_pages, second_pages; /* pages that each level of the TLB holds */
    uint64_t clock_hz;
    char title[120];
};

/** Returns the words that describe a value. */
const char *cores_calibrate_words(enum cores_calibrate_value value);

/** Sorts CORES_CALIBRATE_ROUNDS values. */
struct cores_calibrate_interval cores_calibrate_interval_of(double *rounds);

/** Number of times that the calling thread has lost its CPU to another one. A round in which this changes is not
 * counted; after CORES_CALIBRATE_TRIES such rounds the next one is. */
long cores_calibrate_losses(void);

/** The measurements on one CPU, of pointers, and on two CPUs. They fill their values. ORDO_E_SYSTEM: no memory, no
 * thread, or fewer than two CPUs. */
int cores_calibrate_single(struct cores_calibrate_machine *machine, struct ordo_error *error);
int cores_calibrate_chase(struct cores_calibrate_machine *machine, struct ordo_error *error);
int cores_calibrate_pages(struct cores_calibrate_machine *machine, struct ordo_error *error);
int cores_calibrate_pair(struct cores_calibrate_machine *machine, struct ordo_error *error);
int cores_calibrate_wake(struct cores_calibrate_machine *machine, struct ordo_error *error);

/** Pins the calling thread to the first or the second CPU that the process may use. */
int cores_calibrate_pin(int which, struct ordo_error *error);

/** Returns the file of a machine in malloc'ed memory; NULL if there is no memory. */
char *cores_calibrate_text(const struct cores_calibrate_machine *machine);

#endif
