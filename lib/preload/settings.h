/* The settings of the preload, which `ordo run` passes in one environment variable:
 *
 *     ORDO_CLOCK=order=raised,max-boundary-ns=10000,reopen=1,record=/run/ordo/boundary
 *     ORDO_CLOCK=count=/tmp/ordo-run.XXXXXX
 *
 * A path is the last setting, because it may contain commas. */
#ifndef ORDO_PRELOAD_SETTINGS_H
#define ORDO_PRELOAD_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRELOAD_VARIABLE "ORDO_CLOCK"

enum preload_order { PRELOAD_ORDERED, PRELOAD_RAISED, PRELOAD_DURATIONS };

enum { PRELOAD_PATH = 1024, PRELOAD_MAX_BOUNDARY_NS = 10000 };

struct preload_settings {
    enum preload_order order;
    bool reopen; /* open the record that supersedes the present one */
    int64_t max_boundary_ns;
    char record[PRELOAD_PATH]; /* "": search for it */
    char count[PRELOAD_PATH];  /* "": serve; else count readings into this file */
};

/** Returns the word for an order: "ordered", "raised" or "durations". */
const char *preload_order_word(enum preload_order order);

/** Reads a word into an order. Returns false if it is none. */
bool preload_order_read(const char *word, size_t length, enum preload_order *order);

/** Reads the variable's text; NULL: the defaults. Returns false if the text is malformed. */
bool preload_settings_read(const char *text, struct preload_settings *settings);

/** Writes the settings as text. Returns false if they do not fit. */
bool preload_settings_write(const struct preload_settings *settings, char *text, size_t size);

#endif
