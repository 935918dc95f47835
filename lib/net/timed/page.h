/* The writer of a page of <ordo/now.h>.
 *
 *   [W1] A slot is complete before `count` includes it, and never changes afterwards. A file is complete, with its first
 *        slot, before it has the name. So a reader sees whole slots only, without a lock.
 *   [W2] The whole file is written, zeros included, before it has the name. So a full disk can prevent a new file, but
 *        neither a new slot in the present one nor its withdrawal.
 *   [W3] A writer holds a lock on PATH.lock, so that no two writers replace each other's files.
 *   [W4] The old file is marked SUPERSEDED after the new one has the name, so a reader that reopens finds the new one. The
 *        mark needs the status VALID: it never takes back DISRUPTED. A killed writer marks nothing, and its file becomes
 *        void by itself. */
#ifndef ORDO_NET_TIMED_PAGE_H
#define ORDO_NET_TIMED_PAGE_H

#include <ordo/now.h>

#include "base/error.h"
#include "net/timed/clock.h"

/** The present file. */
struct ordo_timed_page {
    const char *path;
    int lock;
    struct ordo_now_head *head; /* mapped; NULL: none has been published yet */
    struct ordo_now_slot *slots;
    size_t bytes;
    uint64_t capacity;
    uint64_t generation; /* of the last file at this path */
};

/** Takes the lock, and looks for a file of an earlier writer. `path` must outlive the page. ORDO_E_SYSTEM: another writer
 * has the lock, or the folder cannot be written. */
int ordo_timed_page_open(struct ordo_timed_page *page, const char *path, uint64_t capacity, struct ordo_error *error);

/** Adds a slot, whose seal this call computes. Begins a new file if there is none, the present one is full or withdrawn,
 * or `anew`. If a new file cannot be made, the old one stays as it is. `vmclock` is the path of VMClock's page; "": none.
 * Returns 0, or ORDO_E_SYSTEM, ORDO_E_OWNER. */
int ordo_timed_page_add(struct ordo_timed_page *page, const struct ordo_timed_clock *clock, const char *vmclock,
                        const struct ordo_now_slot *slot, bool anew, struct ordo_error *error);

/** Withdraws the present file: readers see DISRUPTED at once. */
void ordo_timed_page_withdraw(struct ordo_timed_page *page);

/** True if the present file is published and not withdrawn. */
bool ordo_timed_page_stands(const struct ordo_timed_page *page);

/** Releases the page, which stays published until it is void. */
void ordo_timed_page_close(struct ordo_timed_page *page);

#endif
