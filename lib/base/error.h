/* Fills a struct ordo_error of <ordo/error.h>. */
#ifndef ORDO_BASE_ERROR_H
#define ORDO_BASE_ERROR_H

#include <ordo/error.h>

/** Writes code, errno value and one formatted line into `error` (may be NULL), and returns `code`. */
int ordo_error_set(struct ordo_error *error, int code, int sys_errno, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** Fills `error` for a system call that has just failed: ORDO_E_SYSTEM, errno, and "<object>: <reason>";
 * the formatted text is the object. Returns ORDO_E_SYSTEM. */
int ordo_error_errno(struct ordo_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
