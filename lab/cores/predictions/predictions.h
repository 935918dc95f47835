/* Predictions for machines that the project has not measured. Each is one row of a table: a quantity, and the runs of
 * ordo-bench-cores that compute it for a list of numbers of cores. The results are files of this folder. */
#ifndef ORDO_LAB_CORES_PREDICTIONS_H
#define ORDO_LAB_CORES_PREDICTIONS_H

#include "base/error.h"
#include "json/builder.h"

/* A loop of `ordo-bench contention`, for which one number is taken from the result. */
struct cores_predicted_loop {
    const char *algorithm;
    const char *seconds;       /* virtual duration of a trial */
    const char *stall_ns;      /* CPUs lose this time at random, which breaks rhythms that only equal CPUs have ... */
    const char *stall_each_ns; /* ... at this mean distance */
};

/* A command of ordo-bench, and the ratio of the speeds of two algorithms in its result. */
struct cores_predicted_ratio {
    const char *command;   /* its options are separated by single spaces */
    const char *of, *over; /* as the result names them */
    const char *seconds;   /* virtual duration of a trial */
    int boundary_ns;
    /* If stamps > 0, the command is a loop that stands for an engine: its option --work is the time of a transaction of
     * this engine, which another command measures on one CPU without stamps, divided by the number of stamps. */
    int stamps;
    const char *engine, *transaction;
};

struct cores_prediction {
    const char *name; /* the file NAME.json */
    const char *machine;
    const char *quantity; /* one sentence */
    const char *unit;
    const char *figure;                   /* key of the result: "thread_ns_per_op", "machine_ns_per_op", "ops_per_s" */
    struct cores_predicted_loop of, over; /* over.algorithm != NULL: the quantity is of / over */
    struct cores_predicted_loop crowded;  /* replaces `over`, or else `of`, above `crowded_above` threads */
    int crowded_above;                    /* 0: never */
    int saturated_above; /* above this number of threads, `crowded` is inverse to the mean transfer time; 0: never */
    int alone_above;  /* above this number of threads the rate of `of` grows with them: nothing is shared; 0: never */
    const char *cpus; /* the option --cpus; NULL: the first CPUs of the machine */
    const char *work_ns;  /* the option --work */
    const char *slack_ns; /* the option --slack-ns; 0 if threads use a line several times in a row */
    int seeds;            /* runs with different seeds, of which the mean is taken */
    int spread_percent;   /* added to both ends of the interval: constants that are not ranges */
    const char *inputs;   /* sources of the inputs that are no constants of the machine */
    const int *cores;     /* ascending, ends with 0 */
    const struct cores_predicted_ratio *ratio; /* NULL: the loops above; otherwise they are not used */
};

/* The tables; the last row has no name. */
extern const struct cores_prediction cores_loop_predictions[], cores_engine_predictions[];

/** Returns the prediction at `index`; NULL behind the last. */
const struct cores_prediction *cores_prediction_at(int index);

/** Returns the prediction of this name, or NULL. */
const struct cores_prediction *cores_prediction_find(const char *name);

/* The value at one number of cores. */
struct cores_predicted {
    double low, likely, high;
};

/** Computes the time of a transaction divided by its stamps, for a ratio with stamps > 0. Fails as cores_predict_point. */
int cores_predict_work(const struct cores_prediction *prediction, int64_t *work_ns, struct ordo_error *error);

/** Runs the simulations of one number of cores. Returns
 *
 * - ORDO_OK: low <= likely <= high;
 * - ORDO_E_MEASURE: the program is missing, failed, failed its audit, or took 10 minutes;
 * - ORDO_E_SYSTEM: out of memory. */
int cores_predict_point(const struct cores_prediction *prediction, int cores, struct cores_predicted *point,
                        struct ordo_error *error);

/** The same for a prediction with a ratio, without the addition of `spread_percent`. */
int cores_predict_ratio(const struct cores_prediction *prediction, int cores, struct cores_predicted *point,
                        struct ordo_error *error);

/** Computes all points and makes the document. `commit` may be NULL. Fails as cores_predict_point, and with
 * ORDO_E_INVALID if the machine's file is damaged. */
int cores_predict(const struct cores_prediction *prediction, const char *commit, struct ordo_json *document,
                  struct ordo_error *error);

/** ordo-lab cores predict. Returns the exit code. */
int cores_command_predict(int argc, char **argv);

#endif
