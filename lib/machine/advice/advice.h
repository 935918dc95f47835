/* Advice on the settings of programs that read clocks, from the evidence of a machine.
 *
 * One rule holds for every program: the advice is to use the counter only if the evidence supports it
 * (ordo_situation_counter). So no setting contradicts the class of trust. */
#ifndef ORDO_MACHINE_ADVICE_ADVICE_H
#define ORDO_MACHINE_ADVICE_ADVICE_H

#include <stdbool.h>

#include <ordo/start/evidence.h>

#include "base/error.h"

/** The reason why the kernel uses its clock source. */
enum ordo_chosen {
    ORDO_CHOSEN_UNKNOWN,    /* "unknown" */
    ORDO_CHOSEN_PARAMETER,  /* "boot-parameter" */
    ORDO_CHOSEN_PREFERRED,  /* "preferred": the source is the counter */
    ORDO_CHOSEN_FAULT,      /* "fault": the kernel saw a fault of the counter */
    ORDO_CHOSEN_INCAPABLE,  /* "incapable": the processor promises no constant rate */
    ORDO_CHOSEN_HYPERVISOR, /* "hypervisor": the source is the hypervisor's clock */
    ORDO_CHOSEN_OPERATOR    /* "operator": the counter is listed, but another source is used */
};

/** The permission to use the counter. */
enum ordo_counter_use { ORDO_COUNTER_NO, ORDO_COUNTER_AFTER_CALIBRATION, ORDO_COUNTER_YES };

/** The facts about a machine. */
struct ordo_situation {
    struct ordo_evidence evidence;
    struct ordo_trust_verdict verdict;
    enum ordo_chosen chosen;
    int vdso;            /* 1: CLOCK_MONOTONIC is read without entering the kernel, 0: by a system call, -1: unknown */
    double monotonic_ns; /* cost of a reading of CLOCK_MONOTONIC; 0: unknown */
    double counter_ns;   /* cost of an ordered reading of the counter; 0: unknown */
    bool recorded;       /* a valid record contains a boundary of the counter; the caller sets this */
};

/** The advice for one program. */
struct ordo_setting {
    char setting[160]; /* literal text; "keep": the default is right; "none": no setting concerns the clock */
    char reason[240];
};

/** A program, or a part of the system, that chooses a clock. The registry program/ contains all of them. */
struct ordo_advised {
    const char *name;
    const char *title; /* name of the setting */
    void (*advise)(const struct ordo_situation *situation, struct ordo_setting *setting);
};

/** All advised programs, in alphabetical order, ending with NULL. */
extern const struct ordo_advised *const ordo_adviseds[];

/** Reads the live machine (`root` NULL) and measures the costs of readings, in about 20 ms; or reads the folder of
 * another machine (tests/machines/README.md).
 *
 * 0: done
 * ORDO_E_MISSING: the folder lacks a file that is needed to judge its machine
 * ORDO_E_MALFORMED: a line of such a file is malformed */
int ordo_situation_read(struct ordo_situation *situation, const char *root, struct ordo_error *error);

enum ordo_counter_use ordo_situation_counter(const struct ordo_situation *situation);

/** True if programs should read the counter now: the evidence permits it, and a reading does not trap into the
 * kernel. */
bool ordo_situation_prefers_counter(const struct ordo_situation *situation);

/** True if the kernel itself reads the counter, or its unrefined form tsc-early, which it uses for about a second after
 * the boot. */
bool ordo_situation_kernel_counts(const struct ordo_situation *situation);

/** Writes a setting and its reason. Cuts a reason that is too long. */
void ordo_setting_put(struct ordo_setting *setting, const char *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

const char *ordo_chosen_word(enum ordo_chosen chosen);
const char *ordo_counter_use_word(enum ordo_counter_use use);

#endif
