/* Reads a page that another program keeps up to date in a file of shared memory.
 *
 * A page has a counter. Its writer makes the counter odd, changes the page, and makes the counter even again. A reader
 * takes the counter, the page, and the counter again; the page is whole if both counters are equal and even.
 *
 * The page is read with pread(2) and never mapped: if its file were cut short while it is mapped, the next access would
 * end this process with SIGBUS. The three reads are system calls of one thread, and the kernel copies the bytes of each
 * call before it returns; so the counter is copied before the page, and copied again after it. */
#ifndef ORDO_NET_PAGE_PAGE_H
#define ORDO_NET_PAGE_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { ORDO_NET_PAGE_MOST = 4096 }; /* largest page that is read */

/** The form of a page. */
struct ordo_net_page_form {
    const char *writer;     /* the program that writes it, for messages */
    size_t least;           /* smallest length of the file, and the number of bytes that are read */
    size_t counter_at;      /* offset of the counter */
    int counter_bytes;      /* width of the counter: 2, 4 or 8 */
    uint64_t counter_first; /* counters below it say that the page was never written */
};

/** Reads `form->least` bytes of the page `path` into `bytes`.
 *
 * 0: the page is whole
 * ORDO_E_MISSING: there is no such file, or this user may not read it
 * ORDO_E_MALFORMED: it is a link or a pipe or a folder, or the page was never written
 * ORDO_E_OWNER, ORDO_E_WRITABLE: another user than root and this user could change the page
 * ORDO_E_TRUNCATED: the file is too short
 * ORDO_E_MEASURE: the page was being written at every try: its writer died in the middle, or writes all the time */
int ordo_net_page_read(const char *path, const struct ordo_net_page_form *form, unsigned char *bytes,
                       struct ordo_error *error);

/** Return a number of a page in the byte order of this machine. */
uint64_t ordo_net_page_number(const unsigned char *at, int bytes);

#endif
