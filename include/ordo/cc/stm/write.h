/* Writes a word into the write set. */
#ifndef ORDO_CC_STM_WRITE_H
#define ORDO_CC_STM_WRITE_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/elastic.h>
#include <ordo/cc/stm/log.h>
#include <ordo/cc/stm/validate.h>

static inline int ordo_stm_write(struct ordo_stm_thread *t, uint64_t *word, uint64_t value)
{
    struct ordo_stm_entry *entry = t->filter ? ordo_stm_written(t, word) : NULL;
    ORDO_INVARIANT("stm", "use", t->depth, "a word is written in a transaction", t, t->depth, (uintptr_t)word);
    ORDO_INVARIANT("stm", "use", !((uintptr_t)word & 7), "a word is aligned", t, (uintptr_t)word, t->depth);
    if (t->code)
        return t->code;
    if (entry) {
        entry->value = value;
        return ORDO_OK;
    }
    if (t->flags & ORDO_STM_READ_ONLY)
        return ordo_stm_give_up(t, ORDO_E_INVALID, &t->statistics.aborts_asked);
    if (__builtin_expect(t->keeps == ORDO_STM_KEEPS_LAST, 0) && ordo_stm_hold(t))
        return t->code;
    if (t->writes.count == t->writes.capacity && ordo_stm_writes_grow(t))
        return ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    entry = (struct ordo_stm_entry *)t->writes.items + t->writes.count;
    /* The commit will exchange the stripe and store the word. Another CPU may share both lines; the commit then waits for
     * them at once and not one after the other, and its clock read waits for less. */
    ordo_fetch_to_write(ordo_stm_stripe(t, word));
    ordo_fetch_to_write(word);
    entry->word = word;
    entry->value = value;
    t->filter |= ordo_stm_bit(word);
    if (++t->writes.count > ORDO_STM_FEW)
        ordo_stm_index(t, t->writes.count > ORDO_STM_FEW + 1 ? t->writes.count - 1 : 0);
    return ORDO_OK;
}

#endif
