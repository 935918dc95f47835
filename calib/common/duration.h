/* Times with a unit, as options and in output: "250us", "12.5 us". */
#ifndef ORDO_COMMON_DURATION_H
#define ORDO_COMMON_DURATION_H

#include <argp.h>
#include <stdint.h>

/** Reads a decimal number and a unit (ns, us, ms, s, min, h or d) into ns. Returns -1 if the text is malformed, finer than
 * a nanosecond, or not from `least_ns` to `most_ns`. */
int64_t duration_between(const char *text, int64_t least_ns, int64_t most_ns);

/** Returns an option's time in ns. The text is a decimal number and a unit: ns, us, ms, s, min, h or d. The unit must not
 * be missing. A malformed time, one finer than a nanosecond, and one that is not from `least_ns` to `most_ns` are usage
 * errors that name the option. `most_ns` must be below 2^62. */
int64_t cli_duration(const struct argp_state *state, const char *option, const char *text, int64_t least_ns,
                     int64_t most_ns);

enum { DURATION_TEXT = 32 };

/** Writes a time exactly, such as "-12.5 us" or "49.000004249 s", and returns `text`. */
const char *duration_exact(int64_t ns, char text[DURATION_TEXT]);

/** Writes a time with a sign and three digits, such as "+12.5us", in at most 8 characters for less than 1000 years, and
 * returns `text`. */
const char *duration_brief(int64_t ns, char text[DURATION_TEXT]);

#endif
