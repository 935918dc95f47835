/* Functions that read values of options, and the row of the option --deadline. Several commands use them. */
#ifndef ORDO_MPI_READ_H
#define ORDO_MPI_READ_H

#include "common/table.h"
#include "machine/clock/source.h"

enum { MPI_MOST_SECONDS = 86400, MPI_MOST_WAITS = 64, MPI_MOST_INJECTIONS = 16 };

/** Times after an event, in seconds, in ascending order. */
struct mpi_waits {
    double s[MPI_MOST_WAITS];
    int count;
};

/** An error added to one rank's clock, for self-tests: CLOCK:RANK:OFFSET_NS[:PPM]. */
struct mpi_injection {
    const struct ordo_clock_source *source;
    int rank;
    int64_t ahead_ns;
    double ppm;
};

struct mpi_injections {
    struct mpi_injection of[MPI_MOST_INJECTIONS];
    int count;
};

/** Reads a clock's name into a const struct ordo_clock_source *. */
void mpi_read_clock(const struct cli_given *given, void *member);

/** Reads seconds, such as "0,1,10", into a struct mpi_waits. The row's `most` is the largest number of values. */
void mpi_read_waits(const struct cli_given *given, void *member);

/** Adds one injection to a struct mpi_injections. */
void mpi_read_injection(const struct cli_given *given, void *member);

/** Reads a number of seconds into a double: 0, or at least 0.1. */
void mpi_read_deadline(const struct cli_given *given, void *member);

enum { MPI_DEADLINE_S = 60 };
#define MPI_DEADLINE_ROW(input, member)                                                                                \
    {                                                                                                                  \
        .name = "deadline", .argument = "S", .usual = "60", .read = mpi_read_deadline,                                 \
        .offset = offsetof(input, member),                                                                             \
        .help = "Seconds without a sign of life after which a rank is lost; 0: wait for ever"                          \
    }

#endif
